// The charts: each a Vega specification with the data of the profile.

const { View } = requirePackage("vega-view"), { parse } = requirePackage("vega-parser");
for (const name of ["vega-transforms", "vega-view-transforms", "vega-encode"])
  Object.assign(requirePackage("vega-dataflow").transforms, requirePackage(name));

// Widths of the charts' elements on the screen; paper has them smaller.
const widths = new Map();

function widthOf(place) {
  if (!widths.has(place)) widths.set(place, place.clientWidth);
  return widths.get(place);
}

// Draws into the element NAME by the specification NAME-spec. `data` are tables by their names, `signals` values by theirs.
function makeView(name, data, signals = {}, renderer = "svg") {
  const spec = JSON.parse(document.getElementById(name + "-spec").textContent), place = document.getElementById(name);
  const view = new View(parse(spec, chartConfig()), { renderer, container: place, hover: true });
  for (const [table, rows] of Object.entries(data)) view.data(table, rows);
  for (const [signal, value] of Object.entries(signals)) view.signal(signal, value);
  const { left, right } = spec.autosize === "none" ? spec.padding : { left: 0, right: 0 };
  return view.width(widthOf(place) - left - right);
}

// Where a chart has no data, its section stays hidden.
function makeChart(name, data, signals) {
  if (Object.values(data).some((rows) => rows.length === 0)) return undefined;
  document.getElementById(name + "-section").hidden = false;
  return { name, draw: () => makeView(name, data, signals).runAsync() };
}

const orderOf = ({ module, name }) => KINDS.indexOf(kindOf(module, name));

// Rows of the same name stay apart by their index.
function breakdownOf(profile) {
  const rows = [];
  if (profile.cycles)
    partsOf(profile).forEach((part, index) => {
      for (const { module, name, cycles } of pathOf(part).sort((a, b) => orderOf(a) - orderOf(b)))
        rows.push({ index, node: part.node, kind: kindOf(module, name), cycles, share: cycles / profile.cycles });
    });
  return rows;
}

function trafficOf(profile) {
  const rows = [];
  profile.layers.forEach((layer, index) => {
    for (const [key, kind] of [["read_bytes", "read"], ["written_bytes", "written"]])
      if (layer[key]) rows.push({ index, node: layer.node, kind, bytes: layer[key] });
  });
  return rows;
}

function rooflineOf(profile) {
  const dots = [];
  for (const layer of profile.layers) {
    const bytes = (layer.read_bytes ?? 0) + (layer.written_bytes ?? 0), cycles = sumOf(layer.modules.gemm);
    if (layer.macs && bytes && cycles)
      dots.push({
        node: layer.node,
        intensity: layer.macs / bytes,
        speed: layer.macs / cycles,
        share: layer.path_cycles / profile.cycles,
        limit: layer.limited_by ?? "",
      });
  }
  return dots;
}

function chartsOf(profile, facts, before) {
  const machine = facts.machine ?? { n: 0, bus_bytes: 0 };
  const charts = [
    compareChart(before, profile, facts),
    makeTimeline(profile, facts),
    makeChart("breakdown", { parts: breakdownOf(profile) }, { rows: partsOf(profile).length }),
    makeChart("roofline", { dots: facts.machine ? rooflineOf(profile) : [] }, { peak: machine.n ** 2, bandwidth: machine.bus_bytes }),
    makeChart("traffic", { bytes: trafficOf(profile) }, { rows: new Set(trafficOf(profile).map((row) => row.index)).size }),
  ].filter((chart) => chart);
  const draw = () => Promise.all(charts.map((chart) => chart.draw()));
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width || matchMedia("print").matches) return;
    width = innerWidth;
    widths.clear();
    draw();
  });
  return { draw };
}
