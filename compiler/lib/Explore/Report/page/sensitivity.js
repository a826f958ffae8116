// What a step of each key costs and brings: means over pairs of machines, as the tool made them.

class Sensitivity {
  constructor(sweep, scatter) {
    Object.assign(this, { sweep, scatter });
    sweep.listen("axes", () => this.draw());
    this.fill();
  }

  // Where all steps of a key are together, and then each.
  fill() {
    const { sweep } = this;
    const columns = sweep.objectives.map(({ name }, at) => ({ title: name, value: ({ changes }) => changes?.[at], text: change, tone: toneOf }));
    fillTable(
      "sensitivities",
      [
        { title: "key", isText: true, isHeader: true, value: ({ key }) => key },
        { title: "step", isText: true, value: ({ from, to }) => (from === undefined ? "all" : `${from} to ${to}`) },
        { title: "pairs", value: ({ pairs }) => pairs, text: grouped },
        ...columns,
      ],
      sweep.sensitivities,
    );
  }

  bars() {
    const names = this.scatter.axes().map(({ name }) => name), bars = [];
    const positions = names.map((name) => this.sweep.objectives.findIndex((objective) => objective.name === name));
    for (const { key, from, pairs, changes } of this.sweep.sensitivities)
      if (from === undefined && changes)
        names.forEach((name, at) => {
          if (positions[at] >= 0) bars.push({ key, name, pairs, change: changes[positions[at]] });
        });
    return { names: [...new Set(bars.map(({ name }) => name))], bars };
  }

  draw() {
    const { names, bars } = this.bars();
    document.getElementById("sensitivity").hidden = bars.length === 0;
    return bars.length ? makeView("sensitivity", { bars }, { names, rows: new Set(bars.map(({ key }) => key)).size }).runAsync() : undefined;
  }
}
