// An earlier profile beside this one: pairs of layers of the same ONNX nodes, as pairsOf() finds them.

function pairsOf(before, after, facts) {
  const pairs = facts.pairs.map(([first, second]) => {
    const a = before.layers[first], b = after.layers[second]; // undefined: absent
    return { node: (a ?? b).node, before: a?.path_cycles, after: b?.path_cycles };
  });
  return [...pairs, { node: "(no layer)", before: before.none.path_cycles, after: after.none.path_cycles }];
}

const signed = (number) => (number > 0 ? "+" : number < 0 ? "-" : "") + grouped(Math.abs(number));

// The columns of pairs whose sides have these names.
function pairColumns(before, after) {
  return [
    { title: "ONNX node", isText: true, isHeader: true, value: (pair) => pair.node },
    { title: before, value: (pair) => pair.before, text: grouped },
    { title: after, value: (pair) => pair.after, text: grouped },
    { title: "difference", value: (pair) => (pair.after ?? 0) - (pair.before ?? 0), text: signed },
    {
      title: `${after} / ${before}`,
      value: (pair) => (pair.before && pair.after !== undefined ? pair.after / pair.before : undefined),
      text: (ratio) => percent(ratio, 1),
    },
  ];
}

function fillComparison(before, after, facts) {
  if (!before) return;
  document.getElementById("compare-section").hidden = false;
  const [a, b] = [before.cycles, after.cycles];
  document.getElementById("compared").textContent =
    `Before: ${facts.before}, ${grouped(a)} cycles. After: ${facts.after}, ${grouped(b)} cycles: ` +
    `${signed(b - a)}, ${percent(b, a)} of those before. The rest of the page shows the profile after.`;
  fillTable("comparison", pairColumns("before", "after"), pairsOf(before, after, facts));
}

// The bars of the chart, whose sides have these names.
function sidesOf(pairs, names) {
  const sides = [];
  pairs.forEach((pair, index) => {
    for (const [at, side] of ["before", "after"].entries())
      if (pair[side]) sides.push({ index, node: pair.node, side: names[at], cycles: pair[side] });
  });
  return sides;
}

function compareChart(before, after, facts) {
  if (!before) return undefined;
  const sides = sidesOf(pairsOf(before, after, facts), ["before", "after"]);
  return makeChart("compare", { sides }, { rows: new Set(sides.map((side) => side.index)).size });
}
