// What a node has to be before anything is built of it: axes, permutations, ranks, types, ranges, indices,
// shapes that fit, and the declared type of its output. Each of these models once crashed the compiler, was
// refused with words of its own inside, or was taken.
#include "refused.h"

#include "Import/ONNX/OperatorTable.h"

namespace daedalus::test {
namespace {

using ::testing::HasSubstr;
using Ints = std::vector<int64_t>;

class Checks : public ::testing::TestWithParam<Refused> {};

TEST_P(Checks, NameNodeValueAndExpectation) {
  EXPECT_THAT(GetParam().error(), HasSubstr("node: " + GetParam().message));
}

const RefusedInput matrix{F32, {3, 4}}, image{F32, {1, 2, 4, 4}};

INSTANTIATE_TEST_SUITE_P(
    Axes, Checks,
    ::testing::Values(
        Refused{"Gather",
                {matrix, {I64, {2}}},
                {F32, {2, 4}},
                {{"axis", 5}},
                "attribute 'axis' has value 5; expected -2 to 1"},
        Refused{"GatherElements",
                {matrix, {I64, {3, 4}}},
                matrix,
                {{"axis", -3}},
                "attribute 'axis' has value -3; expected -2 to 1"},
        Refused{
            "Softmax", {matrix}, matrix, {{"axis", 99}}, "attribute 'axis' has value 99; expected -2 to 1"},
        Refused{"ArgMax",
                {matrix},
                {I64, {1, 4}},
                {{"axis", 2}},
                "attribute 'axis' has value 2; expected -2 to 1"},
        Refused{"Concat",
                {matrix, matrix},
                {F32, {6, 4}},
                {{"axis", 7}},
                "attribute 'axis' has value 7; expected -2 to 1"},
        Refused{"LayerNormalization",
                {matrix, {F32, {4}}},
                matrix,
                {{"axis", 3}},
                "attribute 'axis' has value 3; expected -2 to 1",
                17},
        Refused{
            "Transpose",
            {matrix},
            {F32, {4, 3}},
            {{"perm", Ints{1, 1}}},
            "attribute 'perm' has value [1,1]; expected a permutation of the 2 dimensions of shape [3,4]"},
        Refused{"Transpose",
                {matrix},
                {F32, {4, 3}},
                {{"perm", Ints{0, 1, 2}}},
                "attribute 'perm' has value [0,1,2]"},
        Refused{"ReduceMax",
                {matrix},
                {F32, {1, 4}},
                {{"axes", Ints{9}}},
                "attribute 'axes' holds [9]; expected axes from -2 to 1"},
        Refused{"ReduceMax",
                {matrix},
                {F32, {1, 4}},
                {{"axes", Ints{0, 0}}},
                "attribute 'axes' holds [0,0], which names an axis twice"},
        Refused{"Unsqueeze",
                {matrix, {I64, {1}, {5}}},
                {F32, {3, 4, 1}},
                {},
                "input 'c0' holds [5]; expected axes from -3 to 2"},
        Refused{"Squeeze",
                {matrix, {I64, {1}, {1}}},
                {F32, {3}},
                {},
                "removes dimension 1 of shape [3,4]; expected one of size 1"},
        Refused{"Flatten",
                {matrix},
                {F32, {3, 4}},
                {{"axis", 3}},
                "attribute 'axis' has value 3; expected -2 to 2"}));

INSTANTIATE_TEST_SUITE_P(
    Ranks, Checks,
    ::testing::Values(
        Refused{"Conv",
                {{F32, {1, 2, 4}}, {F32, {2, 2, 1, 1}}},
                image,
                {},
                "convolves shape [1,2,4] with weights of shape [2,2,1,1]"},
        Refused{"Conv",
                {image, {F32, {2, 2, 1, 1}}, {F32, {3}}},
                image,
                {},
                "input 'x2' has shape [3]; expected [2]"},
        Refused{"Gemm",
                {{F32, {1, 3, 4}}, {F32, {4, 2}}},
                {F32, {3, 2}},
                {},
                "input 'x0' has shape [1,3,4]; expected 2 dimensions"},
        Refused{"Gemm",
                {matrix, {F32, {3, 2}}},
                {F32, {3, 2}},
                {},
                "multiplies shape [3,4] by [3,2]; expected as many columns as rows: 4 and 3"},
        Refused{"MatMul", {matrix, {F32, {3, 2}}}, {F32, {3, 2}}, {}, "multiplies shape [3,4] by [3,2]"},
        Refused{"BatchNormalization",
                {image, {F32, {2}}, {F32, {2}}, {F32, {2, 1}}, {F32, {2}}},
                image,
                {},
                "input 'x3' has shape [2,1]; expected [2]"},
        Refused{"DepthToSpace",
                {matrix},
                matrix,
                {{"blocksize", 2}},
                "input 'x0' has shape [3,4]; expected 4 dimensions"},
        Refused{
            "Add", {matrix, {F32, {5}}}, matrix, {}, "combines shapes [3,4] and [5], which do not broadcast"},
        Refused{"GlobalMaxPool",
                {matrix},
                matrix,
                {},
                "input 'x0' has shape [3,4]; expected at least 3 dimensions"}));

INSTANTIATE_TEST_SUITE_P(
    Values, Checks,
    ::testing::Values(
        Refused{"DepthToSpace",
                {image},
                image,
                {{"blocksize", 0}},
                "attribute 'blocksize' has value 0; expected at least 1"},
        Refused{"DepthToSpace",
                {image},
                image,
                {{"blocksize", 2}},
                "attribute 'blocksize' has value 2; expected one whose square divides the 2 channels"},
        Refused{
            "SpaceToDepth",
            {image},
            image,
            {{"blocksize", 3}},
            "attribute 'blocksize' has value 3; expected a divisor of height and width of shape [1,2,4,4]"},
        Refused{"Gather",
                {matrix, {I64, {2}, {0, 3}}},
                {F32, {2, 4}},
                {},
                "indices 'c0' hold 3; expected -3 to 2"},
        Refused{"GatherElements",
                {matrix, {I64, {1, 4}, {0, 1, -4, 2}}},
                {F32, {1, 4}},
                {},
                "indices 'c0' hold -4; expected -3 to 2"},
        Refused{"Reshape",
                {matrix, {I64, {2}, {-1, -1}}},
                {F32, {4, 3}},
                {},
                "reshapes to [-1,-1]; expected positive sizes and at most one -1"},
        Refused{"Reshape",
                {matrix, {I64, {2}, {5, 2}}},
                {F32, {5, 2}},
                {},
                "reshapes [3,4] to [5,2], which has another number of elements"},
        Refused{"Slice",
                {matrix, {I64, {1}, {0}}, {I64, {1}, {2}}, {I64, {1}, {0}}, {I64, {1}, {0}}},
                {F32, {2, 4}},
                {},
                "steps 'c3' hold 0; expected steps other than 0"},
        Refused{"Slice",
                {matrix, {I64, {2}, {0, 0}}, {I64, {2}, {2, 2}}, {I64, {2}, {1, -1}}},
                {F32, {2, 2}},
                {},
                "input 'c2' holds [1,-1], which names an axis twice"},
        Refused{"Split",
                {matrix, {I64, {1}, {2}}},
                {F32, {2, 4}},
                {},
                "splits a dimension of size 3 into parts of [2]; expected sizes of that sum"},
        Refused{"Pad", {matrix, {I64, {3}, {0, 0, 0}}}, matrix, {}, "input 'c0' has shape [3]; expected [4]"},
        Refused{"Pad",
                {matrix, {I64, {4}, {0, 4, 0, 0}}},
                {F32, {3, 8}},
                {{"mode", "reflect"}},
                "pads dimension 1 of size 4 by 4 in mode 'reflect'"},
        Refused{"Tile",
                {matrix, {I64, {2}, {-1, 2}}},
                {F32, {3, 8}},
                {},
                "repeats 'c0' hold -1; expected 0 to 2^31"},
        Refused{"Expand",
                {matrix, {I64, {1}, {5}}},
                {F32, {3, 5}},
                {},
                "expands shape [3,4] to [5], which do not broadcast"},
        Refused{"MaxPool",
                {image},
                image,
                {{"kernel_shape", Ints{2, 2}}, {"ceil_mode", 7}},
                "attribute 'ceil_mode' has value 7; expected 0 or 1"},
        Refused{"BatchNormalization",
                {image, {F32, {2}}, {F32, {2}}, {F32, {2}}, {F32, {2}}},
                image,
                {{"epsilon", -1.0f}},
                "attribute 'epsilon' has value -1.000000; expected at least 0"},
        Refused{"Cast",
                {matrix},
                matrix,
                {{"to", 99}},
                "attribute 'to' has value 99; expected 1 to 16, a type of ONNX"}));

INSTANTIATE_TEST_SUITE_P(
    Schemas, Checks,
    ::testing::Values(
        Refused{"Where",
                {{F32, {3, 4}}, matrix, matrix},
                matrix,
                {},
                "input 'x0' has type float32; expected bool"},
        Refused{"Add",
                {matrix, {I32, {4}}},
                matrix,
                {},
                "has inputs of types float32 and int32; expected one type"},
        Refused{"Not", {{U8, {4}}}, {BOOL, {4}}, {}, "input 'x0' has type uint8; expected bool"},
        Refused{"Tile", {matrix, {F32, {2}}}, matrix, {}, "input 'x1' has type float32; expected int64"},
        Refused{"Relu", {matrix, matrix}, matrix, {}, "has 2 inputs; expected 1"},
        Refused{"Relu",
                {matrix},
                matrix,
                {{"alpha", 1.0f}},
                "has an attribute 'alpha', which operator 'Relu' of opset 13 does not have"},
        Refused{"Softmax",
                {matrix},
                matrix,
                {{"axis", 1.0f}},
                "attribute 'axis' is a float; expected an integer"},
        Refused{"Concat", {matrix}, matrix, {}, "has no attribute 'axis'; expected an integer"},
        Refused{
            "MatMul", {matrix, {0, {}}}, matrix, {}, "has no name for its input 1 ('B'); expected a value"},
        Refused{"ReduceMax",
                {matrix},
                {F32, {1, 1}},
                {{"axes", Ints{0, 1}}},
                "has an attribute 'axes', which operator 'ReduceMax' of opset 20 does not have",
                21},
        Refused{"Reshape",
                {matrix},
                matrix,
                {{"shape", Ints{3, 4}}},
                "operator 'Reshape' of opset 4 is not supported; expected opset 5 or newer",
                4},
        Refused{
            "Relu", {matrix}, {F32, {4, 3}}, {}, "output 'v0' is declared with shape [4,3], and it is [3,4]"},
        Refused{"Relu",
                {matrix},
                {I32, {3, 4}},
                {},
                "output 'v0' is declared with type int32, and it is float32"}));

TEST(EveryOperator, HasARuleAndABodyOrAnOperation) {
  for (const auto &[name, one] : onnximport::operators())
    EXPECT_TRUE(one.rule && (one.build || one.import)) << name;
}

TEST(Structure, NamesAreDefinedOnceAndSomewhere) {
  OnnxBuilder model;
  const std::string x = model.input("x", F32, {4});
  const std::string y = model.node("Relu", {x}, {}, "first");
  model.output(model.node("Abs", {y}, {}, "second"), F32, {4});
  auto *nodes = model.proto().mutable_graph()->mutable_node();
  nodes->Mutable(1)->set_input(0, "none");
  EXPECT_THAT(errorOf(model.bytes()),
              HasSubstr("node 'second' reads 'none', which no input, initializer or node gives"));
  nodes->Mutable(1)->set_input(0, "v0");
  nodes->Mutable(1)->set_output(0, "v0");
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("node 'second' defines 'v0', which is defined before"));
}

TEST(Structure, WhatNoPackageHolds) {
  OnnxBuilder model;
  model.output(model.node("Relu", {model.input("x", F32, {4})}, {}, "relu"), F32, {4});
  onnx::ModelProto proto = model.proto();
  proto.add_opset_import()->set_version(7);
  EXPECT_THAT(errorOf(proto.SerializeAsString()),
              HasSubstr("imports opsets of domain '' twice; expected one"));
  proto = model.proto();
  proto.mutable_graph()->add_sparse_initializer();
  EXPECT_THAT(errorOf(proto.SerializeAsString()),
              HasSubstr("holds sparse initializers; expected dense ones"));
  proto = model.proto();
  proto.mutable_graph()->mutable_node(0)->add_attribute()->mutable_g();
  EXPECT_THAT(errorOf(proto.SerializeAsString()),
              HasSubstr("node 'relu' has a graph, type or sparse tensor"));
  proto = model.proto();
  auto *tensor = proto.mutable_graph()->add_initializer();
  tensor->set_name("short"), tensor->set_data_type(F32), tensor->add_dims(2), tensor->set_raw_data("1234");
  EXPECT_THAT(errorOf(proto.SerializeAsString()), HasSubstr("initializer 'short' has data of another size"));
}

TEST(QOperators, HaveTheirCounts) {
  OnnxBuilder model;
  model.output(model.node("QLinearAdd", {model.input("x", I8, {4})}, {}, "sum", "com.microsoft"), I8, {4});
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("sum: has 1 inputs and 1 outputs; expected 7 to 8 and 1"));
}

} // namespace
} // namespace daedalus::test
