// Charts: each a Vega specification with its data.

const { View } = requirePackage("vega-view"), { parse } = requirePackage("vega-parser");
for (const name of ["vega-transforms", "vega-view-transforms", "vega-encode"])
  Object.assign(requirePackage("vega-dataflow").transforms, requirePackage(name));

// Widths of the charts' elements on the screen; paper has them smaller.
const widths = new Map();

function widthOf(place) {
  if (!widths.has(place)) widths.set(place, place.clientWidth);
  return widths.get(place);
}

// Draws into the element NAME by the specification NAME-spec. `data` are tables by their names, `signals` values by theirs;
// `adapt` may change the specification before.
function makeView(name, data, signals = {}, renderer = "svg", adapt = () => {}) {
  const spec = JSON.parse(document.getElementById(name + "-spec").textContent), place = document.getElementById(name);
  adapt(spec);
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

// Calls `draw` when the window gets another width.
function followWidth(draw) {
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width || matchMedia("print").matches) return;
    width = innerWidth;
    widths.clear();
    draw();
  });
}
