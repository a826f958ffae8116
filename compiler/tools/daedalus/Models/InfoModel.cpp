// daedalus info M.onnx: inputs, outputs, opsets and operators of a model.
#include "InfoModel.h"
#include "Report/Json.h"
#include "Report/Table.h"
#include "cli/Files.h"
#include "daedalus/Import/ONNX/Describe.h"

#include <iostream>

namespace daedalus::cli {
namespace {

std::string typeOf(const OnnxValueInfo &value) {
  if (!value.shape)
    return value.type + " of unknown shape";
  std::string shape;
  for (const std::string &size : *value.shape)
    shape += (shape.empty() ? "" : ",") + size;
  return value.type + " [" + shape + "]";
}

void printText(const OnnxDescription &model) {
  std::cout << "ONNX model, IR version " << model.irVersion
            << (model.producer.empty() ? "" : ", written by " + model.producer) << "\n";
  for (const auto &[domain, version] : model.opsets)
    std::cout << "opset " << version << " of " << domain << "\n";
  for (const OnnxValueInfo &input : model.inputs)
    std::cout << "input " << input.name << ": " << typeOf(input) << "\n";
  for (const OnnxValueInfo &output : model.outputs)
    std::cout << "output " << output.name << ": " << typeOf(output) << "\n";
  std::cout << grouped(model.initializers) << " initializers, " << grouped(model.functions)
            << " functions\n\n";
  Table table({"operator", ">nodes", "supported"});
  for (const auto &[name, use] : model.operators)
    table.row({name, grouped(use.nodes), use.isSupported ? "yes" : "no"});
  std::cout << table.text();
}

Json valuesJson(const std::vector<OnnxValueInfo> &values) {
  Json list = Json::array();
  for (const OnnxValueInfo &value : values)
    list.push_back({{"name", value.name},
                    {"type", value.type},
                    {"shape", value.shape ? Json(*value.shape) : Json(nullptr)}});
  return list;
}

void printJson(const OnnxDescription &model) {
  Json operators = Json::array();
  for (const auto &[name, use] : model.operators)
    operators.push_back({{"name", name}, {"nodes", use.nodes}, {"supported", use.isSupported}});
  std::cout << dump({{"ir_version", model.irVersion},
                     {"producer", model.producer},
                     {"opsets", model.opsets},
                     {"inputs", valuesJson(model.inputs)},
                     {"outputs", valuesJson(model.outputs)},
                     {"initializers", model.initializers},
                     {"functions", model.functions},
                     {"operators", operators}});
}

} // namespace

void describeModel(const std::string &path, bool asJson) {
  const OnnxDescription model = orFail(describeOnnx(path));
  asJson ? printJson(model) : printText(model);
}

} // namespace daedalus::cli
