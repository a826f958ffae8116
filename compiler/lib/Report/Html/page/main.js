// Fills the page, first what is text.

async function show() {
  if (!("DecompressionStream" in window))
    throw new Error("this browser is too old: it has no DecompressionStream, with which the page reads its data");
  const profile = await unpack("profile-data"), facts = await unpack("facts-data");
  const before = await unpack("before-data");
  fillSummary(profile, facts);
  fillComparison(before, profile, facts);
  fillChanges(profile);
  fillTable("table", columnsOf(profile), partsOf(profile));
  const charts = chartsOf(profile, facts, before);
  await followTheme(() => charts.draw());
  await new Promise((resolve) => setTimeout(resolve, 20)); // all else is seen while a large graph is laid out
  drawGraph(profile);
  document.body.dataset.ready = "yes";
}

showOrSay(show);
