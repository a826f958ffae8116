// The chosen point: its costs, its machine file to copy, its neighbours.

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // where the browser has no clipboard for pages of files
    const field = document.body.appendChild(element("textarea"));
    field.value = text;
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    if (!isCopied) throw new Error("this browser does not let the page copy");
  }
}

class Point {
  constructor(sweep) {
    this.sweep = sweep;
    this.number = document.getElementById("go-point");
    this.number.addEventListener("change", () => this.go());
    for (const button of document.querySelectorAll("[data-copy]"))
      button.addEventListener("click", () => this.copy(button.dataset.copy));
    addEventListener("hashchange", () => {
      this.followLink();
      document.getElementById("point-section").scrollIntoView();
    });
    sweep.listen("chosen", () => this.fill());
    this.followLink();
    this.fill();
  }

  followLink() {
    const id = /^#point=(\d+)$/.exec(location.hash)?.[1];
    if (id !== undefined) this.sweep.choose(this.sweep.byId.get(Number(id)));
  }

  go() {
    const machine = this.sweep.byId.get(this.number.valueAsNumber);
    this.number.setCustomValidity(machine ? "" : `'${this.number.value}' is no point that is compared; the table of the front has some`);
    this.number.reportValidity();
    this.sweep.choose(machine);
  }

  async copy(id) {
    const said = document.getElementById("copied");
    try {
      await copy(document.getElementById(id).textContent);
      said.textContent = id === "machine-file" ? "The machine file is copied." : "The name is copied; --machine takes it.";
    } catch (error) {
      said.textContent = "Not copied: " + error.message;
    }
  }

  fill() {
    const { chosen } = this.sweep;
    this.number.value = chosen.id;
    this.number.setCustomValidity("");
    document.getElementById("copied").textContent = "";
    document.getElementById("machine-name").textContent = chosen.name;
    document.getElementById("machine-file").textContent = this.sweep.fileOf(chosen);
    this.fillCosts();
    this.fillNeighbours();
    this.fillChanges();
  }

  fillCosts() {
    const { networks, points, chosen } = this.sweep;
    const rows = networks.map((network, at) => {
      const of = (name) => points.costs[at][name][chosen.index];
      const bound = `${grouped(of("bound_cycles"))} (${percent(of("bound_cycles"), of("cycles"))})`;
      return [network, grouped(of("cycles")), bound, grouped(of("dram_bytes")), figure(of("estimated_pj")), grouped(of("host_layers"))];
    });
    fillPlain("costs", ["network", "cycles", "at least (share)", "bytes of DRAM", "picojoules (estimated)", "layers on the CPU"], rows);
  }

  // A row for each neighbour that was compared.
  fillNeighbours() {
    const { sweep } = this, rows = [];
    for (const key of sweep.keys)
      for (const steps of [-1, 1]) {
        const machine = sweep.neighbour(sweep.chosen, key, steps);
        if (machine) rows.push({ machine, key, text: this.stepText(key, machine) });
      }
    document.getElementById("neighbours-part").hidden = rows.length === 0;
    const changed = (column) => ({ machine: { index } }) => column[index] / column[sweep.chosen.index] - 1;
    fillTable(
      "neighbours",
      [
        { title: "step", isText: true, isHeader: true, value: ({ text }) => text },
        { title: "point", value: ({ machine }) => machine.id, text: String, link: ({ machine }) => "#point=" + machine.id },
        ...sweep.measures.map(({ name, column }) => ({ title: name, value: changed(column), text: change, tone: toneOf })),
      ],
      rows,
    );
  }

  stepText(key, machine) {
    const value = (of) => key.values[this.sweep.points.keys[key.name][of.index]];
    return `${key.name} ${value(this.sweep.chosen)} to ${value(machine)}`;
  }

  // By the critical path, where the point's profile has them.
  fillChanges() {
    const { sweep } = this, rows = [];
    sweep.networks.forEach((network, at) => {
      const profile = sweep.profileOf(sweep.chosen, at);
      for (const { change: name, estimated_cycles: estimated, measured_cycles: measured } of profile?.what_if ?? []) {
        if (estimated === undefined && measured === undefined) continue;
        const texts = [estimated, measured].map((cycles) => (cycles === undefined ? "-" : grouped(cycles)));
        rows.push([(sweep.networks.length > 1 ? network + ": " : "") + name, ...texts, measured === undefined ? "-" : percent(measured, profile.cycles)]);
      }
    });
    document.getElementById("changes-part").hidden = rows.length === 0;
    document.getElementById("changes-of").textContent =
      "Cycles with the same instructions: estimated from the critical path, and counted on the changed machine.";
    fillPlain("changes", ["change", "estimated", "counted", "of the run"], rows);
  }
}
