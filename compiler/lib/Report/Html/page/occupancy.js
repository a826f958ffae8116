// Scratchpads: how many of their bytes are live in each part of the run.

// The parts as docs/profile.md has them: part i of P begins in cycle C i / P, rounded down.
function occupancyParts(profile) {
  const parts = [];
  for (const [scope, { capacity_bytes: capacity, mean_bytes: means }] of Object.entries(profile.occupancy ?? {}))
    means.forEach((bytes, index) => {
      const [first, end] = [index, index + 1].map((part) => Math.floor((part * profile.cycles) / means.length));
      const tooltip = `${scope.toUpperCase()}: ${grouped(bytes)} bytes live, ${percent(bytes, capacity)} of it, in cycles ${grouped(first)} to ${grouped(end - 1)}`;
      if (bytes) parts.push({ scope, first, end, bytes, share: bytes / capacity, tooltip });
    });
  return parts;
}

function occupancyScopes(profile) {
  return Object.keys(profile.occupancy ?? {}).map((scope) => ({ scope }));
}

function fillScratchpads(profile) {
  const rows = Object.entries(profile.occupancy ?? {}).map(([scope, { capacity_bytes: capacity, peak_bytes: peak }]) => [
    scope.toUpperCase(),
    grouped(capacity),
    grouped(peak),
    percent(peak, capacity),
  ]);
  fillPlain("scratchpads", ["scratchpad", "bytes", "most live", "of it"], rows);
}
