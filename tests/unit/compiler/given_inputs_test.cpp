// Sizes and constants that a user gives a model's inputs, and every refusal of them.

#include "first_error.h"
#include "onnx_builder.h"
#include "run_model.h"

#include <gmock/gmock.h>

namespace daedalus::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Proto = onnx::TensorProto;
using Sizes = std::vector<std::string>;

/// A number is a size, "" none, and any other text a symbol.
void declare(onnx::ValueInfoProto &value, const Sizes &sizes) {
  auto &shape = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
  shape.clear_dim();
  for (const std::string &size : sizes) {
    auto &dim = *shape.add_dim();
    if (!size.empty() && size.find_first_not_of("-0123456789") == std::string::npos)
      dim.set_dim_value(std::stoll(size));
    else if (!size.empty())
      dim.set_dim_param(size);
  }
}

std::string input(OnnxBuilder &model, const std::string &name, int32_t dtype, const Sizes &sizes) {
  model.input(name, dtype, {});
  declare(*model.proto().mutable_graph()->mutable_input()->rbegin(), sizes);
  return name;
}

void output(OnnxBuilder &model, const std::string &name, int32_t dtype, const Sizes &sizes) {
  model.output(name, dtype, {});
  declare(*model.proto().mutable_graph()->mutable_output()->rbegin(), sizes);
}

/// y = -x.
OnnxBuilder negation(const Sizes &sizes, int32_t dtype = Proto::FLOAT) {
  OnnxBuilder model;
  output(model, model.node("Neg", {input(model, "x", dtype, sizes)}), dtype, sizes);
  return model;
}

/// a + the transposed b.
OnnxBuilder sum(const Sizes &a, const Sizes &b, const Sizes &y) {
  OnnxBuilder model;
  input(model, "a", Proto::FLOAT, a), input(model, "b", Proto::FLOAT, b);
  output(model, model.node("Add", {"a", model.node("Transpose", {"b"})}), Proto::FLOAT, y);
  return model;
}

/// -x in another shape, which only what is declared says.
OnnxBuilder reshape(const Sizes &from, const Sizes &to) {
  OnnxBuilder model;
  input(model, "x", Proto::FLOAT, from), input(model, "to", Proto::INT64, {"2"});
  const std::string y = model.node("Reshape", {"x", "to"});
  model.valueInfo(y, Proto::FLOAT, {});
  declare(*model.proto().mutable_graph()->mutable_value_info(0), to);
  output(model, model.node("Neg", {y}), Proto::FLOAT, to);
  return model;
}

using Shapes = std::map<std::string, std::vector<int64_t>>;

std::string errorOf(const OnnxBuilder &model, const Shapes &shapes,
                    const std::map<std::string, std::string> &constants = {}) {
  return daedalus::test::errorOf(model.bytes(), {shapes, constants});
}

/// The shapes of a package's inputs, then those of its outputs.
std::vector<std::vector<int64_t>> shapesOf(const OnnxBuilder &model, const Shapes &shapes) {
  const Result<Compiled> compiled = compileBytes(model.bytes(), "cpu", {shapes, {}});
  if (!compiled) {
    ADD_FAILURE() << compiled.error();
    return {};
  }
  std::vector<std::vector<int64_t>> all;
  const package::Function &function = compiled->package.functions[0];
  for (const auto *list : {&function.inputs, &function.outputs})
    for (const package::Value &value : *list)
      all.emplace_back(value.type.shape.begin(), value.type.shape.end());
  return all;
}

using Shape = std::vector<int64_t>;

TEST(GivenShapes, AreThoseOfTheInputs) {
  const OnnxBuilder image = negation({"batch", "3", "height", "width"});
  const Shape sizes = {2, 3, 4, 5};
  EXPECT_THAT(shapesOf(image, {{"x", sizes}}), ElementsAre(sizes, sizes));
  EXPECT_THAT(shapesOf(image, {{"", sizes}}), ElementsAre(sizes, sizes)) << "the only input needs no name";
  EXPECT_THAT(shapesOf(negation({"", "4"}), {}), ElementsAre(Shape{1, 4}, Shape{1, 4}));
}

TEST(GivenShapes, OfAnInputWithoutOneHaveAnyRank) {
  OnnxBuilder model = negation({});
  auto &graph = *model.proto().mutable_graph();
  graph.mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  graph.mutable_output(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  for (const Shape &sizes : {Shape{3}, Shape{2, 1, 2}})
    EXPECT_THAT(shapesOf(model, {{"x", sizes}}), ElementsAre(sizes, sizes));
  EXPECT_THAT(errorOf(model, {}),
              HasSubstr("gives no shape for input 'x'; expected one that is known when the "
                        "model is compiled: give it, for example --shape x=1x3x224x224"));
}

TEST(GivenShapes, AreThoseOfTheirSymbolsEverywhere) {
  EXPECT_THAT(shapesOf(sum({"n", "m"}, {"m", "n"}, {"n", "m"}), {{"a", {2, 3}}}),
              ElementsAre(Shape{2, 3}, Shape{3, 2}, Shape{2, 3}));
  EXPECT_THAT(shapesOf(reshape({"n", "m"}, {"m", "n"}), {{"x", {2, 3}}}),
              ElementsAre(Shape{2, 3}, Shape{2}, Shape{3, 2}));
}

TEST(GivenShapes, MayLeaveABatchToBeOne) {
  EXPECT_THAT(shapesOf(reshape({"n", "3"}, {"3", "n"}), {}), ElementsAre(Shape{1, 3}, Shape{2}, Shape{3, 1}));
  EXPECT_THAT(
      errorOf(sum({"n", "3"}, {"3", "n"}, {"n", "3"}), {}),
      HasSubstr("has input 'a' with dimension 0 of unknown size 'n'; expected sizes that are known when the "
                "model is compiled; give them, for example --shape a=1x3"))
      << "more than a batch";
}

TEST(GivenShapes, OfOneSymbolAreOneSize) {
  const std::string expected = "has dimensions of size 'n', to which --shape gives ";
  EXPECT_THAT(errorOf(negation({"n", "n"}), {{"x", {2, 3}}}),
              HasSubstr(expected + "2 in input 'x' and 3 in input 'x'; expected the same size"));
  EXPECT_THAT(errorOf(sum({"n", "m"}, {"m", "n"}, {"n", "m"}), {{"a", {2, 3}}, {"b", {3, 4}}}),
              HasSubstr(expected + "2 in input 'a' and 4 in input 'b'; expected the same size"));
}

TEST(GivenShapes, OfUnnamedSizesDiffer) {
  for (const std::string unnamed : {"?", ""})
    EXPECT_EQ(errorOf(negation({unnamed, unnamed}), {{"x", {2, 3}}}), "");
}

TEST(GivenShapes, AreOfTheModelsRankAndSizes) {
  const OnnxBuilder model = negation({"batch", "3", "?", "width"});
  const std::string has = "'model.onnx' has input 'x' of shape [batch,3,?,width], to which --shape gives ";
  EXPECT_THAT(errorOf(model, {{"x", {1, 3, 4}}}), HasSubstr(has + "1x3x4; expected as many sizes"));
  EXPECT_THAT(errorOf(model, {{"x", {1, 3, 4, 4, 1}}}), HasSubstr(has + "1x3x4x4x1; expected as many sizes"));
  EXPECT_THAT(errorOf(model, {{"x", {1, 4, 4, 4}}}), HasSubstr(has + "1x4x4x4; expected 3 for dimension 1"));
  EXPECT_EQ(errorOf(model, {{"x", {1, 3, 0, 4}}}), "");
  EXPECT_THAT(errorOf(model, {{"x", {1, 3, -1, 4}}}),
              HasSubstr(has + "1x3x-1x4; expected sizes from 0 to 2^31"));
  EXPECT_THAT(errorOf(model, {{"x", {1, 3, 65536, 65536}}}),
              HasSubstr("has input 'x' of shape [1,3,65536,65536], which is more than 2^31 elements"));
}

TEST(GivenShapes, AreOfInputsThatThereAre) {
  EXPECT_THAT(errorOf(sum({"2"}, {"2"}, {"2"}), {{"c", {2}}}),
              HasSubstr("has no input 'c', which --shape names; its inputs are 'a', 'b'"));
  EXPECT_THAT(errorOf(sum({"2"}, {"2"}, {"2"}), {{"", {2}}}),
              HasSubstr("has 2 inputs; expected --shape INPUT=... with one of 'a', 'b'"));
  OnnxBuilder model;
  model.output(model.node("Neg", {model.floats({2}, {1, 2})}), Proto::FLOAT, {2});
  EXPECT_THAT(errorOf(model, {{"", {2}}}), HasSubstr("has no inputs; expected some for --shape"));
}

TEST(GivenShapes, AreOfTensors) {
  OnnxBuilder model = negation({"2"});
  model.proto().mutable_graph()->mutable_input(0)->mutable_type()->mutable_sequence_type();
  EXPECT_THAT(errorOf(model, {{"x", {2}}}),
              HasSubstr("gives no shape for input 'x'; expected a tensor of static shape"));
}

TEST(GivenShapes, AreShownWhereTheyAreMissing) {
  const auto said = [](const std::string &input, const std::string &example) {
    return HasSubstr("has input " + input +
                     "; expected sizes that are known when the model is compiled; give them, for example " +
                     example);
  };
  EXPECT_THAT(errorOf(negation({"batch", "3", "height", "width"}), {}),
              said("'x' with dimension 2 of unknown size 'height'", "--shape x=1x3x224x224"));
  EXPECT_THAT(errorOf(negation({"-1", "?"}), {}),
              said("'x' with dimension 1 of unknown size", "--shape x=1x16"));
  EXPECT_THAT(errorOf(sum({"2", "n"}, {"n", "2"}, {"2", "n"}), {}),
              said("'a' with dimension 1 of unknown size 'n'", "--shape a=2x16"));
  EXPECT_THAT(errorOf(sum({"2", "n"}, {"2", "m"}, {}), {}), HasSubstr("--shape a=2x16 --shape b=2x16"));
}

TEST(UnknownSizes, AreMinusOneToo) {
  OnnxBuilder model = negation({"-1", "3", "-1"});
  model.valueInfo("x", Proto::FLOAT, {});
  declare(*model.proto().mutable_graph()->mutable_value_info(0), {"7", "-1", "7"});
  EXPECT_THAT(shapesOf(model, {{"x", {2, 3, 4}}}), ElementsAre(Shape{2, 3, 4}, Shape{2, 3, 4}));
  EXPECT_THAT(shapesOf(negation({"-1", "3"}), {}), ElementsAre(Shape{1, 3}, Shape{1, 3}));
}

TEST(UnknownSizes, MakeADeclaredRankAGuess) {
  const auto model = [](const Sizes &declared) {
    OnnxBuilder made;
    output(made, made.node("Neg", {made.input("x", Proto::FLOAT, {2, 3})}), Proto::FLOAT, declared);
    return made;
  };
  EXPECT_THAT(shapesOf(model({"1", "length", "1"}), {}), ElementsAre(Shape{2, 3}, Shape{2, 3}));
  EXPECT_THAT(errorOf(model({"2", "3", "1"}), {}),
              HasSubstr("is declared with shape [2,3,1], and it is [2,3]"));
  EXPECT_THAT(errorOf(model({"1", "length"}), {}),
              HasSubstr("is declared with shape [1,-1], and it is [2,3]"));
}

TEST(UnknownSizes, AreNoOtherNegativeOnes) {
  EXPECT_THAT(errorOf(negation({"-1", "-2"}), {}),
              HasSubstr("'x' with dimension 1 of size -2; expected at least 0"));
  EXPECT_THAT(errorOf(negation({"-2", "1"}), {{"x", {1, 1}}}),
              HasSubstr("'x' with dimension 0 of size -2; expected at least 0"));
  OnnxBuilder model;
  output(model, model.node("Neg", {model.input("x", Proto::FLOAT, {2, 2})}, {}, "neg"), Proto::FLOAT,
         {"-1", "-2"});
  EXPECT_THAT(errorOf(model, {}), HasSubstr("is declared with a dimension of size -1; expected at least 0"));
}

/// The bytes of -x, where x is the number.
template <class T> std::vector<T> negated(int32_t dtype, const std::string &number) {
  return numbersOf<T>(
      runModel(negation({"n", "2"}, dtype), {}, "cpu", {{{"x", {1, 2}}}, {{"x", number}}})[0]);
}

TEST(GivenNumbers, AreConstants) {
  EXPECT_THAT(negated<float>(Proto::FLOAT, "1.5"), ElementsAre(-1.5f, -1.5f));
  EXPECT_THAT(negated<double>(Proto::DOUBLE, "-1e300"), ElementsAre(1e300, 1e300));
  EXPECT_THAT(negated<int64_t>(Proto::INT64, "-9223372036854775807"), ElementsAre(INT64_MAX, INT64_MAX));
  EXPECT_THAT(negated<int32_t>(Proto::INT32, "16000"), ElementsAre(-16000, -16000));
  EXPECT_THAT(negated<int16_t>(Proto::INT16, "300"), ElementsAre(-300, -300));
  EXPECT_THAT(negated<int8_t>(Proto::INT8, "127"), ElementsAre(-127, -127));
  EXPECT_THAT(negated<uint16_t>(Proto::FLOAT16, "1.5"), ElementsAre(0xbe00, 0xbe00));
  EXPECT_THAT(negated<uint16_t>(Proto::BFLOAT16, "1.5"), ElementsAre(0xbfc0, 0xbfc0));
}

/// The bytes of an input that is a constant and goes straight to the output.
template <class T> std::vector<T> same(int32_t dtype, const std::string &number) {
  OnnxBuilder model;
  model.output(model.node("Identity", {model.input("x", dtype, {})}), dtype, {});
  return numbersOf<T>(runModel(model, {}, "cpu", {{}, {{"x", number}}})[0]);
}

TEST(GivenNumbers, MayBeOfUnsignedTypesAndBool) {
  EXPECT_THAT(same<uint64_t>(Proto::UINT64, "18446744073709551615"), ElementsAre(UINT64_MAX));
  EXPECT_THAT(same<uint32_t>(Proto::UINT32, "4294967295"), ElementsAre(UINT32_MAX));
  EXPECT_THAT(same<uint16_t>(Proto::UINT16, "65535"), ElementsAre(UINT16_MAX));
  EXPECT_THAT(same<uint8_t>(Proto::UINT8, "255"), ElementsAre(255));
  for (const auto &[text, value] : std::map<std::string, int>{{"0", 0}, {"1", 1}, {"false", 0}, {"true", 1}})
    EXPECT_THAT(same<uint8_t>(Proto::BOOL, text), ElementsAre(value)) << text;
}

TEST(GivenNumbers, LeaveTheOtherInputs) {
  const OnnxBuilder model = sum({"1", "2"}, {"2", "1"}, {"1", "2"});
  EXPECT_THAT(numbersOf<float>(runModel(model, {bytesOf<float>({1, 2})}, "cpu", {{}, {{"b", "0.5"}}})[0]),
              ElementsAre(1.5f, 2.5f));
}

/// What is said of -x, where x is the text.
std::string refusal(int32_t dtype, const std::string &text) {
  return errorOf(negation({"2"}, dtype), {}, {{"x", text}});
}

TEST(GivenNumbers, AreOfTheInputsType) {
  const auto said = [](const std::string &type, const std::string &text, const std::string &expected) {
    return HasSubstr("'model.onnx' has input 'x' of type " + type + ", which --set makes a constant of '" +
                     text + "'; expected " + expected);
  };
  EXPECT_THAT(refusal(Proto::INT32, "1.5"),
              said("int32", "1.5", "a whole number from -2147483648 to 2147483647"));
  EXPECT_THAT(refusal(Proto::INT8, "128"), said("int8", "128", "a whole number from -128 to 127"));
  EXPECT_THAT(refusal(Proto::UINT8, "-1"), said("uint8", "-1", "a whole number from 0 to 255"));
  EXPECT_THAT(refusal(Proto::INT64, "9223372036854775808"),
              HasSubstr("a whole number from -9223372036854775808"));
  EXPECT_THAT(refusal(Proto::BOOL, "2"), said("bool", "2", "0, 1, false or true"));
  EXPECT_THAT(refusal(Proto::FLOAT, "true"), said("float32", "true", "a finite number of that type"));
  EXPECT_THAT(refusal(Proto::FLOAT, "1e39"), said("float32", "1e39", "a finite number of that type"));
  EXPECT_THAT(refusal(Proto::FLOAT, "1x"), said("float32", "1x", "a finite number of that type"));
  EXPECT_THAT(refusal(Proto::FLOAT16, "65536"), said("float16", "65536", "a finite number of that type"));
  EXPECT_THAT(refusal(Proto::DOUBLE, "1e309"), said("float64", "1e309", "a finite number of that type"));
  EXPECT_THAT(refusal(Proto::STRING, "1"), said("string", "1", "float16, bfloat16, float32"));
}

TEST(GivenNumbers, AreOfInputsWithSizes) {
  EXPECT_THAT(errorOf(negation({"2"}), {}, {{"y", "1"}}),
              HasSubstr("has no input 'y', which --set names; its inputs are 'x'"));
  EXPECT_THAT(errorOf(negation({"2", "n"}), {}, {{"x", "1"}}),
              HasSubstr("give them, for example --shape x=2x16"));
  EXPECT_THAT(
      errorOf(negation({"4097", "4096"}), {}, {{"x", "1"}}),
      HasSubstr("has input 'x' of shape [4097,4096], which --set makes a constant; expected at most 2^24"));
}

/// -a where c, or the second size of a, is 2; else -b.
OnnxBuilder choice(bool ofShape) {
  OnnxBuilder model;
  for (const char *name : {"a", "b"})
    input(model, name, Proto::FLOAT, {"1", ofShape ? "n" : "2"});
  const std::string c =
      ofShape ? model.node("Gather", {model.node("Shape", {"a"}), model.integers(Proto::INT64, {}, {1})})
              : model.input("c", Proto::INT64, {});
  const std::string isTwo = model.node("Equal", {c, model.integers(Proto::INT64, {}, {2})});
  output(model, model.node("If", {isTwo}, {}, "choice"), Proto::FLOAT, {"1", ofShape ? "n" : "2"});
  for (const auto &[branch, value] : {std::pair("then_branch", "a"), std::pair("else_branch", "b")}) {
    auto *attribute = model.proto().mutable_graph()->mutable_node()->rbegin()->add_attribute();
    attribute->set_name(branch), attribute->set_type(onnx::AttributeProto::GRAPH);
    attribute->mutable_g()->set_name(branch);
    onnx::NodeProto &neg = *attribute->mutable_g()->add_node();
    neg.set_op_type("Neg"), neg.add_input(value), neg.add_output("negated");
    attribute->mutable_g()->add_output()->set_name("negated");
  }
  return model;
}

TEST(GivenNumbers, DecideAnIf) {
  const std::vector<Bytes> inputs = {bytesOf<float>({1, 2}), bytesOf<float>({3, 4})};
  const auto chosen = [&](const std::string &c) {
    return numbersOf<float>(runModel(choice(false), inputs, "cpu", {{}, {{"c", c}}})[0]);
  };
  EXPECT_THAT(chosen("2"), ElementsAre(-1, -2));
  EXPECT_THAT(chosen("16000"), ElementsAre(-3, -4));
  EXPECT_THAT(errorOf(choice(false), {}), HasSubstr("fix that input with --set INPUT=NUMBER"));
}

TEST(GivenShapes, DecideAnIf) {
  OnnxBuilder model = choice(/*ofShape=*/true);
  for (const int64_t size : {2, 3}) {
    const std::vector<float> a(size, 1), b(size, 2), expected(size, size == 2 ? -1 : -2);
    EXPECT_THAT(
        numbersOf<float>(runModel(model, {bytesOf(a), bytesOf(b)}, "cpu", {{{"a", {1, size}}}, {}})[0]),
        testing::ElementsAreArray(expected));
  }
}

TEST(GivenInputs, AreForModels) {
  CompileOptions options;
  options.inputs.shapes["x"] = {1};
  const auto compiled =
      compileModel(DAEDALUS_SOURCE_DIR "/examples/tensor_programs/absolute_difference.mlir", options);
  ASSERT_FALSE(compiled);
  EXPECT_THAT(compiled.error(), AllOf(HasSubstr("--shape and --set are for ONNX models: '"),
                                      HasSubstr("absolute_difference.mlir' is a tensor program")));
}

} // namespace
} // namespace daedalus::test
