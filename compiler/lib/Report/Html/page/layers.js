// The table of layers, what changes of the machine are worth, and the profile's summary.

function busyColumn(module) {
  return {
    title: module + " busy",
    value: (part) => part.modules[module]?.busy ?? 0,
    text: grouped,
  };
}

function totalOf(parts) {
  return parts && Object.values(parts).reduce((sum, part) => sum + part, 0);
}

// Columns of keys that not every profile has.
const OPTIONAL = [
  { key: "bound_cycles", title: "bound", text: grouped },
  { key: "limited_by", title: "limited by", isText: true },
  { key: "read_bytes", title: "read bytes", text: grouped },
  { key: "written_bytes", title: "written bytes", text: grouped },
  { key: "macs_per_byte", title: "MACs/byte", text: (ratio) => ratio.toFixed(1) },
  { key: "estimated_pj", title: "energy uJ (estimated)", of: totalOf, text: (pj) => (pj / 1e6).toFixed(3) },
  { key: "host_us", title: "CPU us", text: (us) => us.toFixed(1) },
  { key: "device_ticks", title: "device ticks", text: grouped },
  { key: "copied_bytes", title: "copied bytes", text: grouped },
  { key: "copy_us", title: "copies us", text: (us) => us.toFixed(1) },
];

function columnsOf(profile) {
  const given = OPTIONAL.filter((column) => profile.layers.some((layer) => column.key in layer));
  const cycles = [
    { title: "on the path", value: (part) => part.path_cycles, text: grouped },
    { title: "share", value: (part) => part.path_cycles, text: (own) => percent(own, profile.cycles) },
    {
      title: "of that",
      isText: true,
      isLong: true,
      value: (part) =>
        pathOf(part)
          .slice(0, 2)
          .map((of) => `${of.module} ${of.name} ${percent(of.cycles, part.path_cycles)}`)
          .join(", "),
    },
    { title: "utilisation", value: (part) => part.utilisation, text: (use) => percent(use, 1) },
    ...["load", "gemm", "vector", "store"].map(busyColumn),
  ];
  return [
    { title: "#", value: (part, index) => index, text: (index) => String(index) },
    { title: "ONNX node", isText: true, isHeader: true, value: (part) => part.node },
    { title: "target", isText: true, value: (part) => part.target },
    ...(profile.cycles ? cycles : []),
    { title: "products", value: (part) => part.macs, text: grouped },
    ...given.map((column) => ({ ...column, value: (part) => (column.of ?? ((it) => it))(part[column.key]) })),
  ];
}

function fillChanges(profile) {
  if (!profile.what_if) return;
  document.getElementById("changes-section").hidden = false;
  const rows = profile.what_if.map((change) => {
    const { estimated_cycles: estimated, measured_cycles: measured, compiled_cycles: compiled } = change;
    const best = Math.min(measured ?? Infinity, compiled ?? Infinity);
    const texts = [estimated, measured, compiled].map((cycles) => (cycles === undefined ? "-" : grouped(cycles)));
    return [change.change, ...texts, best === Infinity ? "-" : percent(best, profile.cycles)];
  });
  fillPlain("changes", ["change", "estimated", "same instructions", "compiled again", "of the run"], rows);
}

function fillSummary(profile, facts) {
  const list = document.getElementById("summary");
  const add = (name, text) => {
    const pair = list.appendChild(element("div"));
    pair.append(element("dt", name), element("dd", text));
  };
  if (facts.machine) {
    add("Cycles", grouped(profile.cycles));
    add("At least, with any schedule", `${grouped(profile.bound_cycles)}, ${percent(profile.bound_cycles, profile.cycles)}`);
    add("Machine", `${profile.machine}: ${facts.machine.n} x ${facts.machine.n}, ${facts.machine.bus_bytes} bytes a beat`);
    add("Engine", profile.engine);
    add("Utilisation of the array", percent(facts.utilisation, 1));
  } else if (profile.cycles) {
    add("Cycles", grouped(profile.cycles));
    add("Machine", profile.machine);
    add("Engine", profile.engine);
  } else {
    add("Cycles", "none: no layer runs on the accelerator, the CPU's time is by the host's clock");
  }
  const largest = [...partsOf(profile)].sort((a, b) => b.path_cycles - a.path_cycles).slice(0, 3);
  add("Layers", grouped(profile.layers.length));
  if (profile.cycles)
    add("Largest layers", largest.map((part) => `${part.node} ${percent(part.path_cycles, profile.cycles)}`).join("; "));
}
