// What the kernels of ONNX's operators are made of: every operator of the importer's table becomes kernels in
// float32 or integers, and their IR is searched. Tensors are read as inputs of structured operations; by
// tensor.extract only in the operators that are listed here, and in these it is found.

#include "onnx_builder.h"

#include "daedalus/Import/ONNX/Import.h"
#include "daedalus/Import/ONNX/Operators.h"
#include "daedalus/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <gmock/gmock.h>

#include <set>

namespace daedalus::test {
namespace {

using Shape = OnnxBuilder::Shape;
using Names = std::set<std::string>;

/// Where an element lies that they read depends on numbers.
const Names gathers = {"Col2Im",          "Gather",          "GatherElements",
                       "GatherND",        "GridSample",      "NegativeLogLikelihoodLoss",
                       "Resize",          "ReverseSequence", "Scatter",
                       "ScatterElements", "ScatterND",       "SoftmaxCrossEntropyLoss",
                       "TensorScatter",   "Upsample"};
/// The same where these come at run time, or where the shape that they give is compared with the declared
/// one.
const Names gathersAtRunTime = {"ConstantOfShape", "CumSum", "Expand", "OneHot",  "Pad",  "Range",
                                "Reshape",         "Slice",  "Split",  "Squeeze", "Tile", "TopK",
                                "Unsqueeze"};

constexpr int32_t F32 = onnx::TensorProto::FLOAT, I8 = onnx::TensorProto::INT8, U8 = onnx::TensorProto::UINT8,
                  I32 = onnx::TensorProto::INT32, I64 = onnx::TensorProto::INT64,
                  Bool = onnx::TensorProto::BOOL;

struct Value {
  int32_t dtype = 0; ///< 0: left out
  Shape shape = {};
  std::vector<int64_t> values = {}; ///< given: a constant of integers
};

const Value none, scalar{F32, {}}, row{F32, {6}}, matrix{F32, {4, 6}}, image{F32, {1, 4, 6, 6}},
    truths{Bool, {1, 4, 6, 6}}, channels{F32, {4}}, bytes{U8, {1, 4, 6, 6}};

Value floats(Shape shape) {
  return {F32, std::move(shape)};
}

Value constant(std::vector<int64_t> values) {
  return {I64, {static_cast<int64_t>(values.size())}, values};
}

/// Of one dimension, known when the kernel runs.
Value atRunTime(int64_t size) {
  return {I64, {size}};
}

/// A model of one node.
struct Form {
  std::string type;
  std::vector<Value> inputs, outputs;
  std::vector<OnnxBuilder::Attribute> attributes = {};
  int opset = 17;

  std::string bytes() const {
    OnnxBuilder model(opset);
    std::vector<std::string> names;
    for (const Value &input : inputs) {
      const std::string name = "x" + std::to_string(names.size());
      if (!input.values.empty())
        names.push_back(model.integers(input.dtype, input.shape, input.values));
      else
        names.push_back(input.dtype ? model.input(name, input.dtype, input.shape) : "");
    }
    model.output(model.node(type, names, attributes, "node"), outputs[0].dtype, outputs[0].shape);
    auto &node = *model.proto().mutable_graph()->mutable_node(0);
    for (size_t i = 1; i < outputs.size(); ++i) {
      node.add_output("y" + std::to_string(i));
      model.output(node.output(int(i)), outputs[i].dtype, outputs[i].shape);
    }
    return model.bytes();
  }
};

/// A function of one tensor, as most operators without a form below are.
Form functionOf(const std::string &type) {
  return {type, {image}, {image}, {}, 28};
}

std::vector<Form> logicalForms() {
  std::vector<Form> forms = {
      {"Not", {truths}, {truths}}, {"IsNaN", {image}, {truths}}, {"IsInf", {image}, {truths}}};
  for (const char *type : {"And", "Or", "Xor"})
    forms.push_back({type, {truths, truths}, {truths}});
  for (const char *type : {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"})
    forms.push_back({type, {image, row}, {truths}});
  return forms;
}

std::vector<Form> elementwiseForms() {
  std::vector<Form> forms = logicalForms();
  for (const char *type : {"Add", "Div", "Mul", "PRelu", "Pow", "Sub"})
    forms.push_back({type, {image, row}, {image}});
  for (const char *type : {"Max", "Mean", "Min", "Sum"})
    forms.push_back({type, {image, floats({4, 1, 1}), row}, {image}});
  for (const char *type : {"BitwiseAnd", "BitwiseOr", "BitwiseXor"})
    forms.push_back({type, {bytes, bytes}, {bytes}, {}, 18});
  forms.push_back({"SwiGLU", {image, image}, {image}, {}, 28});
  forms.push_back({"BitCast", {image}, {{I32, image.shape}}, {{"to", I32}}, 26});
  forms.push_back({"BitwiseNot", {bytes}, {bytes}, {}, 18});
  forms.push_back({"BitShift", {bytes, bytes}, {bytes}, {{"direction", "LEFT"}}});
  forms.push_back({"Mod", {bytes, bytes}, {bytes}});
  forms.push_back({"Cast", {image}, {bytes}, {{"to", U8}}});
  forms.push_back({"Clip", {image, scalar, scalar}, {image}});
  forms.push_back({"Dropout", {image}, {image}});
  forms.push_back({"Where", {truths, image, row}, {image}});
  forms.push_back({"DequantizeLinear", {bytes, channels, {U8, {4}}}, {image}});
  forms.push_back({"QuantizeLinear", {image, channels, {U8, {4}}}, {bytes}});
  return forms;
}

std::vector<Form> productForms() {
  const std::vector<int64_t> pads = {1, 1, 1, 1};
  return {
      {"Conv", {image, floats({8, 4, 3, 3}), floats({8})}, {floats({1, 8, 6, 6})}, {{"pads", pads}}},
      {"Conv", {image, floats({8, 2, 3, 3})}, {floats({1, 8, 4, 4})}, {{"group", 2}}},
      {"Conv", {image, floats({4, 1, 3, 3})}, {floats({1, 4, 4, 4})}, {{"group", 4}}},
      {"Conv", {floats({1, 4, 6}), floats({8, 2, 3})}, {floats({1, 8, 4})}, {{"group", 2}}},
      {"ConvInteger",
       {bytes, {U8, {8, 4, 3, 3}}, {U8, {}}, {U8, {8}}},
       {{I32, {1, 8, 6, 6}}},
       {{"pads", pads}}},
      {"Gemm", {matrix, floats({6, 3}), floats({3})}, {floats({4, 3})}},
      {"Gemm", {matrix, floats({3, 4})}, {floats({6, 3})}, {{"transA", 1}, {"transB", 1}}},
      {"MatMul", {matrix, floats({6, 3})}, {floats({4, 3})}},
      {"MatMul", {image, row}, {floats({1, 4, 6})}},
      {"MatMul", {image, floats({2, 1, 6, 3})}, {floats({2, 4, 6, 3})}},
      {"MatMulInteger", {{U8, {4, 6}}, {I8, {6, 3}}, {U8, {4}}, {I8, {3}}}, {{I32, {4, 3}}}},
  };
}

/// Layers that are several operations.
std::vector<Form> layerForms() {
  const Value sequence = floats({5, 2, 3}), states = floats({5, 1, 2, 4}), heads = floats({1, 2, 3, 4}),
              angles = floats({1, 3, 2});
  std::vector<Form> forms = {
      {"ConvTranspose", {image, floats({4, 2, 3, 3})}, {floats({1, 2, 8, 8})}},
      {"NegativeLogLikelihoodLoss", {matrix, {I64, {4}}, floats({6})}, {floats({})}},
      {"SoftmaxCrossEntropyLoss", {matrix, {I64, {4}}}, {floats({})}},
      {"Einsum", {matrix, floats({6, 3})}, {floats({4, 3})}, {{"equation", "ij,jk"}}},
      {"Attention", {heads, heads, heads}, {heads}, {}, 23},
      {"RotaryEmbedding", {heads, angles, angles}, {heads}, {}, 23},
      {"CumProd", {matrix, constant({1})}, {matrix}, {}, 26},
      {"CumSum", {matrix, constant({1})}, {matrix}},
      {"GroupNormalization", {image, channels, channels}, {image}, {{"num_groups", 2}}, 21},
      {"AffineGrid", {floats({1, 2, 3}), constant({1, 1, 4, 6})}, {floats({1, 4, 6, 2})}, {}, 20},
      {"GridSample", {image, floats({1, 4, 6, 2})}, {floats({1, 4, 4, 6})}, {}, 20},
      {"GlobalLpPool", {image}, {floats({1, 4, 1, 1})}},
      {"LpPool", {image}, {floats({1, 4, 4, 4})}, {{"kernel_shape", Shape{3, 3}}}},
      {"Hardmax", {matrix}, {matrix}},
      {"LRN", {image}, {image}, {{"size", 3}}},
      {"LpNormalization", {matrix}, {matrix}},
      {"MeanVarianceNormalization", {image}, {image}},
      {"RMSNormalization", {image, row}, {image}, {}, 23},
      {"TopK", {matrix, constant({2})}, {floats({4, 2}), {I64, {4, 2}}}}};
  for (const auto &[type, gates] : {std::pair("RNN", 1), std::pair("GRU", 3), std::pair("LSTM", 4)})
    forms.push_back({type, {sequence, floats({1, gates * 4, 3}), floats({1, gates * 4, 4})}, {states}});
  return forms;
}

std::vector<Form> reductionForms() {
  std::vector<Form> forms;
  for (const char *type : {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
                           "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSumSquare"})
    forms.push_back({type, {image}, {floats({1, 4, 1, 6})}, {{"axes", Shape{2}}}});
  forms.push_back({"ReduceSum", {image, constant({2})}, {floats({1, 4, 6})}, {{"keepdims", 0}}});
  for (const char *type : {"ArgMax", "ArgMin"})
    forms.push_back({type, {image}, {{I64, {1, 1, 6, 6}}}, {{"axis", 1}}});
  for (const char *type : {"GlobalAveragePool", "GlobalMaxPool"})
    forms.push_back({type, {image}, {floats({1, 4, 1, 1})}});
  const std::vector<OnnxBuilder::Attribute> window = {{"kernel_shape", Shape{3, 3}},
                                                      {"pads", Shape{1, 1, 1, 1}}};
  forms.push_back({"AveragePool", {image}, {image}, window});
  forms.push_back({"MaxPool", {image}, {image, {I64, {1, 4, 6, 6}}}, window});
  forms.push_back({"MaxPool", {bytes}, {bytes}, window});
  forms.push_back({"BatchNormalization", {image, channels, channels, channels, channels}, {image}});
  forms.push_back({"InstanceNormalization", {image, channels, channels}, {image}});
  forms.push_back(
      {"LayerNormalization", {image, row, row}, {image, floats({1, 4, 6, 1}), floats({1, 4, 6, 1})}});
  forms.push_back({"DynamicQuantizeLinear", {image}, {bytes, scalar, {U8, {}}}});
  return forms;
}

/// Moves by what is known when compiling.
std::vector<Form> moveForms() {
  const Shape pads = {0, 0, 1, 2, 0, 0, 2, -1};
  return {
      {"CastLike", {image, bytes}, {bytes}},
      {"CenterCropPad", {matrix, constant({5, 3})}, {floats({5, 3})}, {}, 18},
      {"Col2Im", {floats({1, 4, 4}), constant({3, 3}), constant({2, 2})}, {floats({1, 1, 3, 3})}, {}, 18},
      {"ReverseSequence", {matrix, {I64, {6}}}, {matrix}},
      {"EyeLike", {matrix}, {matrix}},
      {"GatherND", {matrix, {I64, {2, 1}, {3, 1}}}, {floats({2, 6})}},
      {"OneHot", {{I64, {4}}, {I64, {}, {6}}, floats({2})}, {matrix}},
      {"Range", {{I64, {}, {2}}, {I64, {}, {7}}, {I64, {}, {1}}}, {{I64, {5}}}},
      {"Scatter", {matrix, {I64, {1, 2}, {3, 1}}, floats({1, 2})}, {matrix}, {}, 9},
      {"ScatterElements", {matrix, {I64, {1, 2}, {3, 1}}, floats({1, 2})}, {matrix}},
      {"ScatterND", {matrix, {I64, {2, 1}, {3, 1}}, floats({2, 6})}, {matrix}},
      {"TensorScatter", {matrix, floats({4, 2})}, {matrix}, {{"axis", 1}}, 24},
      {"Trilu", {matrix}, {matrix}},
      {"Upsample", {image, floats({4})}, {floats({1, 4, 12, 6})}, {}, 9},
      {"Concat", {image, image}, {floats({1, 8, 6, 6})}, {{"axis", 1}}},
      {"ConstantOfShape", {constant({2, 3})}, {floats({2, 3})}},
      {"DepthToSpace", {image}, {floats({1, 1, 12, 12})}, {{"blocksize", 2}}},
      {"Expand", {floats({4, 1, 6}), constant({1, 4, 6, 6})}, {image}},
      {"Flatten", {image}, {floats({1, 144})}},
      {"Gather", {matrix, constant({1, 0})}, {floats({2, 6})}},
      {"GatherElements", {matrix, {I64, {1, 6}, {3, 1, 0, 0, 2, 1}}}, {floats({1, 6})}},
      {"Pad", {image, constant(pads)}, {floats({1, 4, 9, 7})}},
      {"Pad", {image, constant(pads)}, {floats({1, 4, 9, 7})}, {{"mode", "edge"}}},
      {"Pad", {image, constant(pads)}, {floats({1, 4, 9, 7})}, {{"mode", "reflect"}}},
      {"Reshape", {image, constant({-1, 6})}, {floats({24, 6})}},
      {"Resize", {image, none, none, constant({1, 4, 12, 9})}, {floats({1, 4, 12, 9})}},
      {"Slice", {image, constant({1}), constant({5}), constant({2}), constant({2})}, {floats({1, 4, 2, 6})}},
      {"Slice", {image, constant({-1}), constant({-9}), constant({3}), constant({-1})}, {image}},
      {"SpaceToDepth", {image}, {floats({1, 16, 3, 3})}, {{"blocksize", 2}}},
      {"Split", {image}, {floats({1, 2, 6, 6}), floats({1, 2, 6, 6})}, {{"axis", 1}}},
      {"Squeeze", {image, constant({0})}, {floats({4, 6, 6})}},
      {"Tile", {matrix, constant({2, 3})}, {floats({8, 18})}},
      {"Transpose", {image}, {floats({6, 6, 4, 1})}},
      {"Unsqueeze", {matrix, constant({1})}, {floats({4, 1, 6})}},
  };
}

/// Moves by what is known when they run.
std::vector<Form> runTimeForms() {
  return {
      {"ConstantOfShape", {atRunTime(2)}, {floats({2, 3})}},
      {"CumSum", {matrix, atRunTime(1)}, {matrix}},
      {"OneHot", {{I64, {4}}, atRunTime(1), floats({2})}, {matrix}},
      {"Range", {atRunTime(1), atRunTime(1), atRunTime(1)}, {{I64, {5}}}},
      {"TopK", {matrix, atRunTime(1)}, {floats({4, 2}), {I64, {4, 2}}}},
      {"Expand", {floats({4, 1, 6}), atRunTime(4)}, {image}},
      {"Pad", {image, atRunTime(8)}, {floats({1, 4, 9, 7})}},
      {"Reshape", {image, atRunTime(2)}, {floats({24, 6})}},
      {"Slice", {image, atRunTime(1), atRunTime(1), constant({2})}, {floats({1, 4, 2, 6})}},
      {"Split", {image, atRunTime(2)}, {floats({1, 2, 6, 6}), floats({1, 2, 6, 6})}, {{"axis", 1}}},
      {"Squeeze", {image, atRunTime(1)}, {floats({4, 6, 6})}},
      {"Tile", {matrix, atRunTime(2)}, {floats({8, 18})}},
      {"Unsqueeze", {matrix, atRunTime(1)}, {floats({4, 1, 6})}},
  };
}

/// Calls `f` with the module of kernels that a form becomes.
template <class F> void kernelsOf(const Form &form, F f) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) { message += diagnostic.str(); });
  auto module = importOnnxBytes(form.bytes(), "model.onnx", context);
  ASSERT_TRUE(module) << form.type << ": " << message;
  mlir::PassManager passes(&context);
  addKernels(passes);
  ASSERT_TRUE(succeeded(passes.run(*module))) << form.type << ": " << message;
  f(*module);
}

bool extracts(const Form &form) {
  bool found = false;
  kernelsOf(
      form,
      [&](mlir::ModuleOp module) { module.walk([&](mlir::tensor::ExtractOp) { found = true; }); } // namespace
  );
  return found;
} // namespace daedalus::test

Names thatExtract(const std::vector<Form> &forms) {
  Names names;
  for (const Form &form : forms)
    if (extracts(form))
      names.insert(form.type);
  return names;
}

/// All forms whose numbers are known when compiling: of every operator of the table at least one.
std::vector<Form> allForms() {
  std::vector<Form> forms;
  for (const auto &some : {elementwiseForms(), productForms(), layerForms(), reductionForms(), moveForms()})
    forms.insert(forms.end(), some.begin(), some.end());
  Names known;
  for (const Form &form : forms)
    known.insert(form.type);
  for (const OperatorSupport &support : supportedOperators())
    if (support.plain == "CPU" && !known.count(support.name))
      forms.push_back(functionOf(support.name));
  return forms;
}

TEST(Structured, OperatorsThatReadByTensorExtract) {
  EXPECT_EQ(thatExtract(allForms()), gathers);
}

TEST(Structured, OperatorsThatReadByTensorExtractAtRunTime) {
  EXPECT_EQ(thatExtract(runTimeForms()), gathersAtRunTime);
}

/// That a kernel is one linalg.generic on all inputs, whose loops are parallel and whose body is scalar
/// arithmetic; beside it is the empty output, and numbers.
void expectOneGeneric(const Form &form, mlir::func::FuncOp kernel) {
  size_t generics = 0;
  for (mlir::Operation &op : kernel.getBody().front().without_terminator()) {
    auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(op);
    const bool isNumber = mlir::isa<mlir::arith::ConstantOp>(op) && op.getResult(0).getType().isIntOrFloat();
    EXPECT_TRUE(generic || isNumber || mlir::isa<mlir::tensor::EmptyOp>(op))
        << form.type << ": " << op.getName().getStringRef().str();
    if (!generic)
      continue;
    ++generics;
    EXPECT_EQ(generic.getNumParallelLoops(), generic.getNumLoops()) << form.type;
    EXPECT_EQ(generic.getNumDpsInputs(), int64_t(form.inputs.size())) << form.type;
    for (mlir::Operation &inside : generic.getRegion().front().without_terminator())
      EXPECT_THAT(inside.getName().getDialectNamespace().str(), testing::AnyOf("arith", "math")) << form.type;
  }
  EXPECT_EQ(generics, 1u) << form.type;
}

/// So that a pass can read the formula of an elementwise operator off its kernel.
TEST(Structured, ElementwiseOperatorsAreOneGeneric) {
  Names others = {"Softmax", "LogSoftmax", "Dropout", "Identity"}; // the last two compute nothing
  for (const auto &some : {productForms(), layerForms(), reductionForms(), moveForms()})
    for (const Form &form : some)
      others.insert(form.type);
  for (const Form &form : allForms())
    if (!others.count(form.type))
      kernelsOf(form, [&](mlir::ModuleOp module) {
        size_t kernels = 0;
        for (auto function : module.getOps<mlir::func::FuncOp>())
          if (function.isPrivate()) {
            ++kernels;
            expectOneGeneric(form, function);
          }
        EXPECT_EQ(kernels, 1u) << form.type;
      });
}

/// A constant of one element is a number of the body, others are inputs.
TEST(Structured, ConstantsOfOneElementAreNumbers) {
  for (const auto &[values, inputs] :
       {std::pair(std::vector<int64_t>{3}, 1), std::pair(std::vector<int64_t>{3, 4}, 2)}) {
    const Form form{"Mul", {{I64, {5, 2}}, constant(values)}, {{I64, {5, 2}}}};
    kernelsOf(form, [&, inputs = inputs](mlir::ModuleOp module) {
      module.walk([&](mlir::linalg::GenericOp op) { EXPECT_EQ(op.getNumDpsInputs(), inputs); });
    });
  }
}

} // namespace
} // namespace daedalus::test
