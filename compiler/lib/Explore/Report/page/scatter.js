// All machines by two objectives: a click or the arrows choose one.

// Those that no other beats in both measures, from left to right.
function frontOfTwo(machines, x, y) {
  const sorted = [...machines].sort((a, b) => x.column[a.index] - x.column[b.index] || y.column[a.index] - y.column[b.index]);
  let least = Infinity;
  return sorted.filter((machine) => {
    const isBetter = y.column[machine.index] < least;
    if (isBetter) least = y.column[machine.index];
    return isBetter;
  });
}

class Scatter {
  constructor(sweep) {
    this.sweep = sweep;
    this.across = this.choiceOf("across", 1);
    this.up = this.choiceOf("up", 0);
    this.place = document.getElementById("scatter");
    this.place.addEventListener("keydown", (event) => this.step(event));
    for (const what of ["chosen", "other", "kept"]) sweep.listen(what, () => this.update());
  }

  // A choice of a measure, at first that of this number.
  choiceOf(id, at) {
    const choice = document.getElementById(id);
    for (const { name } of this.sweep.measures) choice.append(element("option", name));
    choice.selectedIndex = Math.min(at, this.sweep.measures.length - 1);
    choice.addEventListener("change", () => this.sweep.tell("axes"));
    this.sweep.listen("axes", () => this.draw());
    return choice;
  }

  axes() {
    return [this.across, this.up].map((choice) => this.sweep.measures[choice.selectedIndex]);
  }

  dotOf(machine) {
    const [x, y] = this.axes(), { index, id, name, isFront } = machine;
    const at = { x: x.column[index], y: y.column[index] };
    const tooltip = `point ${id}: ${figure(at.x)} ${x.name}, ${figure(at.y)} ${y.name}; ${name}`;
    return { ...at, index, isFront, isKept: this.sweep.isKept(machine), tooltip };
  }

  tables() {
    const { sweep } = this, dots = sweep.machines.map((machine) => this.dotOf(machine));
    const chosen = [{ ...this.dotOf(sweep.chosen) }];
    if (sweep.other) chosen.push({ ...this.dotOf(sweep.other), isOther: true });
    return {
      dots: dots.sort((a, b) => a.isFront - b.isFront),
      line: frontOfTwo(sweep.machines, ...this.axes()).map((machine) => this.dotOf(machine)),
      chosen,
    };
  }

  async draw() {
    const [x, y] = this.axes();
    const adapt = (spec) =>
      [x, y].forEach((measure, at) => {
        if (isWide(...extentOf(measure.column))) spec.scales[at].type = "log";
      });
    const titled = ({ name, meaning }) => `${name} (${meaning})`;
    const renderer = this.sweep.machines.length > 3000 ? "canvas" : "svg";
    this.view = makeView("scatter", this.tables(), { across: titled(x), up: titled(y) }, renderer, adapt);
    this.view.addEventListener("click", (_, item) => this.sweep.choose(this.sweep.machines[item?.datum?.index]));
    await this.view.runAsync();
    this.describe();
  }

  update() {
    for (const [table, rows] of Object.entries(this.tables())) this.view.data(table, rows);
    this.view.runAsync();
    this.describe();
  }

  describe() {
    const { chosen, measures, machines } = this.sweep;
    const values = measures.map(({ name, column }) => `${figure(column[chosen.index])} ${name}`).join(", ");
    document.getElementById("chosen").textContent = `Point ${chosen.id}${chosen.isFront ? ", on the front" : ""}: ${values}`;
    const line = frontOfTwo(machines, ...this.axes());
    document.getElementById("shown").textContent = `${grouped(machines.length)} machines, ${grouped(line.length)} on the line`;
  }

  // Along the front, from left to right.
  step(event) {
    const [x] = this.axes(), front = this.sweep.front.filter((machine) => this.sweep.isKept(machine));
    front.sort((a, b) => x.column[a.index] - x.column[b.index]);
    const at = front.indexOf(this.sweep.chosen);
    const next = { ArrowRight: at + 1, ArrowLeft: at < 0 ? 0 : at - 1, Home: 0, End: front.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.sweep.choose(front[next]);
  }
}
