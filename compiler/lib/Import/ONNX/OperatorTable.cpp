// See OperatorTable.h, and Operators.h for the documentation's part.

#include "OperatorTable.h"

#include "Check/Schemas.h"
#include "General/Builds.h"
#include "QOperators.h"

#include "daedalus/Import/ONNX/Operators.h"

#include <map>

namespace daedalus {
namespace onnximport {
namespace {

struct Form {
  Operator::Import import;
  std::string quantized;
};

const std::map<std::string, Form> &forms() {
  using I = Importer;
  static const std::map<std::string, Form> all = [] {
    const char *binary = "accelerator; a constant or a broadcast on the CPU in int8";
    const char *joined = "accelerator, joined to the operator before";
    std::map<std::string, Form> all = {
        {"Add", {&I::importBinary, binary}},
        {"AveragePool",
         {&I::importAveragePool, "accelerator; 1-D and 2-D; CPU in int8 where windows count differently"}},
        {"BatchNormalization",
         {&I::importBatchNormalization, "accelerator, in the convolution before it or as a depthwise one"}},
        {"BitCast", {nullptr, "CPU in float32"}},
        {"BitwiseNot", {nullptr, "CPU in float32"}},
        {"Clip", {&I::importClamp, std::string(joined) + "; constant bounds"}},
        {"Cast", {&I::importCast, "CPU in float32; a view where the type stays"}},
        {"Concat", {&I::importConcat, "accelerator, along channels; CPU in int8 along others"}},
        {"Constant", {&I::importConstant, "when compiling"}},
        {"Conv", {&I::importConv, "accelerator, in groups too; 1-D and 2-D with constant weights"}},
        {"ConvTranspose",
         {&I::importConvTranspose, "accelerator; 1-D and 2-D, constant weights, one group, no dilation, "
                                   "strides near the kernel's sizes or less"}},
        {"DepthToSpace", {&I::importBlocks, "accelerator with mode DCR; CPU in int8 otherwise"}},
        {"DequantizeLinear", {&I::importDequantize, "joined to the operator behind"}},
        {"Dropout", {&I::importDropout, "a view"}},
        {"Div", {nullptr, "accelerator by a table, with a scalar"}},
        {"Flatten", {&I::importReshape, "a view"}},
        {"Gemm", {&I::importGemm, "accelerator; constant weights"}},
        {"GlobalAveragePool", {&I::importGlobalAveragePool, "accelerator, of any rank"}},
        {"Identity", {&I::importIdentity, "a view"}},
        {"IsInf", {nullptr, "CPU in float32"}},
        {"IsNaN", {nullptr, "CPU in float32"}},
        {"MatMul",
         {&I::importMatMul, "accelerator; constant weights, or two tensors of two or more dimensions"}},
        {"MaxPool", {&I::importMaxPool, "accelerator; 1-D and 2-D"}},
        {"Mul", {&I::importBinary, binary}},
        {"Not", {nullptr, "CPU in float32"}},
        {"Pow", {nullptr, "accelerator by a table, with a scalar"}},
        {"QuantizeLinear", {&I::importQuantize, "joined to the operator before"}},
        {"ReduceMean",
         {&I::importReduceMean,
          "accelerator, over all dimensions behind the channels; CPU in float32 otherwise"}},
        {"Relu", {&I::importClamp, joined}},
        {"Reshape", {&I::importReshape, "a view"}},
        {"Resize",
         {&I::importResize,
          "accelerator, nearest by whole factors of height and width; CPU in int8 otherwise"}},
        {"Shape", {&I::importSize, "when compiling"}},
        {"Size", {&I::importSize, "when compiling"}},
        {"Slice", {&I::importSlice, "accelerator, with known bounds and steps of 1; CPU in int8 otherwise"}},
        {"SpaceToDepth", {&I::importBlocks, "accelerator with mode DCR; CPU in int8 otherwise"}},
        {"Split", {&I::importSplit, "accelerator; parts of known sizes"}},
        {"Squeeze", {&I::importReshape, "a view"}},
        {"Sub", {&I::importBinary, binary}},
        {"Transpose",
         {&I::importTranspose, "a view where no element moves; accelerator or CPU in int8 otherwise"}},
        {"Unsqueeze", {&I::importReshape, "a view"}}};
    for (const char *name : {"CenterCropPad", "Expand", "Gather", "GatherElements", "GatherND", "Pad",
                             "ReverseSequence", "Tile", "Trilu"})
      all[name] = {nullptr, "CPU in int8"};
    return all;
  }();
  return all;
}

const std::map<std::string, Operator> &operators() {
  static const std::map<std::string, Operator> all = [] {
    std::map<std::string, Operator> table;
    for (const auto &[name, build] : builds())
      table[name].build = build;
    for (const auto &[name, build] : functionBuilds())
      table[name].quantized = "accelerator by a table";
    for (const auto &[name, form] : forms()) {
      table[name].import = form.import;
      table[name].quantized = form.quantized;
    }
    return table;
  }();
  return all;
}

} // namespace

const Operator *operatorOf(llvm::StringRef name) {
  auto found = operators().find(name.str());
  return found == operators().end() ? nullptr : &found->second;
}

std::vector<std::string> operatorNames() {
  std::vector<std::string> names;
  for (const auto &[name, known] : operators())
    names.push_back(name);
  return names;
}

} // namespace onnximport

int64_t newestOnnxOpset() {
  return onnximport::newestOpset;
}

std::vector<OperatorSupport> supportedOperators() {
  std::map<std::string, OperatorSupport> all;
  for (const std::string &name : onnximport::operatorNames()) {
    const onnximport::Operator &known = *onnximport::operatorOf(name);
    all[name] = {name, known.quantized.empty() ? "CPU in float32" : known.quantized,
                 known.build ? "CPU" : known.quantized};
  }
  for (const std::string &name : onnximport::qOperators())
    all[name] = {name, "as the same operator in QDQ form", ""};
  std::vector<OperatorSupport> list;
  for (const auto &[name, support] : all)
    list.push_back(support);
  return list;
}

} // namespace daedalus
