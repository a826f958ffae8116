// Nodes that no model of a working exporter holds, one for each sentence of the checks that no other test
// reaches.
#include "refused.h"

#include "daedalus/Import/ONNX/TestData.h"

#include <cmath>

namespace daedalus::test {
namespace {

using ::testing::HasSubstr;
using Ints = std::vector<int64_t>;

class MoreChecks : public ::testing::TestWithParam<Refused> {};

TEST_P(MoreChecks, NameNodeValueAndExpectation) {
  EXPECT_THAT(GetParam().error(), HasSubstr("node: " + GetParam().message));
}

const RefusedInput matrix{F32, {3, 4}}, image{F32, {1, 2, 4, 4}}, empty{F32, {0, 4}}, number{F32, {}};

INSTANTIATE_TEST_SUITE_P(
    Movement, MoreChecks,
    ::testing::Values(Refused{"Slice",
                              {matrix},
                              matrix,
                              {{"starts", Ints{0}}, {"ends", Ints{1, 2}}},
                              "attribute 'ends' has value [1,2]; expected 1 as 'starts' has",
                              9},
                      Refused{"Slice",
                              {matrix},
                              matrix,
                              {{"starts", Ints{0}}, {"ends", Ints{1}}, {"axes", Ints{0, 1}}},
                              "attribute 'axes' has value [0,1]; expected 1 axes, as 'starts' has",
                              9},
                      Refused{"Pad",
                              {{F32, {2}}},
                              {F32, {1}},
                              {{"pads", Ints{-2, -2}}},
                              "pads dimension 0 of size 2 to a negative size; expected at least 0",
                              2},
                      Refused{"Pad",
                              {{F32, {2}}},
                              {F32, {1}},
                              {{"pads", Ints{-3, 0}}},
                              "pads dimension 0 of size 2 by -3; expected at least -2 and at most 2^31",
                              2},
                      Refused{"Pad",
                              {{F32, {2}}},
                              {F32, {1}},
                              {{"pads", Ints{1}}},
                              "attribute 'pads' has value [1]; expected two sizes for each of 1 dimensions",
                              2},
                      Refused{"DepthToSpace",
                              {image},
                              image,
                              {{"blocksize", 65536}},
                              "attribute 'blocksize' has value 65536; expected at most 2^15"}));

INSTANTIATE_TEST_SUITE_P(
    Attributes, MoreChecks,
    ::testing::Values(
        Refused{"Softmax",
                {number},
                number,
                {},
                "attribute 'axis' has value -1; expected an input of at least one dimension (with 'x0' of "
                "shape [])"},
        Refused{"LeakyRelu",
                {matrix},
                matrix,
                {{"alpha", INFINITY}},
                "attribute 'alpha' has value inf; expected a finite number"},
        Refused{"LayerNormalization",
                {matrix, {F32, {4}}},
                matrix,
                {{"stash_type", 11}},
                "attribute 'stash_type' has value 11; expected 1",
                17},
        Refused{"Pad",
                {matrix, {I64, {4}, {0, 0, 0, 0}}},
                matrix,
                {{"mode", "mirror"}},
                "attribute 'mode' has value 'mirror'; expected constant, edge or reflect"},
        Refused{"Resize",
                {matrix, {0, {}}, {0, {}}, {I64, {2}, {3, 4}}},
                matrix,
                {{"exclude_outside", 1}},
                "attribute 'exclude_outside' has value 1; expected 0 in mode 'nearest'"},
        Refused{"Conv",
                {image, {F32, {2, 2, 1, 1}}},
                image,
                {{"kernel_shape", Ints{3, 3}}},
                "attribute 'kernel_shape' has value [3,3]; expected [1,1]"},
        Refused{"MaxPool",
                {image},
                image,
                {{"kernel_shape", Ints{2}}},
                "attribute 'kernel_shape' has value [2] for an input of shape [1,2,4,4]; expected 2 sizes"}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, MoreChecks,
    ::testing::Values(
        Refused{
            "MatMul", {matrix, number}, matrix, {}, "multiplies a scalar; expected at least one dimension"},
        Refused{"Gemm",
                {matrix, {F32, {3, 2}}},
                {F32, {3, 2}},
                {{"transB", 1}},
                "multiplies shape [3,4] by [3,2] (transposed); expected as many columns as rows: 4 and 2"},
        Refused{"QuantizeLinear",
                {matrix, {F32, {3}}},
                {U8, {3, 4}},
                {{"axis", 1}},
                "has 3 scales for axis 1 of a tensor of shape [3,4]"},
        Refused{"ReduceMean",
                {empty},
                {F32, {1, 4}},
                {{"axes", Ints{0}}},
                "takes the mean of input 'x0' of shape [0,4], which holds no element; expected at least one"},
        Refused{"GatherElements",
                {matrix, {I64, {2, 3}}},
                {F32, {2, 3}},
                {{"axis", 1}},
                "indices 'x1' have shape [2,3] for an input of [3,4]; expected the same dimensions but 1"},
        Refused{"ArgMax",
                {empty},
                {I64, {1, 4}},
                {{"axis", 0}},
                "takes the extreme of dimension 0 of shape [0,4]; expected one with elements"},
        Refused{"Reshape",
                {matrix, {I64, {1}}},
                {F32, {13}},
                {},
                "output 'v0' is declared with shape [13]; expected one of the 12 elements of input 'x0'"},
        Refused{"Reshape",
                {matrix, {I64, {3}, {3, 4, 0}}},
                {F32, {3, 4, 1}},
                {},
                "reshapes to [3,4,0], whose 0 at 2 stands for a dimension that shape [3,4] does not have"},
        Refused{"Expand",
                {matrix, {I64, {2}, {-3, 4}}},
                matrix,
                {},
                "expands to [-3,4]; expected sizes of at least 0"},
        Refused{"ConstantOfShape",
                {{I64, {1}, {-1}}},
                {F32, {1}},
                {},
                "makes a tensor of shape [-1]; expected sizes from 0 to 2^31"},
        Refused{"Resize",
                {matrix, {0, {}}, {0, {}}, {I64, {2}, {0, 4}}},
                matrix,
                {},
                "gives dimension 0 of size 3 the size 0; expected a result from 1 to 2^31"},
        Refused{"Resize", {matrix}, matrix, {}, "has neither scales nor sizes; expected one of them"},
        Refused{"GlobalMaxPool",
                {{F32, {1, 2, 0, 4}}},
                {F32, {1, 2, 1, 1}},
                {},
                "pools dimension 2 of shape [1,2,0,4]; expected one with elements"}));

/// A model of one Relu, "relu", whose protobuf `change` spoils.
template <class F> std::string spoiled(F change) {
  OnnxBuilder model;
  model.output(model.node("Relu", {model.input("x", F32, {4})}, {}, "relu"), F32, {4});
  onnx::ModelProto proto = model.proto();
  change(proto);
  return errorOf(proto.SerializeAsString());
}

TEST(Structure, OfInputsOutputsAndInitializers) {
  using Graph = onnx::GraphProto;
  const auto graph = [](auto change) {
    return spoiled([&](onnx::ModelProto &proto) { change(*proto.mutable_graph()); });
  };
  EXPECT_THAT(spoiled([](onnx::ModelProto &proto) { proto.set_ir_version(99); }),
              HasSubstr("declares IR version 99; expected at most 14"));
  EXPECT_THAT(graph([](Graph &g) { g.clear_output(); }),
              HasSubstr("it has no output; expected at least one"));
  EXPECT_THAT(graph([](Graph &g) { g.mutable_node(0)->clear_output(); }),
              HasSubstr("node 'relu' has no output; expected at least one"));
  EXPECT_THAT(graph([](Graph &g) { g.mutable_output(0)->set_name("nowhere"); }),
              HasSubstr("output 'nowhere' is computed nowhere"));
  EXPECT_THAT(graph([](Graph &g) { *g.add_output() = g.output(0); }),
              HasSubstr("output 'v0' appears twice; expected different outputs"));
  EXPECT_THAT(graph([](Graph &g) { g.mutable_output(0)->mutable_type()->mutable_sequence_type(); }),
              HasSubstr("value 'v0' is not declared as a tensor; expected one of static shape"));
  EXPECT_THAT(graph([](Graph &g) { g.mutable_node(0)->add_attribute()->set_name("alpha"); }),
              HasSubstr("has an attribute 'alpha', which operator 'Relu'"));
  EXPECT_THAT(graph([](Graph &g) {
                for (int i = 0; i < 2; ++i) {
                  auto *tensor = g.add_initializer();
                  tensor->set_name("twice"), tensor->set_data_type(F32), tensor->set_raw_data("1234");
                }
              }),
              HasSubstr("initializer 'twice' appears twice or has no name; expected different names"));
  EXPECT_THAT(graph([](Graph &g) {
                auto *tensor = g.add_initializer();
                tensor->set_name("x"), tensor->set_data_type(I32), tensor->add_int32_data(1);
              }),
              HasSubstr("input 'x' has another type than the initializer of its name"));
}

TEST(Structure, AttributesAreThereOnce) {
  const auto twice = [](onnx::ModelProto &proto) {
    onnx::NodeProto &node = *proto.mutable_graph()->mutable_node(0);
    node.set_op_type("LeakyRelu");
    for (int i = 0; i < 2; ++i) {
      auto *alpha = node.add_attribute();
      alpha->set_name("alpha"), alpha->set_type(onnx::AttributeProto::FLOAT), alpha->set_f(0.5f);
    }
  };
  EXPECT_THAT(spoiled(twice), HasSubstr("relu: has attribute 'alpha' twice; expected it once"));
}

TEST(Structure, AConstantHasOneAttribute) {
  EXPECT_THAT(spoiled([](onnx::ModelProto &proto) {
                onnx::NodeProto &node = *proto.mutable_graph()->mutable_node(0);
                node.set_op_type("Constant"), node.clear_input();
              }),
              HasSubstr("relu: has 0 attributes; expected one constant"));
}

TEST(TestData, IsOneTensorOfAPlainType) {
  const auto refusal = [](const std::string &bytes) {
    const Result<OnnxTensor> tensor =
        parseOnnxTensor({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, "x.pb");
    return tensor ? "" : tensor.error();
  };
  EXPECT_EQ(refusal("no tensor"), "'x.pb' holds no ONNX tensor");
  onnx::TensorProto proto;
  proto.set_data_type(onnx::TensorProto::COMPLEX64);
  EXPECT_THAT(refusal(proto.SerializeAsString()),
              HasSubstr("'x.pb' holds a tensor of type complex64; expected"));
  proto.set_data_type(F32), proto.add_dims(2), proto.set_raw_data("1234");
  EXPECT_THAT(refusal(proto.SerializeAsString()),
              HasSubstr("the tensor in 'x.pb' has data of another size than its shape says"));
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  EXPECT_THAT(refusal(proto.SerializeAsString()), HasSubstr("lies in an external file"));
  proto.set_data_location(onnx::TensorProto::DEFAULT), proto.set_dims(0, -2);
  EXPECT_THAT(refusal(proto.SerializeAsString()), HasSubstr("has a dimension of size -2"));
}

} // namespace
} // namespace daedalus::test
