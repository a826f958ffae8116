// See Operators.h. The words follow what Importer::importNode does.

#include "General/Kernel.h"
#include "QOperators.h"

#include "daedalus/Import/ONNX/Operators.h"

#include <map>

namespace daedalus {
namespace {

const std::map<std::string, std::string> &quantizedForms() {
  static const std::map<std::string, std::string> forms = [] {
    std::map<std::string, std::string> all = {
        {"Conv", "accelerator, in groups too; 2-D with constant weights"},
        {"Gemm", "accelerator; constant weights"},
        {"MatMul", "accelerator; constant weights"},
        {"Add", "accelerator; a constant or a broadcast on the CPU in int8"},
        {"Sub", "accelerator; a constant or a broadcast on the CPU in int8"},
        {"Mul", "accelerator; a constant or a broadcast on the CPU in int8"},
        {"BatchNormalization", "accelerator, in the convolution before it or as a depthwise one"},
        {"Div", "accelerator by a table, with a scalar"},
        {"Pow", "accelerator by a table, with a scalar"},
        {"MaxPool", "accelerator; 2-D"},
        {"AveragePool", "accelerator; 2-D; CPU in int8 where windows count differently"},
        {"GlobalAveragePool", "accelerator; 2-D"},
        {"Relu", "accelerator, joined to the operator before"},
        {"Clip", "accelerator, joined to the operator before; constant bounds"},
        {"QuantizeLinear", "joined to the operator before"},
        {"DequantizeLinear", "joined to the operator behind"},
        {"Concat", "accelerator, along channels; CPU in int8 along others"},
        {"Resize", "accelerator, nearest by whole factors of height and width; CPU in int8 otherwise"},
        {"Reshape", "a view"},
        {"Flatten", "a view"}};
    for (const char *name : {"Abs", "Elu", "Erf", "Exp", "HardSigmoid", "HardSwish", "LeakyRelu", "Neg",
                             "Sigmoid", "Softplus", "Softsign", "Sqrt", "Tanh"})
      all[name] = "accelerator by a table";
    for (const char *name :
         {"DepthToSpace", "Expand", "Gather", "GatherElements", "Identity", "Pad", "Slice", "SpaceToDepth",
          "Split", "Squeeze", "Tile", "Transpose", "Unsqueeze"})
      all[name] = "CPU in int8";
    return all;
  }();
  return forms;
}

} // namespace

std::vector<OperatorSupport> supportedOperators() {
  std::map<std::string, OperatorSupport> all;
  for (const std::string &name : onnximport::generalOperators()) {
    auto form = quantizedForms().find(name);
    all[name] = {name, form == quantizedForms().end() ? "CPU in float32" : form->second, "CPU"};
  }
  for (const char *name : {"Constant", "Shape", "Size"})
    all[name] = {name, "when compiling", "when compiling"};
  for (const std::string &name : onnximport::qOperators())
    all[name] = {name, "as the same operator in QDQ form", ""};
  std::vector<OperatorSupport> list;
  for (const auto &[name, support] : all)
    list.push_back(support);
  return list;
}

} // namespace daedalus
