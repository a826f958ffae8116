// Tensors without elements, as empty detections give them: an operator whose result has none is no step; one
// that reads none and gives elements all the same gives what a sum, a product or an extreme starts from.

#include "one_node.h"

#include <gmock/gmock.h>

#include <cmath>

namespace daedalus::test {
namespace {

using Proto = onnx::TensorProto;
using Shape = OnnxBuilder::Shape;
using Attributes = std::vector<OnnxBuilder::Attribute>;
using Ints = std::vector<int64_t>;

constexpr float infinity = INFINITY;

struct Given {
  Shape shape;
  std::vector<float> values = {};
  bool isConstant = false;
};

/// A node of floats, and behind them constant integers; `result` holds the elements of its output.
struct Node {
  std::string type;
  std::vector<Given> inputs;
  std::vector<Ints> integers;
  Attributes attributes;
  Shape shape;
  std::vector<float> result;
  int64_t opset = 18;
};

void PrintTo(const Node &node, std::ostream *stream) {
  *stream << node.type;
}

OnnxBuilder modelOf(const Node &node, std::vector<Bytes> &data) {
  OnnxBuilder model(node.opset);
  std::vector<std::string> names;
  for (const Given &given : node.inputs) {
    const std::string name = "x" + std::to_string(names.size());
    names.push_back(given.isConstant ? model.floats(given.shape, given.values)
                                     : model.input(name, Proto::FLOAT, given.shape));
    if (!given.isConstant)
      data.push_back(bytesOf(given.values));
  }
  for (const Ints &numbers : node.integers)
    names.push_back(model.integers(Proto::INT64, {static_cast<int64_t>(numbers.size())}, numbers));
  model.output(model.node(node.type, names, node.attributes, "node"), Proto::FLOAT, node.shape);
  return model;
}

class NoElements : public testing::TestWithParam<Node> {};

TEST_P(NoElements, GivesWhatOnnxSays) {
  std::vector<Bytes> data;
  const OnnxBuilder model = modelOf(GetParam(), data);
  for (const char *target : {"auto", "cpu"}) {
    SCOPED_TRACE(target);
    const Result<Compiled> compiled = compileBytes(model.bytes(), target);
    ASSERT_TRUE(compiled) << compiled.error();
    EXPECT_TRUE(compiled->package.functions[0].steps.empty() || !GetParam().result.empty());
    EXPECT_EQ(compiled->package.functions[0].outputs[0].type.shape, GetParam().shape);
    EXPECT_EQ(numbersOf<float>(runModel(model, data, target)[0]), GetParam().result);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Products, NoElements,
    testing::Values(
        Node{"MatMul", {{{2, 0}}, {{0, 3}}}, {}, {}, {2, 3}, {0, 0, 0, 0, 0, 0}},
        Node{"MatMul", {{{2, 0}}, {{0, 3}, {}, true}}, {}, {}, {2, 3}, {0, 0, 0, 0, 0, 0}},
        Node{"MatMul", {{{2, 1, 0}}, {{2, 0, 1}}}, {}, {}, {2, 1, 1}, {0, 0}},
        Node{"MatMul", {{{0}}, {{0}}}, {}, {}, {}, {0}},
        Node{"MatMul", {{{0, 2}}, {{2, 3}, {1, 2, 3, 4, 5, 6}, true}}, {}, {}, {0, 3}, {}},
        Node{"Gemm", {{{2, 0}}, {{0, 3}}, {{3}, {1, 2, 3}}}, {}, {}, {2, 3}, {1, 2, 3, 1, 2, 3}},
        Node{"Gemm",
             {{{0, 2}}, {{0, 3}}, {{3}, {1, 2, 3}}},
             {},
             {{"transA", 1}, {"beta", 2.0f}},
             {2, 3},
             {2, 4, 6, 2, 4, 6}},
        Node{"Conv",
             {{{1, 0, 2, 2}}, {{2, 0, 1, 1}, {}, true}, {{2}, {5, 6}, true}},
             {},
             {},
             {1, 2, 2, 2},
             {5, 5, 5, 5, 6, 6, 6, 6}},
        Node{"Conv", {{{0, 1, 2, 2}}, {{2, 1, 1, 1}, {3, 4}, true}}, {}, {}, {0, 2, 2, 2}, {}},
        Node{"ConvTranspose", {{{1, 0, 1, 1}}, {{0, 1, 2, 2}, {}, true}}, {}, {}, {1, 1, 2, 2}, {0, 0, 0, 0}},
        Node{"Einsum", {{{2, 0}}, {{0}}}, {}, {{"equation", "ij,j->i"}}, {2}, {0, 0}}));

INSTANTIATE_TEST_SUITE_P(
    Reductions, NoElements,
    testing::Values(Node{"ReduceSum", {{{0, 2}}}, {{0}}, {}, {1, 2}, {0, 0}},
                    Node{"ReduceSum", {{{0, 2}}}, {{1}}, {}, {0, 1}, {}},
                    Node{"ReduceProd", {{{0, 2}}}, {{0}}, {{"keepdims", 0}}, {2}, {1, 1}},
                    Node{"ReduceMax", {{{0, 2}}}, {{0}}, {}, {1, 2}, {-infinity, -infinity}},
                    Node{"ReduceMin", {{{2, 0}}}, {{1}}, {}, {2, 1}, {infinity, infinity}},
                    Node{"ReduceL1", {{{0, 2}}}, {{0}}, {}, {1, 2}, {0, 0}},
                    Node{"ReduceL2", {{{0, 2}}}, {{0}}, {}, {1, 2}, {0, 0}},
                    Node{"ReduceSumSquare", {{{0, 0}}}, {}, {}, {1, 1}, {0}},
                    Node{"ReduceLogSum", {{{0, 1}}}, {{0}}, {}, {1, 1}, {-infinity}},
                    Node{"ReduceLogSumExp", {{{0, 1}}}, {{0}}, {}, {1, 1}, {-infinity}},
                    Node{"ReduceMean", {{{0, 2}}}, {{1}}, {}, {0, 1}, {}}));

INSTANTIATE_TEST_SUITE_P(
    Moves, NoElements,
    testing::Values(Node{"Concat", {{{0, 2}}, {{1, 2}, {3, 4}}}, {}, {{"axis", 0}}, {1, 2}, {3, 4}},
                    Node{"Concat", {{{2, 0}}, {{2, 0}}}, {}, {{"axis", 0}}, {4, 0}, {}},
                    Node{"Pad", {{{0, 2}}}, {{1, 0, 1, 0}}, {}, {2, 2}, {0, 0, 0, 0}},
                    Node{"Slice", {{{3}, {1, 2, 3}}}, {{2}, {1}}, {}, {0}, {}},
                    Node{"Gather", {{{3, 2}, {1, 2, 3, 4, 5, 6}}}, {{}}, {}, {0, 2}, {}},
                    Node{"Transpose", {{{3, 0}}}, {}, {}, {0, 3}, {}},
                    Node{"Expand", {{{1, 2}, {1, 2}}}, {{0, 1}}, {}, {0, 2}, {}},
                    Node{"Reshape", {{{0, 4}}}, {{2, 0, 2}}, {{"allowzero", 1}}, {2, 0, 2}, {}},
                    Node{"CenterCropPad", {{{0, 2}}}, {{1, 2}}, {}, {1, 2}, {0, 0}},
                    Node{"Tile", {{{2}, {1, 2}}}, {{0}}, {}, {0}, {}}));

INSTANTIATE_TEST_SUITE_P(
    Batches, NoElements,
    testing::Values(
        Node{"Relu", {{{0, 4}}}, {}, {}, {0, 4}, {}}, Node{"Add", {{{0, 2}}, {{1}, {1}}}, {}, {}, {0, 2}, {}},
        Node{"Softmax", {{{0, 4}}}, {}, {}, {0, 4}, {}},
        Node{"MaxPool", {{{0, 1, 2, 2}}}, {}, {{"kernel_shape", Ints{2, 2}}}, {0, 1, 1, 1}, {}},
        Node{"GlobalAveragePool", {{{0, 1, 2, 2}}}, {}, {}, {0, 1, 1, 1}, {}},
        Node{"LayerNormalization", {{{0, 2}}, {{2}, {1, 1}}}, {}, {}, {0, 2}, {}},
        Node{"InstanceNormalization", {{{0, 1, 2}}, {{1}, {1}}, {{1}, {1}}}, {}, {}, {0, 1, 2}, {}},
        Node{"Upsample", {{{0, 1, 2, 2}}, {{4}, {1, 1, 2, 2}, true}}, {}, {}, {0, 1, 4, 4}, {}, 9}));

/// A node between casts of int8, scale 0.5 and zero point 3; `x` gets these bytes.
std::vector<uint8_t> quantizedNode(const std::string &type, const Shape &x, const Bytes &bytes,
                                   const std::string &other, OnnxBuilder &model, const Attributes &attributes,
                                   const Shape &y, const char *target) {
  const std::string real = model.dequantize(model.input("x", Proto::INT8, x), 0.5f, 3);
  std::vector<std::string> names{real};
  if (!other.empty())
    names.push_back(other);
  model.output(model.quantize(model.node(type, names, attributes, "node"), 0.5f, 3), Proto::INT8, y);
  return runModel(model, {bytes}, target)[0];
}

class QuantizedNoElements : public testing::TestWithParam<const char *> {};

TEST_P(QuantizedNoElements, ProductsAreTheZeroPoint) {
  OnnxBuilder model;
  const std::string w = model.weights({0, 65}, {}, {0.5f}, 0);
  EXPECT_EQ(quantizedNode("MatMul", {2, 40, 0}, {}, w, model, {}, {2, 40, 65}, GetParam()),
            std::vector<uint8_t>(2 * 40 * 65, 3));
}

TEST_P(QuantizedNoElements, BatchesOfNoneAreNothing) {
  OnnxBuilder model;
  const std::string w = model.weights({4, 2, 3, 3}, std::vector<int8_t>(72, 1), {0.5f}, 0);
  EXPECT_TRUE(quantizedNode("Conv", {0, 2, 5, 5}, {}, w, model, {}, {0, 4, 3, 3}, GetParam()).empty());
}

TEST_P(QuantizedNoElements, MovesGiveNothing) {
  OnnxBuilder transposed;
  EXPECT_TRUE(quantizedNode("Transpose", {3, 0}, {}, "", transposed, {}, {0, 3}, GetParam()).empty());
}

TEST_P(QuantizedNoElements, ConcatenationsLeaveOutEmptyParts) {
  OnnxBuilder model;
  const std::string none = model.dequantize(model.input("none", Proto::INT8, {0, 2}), 0.25f, 0);
  const std::string x = model.dequantize(model.input("x", Proto::INT8, {1, 2}), 0.5f, 3);
  model.output(model.quantize(model.node("Concat", {none, x, none}, {{"axis", 0}}, "node"), 0.5f, 3),
               Proto::INT8, {1, 2});
  EXPECT_EQ(runModel(model, {{}, {7, -9}}, GetParam())[0], (std::vector<uint8_t>{7, uint8_t(-9)}));
}

TEST_P(QuantizedNoElements, SplitsHaveEmptyParts) {
  OnnxBuilder model;
  const std::string x = model.dequantize(model.input("x", Proto::INT8, {2, 3}), 0.5f, 3);
  const std::string none =
      model.node("Split", {x, model.integers(Proto::INT64, {2}, {0, 3})}, {{"axis", 1}}, "node");
  const std::string all = model.addOutput();
  model.output(model.quantize(none, 0.5f, 3), Proto::INT8, {2, 0});
  model.output(model.quantize(all, 0.5f, 3), Proto::INT8, {2, 3});
  const Outputs outputs = runModel(model, {{1, 2, 3, 4, 5, 6}}, GetParam());
  EXPECT_TRUE(outputs[0].empty());
  EXPECT_EQ(outputs.back(), (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
}

INSTANTIATE_TEST_SUITE_P(Targets, QuantizedNoElements, testing::Values("auto", "cpu"));

/// The least and the most of the type of integers.
TEST(NoElementsOfIntegers, HaveTheTypesLimits) {
  for (const auto &[type, expected] :
       {std::pair{"ReduceMax", INT32_MIN}, {"ReduceMin", INT32_MAX}, {"ReduceProd", 1}})
    EXPECT_EQ(runNode<int32_t>(type, {{{0, 2}, std::vector<int32_t>()}}, {{"axes", Ints{0}}}, {1, 2}, 13),
              std::vector<int32_t>(2, expected))
        << type;
}

/// Updates that are none leave the tensor; so do indices that come at run time.
TEST(NoElementsOfUpdates, LeaveTheTensor) {
  const std::vector<float> x{1, 2, 3, 4};
  EXPECT_EQ(runNode<float>("ScatterND", {{{2, 2}, x}, {{0, 1}, Ints()}, {{0, 2}, std::vector<float>()}}, {},
                           {2, 2}),
            x);
  EXPECT_EQ(runNode<float>("ScatterElements", {{{2, 2}, x}, {{0, 2}, Ints()}, {{0, 2}, std::vector<float>()}},
                           {}, {2, 2}),
            x);
}

/// A kernel whose result has no element still checks the sizes that come at run time.
TEST(NoElementsAtRunTime, AreChecked) {
  OnnxBuilder model;
  const std::string x = model.input("x", Proto::FLOAT, {4});
  const std::string start = model.input("start", Proto::INT64, {1}),
                    end = model.input("end", Proto::INT64, {1});
  model.output(model.node("Slice", {x, start, end}, {}, "node"), Proto::FLOAT, {0});
  const Bytes four = bytesOf(std::vector<float>{1, 2, 3, 4});
  for (const char *target : {"auto", "cpu"}) {
    const Result<Outputs> none = tryModel(model, {four, bytesOf(Ints{2}), bytesOf(Ints{2})}, target);
    ASSERT_TRUE(none) << none.error();
    EXPECT_TRUE((*none)[0].empty());
    EXPECT_FALSE(tryModel(model, {four, bytesOf(Ints{1}), bytesOf(Ints{3})}, target));
  }
}

} // namespace
} // namespace daedalus::test
