// See ProfileReport.h.
#include "Report/Figures.h"
#include "Report/Profile/DramFigures.h"
#include "Report/Profile/LayerFigures.h"
#include "Report/Profile/LayerRows.h"
#include "Report/RunReport.h"
#include "Report/Table.h"

#include <algorithm>

namespace daedalus::report {
namespace {

std::string numberOrNone(uint64_t number) {
  return number ? grouped(number) : ".";
}

/// A column of the table: its header, which begins with '>' where it is of numbers, and its cells.
struct Column {
  const char *header;
  std::string (*cell)(const LayerRow &row, const ProfiledRun &run);
};

uint64_t busyOf(const LayerRow &row, isa::CounterModule module) {
  return row.sums.modules[size_t(module)][size_t(isa::CounterClass::Busy)];
}

std::string cyclesOver(const LayerRow &row) {
  const uint64_t path = row.sums.pathCycles();
  return row.bound && path > row.bound ? grouped(path - row.bound) : ".";
}

std::string intensityOf(const LayerRow &row, const ProfiledRun &) {
  const std::optional<double> intensity = macsPerByte(row.macs, row.bytes);
  return intensity && row.macs ? decimal(*intensity, "%.1f") : "-";
}

std::string shareOf(const LayerRow &row, const ProfiledRun &run) {
  const uint64_t path = row.sums.pathCycles();
  return path ? percent(static_cast<double>(path), static_cast<double>(run.result.cycles)) : ".";
}

using Row = const LayerRow &;
using Run = const ProfiledRun &;

const Column first[] = {{"ONNX node", [](Row row, Run) { return row.node; }}};
const Column target[] = {{"target", [](Row row, Run) { return row.target; }}};
const Column cycles[] = {
    {">on the path", [](Row row, Run) { return numberOrNone(row.sums.pathCycles()); }},
    {">share", shareOf},
    {">bound", [](Row row, Run) { return numberOrNone(row.bound); }},
    {">over it", [](Row row, Run) { return cyclesOver(row); }},
    {"limited by", [](Row row, Run) { return limitOf(row.sums.path); }},
};
const Column parts[] = {{"of that", [](Row row, Run) { return mostOf(row.sums); }}};
const Column moved[] = {
    {">of array", [](Row row, Run) { return textOf(row.use); }},
    {">DRAM bytes", [](Row row, Run) { return numberOrNone(row.bytes.total()); }},
    {">MACs/byte", intensityOf},
};
const Column energy[] = {
    {">energy uJ (estimated)", [](Row row, Run) { return decimal(row.energy.total() / 1e6, "%.3f"); }}};
const Column modules[] = {
    {">load busy", [](Row row, Run) { return numberOrNone(busyOf(row, isa::CounterModule::Load)); }},
    {">gemm busy", [](Row row, Run) { return numberOrNone(busyOf(row, isa::CounterModule::Gemm)); }},
    {">vector busy", [](Row row, Run) { return numberOrNone(busyOf(row, isa::CounterModule::Vector)); }},
    {">store busy", [](Row row, Run) { return numberOrNone(busyOf(row, isa::CounterModule::Store)); }},
};
const Column host[] = {{">CPU us", [](Row row, Run) {
                          return row.nanoseconds ? microsecondsText(row.nanoseconds) : std::string("-");
                        }}};
const Column device[] = {
    {">device", [](Row row, Run) { return deviceTimeText(row.deviceTicks, row.ticksPerMicrosecond); }},
    {">copied bytes",
     [](Row row, Run) { return row.copiedBytes ? grouped(row.copiedBytes) : std::string("-"); }},
    {">copies us",
     [](Row row, Run) { return row.copiedBytes ? microsecondsText(row.copyNanoseconds) : std::string("-"); }},
};

bool hasSeveralTargets(const ProfiledRun &run) {
  const std::vector<package::Layer> &layers = run.package.layers;
  return std::any_of(layers.begin(), layers.end(),
                     [&](const package::Layer &layer) { return layer.target != layers.front().target; });
}

std::vector<Column> columnsOf(const ProfiledRun &run, const TableOptions &options, const LayerRow &total) {
  std::vector<Column> columns;
  const auto add = [&](const auto &some) { columns.insert(columns.end(), std::begin(some), std::end(some)); };
  add(first);
  if (options.wide || hasSeveralTargets(run))
    add(target);
  add(cycles);
  if (options.wide)
    add(parts);
  add(moved);
  if (run.energy)
    add(energy);
  if (options.wide)
    add(modules);
  if (total.nanoseconds)
    add(host);
  if (hasDevices(run.result))
    add(device);
  return columns;
}

} // namespace

std::string profileText(const ProfiledRun &run, const TableOptions &options) {
  const std::vector<LayerRow> rows = layerRows(run, options);
  const std::vector<Column> columns = columnsOf(run, options, rows.back());
  std::vector<std::string> headers;
  for (const Column &column : columns)
    headers.push_back(column.header);
  Table table(headers);
  for (const LayerRow &row : rows) {
    std::vector<std::string> cells;
    for (const Column &column : columns)
      cells.push_back(column.cell(row, run));
    table.row(cells);
  }
  std::string text = table.text(options.width);
  if (run.result.cycles)
    text += "\n" + counterTable(run.result);
  if (const std::string dram = dramText(run); !dram.empty())
    text += "\n" + dram;
  if (run.energy)
    text += "\nEnergy is estimated by " + run.energy->source + ", without clocks and leakage.\n";
  return text;
}

} // namespace daedalus::report
