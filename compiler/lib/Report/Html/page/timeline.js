// The timeline: a window of cycles that is moved by mouse, keys, buttons and choice, and what it shows.

const LEAST_CYCLES = 20; // of a window
const BIN_PIXELS = 3; // of what is summed up where spans are narrower

function clampWindow([from, to], cycles) {
  const length = Math.min(Math.max(to - from, LEAST_CYCLES), cycles);
  const first = Math.min(Math.max((from + to - length) / 2, 0), cycles - length);
  return [first, first + length];
}

// The window after a step of the buttons or keys.
function stepped([from, to], step, cycles) {
  const length = to - from, half = length / 2, middle = from + half;
  const windows = {
    in: [middle - half / 2, middle + half / 2],
    out: [middle - length, middle + length],
    left: [from - half / 2, to - half / 2],
    right: [from + half / 2, to + half / 2],
    all: [0, cycles],
  };
  const [first, end] = windows[step];
  if (first < 0 && step === "left") return [0, length];
  if (end > cycles && step === "right") return [cycles - length, cycles];
  return clampWindow([first, end], cycles);
}

// Where each instruction of all programs is: its program's first cycle, and itself.
function instructionsOf(profile) {
  const all = [];
  let from = 0;
  for (const program of profile.programs) {
    for (const instruction of program.instructions) all.push({ from, ...instruction });
    from += program.cycles;
  }
  return all;
}

// The cycles from the first start to the last end of each layer's instructions.
function windowsOf(instructions, layers) {
  const windows = layers.map(() => [Infinity, 0]);
  for (const { from, layer, start, end } of instructions)
    if (layer !== undefined)
      windows[layer] = [Math.min(windows[layer][0], from + start), Math.max(windows[layer][1], from + end + 1)];
  return windows;
}

// Shares of the cycles in which the bus carried data, in equal parts of the run.
function busUse(rows, cycles, bins) {
  const use = [];
  for (const [module, kind] of [["load", "read"], ["store", "written"]]) {
    const busy = KINDS.indexOf(module.toUpperCase() + " works"), sums = new Float64Array(bins);
    forEachPart(rows[module], [0, cycles], bins, (bin, code, part) => (sums[bin] += code === busy ? part : 0));
    sums.forEach((sum, bin) => use.push({ kind, cycle: ((bin + 0.5) * cycles) / bins, share: sum / (cycles / bins) }));
  }
  return use;
}

class Timeline {
  constructor(profile, facts) {
    this.profile = profile;
    this.cycles = profile.cycles;
    this.rows = spansOf(profile, facts);
    this.instructions = instructionsOf(profile);
    this.layerWindows = windowsOf(this.instructions, profile.layers);
    this.window = [0, this.cycles];
    this.connect();
  }

  // The views of the current colours and width.
  async draw() {
    const signals = { cycles: this.cycles, window: this.window };
    this.view = makeView("timeline", {}, { ...signals, least: Math.min(LEAST_CYCLES, this.cycles) }, "canvas");
    this.bins = Math.max(1, Math.floor(this.view.width() / BIN_PIXELS));
    this.view.width(this.bins * BIN_PIXELS).data("pieces", this.pieces());
    this.overviews = [
      makeView("bus", { use: busUse(this.rows, this.cycles, this.bins) }, signals),
      makeView("occupancy", { parts: occupancyParts(this.profile), scopes: occupancyScopes(this.profile) }, signals),
    ];
    this.view.addSignalListener("window", (_, window) => this.move(window));
    for (const overview of this.overviews)
      overview.addSignalListener("chosen", (_, chosen) => {
        if (Math.abs(chosen[1] - chosen[0]) > this.cycles / 1000) this.move([Math.min(...chosen), Math.max(...chosen)]);
      });
    this.view.addEventListener("click", (_, item) => this.describe(item?.datum));
    await this.run();
    this.announce();
  }

  run() {
    return Promise.all([this.view, ...this.overviews].map((view) => view.runAsync()));
  }

  nodeOf(layer) {
    return this.profile.layers[layer]?.node ?? "(no layer)";
  }

  pieces() {
    const pieces = ROWS.flatMap((name) => piecesOf(name, this.rows[name], this.window, this.bins));
    for (const piece of pieces) {
      piece.label = piece.row === "layer" ? this.nodeOf(piece.code) : KINDS[piece.code];
      if (piece.span !== undefined && piece.row !== "layer") piece.tooltip = this.textOf(piece);
      else piece.tooltip = piece.label + (piece.row === "layer" ? "" : ", " + percent(piece.high - piece.low, 1));
    }
    return pieces;
  }

  textOf({ row, span, code }) {
    const { first, end, instruction } = this.rows[row], index = instruction[span], of = this.instructions[index];
    const cycles = `${grouped(end[span] - first[span])} cycles from ${grouped(first[span])}: ${KINDS[code]}`;
    if (!of) return cycles;
    return `${cycles}; instruction ${index} of ${this.nodeOf(of.layer)}: ${of.text}`;
  }

  // Shows the window; many moves before the next picture are one.
  move(window) {
    const [from, to] = clampWindow(window, this.cycles);
    if (from === this.window[0] && to === this.window[1]) return; // what a view says of a move that came from here
    this.window = [from, to];
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(async () => {
      this.waiting = false;
      this.view.signal("window", this.window).data("pieces", this.pieces());
      for (const overview of this.overviews) overview.signal("window", this.window);
      await this.run();
      this.announce();
    });
  }

  announce() {
    const [from, to] = this.window;
    document.getElementById("window").textContent = `cycles ${grouped(Math.floor(from))} to ${grouped(Math.ceil(to))}`;
  }

  say(text) {
    document.getElementById("instruction").textContent = text;
  }

  describe(piece) {
    if (!piece || piece.row === undefined) return;
    if (piece.row === "layer") this.say("Layer " + piece.label);
    else this.say(piece.span === undefined ? `${piece.row}: ${piece.tooltip} of these cycles; zoom in for instructions` : this.textOf(piece));
  }

  goToInstruction(index) {
    const of = this.instructions[index];
    if (!of) return this.say(`There is no instruction ${index}; expected 0 to ${this.instructions.length - 1}.`);
    const first = of.from + of.start, end = of.from + of.end + 1, room = Math.max(end - first, LEAST_CYCLES);
    this.move([first - room, end + room]);
    this.say(`Instruction ${index}, cycles ${grouped(first)} to ${grouped(end - 1)}, of ${this.nodeOf(of.layer)}: ${of.text}`);
  }

  goToLayer(layer) {
    const [first, end] = this.layerWindows[layer], room = (end - first) * 0.02;
    this.move([first - room, end + room]);
  }

  connect() {
    const step = (name) => this.move(stepped(this.window, name, this.cycles));
    for (const button of document.querySelectorAll("[data-zoom]"))
      button.addEventListener("click", () => step(button.dataset.zoom));
    const keys = { "+": "in", "=": "in", "-": "out", ArrowLeft: "left", ArrowRight: "right", 0: "all" };
    document.getElementById("timeline").addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
      event.preventDefault();
      step(keys[event.key]);
    });
    const layers = document.getElementById("go-layer");
    layers.append(element("option", "choose one", { value: "" }));
    this.layerWindows.forEach(([first], layer) => {
      if (first < Infinity) layers.append(element("option", this.nodeOf(layer), { value: layer }));
    });
    layers.addEventListener("change", () => layers.value && this.goToLayer(Number(layers.value)));
    const number = document.getElementById("go-instruction");
    number.max = this.instructions.length - 1;
    number.addEventListener("change", () => number.value && this.goToInstruction(Number(number.value)));
  }
}

function makeTimeline(profile, facts) {
  if (!profile.cycles || !facts.spans) return undefined;
  document.getElementById("timeline-section").hidden = false;
  fillScratchpads(profile);
  return new Timeline(profile, facts);
}
