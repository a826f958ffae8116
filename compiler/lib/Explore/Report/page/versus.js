// The chosen point beside another one: objectives, and cycles layer by layer where both have a profile.

const pairOf = (a, b) => ({ node: (a ?? b).node, before: a?.path_cycles, after: b?.path_cycles, limits: [a?.limited_by, b?.limited_by] });

// Layers of the same node belong together, in their order where a node has several; the order is that of both sides as far
// as they agree.
function pairLayers(before, after) {
  const taken = new Set(), pairs = [];
  const partners = before.map(({ node, macs }) => {
    const at = after.findIndex((layer, index) => !taken.has(index) && layer.node === node && layer.macs === macs);
    taken.add(at);
    return at;
  });
  let next = 0;
  const addAlone = (end) => {
    for (; next < end; ++next) if (!taken.has(next)) pairs.push(pairOf(undefined, after[next]));
  };
  before.forEach((layer, at) => {
    if (partners[at] >= 0) addAlone(partners[at]);
    pairs.push(pairOf(layer, after[partners[at]]));
  });
  addAlone(after.length);
  return pairs;
}

class Versus {
  constructor(sweep) {
    this.sweep = sweep;
    this.other = document.getElementById("other");
    this.network = document.getElementById("network");
    for (const machine of sweep.front) this.other.append(element("option", this.titleOf(machine), { value: machine.id }));
    for (const name of sweep.networks) this.network.append(element("option", name));
    document.getElementById("network-choice").hidden = sweep.networks.length < 2;
    this.other.addEventListener("change", () => this.chooseOther());
    this.network.addEventListener("change", () => this.draw());
    sweep.listen("chosen", () => this.draw());
    const others = sweep.front.filter((machine) => machine !== sweep.chosen && sweep.profileOf(machine, 0));
    sweep.other = others[others.length - 1] ?? sweep.front[0];
    this.other.value = sweep.other.id;
  }

  titleOf(machine) {
    const isProfiled = this.sweep.profileOf(machine, 0) !== undefined;
    return `point ${machine.id}${isProfiled ? ", by layer" : ""}: ${machine.name}`;
  }

  chooseOther() {
    this.sweep.other = this.sweep.byId.get(Number(this.other.value));
    this.sweep.tell("other");
    this.draw();
  }

  fillObjectives(names) {
    const { sweep } = this, { chosen, other } = sweep;
    const rows = sweep.measures.map(({ name, column }) => {
      const [a, b] = [column[chosen.index], column[other.index]];
      return [name, figure(a), figure(b), a === b ? "0" : (b > a ? "+" : "-") + figure(Math.abs(b - a)), percent(b, a)];
    });
    fillPlain("versus", ["objective", ...names, "difference", `${names[1]} / ${names[0]}`], rows);
  }

  async draw() {
    const { chosen, other } = this.sweep, names = [chosen, other].map(({ id }) => "point " + id);
    this.fillObjectives(names);
    document.getElementById("compare-note").textContent = this.noteOf();
    const [a, b] = [chosen, other].map((machine) => this.sweep.profileOf(machine, this.network.selectedIndex));
    const part = document.getElementById("layers-part");
    part.hidden = !a || !b || chosen === other;
    if (part.hidden) return;
    const [rest, otherRest] = [a, b].map(({ none }) => ({ node: "(no layer)", ...none }));
    const pairs = [...pairLayers(a.layers, b.layers), pairOf(rest, otherRest)];
    const limits = names.map((name, at) => ({ title: name + " limited by", isText: true, value: (pair) => pair.limits[at] }));
    fillTable("layers", [...pairColumns(...names), ...limits], pairs);
    const sides = sidesOf(pairs, names);
    document.getElementById("compare").hidden = sides.length === 0;
    if (sides.length) await makeView("compare", { sides }, { names, rows: new Set(sides.map((side) => side.index)).size }).runAsync();
  }

  noteOf() {
    const { chosen, other } = this.sweep;
    if (chosen === other) return "Both are the same point.";
    const lacking = [chosen, other].filter((machine) => !this.sweep.profileOf(machine, 0)).map(({ id }) => "point " + id);
    const text = lacking.length ? `${lacking.join(" and ")} has no profile here: the page has those of a few points of the front.` : "";
    return text.charAt(0).toUpperCase() + text.slice(1);
  }
}
