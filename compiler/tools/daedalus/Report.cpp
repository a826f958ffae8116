#include "Report.h"
#include "Table.h"
#include "daedalus/Target/Target.h"

#include <cstring>

namespace daedalus::cli {
namespace {

using isa::CounterClass;
using isa::CounterModule;
using runtime::LayerCycles;
using runtime::RunResult;

constexpr CounterModule modules[] = {CounterModule::Fetch, CounterModule::Load, CounterModule::Gemm,
                                     CounterModule::Vector, CounterModule::Store};
constexpr size_t classes = std::tuple_size<runtime::Counters::value_type>::value;

double products(const LayerCycles &layer, const isa::Machine &machine) {
  return static_cast<double>(machine.n) * machine.n * static_cast<double>(layer.cycles);
}

bool shown(const LayerCycles &layer) {
  return layer.layer != package::noLayer || layer.cycles != 0;
}

std::string layerTable(const RunResult &result, const RunContext &context) {
  Table table({"ONNX node", "target", ">cycles", ">share", ">utilisation"});
  for (const LayerCycles &layer : result.layers) {
    if (!shown(layer))
      continue;
    bool counted = layer.cycles != 0 && context.machine;
    table.row(
        {layer.node.empty() ? "(none)" : layer.node, layer.target, counted ? grouped(layer.cycles) : "-",
         counted ? percent(static_cast<double>(layer.cycles), static_cast<double>(result.cycles)) : "-",
         counted && layer.macs ? percent(static_cast<double>(layer.macs), products(layer, *context.machine))
                               : "-"});
  }
  LayerCycles all;
  for (const LayerCycles &layer : result.layers)
    if (runsStreams(layer.target))
      all.macs += layer.macs;
  all.cycles = result.cycles;
  if (all.cycles != 0 && context.machine)
    table.row({"total", "", grouped(all.cycles), "100.0%",
               percent(static_cast<double>(all.macs), products(all, *context.machine))});
  return table.text();
}

// Each module's cycles by class, as fractions of all cycles: overlap shows as busy fractions whose sum is
// above one.
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

template <class T> std::string valuesOf(const std::vector<uint8_t> &data) {
  std::string text;
  for (size_t i = 0; i < data.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, &data[i], sizeof value);
    text += " " + std::to_string(value);
  }
  return text;
}

std::string smallValues(const runtime::Tensor &tensor) {
  if (package::elementCount(tensor.type) > 16)
    return "";
  switch (tensor.type.dtype) {
  case package::DType::I8:
    return " =" + valuesOf<int8_t>(tensor.data);
  case package::DType::U8:
  case package::DType::Bool:
    return " =" + valuesOf<uint8_t>(tensor.data);
  case package::DType::I32:
    return " =" + valuesOf<int32_t>(tensor.data);
  case package::DType::I64:
    return " =" + valuesOf<int64_t>(tensor.data);
  case package::DType::F32:
    return " =" + valuesOf<float>(tensor.data);
  case package::DType::F64:
    return " =" + valuesOf<double>(tensor.data);
  }
  return "";
}

Json layersJson(const RunResult &result, const RunContext &context) {
  Json layers = Json::array();
  for (const LayerCycles &layer : result.layers) {
    if (!shown(layer))
      continue;
    Json entry = {
        {"node", layer.node}, {"target", layer.target}, {"cycles", layer.cycles}, {"macs", layer.macs}};
    if (layer.cycles != 0 && context.machine)
      entry["utilisation"] = static_cast<double>(layer.macs) / products(layer, *context.machine);
    layers.push_back(entry);
  }
  return layers;
}

} // namespace

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
  return {{"engine", context.engine},
          {"machine", context.machine ? Json(context.machine->name) : Json()},
          {"cycles", result.cycles},
          {"outputs", outputs},
          {"layers", layersJson(result, context)},
          {"counters", counters}};
}

} // namespace daedalus::cli
