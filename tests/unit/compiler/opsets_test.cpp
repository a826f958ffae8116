// Forms that operators have from opset 18 on, each against what it means; and data beside the model.
#include "refused.h"
#include "run_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace daedalus::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Floats = std::vector<float>;

/// A model of opset `opset` over x [2,3] = 0, 1, ..., 5.
class OverMatrix {
public:
  explicit OverMatrix(int64_t opset) : model(opset) { model.input("x", F32, {2, 3}); }

  Floats run(const std::string &y, const OnnxBuilder::Shape &shape) {
    model.output(y, F32, shape);
    return numbersOf<float>(runModel(model, {bytesOf<float>({0, 1, 2, 3, 4, 5})})[0]);
  }

  OnnxBuilder model;
};

TEST(Opsets, AxesOfAReductionAreAnInput) {
  OverMatrix of(18);
  const std::string axes = of.model.integers(I64, {1}, {-1});
  EXPECT_THAT(of.run(of.model.node("ReduceMean", {"x", axes}, {{"keepdims", 0}}), {2}), ElementsAre(1, 4));
}

TEST(Opsets, NoAxesMayMeanNone) {
  OverMatrix of(20);
  const std::string y = of.model.node("ReduceMax", {"x"}, {{"noop_with_empty_axes", 1}});
  EXPECT_THAT(of.run(y, {2, 3}), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Opsets, SplitByTheNumberOfParts) {
  OverMatrix of(18);
  const std::string y = of.model.node("Split", {"x"}, {{"axis", 1}, {"num_outputs", 2}});
  of.model.proto().mutable_graph()->mutable_node(0)->add_output("rest");
  of.model.output("rest", F32, {2, 1});
  EXPECT_THAT(of.run(y, {2, 2}), ElementsAre(2, 5)); // the first output is `rest`
}

TEST(Opsets, PadsOfSomeAxes) {
  OverMatrix of(18);
  const std::string pads = of.model.integers(I64, {2}, {1, 0}), axes = of.model.integers(I64, {1}, {-1});
  const std::string y = of.model.node("Pad", {"x", pads, "", axes});
  EXPECT_THAT(of.run(y, {2, 4}), ElementsAre(0, 0, 1, 2, 0, 3, 4, 5));
}

TEST(Opsets, ZerosOfAShapeMayBeZeros) {
  OverMatrix of(19);
  const std::string shape = of.model.integers(I64, {2}, {3, -1});
  EXPECT_THAT(of.run(of.model.node("Reshape", {"x", shape}, {{"allowzero", 1}}), {3, 2}),
              ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Opsets, TheTypeOfAQuantizationIsAnAttribute) {
  OverMatrix of(21);
  const std::string scale = of.model.floats({}, {0.5f});
  const std::string q = of.model.node("QuantizeLinear", {"x", scale}, {{"output_dtype", I8}});
  EXPECT_THAT(of.run(of.model.node("DequantizeLinear", {q, scale}), {2, 3}), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Opsets, BlocksBehindTheChannels) {
  OnnxBuilder model(28);
  model.input("x", F32, {1, 2, 2, 2});
  const std::vector<OnnxBuilder::Attribute> blocks{{"blocksize", 2}, {"mode", "CRD"}};
  model.output(model.node("SpaceToDepth", {"x"}, blocks), F32, {1, 8, 1, 1});
  const auto y = numbersOf<float>(runModel(model, {bytesOf<float>({0, 1, 2, 3, 4, 5, 6, 7})})[0]);
  EXPECT_THAT(y, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

/// The sum of x [2,2,3] along `axes`, which come at run time, declared of shape `shape`.
Result<Floats> sumAlong(const std::vector<int64_t> &axes, const OnnxBuilder::Shape &shape, bool keeps) {
  OnnxBuilder model(18);
  model.input("x", F32, {2, 2, 3});
  model.input("axes", I64, {static_cast<int64_t>(axes.size())});
  const std::string y = model.node("ReduceMax", {"x", "axes"}, {{"keepdims", keeps}});
  model.output(y, F32, shape);
  const Result<Outputs> outputs =
      tryModel(model, {bytesOf<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), bytesOf(axes)});
  if (!outputs)
    return error(outputs.error());
  return numbersOf<float>((*outputs)[0]);
}

TEST(Opsets, AxesMayComeAtRunTime) {
  EXPECT_THAT(*sumAlong({1}, {2, 1, 3}, true), ElementsAre(3, 4, 5, 9, 10, 11));
  EXPECT_THAT(*sumAlong({-1, 0}, {1, 2, 1}, true), ElementsAre(8, 11));
  // Both the first and the second leave a shape of [2,3].
  EXPECT_THAT(*sumAlong({0}, {2, 3}, false), ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_THAT(*sumAlong({-2}, {2, 3}, false), ElementsAre(3, 4, 5, 9, 10, 11));
}

TEST(Opsets, AxesThatDoNotGiveTheDeclaredShapeEndTheRun) {
  for (const std::vector<int64_t> &axes : {std::vector<int64_t>{2}, {3}, {-4}}) {
    const Result<Floats> sum = sumAlong(axes, {2, 3}, false);
    ASSERT_FALSE(sum);
    EXPECT_THAT(sum.error(), HasSubstr("axes"));
  }
}

/// A function f(x) = LeakyRelu(x) with the slope that a call gives, and g(x) = f(f(x)).
void defineFunctions(onnx::ModelProto &model, bool isEndless = false) {
  const auto define = [&](const std::string &name) {
    onnx::FunctionProto &function = *model.add_functions();
    function.set_name(name), function.set_domain("own");
    function.add_input("a"), function.add_output("c");
    auto *import = function.add_opset_import();
    import->set_domain(""), import->set_version(18);
    return &function;
  };
  const auto add = [](onnx::FunctionProto &function, const std::string &op, const std::string &domain,
                      const std::string &in, const std::string &out) {
    onnx::NodeProto &node = *function.add_node();
    node.set_op_type(op), node.set_domain(domain), node.add_input(in), node.add_output(out);
    return &node;
  };
  onnx::FunctionProto *f = define("f"), *g = define("g");
  f->add_attribute("slope");
  auto *alpha = add(*f, isEndless ? "g" : "LeakyRelu", isEndless ? "own" : "", "a", "c")->add_attribute();
  alpha->set_name("alpha"), alpha->set_type(onnx::AttributeProto::FLOAT), alpha->set_ref_attr_name("slope");
  for (const auto &[in, out] : {std::pair("a", "b"), {"b", "c"}}) {
    auto *slope = add(*g, "f", "own", in, out)->add_attribute();
    slope->set_name("slope"), slope->set_type(onnx::AttributeProto::FLOAT), slope->set_f(0.5f);
  }
}

TEST(Functions, AreInlined) {
  OnnxBuilder model(18);
  model.input("x", F32, {3});
  model.output(model.node("g", {"x"}, {}, "twice", "own"), F32, {3});
  defineFunctions(model.proto());
  EXPECT_THAT(numbersOf<float>(runModel(model, {bytesOf<float>({-4, 0, 3})})[0]), ElementsAre(-1, 0, 3));
}

TEST(Functions, HaveToEnd) {
  OnnxBuilder model(18);
  model.output(model.node("g", {model.input("x", F32, {3})}, {}, "twice", "own"), F32, {3});
  defineFunctions(model.proto(), true);
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("which calls itself or grows beyond"));
  model.proto().clear_functions();
  defineFunctions(model.proto());
  model.proto().mutable_functions(0)->mutable_opset_import(0)->set_version(7);
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("defines function 'f' of opset 7; expected opset 18"));
}

TEST(Functions, HaveTheDefaultsOfTheirAttributes) {
  OnnxBuilder model(18);
  model.input("x", F32, {3});
  model.output(model.node("f", {"x"}, {}, "once", "own"), F32, {3});
  defineFunctions(model.proto());
  onnx::AttributeProto slope;
  slope.set_name("slope"), slope.set_type(onnx::AttributeProto::FLOAT), slope.set_f(0.25f);
  onnx::FunctionProto &f = *model.proto().mutable_functions(0);
  f.clear_attribute();
  constexpr int attributeProto = 11; // a field of newer files
  f.GetReflection()->MutableUnknownFields(&f)->AddLengthDelimited(attributeProto, slope.SerializeAsString());
  EXPECT_THAT(numbersOf<float>(runModel(model, {bytesOf<float>({-4, 0, 3})})[0]), ElementsAre(-1, 0, 3));
}

TEST(Functions, MayGiveWhatTheyTake) {
  OnnxBuilder model(18);
  model.input("x", F32, {3});
  model.output(model.node("Neg", {model.node("f", {"x"}, {}, "same", "own")}), F32, {3});
  defineFunctions(model.proto());
  onnx::FunctionProto &f = *model.proto().mutable_functions(0);
  f.clear_node();
  f.set_output(0, "a");
  EXPECT_THAT(numbersOf<float>(runModel(model, {bytesOf<float>({-4, 0, 3})})[0]), ElementsAre(4, 0, -3));
}

/// Forty functions, of which each calls the next one twice and which have no other nodes.
TEST(Functions, MayNotGrowWithoutNodes) {
  OnnxBuilder model(18);
  model.output(model.node("h0", {model.input("x", F32, {3})}, {}, "all", "own"), F32, {3});
  for (int i = 0; i < 40; ++i) {
    onnx::FunctionProto &h = *model.proto().add_functions();
    h.set_name("h" + std::to_string(i)), h.set_domain("own"), h.add_input("a"), h.add_output("a");
    for (int call = 0; call < 2 && i < 39; ++call) {
      onnx::NodeProto &node = *h.add_node();
      node.set_op_type("h" + std::to_string(i + 1)), node.set_domain("own"), node.add_input("a");
    }
  }
  EXPECT_THAT(errorOf(model.bytes()), HasSubstr("grows beyond 1048576 nodes"));
}

/// Reads x, which the condition's shape is of, and a constant; gives Neg(x) * 3, or x itself where nothing is
/// done.
onnx::GraphProto branch(const std::string &output) {
  onnx::GraphProto graph;
  graph.set_name("branch");
  auto *factor = graph.add_initializer();
  factor->set_name("factor"), factor->set_data_type(F32), factor->add_float_data(3);
  onnx::NodeProto &neg = *graph.add_node(), &mul = *graph.add_node();
  neg.set_op_type("Neg"), neg.add_input("x"), neg.add_output("less");
  mul.set_op_type("Mul"), mul.add_input("less"), mul.add_input("factor"), mul.add_output("y");
  graph.add_output()->set_name(output);
  return graph;
}

void addBranch(onnx::NodeProto &node, const std::string &name, const onnx::GraphProto &graph) {
  auto *attribute = node.add_attribute();
  attribute->set_name(name), attribute->set_type(onnx::AttributeProto::GRAPH);
  *attribute->mutable_g() = graph;
}

/// If the first dimension of x [`rows`, 2] is 2, `then`, else `otherwise`.
std::string choose(OnnxBuilder &model, int64_t rows, const onnx::GraphProto &then,
                   const onnx::GraphProto &otherwise) {
  model.input("x", F32, {rows, 2});
  const std::string first = model.node("Gather", {model.node("Shape", {"x"}), model.integers(I64, {}, {0})});
  const std::string y =
      model.node("If", {model.node("Equal", {first, model.integers(I64, {}, {2})})}, {}, "choice");
  onnx::NodeProto &node = *model.proto().mutable_graph()->mutable_node()->rbegin();
  addBranch(node, "then_branch", then), addBranch(node, "else_branch", otherwise);
  return y;
}

TEST(Branches, AreTakenByTheirConditions) {
  for (const int64_t rows : {1, 2}) {
    OnnxBuilder model(18);
    model.output(choose(model, rows, branch("y"), branch("x")), F32, {rows, 2});
    const std::vector<float> x(rows * 2, 5), y(rows * 2, rows == 2 ? -15 : 5);
    EXPECT_THAT(numbersOf<float>(runModel(model, {bytesOf<float>(x)})[0]), ::testing::ElementsAreArray(y));
  }
}

TEST(Branches, OfBranchesReadWhatIsAroundThem) {
  onnx::GraphProto outer = branch("chosen");
  onnx::NodeProto &node = *outer.add_node();
  node.set_op_type("If"), node.add_input("always"), node.add_output("chosen");
  auto *always = outer.add_initializer();
  always->set_name("always"), always->set_data_type(onnx::TensorProto::BOOL), always->add_int32_data(1);
  onnx::GraphProto inner;
  inner.set_name("inner");
  onnx::NodeProto &abs = *inner.add_node();
  abs.set_op_type("Abs"), abs.add_input("y"), abs.add_output("less"); // a name of the branch around it
  inner.add_output()->set_name("less");
  addBranch(node, "then_branch", inner), addBranch(node, "else_branch", branch("y"));
  OnnxBuilder model(18);
  model.output(choose(model, 2, outer, branch("x")), F32, {2, 2});
  EXPECT_THAT(numbersOf<float>(runModel(model, {bytesOf<float>({1, 2, 3, 4})})[0]), ElementsAre(3, 6, 9, 12));
}

TEST(Branches, HaveToBeKnown) {
  OnnxBuilder model(18);
  model.input("x", F32, {2}), model.input("c", onnx::TensorProto::BOOL, {});
  model.output(model.node("If", {"c"}, {}, "choice"), F32, {2});
  onnx::NodeProto &node = *model.proto().mutable_graph()->mutable_node(0);
  EXPECT_THAT(errorOf(model.bytes()),
              HasSubstr("has node 'choice', an If, without a condition, then_branch or"));
  addBranch(node, "then_branch", branch("y")), addBranch(node, "else_branch", branch("x"));
  EXPECT_THAT(errorOf(model.bytes()),
              HasSubstr("has node 'choice', an If, whose condition 'c' comes at run time; "
                        "expected one that constants and shapes decide: where an input decides it, fix that "
                        "input with --set INPUT=NUMBER"));
}

/// What an exporter writes for x.expand(-1, 3, -1).reshape(...), with the shape computed from x.
TEST(Folding, LeavesNothingOfTheArithmeticOfShapes) {
  OnnxBuilder model(18);
  model.input("x", F32, {2, 1, 4});
  const auto integers = [&](const std::vector<int64_t> &values) {
    return model.integers(I64, {int64_t(values.size())}, values);
  };
  const std::string shape = model.node("Shape", {"x"}), given = integers({-1, 3, -1});
  const std::string isOpen = model.node("Equal", {given, integers({-1})});
  const std::string target = model.node("Where", {isOpen, shape, given});
  const std::string expanded = model.node("Expand", {"x", target});
  const std::string last = model.node("Gather", {shape, integers({-1})});
  const std::string half = model.node("Div", {last, integers({2})});
  const std::string rest = model.node("Add", {model.node("Neg", {last}), integers({6})}); // 2
  const std::string real = model.node("Cast", {rest}, {{"to", int(F32)}});
  const std::string rows =
      model.node("Cast", {model.node("Mul", {real, model.floats({}, {1.5f})})}, {{"to", int(I64)}});
  const std::string to = model.node("Concat", {integers({2}), rows, half, integers({2})}, {{"axis", 0}});
  model.output(model.node("Reshape", {expanded, to}), F32, {2, 3, 2, 2});
  const Result<Compiled> compiled = compileBytes(model.bytes());
  ASSERT_TRUE(compiled) << compiled.error();
  std::vector<std::string> layers;
  for (const package::Layer &layer : compiled->package.layers)
    layers.push_back(layer.node);
  EXPECT_THAT(layers, ElementsAre("Expand_3"));
}

/// A size scaled by a factor, as exporters of resizing layers write it, in each type of float; each picks by
/// a comparison of floats.
TEST(Folding, FollowsEveryFloat) {
  for (int32_t dtype : {F32, int32_t(onnx::TensorProto::DOUBLE), int32_t(onnx::TensorProto::FLOAT16),
                        int32_t(onnx::TensorProto::BFLOAT16)}) {
    OnnxBuilder model(22);
    model.input("x", F32, {2, 6});
    const auto cast = [&](const std::string &value, int32_t to) {
      return model.node("Cast", {value}, {{"to", int64_t(to)}});
    };
    const auto constant = [&](float value) { return cast(model.floats({1}, {value}), dtype); };
    const std::string columns =
        model.node("Gather", {model.node("Shape", {"x"}), model.integers(I64, {1}, {1})}); // 6
    const std::string scaled = model.node("Mul", {cast(columns, dtype), constant(0.4f)});
    const std::string rounded = model.node("Max", {model.node("Round", {scaled}), constant(1)}); // 2 of 2.4
    const std::string isLess = model.node("Less", {rounded, constant(1.5f)});
    const std::string chosen = model.node("Where", {isLess, constant(1), rounded});
    const std::string to =
        model.node("Concat", {cast(chosen, I64), model.integers(I64, {1}, {-1})}, {{"axis", 0}});
    model.output(model.node("Reshape", {"x", to}), F32, {2, 6});
    const Result<Compiled> compiled = compileBytes(model.bytes());
    ASSERT_TRUE(compiled) << dtype << ": " << compiled.error();
    EXPECT_THAT(compiled->package.layers, ::testing::IsEmpty()) << dtype;
  }
}

TEST(Folding, DropsOutputsThatNothingReads) {
  OverMatrix of(13);
  const std::string y = of.model.node("Dropout", {"x"});
  of.model.proto().mutable_graph()->mutable_node(0)->add_output("mask");
  EXPECT_THAT(of.run(y, {2, 3}), ElementsAre(0, 1, 2, 3, 4, 5));
}

class Newer : public ::testing::TestWithParam<Refused> {};

TEST_P(Newer, NamesNodeValueAndExpectation) {
  EXPECT_THAT(GetParam().error(), HasSubstr("node: " + GetParam().message));
}

const RefusedInput matrix{F32, {2, 3}};
using Ints = std::vector<int64_t>;

INSTANTIATE_TEST_SUITE_P(
    Forms, Newer,
    ::testing::Values(
        Refused{"ReduceMean",
                {matrix},
                matrix,
                {{"axes", Ints{0}}},
                "has an attribute 'axes', which operator 'ReduceMean' of opset 18 does not have",
                18},
        Refused{"ReduceMean",
                {matrix, {I64, {1}, {2}}},
                matrix,
                {},
                "input 'c0' holds [2]; expected axes from -2 to 1",
                18},
        Refused{"Split",
                {matrix},
                matrix,
                {{"axis", 1}, {"num_outputs", 2}},
                "attribute 'num_outputs' has value 2; expected 1, as many as outputs",
                18},
        Refused{"Split",
                {matrix},
                matrix,
                {{"axis", 1}},
                "has neither sizes nor their number; expected input 'split' or attribute 'num_outputs'",
                18},
        Refused{"Split",
                {matrix},
                matrix,
                {{"axis", 1}, {"num_outputs", 1}},
                "has an attribute 'num_outputs', which operator 'Split' of opset 13 does not have",
                13},
        Refused{"Pad",
                {matrix, {I64, {2}, {1, 0}}, {0, {}}, {I64, {1}, {7}}},
                matrix,
                {},
                "input 'c1' holds [7]; expected axes from -2 to 1",
                18},
        Refused{"Pad",
                {matrix, {I64, {4}, {1, 0, 0, 0}}, {0, {}}, {I64, {1}, {0}}},
                matrix,
                {},
                "input 'c0' has shape [4]; expected [2]",
                18},
        Refused{"DequantizeLinear",
                {{I8, {2, 4}}, {F32, {2, 2}}},
                {F32, {2, 4}},
                {{"block_size", 2}},
                "attribute 'block_size' has value 2; expected 0",
                21}));

/// A model whose weights lie in a file beside it.
class ExternalData : public ::testing::Test {
protected:
  ExternalData() : folder(fs::path(::testing::TempDir()) / ("external." + std::to_string(getpid()))) {
    fs::create_directories(folder / "weights");
    std::ofstream(folder / "weights" / "w.bin", std::ios::binary)
        << std::string(8, '\1') << std::string(16, '\2');
    std::ofstream(folder.parent_path() / "outside.bin", std::ios::binary) << std::string(24, '\1');
  }
  ~ExternalData() override {
    fs::remove_all(folder);
    fs::remove(folder.parent_path() / "outside.bin");
  }

  /// The error of compiling it; "": none.
  std::string errorOf(const std::string &location, const std::string &offset = "8",
                      const std::string &length = "16") {
    OnnxBuilder model(18);
    onnx::TensorProto &w = *model.proto().mutable_graph()->add_initializer();
    w.set_name("w"), w.set_data_type(F32), w.add_dims(4);
    w.set_data_location(onnx::TensorProto::EXTERNAL);
    for (const auto &[key, value] : {std::pair("location", location), {"offset", offset}, {"length", length}})
      if (!value.empty()) {
        auto *entry = w.add_external_data();
        entry->set_key(key), entry->set_value(value);
      }
    model.output(model.node("Add", {model.input("x", F32, {4}), "w"}), F32, {4});
    std::ofstream(folder / "model.onnx", std::ios::binary) << model.bytes();
    CompileOptions options;
    const Result<Compiled> compiled = compileModel((folder / "model.onnx").string(), options);
    return compiled ? "" : compiled.error();
  }

  const fs::path folder;
};

TEST_F(ExternalData, IsReadFromTheModelsFolder) {
  EXPECT_EQ(errorOf("weights/w.bin"), "");
  EXPECT_EQ(errorOf("weights/w.bin", "8", ""), "");
  EXPECT_EQ(errorOf("weights/../weights/w.bin", "", ""), "");
}

TEST_F(ExternalData, OfElsewhereIsRefused) {
  EXPECT_THAT(errorOf("../outside.bin"),
              HasSubstr("initializer 'w' lies in '../outside.bin'; expected a file in"));
  EXPECT_THAT(errorOf((folder.parent_path() / "outside.bin").string()), HasSubstr("expected a file in"));
  fs::create_symlink("../outside.bin", folder / "link.bin");
  EXPECT_THAT(errorOf("link.bin"), HasSubstr("lies in 'link.bin'; expected a file in the model's folder"));
  EXPECT_THAT(errorOf("weights"), HasSubstr("expected a file in the model's folder"));
}

TEST_F(ExternalData, ThatIsNotThereIsRefused) {
  EXPECT_THAT(errorOf("none.bin"),
              HasSubstr("initializer 'w' lies in file 'none.bin' beside the model: No such"));
  EXPECT_THAT(errorOf(""), HasSubstr("has external data without a location"));
  EXPECT_THAT(errorOf("weights/w.bin", "9"), HasSubstr("from byte 9 on for 16 bytes; the file has 24"));
  EXPECT_THAT(errorOf("weights/w.bin", "18446744073709551615"), HasSubstr("the file has 24"));
  EXPECT_THAT(errorOf("weights/w.bin", "-1"), HasSubstr("external data with offset '-1'; expected a number"));
  EXPECT_THAT(errorOf("weights/w.bin", "8", "12"), HasSubstr("has data of another size than its shape says"));
}

} // namespace
} // namespace daedalus::test
