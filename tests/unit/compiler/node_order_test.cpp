// Models whose nodes stand in any order: as some quantizers write them, and as runtimes take them.
#include "Import/ONNX/Load/NodeOrder.h"

#include "first_error.h"
#include "onnx_builder.h"
#include "run_model.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace daedalus::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Proto = onnx::TensorProto;
using Names = std::vector<std::string>;

/// -|relu(x) + x|, in nodes without names but for the last one.
OnnxBuilder chain() {
  OnnxBuilder model;
  const std::string x = model.input("x", Proto::FLOAT, {4});
  const std::string sum = model.node("Add", {model.node("Relu", {x}), x});
  model.output(model.node("Neg", {model.node("Abs", {sum})}, {}, "last"), Proto::FLOAT, {4});
  return model;
}

template <class List> Names kindsOf(const List &nodes) {
  Names kinds;
  for (const auto &node : nodes)
    kinds.push_back(node.op_type());
  return kinds;
}

/// A node that copies values by their names.
void add(google::protobuf::RepeatedPtrField<onnx::NodeProto> &nodes, const std::string &from,
         const std::string &to, const std::string &name = "") {
  auto &node = *nodes.Add();
  node.set_op_type("Identity"), node.set_name(name);
  node.add_input(from), node.add_output(to);
}

TEST(NodeOrder, IsThatOfValues) {
  OnnxBuilder model = chain();
  auto &nodes = *model.proto().mutable_graph()->mutable_node();
  const Bytes x = bytesOf(std::vector<float>{1, -2, 3, -4});
  const Outputs expected = runModel(model, {x});
  Names kinds = kindsOf(nodes);
  std::sort(kinds.begin(), kinds.end());
  do {
    OnnxBuilder other = model;
    auto &moved = *other.proto().mutable_graph()->mutable_node();
    for (int i = 0; i < moved.size(); ++i)
      moved.SwapElements(
          i, static_cast<int>(std::find_if(moved.begin() + i, moved.end(),
                                           [&](const auto &node) { return node.op_type() == kinds[i]; }) -
                              moved.begin()));
    ASSERT_TRUE(onnximport::orderNodes(other.proto()));
    EXPECT_THAT(kindsOf(moved), ElementsAre("Relu", "Add", "Abs", "Neg"));
  } while (std::next_permutation(kinds.begin(), kinds.end()));
  std::reverse(nodes.pointer_begin(), nodes.pointer_end());
  EXPECT_EQ(runModel(model, {x}), expected);
}

TEST(NodeOrder, IsThatOfTheFileOtherwise) {
  onnx::ModelProto model;
  auto &nodes = *model.mutable_graph()->mutable_node();
  add(nodes, "x", "a"), add(nodes, "c", "b"), add(nodes, "x", "d"), add(nodes, "x", "c"),
      add(nodes, "b", "e");
  ASSERT_TRUE(onnximport::orderNodes(model));
  Names names;
  for (const auto &node : nodes)
    names.push_back(node.name() + ":" + node.output(0));
  EXPECT_THAT(names,
              ElementsAre("Identity_0:a", "Identity_2:d", "Identity_3:c", "Identity_1:b", "Identity_4:e"))
      << "under the names of their places";
  OnnxBuilder sorted = chain();
  const std::string before = sorted.bytes();
  ASSERT_TRUE(onnximport::orderNodes(sorted.proto()));
  EXPECT_EQ(sorted.bytes(), before);
}

/// What a branch reads of outside is there before its node; what it names itself is another value.
TEST(NodeOrder, IsThatOfBranchesAndFunctionsToo) {
  onnx::ModelProto model;
  auto &nodes = *model.mutable_graph()->mutable_node();
  auto &chooses = *nodes.Add();
  chooses.set_op_type("If"), chooses.add_input("condition"), chooses.add_output("y");
  auto &branch = *chooses.add_attribute();
  branch.set_name("then_branch");
  add(*branch.mutable_g()->mutable_node(), "inner", "result");
  add(*branch.mutable_g()->mutable_node(), "outer", "inner");
  branch.mutable_g()->add_output()->set_name("result");
  add(nodes, "y", "inner");
  add(nodes, "x", "outer");
  auto &function = *model.add_functions();
  add(*function.mutable_node(), "b", "c"), add(*function.mutable_node(), "a", "b");
  const Result<void> ordered = onnximport::orderNodes(model);
  ASSERT_TRUE(ordered) << ordered.error();
  EXPECT_EQ(nodes[0].output(0), "outer");
  EXPECT_EQ(nodes[1].op_type(), "If");
  EXPECT_EQ(nodes[1].attribute(0).g().node(0).output(0), "inner");
  EXPECT_EQ(function.node(0).output(0), "b");
}

TEST(NodeOrder, OfACycleIsNone) {
  onnx::ModelProto model;
  auto &nodes = *model.mutable_graph()->mutable_node();
  add(nodes, "c", "behind", "behind"), add(nodes, "c", "a", "first"), add(nodes, "a", "b"),
      add(nodes, "b", "c", "third");
  EXPECT_EQ(onnximport::orderNodes(model).error(),
            "has a cycle of the nodes 'third', 'Identity_2', 'first', each of which reads what the next one "
            "gives, and "
            "the last one what the first one gives; expected no cycle");
  nodes.Clear();
  add(nodes, "x", "x", "same");
  EXPECT_EQ(onnximport::orderNodes(model).error(),
            "has the node 'same', which reads its own output; expected no cycle");
  nodes.Clear();
  for (int i = 0; i < 30; ++i)
    add(nodes, std::to_string(i), std::to_string((i + 1) % 30));
  EXPECT_THAT(onnximport::orderNodes(model).error(), HasSubstr("and 10 more, each of which"));
  OnnxBuilder whole = chain();
  whole.proto().mutable_graph()->mutable_node(0)->set_input(0, whole.proto().graph().node(1).output(0));
  EXPECT_THAT(errorOf(whole.bytes()), HasSubstr("has a cycle of the nodes 'Relu_0', 'Add_1', each"));
}

} // namespace
} // namespace daedalus::test
