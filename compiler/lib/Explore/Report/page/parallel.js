// A line a machine over axes of keys and objectives. Ranges along the axes say which machines are kept.

const REACH = 24; // pixels beside an axis that belong to it
const MOST_LINES = 4000; // that are drawn, those of the front among them

class Parallel {
  constructor(sweep) {
    this.sweep = sweep;
    this.axes = sweep.axes();
    this.place = document.getElementById("parallel");
    this.fields = ["from", "to"].map((name) => document.getElementById("brush-" + name));
    this.choice = document.getElementById("brush-axis");
    for (const { name } of this.axes) this.choice.append(element("option", name));
    this.connect();
  }

  connect() {
    this.choice.addEventListener("change", () => this.fillFields());
    for (const field of this.fields) field.addEventListener("change", () => this.readFields());
    document.getElementById("brush-clear").addEventListener("click", () => this.sweep.keepAll());
    this.place.addEventListener("pointerdown", (event) => this.begin(event));
    this.place.addEventListener("pointermove", (event) => this.drag(event));
    this.place.addEventListener("pointerup", (event) => this.end(event));
    for (const what of ["chosen", "kept"]) this.sweep.listen(what, () => this.update());
  }

  x(at) {
    return this.axes.length > 1 ? (at * this.view.width()) / (this.axes.length - 1) : this.view.width() / 2;
  }

  y(at) {
    return (1 - at) * this.view.height();
  }

  pathOf(machine) {
    let path = "", pen = "M";
    this.axes.forEach((axis, index) => {
      const at = axis.at(machine);
      if (at !== null) path += `${pen}${this.x(index).toFixed(1)},${this.y(at).toFixed(1)}`;
      pen = at === null ? "M" : "L";
    });
    return path;
  }

  lineOf(machine) {
    const { id, index, name, isFront } = machine, isKept = this.sweep.isKept(machine);
    const { machines, front } = this.sweep, share = Math.min(1, 8 / Math.sqrt((isFront ? front : machines).length));
    const opacity = !isKept ? 0.02 : (isFront ? 0.35 : 0.06) + 0.5 * share ** 1.5; // the more lines, the fainter
    const order = 4 * (machine === this.sweep.chosen) + 2 * isKept + isFront;
    return { path: this.paths.get(machine), id, index, isFront, isChosen: machine === this.sweep.chosen, opacity, order, tooltip: `point ${id}: ${name}` };
  }

  lines() {
    const { machines, front, chosen } = this.sweep, every = Math.ceil((machines.length - front.length) / MOST_LINES);
    const drawn = machines.filter((machine) => machine.isFront || machine === chosen || machine.index % every === 0);
    return drawn.map((machine) => this.lineOf(machine)).sort((a, b) => a.order - b.order);
  }

  ranges() {
    return [...this.sweep.ranges.values()].map(([axis, [low, high]]) => {
      const x = this.x(this.axes.indexOf(axis));
      return { x, y: this.y(Math.min(1, high)) - 3, y2: this.y(Math.max(0, low)) + 3, name: axis.name };
    });
  }

  async draw() {
    this.view = makeView("parallel", {}, {}, "canvas");
    this.paths = new Map(this.sweep.machines.map((machine) => [machine, this.pathOf(machine)]));
    const room = 1.9 * (this.x(1) - this.x(0));
    this.view.data("axes", this.axes.map(({ name }, at) => ({ name, x: this.x(at), isHigh: at % 2 === 0, room })));
    this.view.data("ticks", this.axes.flatMap((axis, at) => axis.ticks().map((tick) => ({ x: this.x(at), y: this.y(tick.at), label: tick.label }))));
    this.fillFields();
    await this.update();
  }

  update() {
    const { sweep } = this, kept = sweep.machines.filter((machine) => sweep.isKept(machine));
    document.getElementById("kept").textContent =
      `${grouped(kept.length)} of ${grouped(sweep.machines.length)} machines, ${grouped(kept.filter((machine) => machine.isFront).length)} of them on the front`;
    return this.view.data("lines", this.lines()).data("kept", this.ranges()).runAsync();
  }

  // The axis under the pointer, and where on it, from 0 to 1.
  placeOf(event) {
    const box = this.place.querySelector("canvas").getBoundingClientRect(), { left, top } = this.view.padding();
    const x = event.clientX - box.left - left, y = event.clientY - box.top - top;
    const index = this.axes.findIndex((_, at) => Math.abs(this.x(at) - x) < REACH);
    return { axis: this.axes[index], at: Math.min(1, Math.max(0, 1 - y / this.view.height())), y };
  }

  begin(event) {
    const { axis, at, y } = this.placeOf(event);
    if (!axis || event.button !== 0) return;
    this.place.setPointerCapture(event.pointerId);
    this.brush = { axis, from: at, y };
    event.preventDefault();
  }

  drag(event) {
    if (!this.brush) return;
    const { at, y } = this.placeOf(event);
    if (!this.brush.range && Math.abs(y - this.brush.y) < 4) return;
    const { axis, from, waiting } = this.brush;
    this.brush.range = [Math.min(at, from), Math.max(at, from)];
    if (!waiting) this.brush.waiting = requestAnimationFrame(() => this.keep(axis));
  }

  // Many moves before the next picture are one.
  keep(axis) {
    if (!this.brush) return;
    this.brush.waiting = undefined;
    this.sweep.keep(axis, this.brush.range);
  }

  // A click without a move lets all in.
  end() {
    if (!this.brush) return;
    const { axis, range } = this.brush;
    this.sweep.keep(axis, range);
    this.brush = undefined;
    this.choice.value = axis.name;
    this.fillFields();
  }

  axis() {
    return this.axes[this.choice.selectedIndex];
  }

  fillFields() {
    const axis = this.axis(), range = this.sweep.ranges.get(axis.name)?.[1] ?? [0, 1];
    axis.bounds(range).forEach((text, at) => (this.fields[at].value = text));
    document.getElementById("brush-values").replaceChildren(...(axis.values ?? []).map((value) => element("option", undefined, { value })));
    for (const field of this.fields) field.setCustomValidity("");
  }

  readFields() {
    const axis = this.axis(), range = this.fields.map((field) => axis.place(field.value));
    this.fields.forEach((field, at) => {
      const wanted = axis.values ? "one of " + axis.values.join(", ") : "a number";
      field.setCustomValidity(range[at] === undefined ? `'${field.value}' is no value of ${axis.name}; expected ${wanted}` : "");
      field.reportValidity();
    });
    if (!range.includes(undefined)) this.sweep.keep(axis, range);
  }
}
