// The graph of layers, laid out in ranks by dagre and drawn as SVG, whose colours are the page's.

const NODE = { mostLetters: 34, letter: 6.4, line: 15, margin: 8 }; // pixels
const TARGET_COLOURS = ["--gemm-works", "--vector-works", "--load-works", "--store-works", "--fetch-works"];

function shape(name, attributes, parent) {
  const made = parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const shortened = (text) => (text.length > NODE.mostLetters ? text.slice(0, NODE.mostLetters - 1) + "\u2026" : text);

// A line for each ONNX node, and one of figures.
function nodeLines(layer, profile) {
  const lines = layer.node.split(" + ").map(shortened);
  if ("read_bytes" in layer) lines.push(`${grouped(layer.path_cycles)} cycles, ${percent(layer.path_cycles, profile.cycles)}`);
  else if ("host_us" in layer) lines.push(`${layer.host_us.toFixed(1)} us`);
  return lines;
}

// The names of the targets, each with its colour.
function targetColours(profile) {
  const targets = [...new Set(profile.layers.map((layer) => layer.target))];
  return new Map(targets.map((target, index) => [target, `var(${TARGET_COLOURS[index % TARGET_COLOURS.length]})`]));
}

function layOut(profile) {
  const dagre = requirePackage("dagre"), graph = new dagre.graphlib.Graph();
  graph.setGraph({ ranksep: 26, nodesep: 18, marginx: 4, marginy: 4 });
  profile.layers.forEach((layer, index) => {
    const lines = nodeLines(layer, profile), letters = Math.max(...lines.map((line) => line.length));
    graph.setNode(index, { lines, width: letters * NODE.letter + 2 * NODE.margin, height: lines.length * NODE.line + NODE.margin });
    for (const source of layer.reads_from ?? []) graph.setEdge(source, index, {});
  });
  dagre.layout(graph);
  return graph;
}

function drawNode({ x, y, width, height, lines }, layer, colour, parent) {
  const node = shape("g", { class: "node" }, parent);
  shape("title", {}, node).textContent = `${layer.node}, on ${layer.target}`;
  shape("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 4, style: `stroke: ${colour}` }, node);
  const text = shape("text", {}, node), first = y - ((lines.length - 1) * NODE.line) / 2 + 4;
  lines.forEach((line, at) => (shape("tspan", { x, y: first + at * NODE.line }, text).textContent = line));
}

function drawGraph(profile) {
  if (!profile.layers.some((layer) => layer.reads_from)) return;
  document.getElementById("graph-section").hidden = false;
  const place = document.getElementById("graph"), graph = layOut(profile), colours = targetColours(profile);
  const { width, height } = graph.graph();
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) place.setAttribute(name, value);
  const arrow = { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" };
  shape("path", { d: "M0,0L8,4L0,8z" }, shape("marker", arrow, shape("defs", {}, place)));
  for (const edge of graph.edges()) {
    const points = graph.edge(edge).points.map(({ x, y }) => `${x},${y}`);
    shape("path", { d: "M" + points.join("L"), "marker-end": "url(#arrow)", "data-edge": `${edge.v} ${edge.w}` }, place);
  }
  profile.layers.forEach((layer, index) => drawNode(graph.node(index), layer, colours.get(layer.target), place));
  const legend = document.getElementById("targets");
  for (const [target, colour] of colours)
    legend.append(element("span", "", { class: "swatch", style: `border-color: ${colour}` }), target);
}
