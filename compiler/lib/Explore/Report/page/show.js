// Fills the page, first what is text.

function fillSummary(sweep) {
  const list = document.getElementById("summary"), { counts } = sweep;
  const add = (name, text) => {
    const pair = list.appendChild(element("div"));
    pair.append(element("dt", name), element("dd", text));
  };
  add("Points", grouped(counts.points));
  add("Machines", grouped(counts.machines));
  add("Compared", grouped(counts.compared));
  add("On the front", grouped(counts.front));
  add("Front of", sweep.front_of.join(", "));
  add("Networks", sweep.networks.join(", "));
  for (const place of document.querySelectorAll(".front-of")) place.textContent = sweep.front_of.join(", ");
}

// The machine that is best in each objective of the front.
function fillFindings(sweep) {
  const list = document.getElementById("findings"), { counts } = sweep;
  for (const name of sweep.front_of) {
    const { column } = sweep.measure(name);
    const best = sweep.front.reduce((least, machine) => (column[machine.index] < column[least.index] ? machine : least));
    const item = list.appendChild(element("li", `Least ${name}: ${figure(column[best.index])}, `));
    item.append(element("a", "point " + best.id, { href: "#point=" + best.id }), ", ", element("code", best.name));
  }
  const left = counts.machines - counts.compared;
  if (left)
    list.append(element("li", `${grouped(left)} machines are not compared: a network does not compile, or more of its layers run on the host's CPU.`));
}

function fillSkipped(sweep) {
  const rows = Object.entries(sweep.skipped).sort((a, b) => b[1] - a[1]);
  document.getElementById("skipped-section").hidden = rows.length === 0;
  fillPlain("skipped", ["reason", "points"], rows.map(([reason, points]) => [reason, grouped(points)]));
}

function fillFront(sweep) {
  fillTable(
    "front",
    [
      { title: "point", value: ({ id }) => id, text: String, link: ({ id }) => "#point=" + id },
      ...sweep.measures.map(({ name, column }) => ({ title: name, value: ({ index }) => column[index], text: figure })),
      { title: "machine", isText: true, isHeader: true, value: ({ name }) => name },
    ],
    sweep.front.filter((machine) => sweep.isKept(machine)),
  );
  markChosen(sweep);
}

function markChosen(sweep) {
  for (const link of document.querySelectorAll("#front a"))
    link.closest("tr").classList.toggle("current", link.hash === "#point=" + sweep.chosen.id);
}

// The parts that need machines.
async function showMachines(sweep) {
  fillFindings(sweep);
  const point = new Point(sweep), parts = [new Scatter(sweep)];
  for (const name of ["scatter", "point", "front"]) document.getElementById(name + "-section").hidden = false;
  const reveal = (name, part) => {
    document.getElementById(name + "-section").hidden = false;
    parts.push(part);
  };
  if (sweep.axes().length > 1) reveal("parallel", new Parallel(sweep));
  if (sweep.front.length > 1) reveal("compare", new Versus(sweep));
  if (sweep.sensitivities.some(({ pairs }) => pairs)) reveal("sensitivity", new Sensitivity(sweep, parts[0]));
  sweep.listen("kept", () => fillFront(sweep));
  sweep.listen("chosen", () => markChosen(sweep));
  fillFront(sweep);
  const draw = () => Promise.all(parts.map((part) => part.draw()));
  followWidth(draw);
  await followTheme(draw);
}

async function show() {
  if (!("DecompressionStream" in window))
    throw new Error("this browser is too old: it has no DecompressionStream, with which the page reads its data");
  const sweep = new Sweep(await unpack("sweep-data"), await unpack("profiles-data"));
  fillSummary(sweep);
  fillSkipped(sweep);
  if (sweep.machines.length) await showMachines(sweep);
  else document.getElementById("findings").append(element("li", "No machine runs all networks."));
  document.body.dataset.ready = "yes";
}

showOrSay(show);
