// MLIR lets any pass drop discardable attributes, so nothing may depend on one: each level that `--emit`
// prints, all such attributes removed, compiles to the package of the direct path, byte for byte, and so does
// a model whose attributes are removed behind every pass. Of digits, the tensor programs, small networks and
// convolutions, and of models of what quantized networks do not have: floats, uint8, moves, constants,
// broadcasts, external functions.

#include "models.h"
#include "onnx_builder.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Pipelines/Passes.h"
#include "daedalus/Pipelines/Program.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace daedalus::testing {
namespace {

using Proto = onnx::TensorProto;
using test::OnnxBuilder;

/// Removes all of them from an operation and what it holds; gives their number. The attributes of arguments
/// and results of functions stay: arg_attrs and res_attrs are inherent properties of func.func, and the names
/// and the signedness of the model's inputs and outputs, which they hold, are its interface.
unsigned strip(mlir::Operation *root) {
  unsigned count = 0;
  root->walk([&](mlir::Operation *op) {
    for (mlir::NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs())) {
      op->removeDiscardableAttr(attribute.getName());
      ++count;
    }
  });
  return count;
}

/// Behind every pass.
struct Stripper : mlir::PassInstrumentation {
  void runBeforePass(mlir::Pass *, mlir::Operation *op) override { strip(op); }
  void runAfterPass(mlir::Pass *, mlir::Operation *op) override { strip(op); }
};

/// The text without any.
std::string stripped(const std::string &text, bool hasLocalScope) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(bool(module));
  strip(*module);
  return printedLevel(*module, hasLocalScope);
}

/// A file that goes with the object.
class File {
public:
  File(const std::string &content, const std::string &suffix)
      : path((fs::temp_directory_path() / ("discardable." + std::to_string(getpid()) + suffix)).string()) {
    std::ofstream(path, std::ios::binary) << content;
  }
  ~File() { fs::remove(path); }
  const std::string path;
};

std::vector<uint8_t> bytesOf(const std::string &path, const CompileOptions &options) {
  Result<Compiled> compiled = compileModel(path, options);
  EXPECT_TRUE(compiled) << compiled.error();
  return compiled ? package::writePackage(compiled->package) : std::vector<uint8_t>();
}

void expectIndependent(const std::string &model) {
  CompileOptions options = optionsFor();
  options.verify = false; // levels_test has the proofs
  const std::vector<uint8_t> direct = bytesOf(model, options);
  ASSERT_FALSE(direct.empty());
  for (const char *level : {"graph", "linalg", "dae"}) {
    auto text = emitLevel(model, options, level);
    if (!text && std::string(level) == "graph")
      continue; // a tensor program begins behind it
    ASSERT_TRUE(text) << text.error();
    const File file(stripped(*text, std::string(level) != "dae"), ".mlir");
    EXPECT_TRUE(bytesOf(file.path, options) == direct) << level;
  }
  CompileOptions between = options;
  between.configure = [](mlir::PassManager &passes) {
    passes.addInstrumentation(std::make_unique<Stripper>());
    return true;
  };
  EXPECT_TRUE(bytesOf(model, between) == direct) << "behind every pass";
}

TEST(Strip, RemovesWhatAnyPassMayDrop) {
  const std::string text =
      stripped("func.func private @f(%x: tensor<4xi8> {my.kept = 1 : i64}) -> tensor<4xi8>"
               " attributes {my.dropped = 2 : i64} {\n"
               "  %y = arith.addi %x, %x {my.dropped} : tensor<4xi8>\n"
               "  return %y : tensor<4xi8>\n}\n",
               true);
  EXPECT_EQ(text.find("my.dropped"), std::string::npos) << text;
  EXPECT_NE(text.find("my.kept"), std::string::npos) << text;
}

class Discardable : public ::testing::TestWithParam<std::string> {};

TEST_P(Discardable, AttributesMeanNothing) {
  expectIndependent(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Models, Discardable, ::testing::ValuesIn(inputs()),
                         [](const auto &info) { return nameOf(info.param); });

void expectIndependentOnnx(const OnnxBuilder &model) {
  const File file(model.bytes(), ".onnx");
  expectIndependent(file.path);
}

TEST(DiscardableOnnx, FloatOperators) {
  OnnxBuilder model;
  const std::string x = model.input("x", Proto::FLOAT, {2, 3, 6, 6});
  const std::string w = model.floats({4, 3, 3, 3}, std::vector<float>(108, 0.5f));
  std::string y = model.node("Conv", {x, w}, {}, "conv");
  model.valueInfo(y, Proto::FLOAT, {2, 4, 4, 4});
  y = model.node("Softmax", {y}, {{"axis", 1}}, "softmax");
  model.output(y, Proto::FLOAT, {2, 4, 4, 4});
  expectIndependentOnnx(model);
}

TEST(DiscardableOnnx, FloatsAlone) {
  OnnxBuilder model;
  std::string y = model.node("Sin", {model.input("x", Proto::FLOAT, {4, 5})}, {}, "sine");
  model.valueInfo(y, Proto::FLOAT, {4, 5});
  model.output(model.node("Softmax", {y}, {{"axis", 1}}), Proto::FLOAT, {4, 5});
  expectIndependentOnnx(model);
}

TEST(DiscardableOnnx, Uint8AndMoves) {
  OnnxBuilder model;
  const std::string x = model.node("DequantizeLinear",
                                   {model.input("x", Proto::UINT8, {1, 4, 6, 6}), model.floats({}, {0.5f}),
                                    model.integers(Proto::UINT8, {}, {128})},
                                   {}, "in");
  std::string y = model.node("Relu", {x}, {}, "relu");
  y = model.node("QuantizeLinear", {y, model.floats({}, {0.5f}), model.integers(Proto::UINT8, {}, {128})}, {},
                 "q");
  y = model.node("DequantizeLinear", {y, model.floats({}, {0.5f}), model.integers(Proto::UINT8, {}, {128})},
                 {}, "dq");
  y = model.node("Transpose", {y}, {{"perm", std::vector<int64_t>{0, 1, 3, 2}}}, "turn");
  model.valueInfo(y, Proto::FLOAT, {1, 4, 6, 6});
  y = model.node("QuantizeLinear", {y, model.floats({}, {0.5f}), model.integers(Proto::UINT8, {}, {128})}, {},
                 "out");
  model.output(y, Proto::UINT8, {1, 4, 6, 6});
  expectIndependentOnnx(model);
}

TEST(DiscardableOnnx, ConstantsBroadcastsAndConversions) {
  OnnxBuilder model;
  std::string x =
      model.dequantize(model.quantize(model.input("x", Proto::FLOAT, {1, 4, 6, 6}), 0.5f, 3), 0.5f, 3);
  const std::string c = model.weights({1, 4, 1, 1}, {1, 2, 3, 4}, {0.25f}, 0);
  x = model.dequantize(model.quantize(model.node("Add", {x, c}, {}, "constant"), 0.5f, 1), 0.5f, 1);
  const std::string z = model.dequantize(model.input("z", Proto::INT8, {1, 4, 1, 1}), 0.25f, 0);
  x = model.dequantize(model.quantize(model.node("Mul", {x, z}, {}, "broadcast"), 0.5f, 1), 0.5f, 1);
  model.output(x, Proto::FLOAT, {1, 4, 6, 6});
  expectIndependentOnnx(model);
}

TEST(DiscardableOnnx, ExternalFunctions) {
  OnnxBuilder model;
  std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 2, 2, 2}), 0.5f, 0);
  std::string y = model.node("negate", {x}, {}, "call", "daedalus.external");
  model.valueInfo(y, Proto::FLOAT, {1, 2, 2, 2});
  model.output(model.quantize(y, 0.5f, 0), Proto::INT8, {1, 2, 2, 2});
  expectIndependentOnnx(model);
}

TEST(DiscardableOnnx, OfExternalFunctionsAlone) {
  OnnxBuilder model;
  std::string y =
      model.node("negate", {model.input("x", Proto::FLOAT, {4})}, {}, "call", "daedalus.external");
  model.valueInfo(y, Proto::FLOAT, {4});
  model.output(y, Proto::FLOAT, {4});
  expectIndependentOnnx(model);
}

} // namespace
} // namespace daedalus::testing
