#include "Report/RunReport.h"
#include "Report/Numbers.h"
#include "Report/Profile/Utilisation.h"
#include "Report/Table.h"
#include "daedalus/Target/Target.h"

#include <algorithm>
#include <cstdio>

namespace daedalus::report {
namespace {

using isa::CounterClass;
using isa::CounterModule;
using runtime::LayerCycles;
using runtime::RunResult;

constexpr CounterModule modules[] = {CounterModule::Fetch, CounterModule::Load, CounterModule::Gemm,
                                     CounterModule::Vector, CounterModule::Store};
constexpr size_t classes = std::tuple_size<runtime::Counters::value_type>::value;

bool onHost(const LayerCycles &layer) {
  return layer.target == fallbackTarget().name();
}

bool shown(const LayerCycles &layer) {
  return layer.layer != package::noLayer || layer.cycles != 0;
}

std::string layerTable(const RunResult &result, const RunContext &context) {
  std::vector<std::string> headers{"ONNX node", "target",       ">on the path",
                                   ">share",    ">utilisation", ">CPU us"};
  if (hasDevices(result))
    headers.push_back(">device");
  Table table(headers);
  const auto row = [&](std::vector<std::string> cells, const std::string &device) {
    if (hasDevices(result))
      cells.push_back(device);
    table.row(cells);
  };
  const std::vector<LayerUse> uses = usesOf(result, context.machine);
  uint64_t hostNanoseconds = 0;
  for (size_t i = 0; i < result.layers.size(); ++i) {
    const LayerCycles &layer = result.layers[i];
    if (!shown(layer))
      continue;
    const bool counted = layer.cycles != 0 && context.machine;
    row({layer.node.empty() ? "(none)" : layer.node, layer.target, counted ? grouped(layer.cycles) : "-",
         counted ? percent(static_cast<double>(layer.cycles), static_cast<double>(result.cycles)) : "-",
         textOf(uses[i]), onHost(layer) ? microsecondsText(layer.hostNanoseconds) : "-"},
        deviceTimeText(layer.deviceTicks, layer.ticksPerMicrosecond));
    hostNanoseconds += layer.hostNanoseconds;
  }
  const bool counted = result.cycles != 0 && context.machine;
  row({"total", "", counted ? grouped(result.cycles) : "-", counted ? "100.0%" : "-",
       textOf(useOf(result, context.machine)), microsecondsText(hostNanoseconds)},
      "-");
  return table.text();
}

std::string valueText(const runtime::Tensor &tensor, uint64_t index) {
  if (isFloat(tensor.type.dtype))
    return std::to_string(numberAt(tensor.data, tensor.type.dtype, index));
  const int64_t value = integerAt(tensor.data, tensor.type.dtype, index);
  return tensor.type.dtype == package::DType::U64 ? std::to_string(uint64_t(value)) : std::to_string(value);
}

std::string smallValues(const runtime::Tensor &tensor) {
  if (package::elementCount(tensor.type) > 16)
    return "";
  std::string text = " =";
  for (uint64_t i = 0; i < package::elementCount(tensor.type); ++i)
    text += " " + valueText(tensor, i);
  return text;
}

Json layersJson(const RunResult &result, const RunContext &context) {
  Json layers = Json::array();
  const std::vector<LayerUse> uses = usesOf(result, context.machine);
  for (size_t i = 0; i < result.layers.size(); ++i) {
    const LayerCycles &layer = result.layers[i];
    if (!shown(layer))
      continue;
    Json entry = {
        {"node", layer.node}, {"target", layer.target}, {"cycles", layer.cycles}, {"macs", layer.macs}};
    if (onHost(layer))
      entry["host_us"] = static_cast<double>(layer.hostNanoseconds) / 1000;
    if (layer.deviceTicks)
      entry["device_ticks"] = layer.deviceTicks;
    if (uses[i])
      entry["utilisation"] = *uses[i];
    layers.push_back(entry);
  }
  return layers;
}

} // namespace

bool hasDevices(const RunResult &result) {
  return std::any_of(result.layers.begin(), result.layers.end(),
                     [](const LayerCycles &layer) { return layer.deviceTicks != 0; });
}

std::string timeText(uint64_t cycles, const isa::Machine &machine) {
  if (!machine.clockMhz)
    return "";
  char text[64];
  std::snprintf(text, sizeof text, " (%.1f us at %u MHz)", static_cast<double>(cycles) / machine.clockMhz,
                static_cast<unsigned>(machine.clockMhz));
  return text;
}

std::string microsecondsText(uint64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(nanoseconds) / 1000);
  return text;
}

std::string counterTable(const RunResult &result) {
  std::vector<std::string> headers{"module"};
  for (size_t c = 0; c < classes; ++c)
    headers.push_back(std::string(">") + isa::name(static_cast<CounterClass>(c)));
  Table table(headers);
  for (CounterModule module : modules) {
    std::vector<std::string> cells{isa::name(module)};
    for (uint64_t cycles : result.counters[static_cast<size_t>(module)])
      cells.push_back(cycles ? percent(static_cast<double>(cycles), static_cast<double>(result.cycles))
                             : ".");
    table.row(cells);
  }
  return table.text();
}

std::string layersText(const RunResult &result, const RunContext &context) {
  std::string text = layerTable(result, context);
  if (result.cycles != 0)
    text += "\n" + counterTable(result);
  return text;
}

std::string outputsText(const RunResult &result) {
  std::string text;
  for (const runtime::Tensor &output : result.outputs)
    text += "output " + output.name + ": " + package::toString(output.type) + smallValues(output) + "\n";
  return text;
}

Json reportJson(const RunResult &result, const RunContext &context) {
  Json outputs = Json::array(), counters = Json::object();
  for (const runtime::Tensor &output : result.outputs)
    outputs.push_back(
        {{"name", output.name}, {"dtype", package::name(output.type.dtype)}, {"shape", output.type.shape}});
  for (CounterModule module : modules)
    for (size_t c = 0; c < classes; ++c)
      counters[isa::name(module)][isa::name(static_cast<CounterClass>(c))] =
          result.counters[static_cast<size_t>(module)][c];
  Json report = {{"engine", context.engine},
                 {"machine", context.machine ? Json(context.machine->name) : Json()},
                 {"cycles", result.cycles},
                 {"outputs", outputs},
                 {"layers", layersJson(result, context)},
                 {"counters", counters}};
  if (result.certifiedCycles)
    report["certified_cycles"] = result.certifiedCycles;
  return report;
}

} // namespace daedalus::report
