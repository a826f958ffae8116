// The charts of a profile.

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
  followWidth(draw);
  return { draw };
}
