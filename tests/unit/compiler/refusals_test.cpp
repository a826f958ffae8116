// Every form of a known operator that is refused: the sentence names the node, what was found and what is
// expected.
#include "refused.h"

namespace daedalus::test {
namespace {

using ::testing::HasSubstr;
using Proto = onnx::TensorProto;

const RefusedInput image{F32, {1, 2, 4, 4}};

class Refusals : public ::testing::TestWithParam<Refused> {};

TEST_P(Refusals, NameNodeValueAndExpectation) {
  EXPECT_THAT(GetParam().error(), HasSubstr("node: " + GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Types, Refusals,
    ::testing::Values(
        Refused{"Sigmoid", {{F64, {4}}}, {F64, {4}}, {}, "input 'x0' has type float64; expected float32"},
        Refused{"Softmax", {{F64, {4}}}, {F64, {4}}, {}, "input 'x0' has type float64; expected float32"},
        Refused{"Gemm",
                {{I32, {2, 2}}, {I32, {2, 2}}},
                {I32, {2, 2}},
                {},
                "input 'x0' has type int32; expected float32"},
        Refused{"Conv",
                {{F64, {1, 2, 4, 4}}, {F64, {2, 2, 1, 1}}},
                {F64, {1, 2, 4, 4}},
                {},
                "input 'x0' has type float64; expected float32"},
        Refused{"Pow",
                {{F64, {4}}, {F64, {4}}},
                {F64, {4}},
                {},
                "input 'x0' has type float64; expected float32 or an integer type"},
        Refused{"Cast",
                {{F32, {4}}},
                {COMPLEX, {4}},
                {{"to", int64_t(COMPLEX)}},
                "output 'v0' has type complex64; expected float16, bfloat16, float32"}));

INSTANTIATE_TEST_SUITE_P(
    Attributes, Refusals,
    ::testing::Values(
        Refused{"Resize",
                {{U8, {1, 2, 4, 4}}, {0, {}}, {F32, {4}}},
                {U8, {1, 2, 8, 8}},
                {{"mode", "linear"}},
                "input 'x0' has type uint8; expected float32 or float64 in mode 'linear'"},
        Refused{"Resize",
                {image, {0, {}}, {F32, {4}}},
                {F32, {1, 2, 8, 8}},
                {{"coordinate_transformation_mode", "tf_crop_and_resize"}},
                "takes a part of its input (tf_crop_and_resize) that input 'roi' does not say; expected "
                "starts and ends"},
        Refused{"Pad",
                {image, {I64, {8}}},
                {F32, {1, 2, 8, 8}},
                {{"mode", "wrap"}},
                "attribute 'mode' has value 'wrap'; expected constant, edge or reflect"},
        Refused{"BatchNormalization",
                {image, {F32, {2}}, {F32, {2}}, {F64, {2}}, {F64, {2}}},
                image,
                {{"training_mode", 1}},
                "input 'x3' has type float64; expected that of input 0, float32",
                15},
        Refused{"BatchNormalization",
                {image, {F32, {2}}, {F32, {2}}, {F32, {2}}, {F32, {2}}},
                image,
                {{"spatial", 0}},
                "attribute 'spatial' has value 0; expected 1",
                7},
        Refused{"AveragePool",
                {image},
                {F32, {1, 2, 3, 3}},
                {{"kernel_shape", std::vector<int64_t>{2, 2}}, {"auto_pad", "SAME"}},
                "attribute 'auto_pad' has value 'SAME'; expected NOTSET, VALID, SAME_UPPER or SAME_LOWER"},
        Refused{"Dropout",
                {image, {F32, {}}, {Proto::BOOL, {}}},
                image,
                {},
                "trains (input 'training_mode'); expected inference"}));

INSTANTIATE_TEST_SUITE_P(
    Shapes, Refusals,
    ::testing::Values(
        Refused{"Conv",
                {image, {F32, {2, 3, 1, 1}}},
                image,
                {},
                "convolves shape [1,2,4,4] with weights of shape [2,3,1,1] in 1 groups, which do not fit"},
        Refused{
            "Clip", {{F32, {4}}, {F32, {2}}}, {F32, {4}}, {}, "bound 'x1' has shape [2]; expected a scalar"},
        Refused{"MatMulInteger",
                {{I8, {2, 2}}, {I8, {2, 2}}, {I8, {2, 1}}},
                {I32, {2, 2}},
                {},
                "zero point 'x2' has shape [2,1]; expected a scalar or one dimension"},
        Refused{"QuantizeLinear",
                {{F32, {2, 2}}, {F32, {2, 1}}, {I8, {2, 1}}},
                {I8, {2, 2}},
                {},
                "parameter 'x1' has shape [2,1]; expected a scalar or one dimension"},
        Refused{"ReduceSum",
                {image, {I64, {1}}},
                {F32, {1, 2, 3, 4}},
                {},
                "output 'v0' is declared with shape [1,2,3,4], which no axes of input 'x0' of shape "
                "[1,2,4,4] leave"}));

TEST(RefusalsOfShapes, AShapeThatNothingSays) {
  OnnxBuilder model;
  std::string shaped =
      model.node("Reshape", {model.input("x", F32, {4}), model.input("shape", I64, {2})}, {}, "shaped");
  model.output(model.node("Transpose", {shaped}), F32, {2, 2});
  EXPECT_THAT(errorOf(model.bytes()),
              HasSubstr("shaped: nothing says the shape of output 'v0'; expected a static one"));
}

TEST(RefusalsOfQOperators, ChannelsLast) {
  OnnxBuilder model;
  const std::string scale = model.floats({}, {0.5f}), zero = model.integers(I8, {}, {0});
  model.output(model.node("QLinearGlobalAveragePool",
                          {model.input("x", I8, {1, 4, 4, 2}), scale, zero, scale, zero},
                          {{"channels_last", 1}}, "pool", "com.microsoft"),
               I8, {1, 1, 1, 2});
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("node 'pool' (com.microsoft.QLinearGlobalAveragePool): "
                                                "attribute 'channels_last' has value 1; expected 0"));
}

TEST(RefusalsOfQOperators, SoftmaxOfAnotherOpsetThanTheModels) {
  OnnxBuilder model;
  const std::string scale = model.floats({}, {0.5f}), zero = model.integers(I8, {}, {0});
  model.output(model.node("QLinearSoftmax", {model.input("x", I8, {2, 3, 4}), scale, zero, scale, zero},
                          {{"axis", 1}, {"opset", 11}}, "softmax", "com.microsoft"),
               I8, {2, 3, 4});
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("node 'softmax' (com.microsoft.QLinearSoftmax): attribute "
                                                "'opset' has value 11; expected 13 to 28 where the model has "
                                                "opset 13"));
}

} // namespace
} // namespace daedalus::test
