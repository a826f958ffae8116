// The table of the targets, what stands above it, and what it does not say.
#include "Report/Targets/TargetRow.h"

#include "Report/Figures.h"
#include "Report/Table.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace daedalus::report {
namespace {

constexpr double tenth = 1e-7; // of a microsecond: to which times are printed, so that the sums are theirs

std::string printed(double seconds) {
  return decimal(seconds * 1e6, "%.1f");
}

std::string countOf(size_t count, const std::string &what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string acceleratorLine(const TargetHeader &header) {
  if (header.machine.empty())
    return "accelerator: no layer runs on it\n";
  return "accelerator: machine " + header.machine + ", simulated by " + header.engine + "; " +
         (header.clockMhz
              ? "microseconds at " + std::to_string(header.clockMhz) +
                    (header.statesClock ? " MHz, which the machine states"
                                        : " MHz, which --clock-mhz says and no hardware has shown")
              : "cycles, and no microseconds without a clock (--clock-mhz)") +
         "\n";
}

std::string headerText(const TargetHeader &header) {
  return "CPU: " + header.processor + ", " + threadsText(header.threads) + ", " +
         (header.level.empty() ? "no code" : "code for " + header.level) +
         "; microseconds of one run: medians of " + std::to_string(header.repeats) +
         (header.repeats == 1 ? " batch" : " batches") +
         " of at least 20 ms, warm caches, and the spread of the middle half\n" + acceleratorLine(header) +
         "targets of this build: " + llvm::join(header.targets, ", ") + "\n\n";
}

/// Which columns there are.
struct Columns {
  bool hasClock, hasDevices, hasLeft;
};

std::vector<std::string> headersOf(const Columns &columns, const TargetHeader &header) {
  std::vector<std::string> headers = {"ONNX node", "target", ">MACs", ">cycles", ">utilisation"};
  if (columns.hasClock)
    headers.push_back(">us at " + std::to_string(header.clockMhz) + " MHz");
  if (columns.hasDevices)
    headers.push_back(">device");
  if (columns.hasLeft)
    headers.insert(headers.end(), {">left to CPU us", ">spread"});
  for (const auto &[target, why] : header.devices)
    headers.push_back(">" + target);
  headers.insert(headers.end(), {">CPU us", ">spread"});
  return headers;
}

void addTiming(std::vector<std::string> &cells, const std::optional<tuning::Timing> &timing,
               const std::string &without) {
  cells.push_back(timing ? microseconds(*timing) : without);
  cells.push_back(timing ? spreadOf(*timing) : "-");
}

std::string deviceText(const DeviceTime &time) {
  return deviceTimeText(time.ticks, time.ticksPerMicrosecond);
}

std::vector<std::string> cellsOf(const TargetRow &row, const Columns &columns, const TargetHeader &header) {
  std::vector<std::string> cells = {row.node, row.target.empty() ? "absent" : row.target, grouped(row.macs),
                                    row.cycles ? grouped(*row.cycles) : "-", textOf(row.use)};
  if (columns.hasClock)
    cells.push_back(row.cycles ? printed(secondsAt(header.clockMhz, *row.cycles)) : "-");
  if (columns.hasDevices)
    cells.push_back(deviceTimeText(row.deviceTicks, row.ticksPerMicrosecond));
  if (columns.hasLeft)
    addTiming(cells, row.left, "-");
  for (const auto &[target, why] : header.devices) {
    const auto found = row.onDevices.find(target);
    cells.push_back(!why.empty() ? "-" : found == row.onDevices.end() ? "absent" : deviceText(found->second));
  }
  addTiming(cells, row.cpu, "absent");
  return cells;
}

/// Of all rows.
std::string sumOf(const std::vector<TargetRow> &rows, const std::string &target) {
  DeviceTime sum;
  for (const TargetRow &row : rows)
    if (const auto found = row.onDevices.find(target); found != row.onDevices.end()) {
      sum.ticks += found->second.ticks;
      sum.ticksPerMicrosecond = std::max(sum.ticksPerMicrosecond, found->second.ticksPerMicrosecond);
    }
  return deviceText(sum);
}

void addTotals(Table &table, const std::vector<TargetRow> &rows, const TargetSum &sum, const Columns &columns,
               const TargetHeader &header) {
  const std::string cycles = header.machine.empty() ? "-" : grouped(sum.cycles);
  std::vector<std::string> layers = {"sum of the layers", "", grouped(sum.macs), cycles,
                                     percent(double(sum.placedMacs), double(sum.cycles * header.array))};
  std::vector<std::string> whole = {"whole run", "", "",
                                    header.machine.empty() ? "-" : grouped(header.cycles), ""};
  if (columns.hasClock) {
    layers.push_back(printed(sum.acceleratorSeconds));
    whole.push_back(printed(secondsAt(header.clockMhz, header.cycles)));
  }
  if (columns.hasDevices) {
    layers.push_back("-");
    whole.push_back("-");
  }
  if (columns.hasLeft) {
    layers.insert(layers.end(), {printed(sum.leftSeconds), ""});
    whole.insert(whole.end(), {"", ""});
  }
  for (const auto &[target, why] : header.devices) {
    layers.push_back(sumOf(rows, target));
    whole.push_back("-");
  }
  layers.insert(layers.end(), {printed(sum.cpuSeconds), ""});
  whole.insert(whole.end(), {microseconds(header.whole), spreadOf(header.whole)});
  table.row(layers);
  table.row(whole);
}

/// What the cycles do not count.
std::string leftText(const TargetHeader &header, const TargetSum &sum, size_t layers) {
  if (header.machine.empty())
    return "";
  if (sum.left == 0)
    return "left to the CPU: no layer\n";
  std::string text = "left to the CPU, and not in the cycles: " + std::to_string(sum.left) + " of " +
                     countOf(layers, "layer") + ", ";
  if (!header.unmeasured.empty())
    return text + "not measured: " + header.unmeasured + "\n";
  text += printed(sum.leftSeconds) + " us, measured without the accelerator's layers between them";
  if (header.clockMhz)
    text += "; with the accelerator's time " + printed(sum.leftSeconds + sum.acceleratorSeconds) + " us";
  return text + "\n";
}

std::string notesText(const TargetHeader &header, const std::vector<TargetRow> &rows, const TargetSum &sum) {
  bool isAbsent = false;
  size_t placed = 0;
  for (const TargetRow &row : rows) {
    isAbsent |= row.target.empty() || !row.cpu;
    placed += !row.target.empty();
  }
  std::string text;
  if (isAbsent)
    text += "absent: the model compiled for this side has no such layer, another one does its work\n";
  text += leftText(header, sum, placed);
  text +=
      "whole run of the CPU: by the wall clock; besides the layers' kernels it has the copies of inputs and "
      "outputs and\nwhat the runtime does between steps, and other work on this machine hits every run but "
      "few "
      "of the times of a layer\n";
  for (const auto &[target, why] : header.devices)
    text += target + ": " +
            (why.empty()
                 ? "the model compiled for it alone, each kernel by the device's own clock, without copies"
                 : "not measured: " + why) +
            "\n";
  if (isDisturbed(header.whole))
    text += "batches had less than 90% of a processor: other work on this machine disturbs the figures\n";
  return text;
}

} // namespace

std::string textOf(const TargetHeader &header, const std::vector<TargetRow> &rows) {
  const Columns columns{
      header.clockMhz && !header.machine.empty(),
      std::any_of(rows.begin(), rows.end(), [](const TargetRow &row) { return row.deviceTicks != 0; }),
      std::any_of(rows.begin(), rows.end(), [](const TargetRow &row) { return row.left.has_value(); })};
  Table table(headersOf(columns, header));
  for (const TargetRow &row : rows)
    table.row(cellsOf(row, columns, header));
  const TargetSum sum = sumOf(rows, header.clockMhz, tenth);
  addTotals(table, rows, sum, columns, header);
  return headerText(header) + table.text() + "\n" + notesText(header, rows, sum);
}

} // namespace daedalus::report
