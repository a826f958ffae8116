// The sweep: its points, what is measured of them, which one is chosen, and which are kept.

// As `daedalus explore` prints objectives.
const figure = (value) => (value < 1000 && !Number.isInteger(value) ? value.toFixed(3) : grouped(Math.round(value)));
const change = (ratio) => (ratio > 0 ? "+" : "") + (100 * ratio).toFixed(1) + "%";
const toneOf = (ratio) => (Math.abs(ratio) < 0.0005 ? "" : ratio < 0 ? "better" : "worse");

class Sweep {
  constructor(data, profiles) {
    Object.assign(this, data);
    this.profiles = profiles;
    this.machines = data.points.id.map((id, index) => ({ id, index, name: data.points.machine[index], isFront: data.points.on_front[index] === 1 }));
    this.front = this.machines.filter((machine) => machine.isFront);
    this.measures = this.measuresOf();
    this.byId = new Map(this.machines.map((machine) => [machine.id, machine]));
    this.byPlace = new Map(this.machines.map((machine) => [this.placeOf(machine).join(), machine]));
    this.ranges = new Map(); // of values that are kept, by the names of axes
    this.chosen = this.front[0];
    this.listeners = [];
  }

  // The objectives, and over several networks the cycles of each.
  measuresOf() {
    const { values, costs } = this.points, all = this.objectives.map((objective) => ({ ...objective, column: values[objective.name] }));
    if (this.networks.length > 1)
      this.networks.forEach((network, at) =>
        all.push({ name: "cycles of " + network, meaning: "cycles of a run of " + network, column: costs[at].cycles }),
      );
    return all;
  }

  measure(name) {
    return this.measures.find((measure) => measure.name === name);
  }

  // The positions of a machine's values, by key.
  placeOf(machine) {
    return this.keys.map((key) => this.points.keys[key.name][machine.index]);
  }

  // The machine that differs by so many steps of a key, if it was compared.
  neighbour(machine, key, steps) {
    const place = this.placeOf(machine), at = this.keys.indexOf(key);
    if (place[at] < 0) return undefined;
    place[at] += steps;
    return this.byPlace.get(place.join());
  }

  // The machine as a machine file.
  fileOf(machine) {
    return this.points.files[machine.index].map((line) => this.lines[line] + "\n").join("");
  }

  profileOf(machine, network) {
    return this.profiles[machine.id]?.[network];
  }

  // Keys that vary and measures, as axes: where a machine lies on one, from 0 to 1, is `at`; null where it has no place.
  // Measures that say the same as another axis are left out.
  axes() {
    const keys = this.keys.map((key) => new KeyAxis(key, this.points.keys[key.name])), measures = [];
    const isSame = (a, b) => this.machines.every((machine) => Math.abs(a.at(machine) - b.at(machine)) < 1e-9);
    for (const measure of this.measures) {
      const axis = new MeasureAxis(measure);
      const isKnown = keys.some(({ name }) => name === axis.name) || measures.some((other) => isSame(axis, other));
      if (axis.varies() && !isKnown) measures.push(axis);
    }
    return [...keys.filter((axis) => axis.varies()), ...measures];
  }

  isKept(machine) {
    for (const [axis, [low, high]] of this.ranges.values()) {
      const at = axis.at(machine);
      if (at === null || at < low - 1e-9 || at > high + 1e-9) return false;
    }
    return true;
  }

  // `range` is a part of 0 to 1; undefined keeps all.
  keep(axis, range) {
    if (range) this.ranges.set(axis.name, [axis, range]);
    else this.ranges.delete(axis.name);
    this.tell("kept");
  }

  keepAll() {
    this.ranges.clear();
    this.tell("kept");
  }

  choose(machine) {
    if (!machine || machine === this.chosen) return;
    this.chosen = machine;
    history.replaceState(null, "", "#point=" + machine.id);
    this.tell("chosen");
  }

  // Calls back when another point is "chosen" or others are "kept".
  listen(what, listener) {
    this.listeners.push({ what, listener });
  }

  tell(what) {
    for (const each of this.listeners) if (each.what === what) each.listener();
  }
}

// Values one after the other, at equal distances.
class KeyAxis {
  constructor(key, column) {
    Object.assign(this, { name: key.name, values: key.values, column });
  }
  varies() {
    return new Set(this.column).size > 1;
  }
  at(machine) {
    const position = this.column[machine.index];
    return position < 0 ? null : position / (this.values.length - 1);
  }
  place(text) {
    const position = this.values.indexOf(text.trim());
    return position < 0 ? undefined : position / (this.values.length - 1);
  }
  // The texts of the first and the last value of a range.
  bounds([low, high]) {
    return [this.text(low, Math.ceil), this.text(high, Math.floor)];
  }
  text(at, round) {
    return this.values[Math.min(this.values.length - 1, Math.max(0, round(at * (this.values.length - 1))))];
  }
  ticks() {
    const step = Math.ceil(this.values.length / 16);
    return this.values.map((value, position) => ({ at: position / (this.values.length - 1), label: value })).filter((_, at) => at % step === 0);
  }
}

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

// Numbers, by their logarithms where they are of different sizes.
class MeasureAxis {
  constructor({ name, column }) {
    const [least, most] = extentOf(column);
    Object.assign(this, { name, column, least, most, isLog: isWide(least, most) });
  }
  varies() {
    return this.most > this.least;
  }
  position(value) {
    const of = this.isLog ? Math.log : (it) => it;
    return (of(value) - of(this.least)) / (of(this.most) - of(this.least));
  }
  at(machine) {
    return this.position(this.column[machine.index]);
  }
  place(text) {
    const value = Number(text.replaceAll(",", ""));
    if (text.trim() === "" || !Number.isFinite(value)) return undefined;
    return value < this.least ? -0.01 : value > this.most ? 1.01 : this.position(value);
  }
  value(at) {
    if (at <= 0 || at >= 1) return at <= 0 ? this.least : this.most;
    return this.isLog ? this.least * (this.most / this.least) ** at : this.least + (this.most - this.least) * at;
  }
  bounds([low, high]) {
    return [this.text(low, Math.floor), this.text(high, Math.ceil)];
  }
  text(at, round) {
    const value = this.value(at), digits = value < 1000 ? 1000 : 1;
    return figure(round(value * digits) / digits);
  }
  ticks() {
    return [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, label: compact.format(this.value(at)) }));
  }
}

function extentOf(column) {
  let least = Infinity, most = -Infinity;
  for (const value of column) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

const isWide = (least, most) => least > 0 && most / least > 20;
