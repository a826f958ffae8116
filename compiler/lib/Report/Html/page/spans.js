// What each row of the timeline shows: spans in order, and pieces of them for a window of cycles.

const ROWS = ["layer", "path", ...MODULES];

function columnsFor(length) {
  return {
    first: new Float64Array(length),
    end: new Float64Array(length),
    code: new Uint16Array(length), // a kind; in the row of layers, a layer
    instruction: new Int32Array(length), // counted through all programs; -1: none
    length: 0,
  };
}

function push(row, first, end, code, instruction) {
  const at = row.length++;
  row.first[at] = first;
  row.end[at] = end;
  row.code[at] = code;
  row.instruction[at] = instruction;
}

// The columns of a module as reportFacts() writes them: differences.
function addModule(row, columns, module, classes, from, instructions) {
  const codes = classes.map((name) => KINDS.indexOf(kindOf(module, name)));
  let end = 0, instruction = 0;
  for (let i = 0; i < columns.gaps.length; ++i) {
    const first = end + columns.gaps[i];
    end = first + columns.lengths[i];
    instruction += columns.steps[i];
    push(row, from + first, from + end, codes[columns.classes[i]], instructions + instruction);
  }
}

// Neighbours of the path that belong to one layer are one span of the row of layers.
function addPath(path, layers, program, from, instructions, noLayer) {
  for (const segment of program.path) {
    const known = segment.instruction !== undefined, at = layers.length - 1;
    const layer = (known ? program.instructions[segment.instruction].layer : undefined) ?? noLayer;
    const instruction = known ? instructions + segment.instruction : -1, end = from + segment.end;
    push(path, from + segment.first, end, KINDS.indexOf(kindOf(segment.module, segment.class)), instruction);
    if (at >= 0 && layers.code[at] === layer) layers.end[at] = end;
    else push(layers, from + segment.first, end, layer, -1);
  }
}

// The rows by their names.
function spansOf(profile, facts) {
  const segments = profile.programs.reduce((sum, program) => sum + program.path.length, 0);
  const rows = { layer: columnsFor(segments), path: columnsFor(segments) };
  for (const module of MODULES)
    rows[module] = columnsFor(facts.spans.reduce((sum, program) => sum + program[module].gaps.length, 0));
  let from = 0, instructions = 0;
  profile.programs.forEach((program, index) => {
    for (const module of MODULES)
      addModule(rows[module], facts.spans[index][module], module, facts.classes, from, instructions);
    addPath(rows.path, rows.layer, program, from, instructions, profile.layers.length);
    from += program.cycles;
    instructions += program.instructions.length;
  });
  return rows;
}

// Index of the first span that ends behind the cycle.
function firstBehind(row, cycle) {
  let low = 0, high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.end[middle] > cycle) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Calls use(bin, code, cycles) for what each span has in each of `bins` equal parts of the window.
function forEachPart(row, [from, to], bins, use) {
  const width = (to - from) / bins;
  for (let i = firstBehind(row, from); i < row.length && row.first[i] < to; ++i) {
    const first = Math.max(row.first[i], from), end = Math.min(row.end[i], to);
    const last = Math.min(bins - 1, Math.floor((end - from) / width));
    for (let bin = Math.floor((first - from) / width); bin <= last; ++bin) {
      const part = Math.min(end, from + (bin + 1) * width) - Math.max(first, from + bin * width);
      if (part > 0) use(bin, row.code[i], part);
    }
  }
}

// Each span as it is.
function singlePieces(name, row, [from, to]) {
  const pieces = [];
  for (let i = firstBehind(row, from); i < row.length && row.first[i] < to; ++i)
    pieces.push({ row: name, first: row.first[i], end: row.end[i], code: row.code[i], low: 0, high: 1, span: i });
  return pieces;
}

// In each bin, the kinds upon one another, each as high as its share of the bin's cycles.
function stackedPieces(name, row, window, bins) {
  const width = (window[1] - window[0]) / bins, sums = new Float64Array(bins * KINDS.length), pieces = [];
  forEachPart(row, window, bins, (bin, code, cycles) => (sums[bin * KINDS.length + code] += cycles));
  for (let bin = 0; bin < bins; ++bin)
    for (let code = 0, low = 0; code < KINDS.length; ++code) {
      const share = sums[bin * KINDS.length + code] / width;
      if (share < 0.004) continue;
      const first = window[0] + bin * width;
      pieces.push({ row: name, first, end: first + width, code, low, high: low + share });
      low += share;
    }
  return pieces;
}

// In each bin, the layer that has most of it; neighbours are joined.
function layerPieces(row, window, bins) {
  const width = (window[1] - window[0]) / bins, best = new Array(bins), pieces = [];
  const sums = Array.from({ length: bins }, () => new Map());
  forEachPart(row, window, bins, (bin, code, cycles) => sums[bin].set(code, (sums[bin].get(code) ?? 0) + cycles));
  sums.forEach((layers, bin) => (best[bin] = [...layers].sort((a, b) => b[1] - a[1])[0]?.[0]));
  best.forEach((code, bin) => {
    const last = pieces[pieces.length - 1], end = window[0] + (bin + 1) * width;
    if (last && last.code === code) last.end = end;
    else if (code !== undefined) pieces.push({ row: "layer", first: end - width, end, code, low: 0, high: 1 });
  });
  return pieces;
}

// What the row shows of the window, in at most about `bins` steps.
function piecesOf(name, row, window, bins) {
  const count = firstBehind(row, window[1]) - firstBehind(row, window[0]);
  if (count <= bins / 2) return singlePieces(name, row, window);
  return name === "layer" ? layerPieces(row, window, bins) : stackedPieces(name, row, window, bins);
}
