// See LayerRows.h.
#include "Report/Profile/LayerRows.h"

#include "Report/Profile/LayerFigures.h"
#include "Report/Table.h"
#include "daedalus/Target/Target.h"

#include <algorithm>

namespace daedalus::report {
namespace {

LayerRow rowOf(const runtime::LayerCycles &layer, const LayerUse &use, const ProfileSums &sums,
               const LayerFigures &figures) {
  LayerRow row{layer.node, layer.target, sums, figures.bound, use, 0, figures.bytes, figures.energy};
  row.macs = runsStreams(layer.target) ? layer.macs : 0;
  row.nanoseconds = layer.hostNanoseconds;
  row.deviceTicks = layer.deviceTicks, row.ticksPerMicrosecond = layer.ticksPerMicrosecond;
  row.copiedBytes = layer.copiedBytes, row.copyNanoseconds = layer.copyNanoseconds;
  return row;
}

void add(LayerRow &to, const LayerRow &row) {
  to.sums += row.sums;
  to.macs += row.macs;
  to.energy += row.energy;
  to.bytes.read += row.bytes.read, to.bytes.written += row.bytes.written;
  to.nanoseconds += row.nanoseconds, to.copyNanoseconds += row.copyNanoseconds;
  to.copiedBytes += row.copiedBytes;
}

/// What rows are sorted by, the largest first.
uint64_t keyOf(const LayerRow &row, RowOrder order) {
  const uint64_t path = row.sums.pathCycles();
  switch (order) {
  case RowOrder::Path:
    return path;
  case RowOrder::Over:
    return row.bound && path > row.bound ? path - row.bound : 0;
  case RowOrder::Bytes:
    return row.bytes.total();
  case RowOrder::Network:
    break;
  }
  return 0;
}

/// Those behind the first `top` become one row.
void cut(std::vector<LayerRow> &rows, size_t top) {
  if (!top || rows.size() <= top)
    return;
  LayerRow others;
  others.node = "(" + std::to_string(rows.size() - top) + " others)";
  for (size_t i = top; i < rows.size(); ++i)
    add(others, rows[i]);
  rows.resize(top);
  rows.push_back(std::move(others));
}

} // namespace

std::string mostOf(const ProfileSums &sums) {
  constexpr size_t shown = 2;
  constexpr uint64_t least = 1000; // of so many cycles a part has one
  std::vector<std::pair<uint64_t, std::string>> parts;
  for (size_t m = 0; m < sums.path.size(); ++m)
    for (size_t c = 0; c < sums.path[m].size(); ++c)
      if (sums.path[m][c] && sums.path[m][c] * least >= sums.pathCycles())
        parts.push_back({sums.path[m][c], std::string(isa::name(static_cast<isa::CounterModule>(m))) + " " +
                                              isa::name(static_cast<isa::CounterClass>(c))});
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto &x, const auto &y) { return x.first > y.first; });
  std::string text;
  for (size_t i = 0; i < std::min(shown, parts.size()); ++i)
    text += (i ? ", " : "") + parts[i].second + " " +
            percent(static_cast<double>(parts[i].first), static_cast<double>(sums.pathCycles()));
  return text.empty() ? "-" : text;
}

std::vector<LayerRow> layerRows(const ProfiledRun &run, const TableOptions &options) {
  const std::vector<ProfileSums> sums = profileSums(run.result, run.package);
  const std::vector<LayerFigures> figures = layerFigures(run);
  const std::vector<LayerUse> uses = usesOf(run.result, run.machine);
  std::vector<LayerRow> rows;
  for (size_t i = 0; i < run.package.layers.size(); ++i)
    rows.push_back(rowOf(run.result.layers[i], uses[i], sums[i], figures[i]));
  LayerRow total;
  for (const LayerRow &row : rows)
    add(total, row);
  std::stable_sort(rows.begin(), rows.end(), [&](const LayerRow &a, const LayerRow &b) {
    return keyOf(a, options.order) > keyOf(b, options.order);
  });
  cut(rows, options.top);
  if (sums.back().instructions || sums.back().pathCycles()) {
    LayerRow none = rowOf({}, std::nullopt, sums.back(), figures.back());
    none.node = "(none)";
    add(total, none);
    rows.push_back(std::move(none));
  }
  total.node = "total";
  total.bound = boundOf(run);
  total.use = useOf(run.result, run.machine);
  rows.push_back(std::move(total));
  return rows;
}

} // namespace daedalus::report
