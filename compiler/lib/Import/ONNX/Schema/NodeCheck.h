// One node under check: what is known of its inputs, its attributes, and the words in which rules are
// written. A rule returns false after fail(), which emits the diagnostic at the node.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_SCHEMA_NODECHECK_H
#define DAEDALUS_LIB_IMPORT_ONNX_SCHEMA_NODECHECK_H

#include "Node.h"

#include <optional>
#include <set>

namespace onnx {
class OpSchema;
}

namespace daedalus::onnximport {

using Text = llvm::StringRef;
using Texts = std::initializer_list<Text>;

/// What is known of a value where the model is compiled.
struct Known {
  int32_t dtype = 0; ///< 0: an input left out
  Shape shape;
  HostTensorPtr constant;   ///< integers, and small tensors of any type, where they are known
  bool isShapeOpen = false; ///< of an output: its shape comes at run time, and the model has to declare it
  bool isKnown() const { return dtype != 0; }
};

/// What the model says of an output; nothing where it says nothing.
struct Declared {
  int32_t dtype = 0;
  std::optional<std::vector<int64_t>> shape; ///< -1: of unknown size
  /// That of an output of the model which it becomes element by element.
  std::optional<std::vector<int64_t>> implied = {};
};

class NodeCheck {
public:
  NodeCheck(const Node &node, int version, std::vector<Known> inputs, std::vector<Declared> declared)
      : node(node), version(version), inputs(std::move(inputs)), outputs(declared.size()),
        declared(std::move(declared)) {}

  const Node &node;
  const int version; ///< of the operator: the opset that gave it its present meaning
  const std::vector<Known> inputs;
  std::vector<Known> outputs; ///< filled by the schema (types) and the rule (shapes)
  const std::vector<Declared> declared;
  const std::map<std::string, std::string> *names =
      nullptr; ///< of values that the importer made: the model's

  bool has(size_t input) const { return input < inputs.size() && inputs[input].isKnown(); }
  /// Of an input that is not given, not even as an empty name: one left out.
  const Known &known(size_t input) const {
    static const Known none;
    return input < inputs.size() ? inputs[input] : none;
  }
  const Shape &shape(size_t input) const { return known(input).shape; }
  int64_t rank(size_t input) const { return known(input).shape.size(); }
  int64_t elements(size_t input) const;
  int32_t dtype(size_t input) const { return known(input).dtype; }
  /// A constant input, or null.
  const HostTensor *constant(size_t input) const {
    return has(input) ? inputs[input].constant.get() : nullptr;
  }
  /// The integers of a constant input; nothing where they come at run time.
  std::optional<Shape> integers(size_t input) const;
  std::string name(size_t input) const;

  const onnx::AttributeProto *attribute(Text key) const { return onnximport::attribute(node, key); }
  int64_t integer(Text key, int64_t otherwise) const { return intAttribute(node, key, otherwise); }
  Shape list(Text key, const Shape &otherwise) const { return intsAttribute(node, key, otherwise); }
  std::string text(Text key, Text otherwise) const;

  /// Emits the sentence at the node, and behind it the shapes of the inputs that it does not name; false.
  bool fail(const llvm::Twine &sentence);
  /// The same where the attribute's value alone is at fault, not how it fits the inputs.
  bool failAttribute(Text key, const llvm::Twine &value, const llvm::Twine &expected);
  bool failToFit(Text key, const llvm::Twine &value, const llvm::Twine &expected);
  /// Emits a sentence that needs no shapes; false.
  bool failPlainly(const llvm::Twine &sentence);

  // Conditions; each says what is wrong.
  bool rankIs(size_t input, int64_t rank);
  bool isVector(size_t input); ///< one dimension
  /// An input of one dimension with `count` integers (-1: any number), of which count becomes the number.
  bool isList(size_t input, int64_t &count);
  bool rankAtLeast(size_t input, int64_t rank);
  bool hasShape(size_t input, const Shape &shape, Text why = "");
  bool isScalar(size_t input, Text role); ///< one element, of no dimension or one
  /// Has elements, where an output has; behind the shapes of outputs. Of none ONNX says no result.
  bool isNotEmpty(size_t input);
  bool isFloat32(size_t input); ///< or what is computed in it
  bool oneOf(Text key, Text otherwise, Texts allowed);
  bool isFlag(Text key); ///< 0 or 1
  bool atLeast(Text key, int64_t least, int64_t otherwise);
  /// Attribute `key`, an axis of `rank` dimensions, as one from 0 to rank - 1.
  bool axis(Text key, int64_t otherwise, int64_t rank, int64_t &axis);
  /// Different axes of `rank` dimensions, which `of` (an attribute or input) holds.
  bool axes(const std::string &of, Shape &axes, int64_t rank);
  /// Attribute 'axes' of input 0, from 0 on; all axes where it is not given.
  bool axesOrAll(Shape &axes);
  /// `result` becomes the shape that it and `next` broadcast to.
  bool combine(Shape &result, const Shape &next);
  /// The shape that these inputs, or all, broadcast to.
  bool broadcast(std::initializer_list<size_t> of, Shape &result);
  bool broadcastAll(Shape &result);
  /// Whether `input` broadcasts to `shape` without changing it.
  bool broadcastsTo(size_t input, const Shape &shape);
  /// Integers from 0 on that index `size` elements, or count from the end; checked where they are constant.
  bool indexes(size_t input, int64_t size);

  // Results.
  bool output(size_t index, Shape shape);
  bool like(size_t input) { return output(0, inputs[input].shape); }
  /// The shape comes at run time: the model declares it, with `rank` dimensions (-1: any).
  bool outputDeclared(size_t index, int64_t rank);
  /// The same, and the sizes are these; -1: any.
  bool outputDeclaredAs(size_t index, const Shape &shape);
  /// [N,channels,...] of a convolution or pool over input 0, whose window is set.
  bool windowOutput(const Shape &kernel, int64_t channels, Window &window);

private:
  /// " (with 'x' of shape [3,4] and 'w' of shape [4,5])": the inputs that a sentence says nothing of.
  std::string others(Text sentence) const;
};

using C = NodeCheck; ///< as rules write it

/// Checks a node's ranks, attributes and shapes, and sets the shapes of its outputs; false behind a
/// diagnostic.
using Rule = bool (*)(NodeCheck &);

/// Counts and attributes as the operator's schema says them.
bool checkForm(NodeCheck &check, const onnx::OpSchema &schema);
/// Types as the operator's schema says them; sets the outputs' types that follow.
bool checkTypes(NodeCheck &check, const onnx::OpSchema &schema);

/// The types that the rule gave the outputs, which the schema has to allow.
bool checkOutputTypes(NodeCheck &check, const onnx::OpSchema &schema);

/// "an integer" and the like; a kind that the fields contradict is none.
std::string kindName(int kind);
bool holdsItsKind(const onnx::AttributeProto &attribute);

/// "a, b or c".
std::string choice(const std::vector<std::string> &words);

} // namespace daedalus::onnximport

#endif
