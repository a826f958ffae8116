// See NodeCheck.h.

#include "Schema/NodeCheck.h"

#include "Values/Types.h"

#include "mlir/IR/Diagnostics.h"

#include <numeric>

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {

static std::string listOf(const std::vector<std::string> &words, const char *last) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  return text;
}

std::string choice(const std::vector<std::string> &words) {
  return listOf(words, " or ");
}

int64_t NodeCheck::elements(size_t input) const {
  return elementCount({inputs[input].shape.begin(), inputs[input].shape.end()});
}

std::optional<Shape> NodeCheck::integers(size_t input) const {
  const HostTensor *host = constant(input);
  if (!host || isFloatType(host->dtype))
    return std::nullopt;
  return Shape(host->ints.begin(), host->ints.end());
}

std::string NodeCheck::text(Text key, Text otherwise) const {
  const auto *found = attribute(key);
  return found ? found->s() : otherwise.str();
}

/// " = [1,2]" of few integers that are known, or " of shape [3,4]".
static std::string valueText(const Known &known) {
  constexpr int64_t few = 8;
  const HostTensor *host = known.constant.get();
  if (host && host->ints.size() > 0 && host->size() <= few)
    return " = " + shapeText(Shape(host->ints.begin(), host->ints.end()));
  return " of shape " + shapeText(known.shape);
}

std::string NodeCheck::others(Text sentence) const {
  constexpr size_t most = 8;
  std::vector<std::string> texts;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string quoted = "'" + name(i) + "'", shape = shapeText(inputs[i].shape);
    const std::string text = quoted + valueText(inputs[i]);
    const bool isSaid = sentence.contains(quoted) && (sentence.contains(shape) || inputs[i].constant);
    if (inputs[i].isKnown() && !isSaid && !llvm::is_contained(texts, text))
      texts.push_back(text);
  }
  if (texts.size() > most) {
    texts.resize(most);
    texts.push_back("more");
  }
  return texts.empty() ? "" : " (with " + listOf(texts, " and ") + ")";
}

std::string NodeCheck::name(size_t input) const {
  if (static_cast<int>(input) >= node.proto.input_size())
    return "";
  const std::string &own = node.proto.input(static_cast<int>(input));
  if (names)
    if (const auto made = names->find(own); made != names->end())
      return made->second;
  return own;
}

bool NodeCheck::fail(const Twine &sentence) {
  const std::string text = sentence.str();
  return failPlainly(text + others(text));
}

bool NodeCheck::failAttribute(Text key, const Twine &value, const Twine &expected) {
  return failPlainly("attribute '" + key + "' has value " + value + "; expected " + expected);
}

bool NodeCheck::failToFit(Text key, const Twine &value, const Twine &expected) {
  return fail("attribute '" + key + "' has value " + value + "; expected " + expected);
}

bool NodeCheck::failPlainly(const Twine &sentence) {
  emitError(node.loc) << sentence;
  return false;
}

bool NodeCheck::rankIs(size_t input, int64_t expected) {
  if (rank(input) == expected)
    return true;
  return fail("input '" + name(input) + "' has shape " + shapeText(shape(input)) + "; expected " +
              Twine(expected) + " dimensions");
}

bool NodeCheck::isVector(size_t input) {
  if (rank(input) == 1)
    return true;
  return fail("input '" + name(input) + "' has shape " + shapeText(shape(input)) +
              "; expected one dimension");
}

bool NodeCheck::isList(size_t input, int64_t &count) {
  if (!isVector(input))
    return false;
  if (count >= 0 && shape(input)[0] != count)
    return fail("input '" + name(input) + "' has shape " + shapeText(shape(input)) + "; expected [" +
                Twine(count) + "]");
  count = shape(input)[0];
  return true;
}

bool NodeCheck::rankAtLeast(size_t input, int64_t least) {
  if (rank(input) >= least)
    return true;
  return fail("input '" + name(input) + "' has shape " + shapeText(shape(input)) + "; expected at least " +
              Twine(least) + " dimensions");
}

bool NodeCheck::hasShape(size_t input, const Shape &expected, Text why) {
  if (shape(input) == expected)
    return true;
  return fail("input '" + name(input) + "' has shape " + shapeText(shape(input)) + "; expected " +
              shapeText(expected) + why);
}

bool NodeCheck::isScalar(size_t input, Text role) {
  if (elements(input) == 1 && rank(input) <= 1)
    return true;
  return fail(role + " '" + name(input) + "' has shape " + shapeText(shape(input)) + "; expected a scalar");
}

bool NodeCheck::isNotEmpty(size_t input) {
  const auto hasNone = [](const Known &output) {
    const bool isUnsaid = output.isShapeOpen && output.shape.empty(); // the graph's walk says it
    return isUnsaid || llvm::is_contained(output.shape, 0);
  };
  if (elements(input) > 0 || llvm::all_of(outputs, hasNone))
    return true;
  return fail("input '" + name(input) + "' has shape " + shapeText(shape(input)) +
              ", which holds no element; expected at least one");
}

bool NodeCheck::isFloat32(size_t input) {
  return isFloat32Type(dtype(input)) || failPlainly("input '" + name(input) + "' has type " +
                                                    dtypeName(dtype(input)) + "; expected float32");
}

bool NodeCheck::oneOf(Text key, Text otherwise, Texts allowed) {
  const std::string value = text(key, otherwise);
  if (llvm::is_contained(allowed, Text(value)))
    return true;
  return failAttribute(key, "'" + value + "'", choice({allowed.begin(), allowed.end()}));
}

bool NodeCheck::isFlag(Text key) {
  const int64_t value = integer(key, 0);
  return value == 0 || value == 1 || failAttribute(key, Twine(value), "0 or 1");
}

bool NodeCheck::atLeast(Text key, int64_t least, int64_t otherwise) {
  const int64_t value = integer(key, otherwise);
  return value >= least || failAttribute(key, Twine(value), "at least " + Twine(least));
}

bool NodeCheck::axis(Text key, int64_t otherwise, int64_t rank, int64_t &axis) {
  const int64_t given = integer(key, otherwise);
  if (rank == 0)
    return failToFit(key, Twine(given), "an input of at least one dimension");
  if (given < -rank || given >= rank)
    return failToFit(key, Twine(given), Twine(-rank) + " to " + Twine(rank - 1));
  axis = given < 0 ? given + rank : given;
  return true;
}

bool NodeCheck::axes(const std::string &of, Shape &axes, int64_t rank) {
  std::vector<bool> seen(rank, false);
  const Shape given = axes;
  const std::string range =
      rank ? "axes from " + std::to_string(-rank) + " to " + std::to_string(rank - 1) : "none";
  for (int64_t &axis : axes) {
    if (axis < -rank || axis >= rank)
      return fail(of + " holds " + shapeText(given) + "; expected " + range);
    axis += axis < 0 ? rank : 0;
    if (seen[axis])
      return fail(of + " holds " + shapeText(given) + ", which names an axis twice; expected different axes");
    seen[axis] = true;
  }
  return true;
}

bool NodeCheck::axesOrAll(Shape &axes) {
  if (attribute("axes"))
    return this->axes("attribute 'axes'", axes = list("axes", {}), rank(0));
  axes.resize(rank(0));
  std::iota(axes.begin(), axes.end(), 0);
  return true;
}

bool NodeCheck::combine(Shape &result, const Shape &next) {
  const std::optional<Shape> both = broadcastShapes(result, next);
  if (!both)
    return fail("combines shapes " + shapeText(result) + " and " + shapeText(next) +
                ", which do not broadcast; expected sizes that are equal or 1");
  result = *both;
  return true;
}

bool NodeCheck::broadcast(std::initializer_list<size_t> of, Shape &result) {
  result.clear();
  return llvm::all_of(of, [&](size_t input) { return combine(result, shape(input)); });
}

bool NodeCheck::broadcastAll(Shape &result) {
  result.clear();
  return llvm::all_of(inputs, [&](const Known &input) { return combine(result, input.shape); });
}

bool NodeCheck::broadcastsTo(size_t input, const Shape &to) {
  const Shape &from = shape(input);
  bool fits = from.size() <= to.size();
  for (size_t d = 0; fits && d < from.size(); ++d) {
    const int64_t size = to[to.size() - from.size() + d];
    fits = from[d] == 1 || from[d] == size;
  }
  return fits || fail("input '" + name(input) + "' has shape " + shapeText(from) +
                      "; expected one that broadcasts to " + shapeText(to));
}

bool NodeCheck::indexes(size_t input, int64_t size) {
  if (size == 0 && elements(input) > 0)
    return fail("indices '" + name(input) +
                "' select from a dimension of size 0; expected one with elements");
  if (const HostTensor *host = constant(input))
    for (int64_t index : host->ints)
      if (index < -size || index >= size)
        return fail("indices '" + name(input) + "' hold " + Twine(index) + "; expected " + Twine(-size) +
                    " to " + Twine(size - 1));
  return true;
}

bool NodeCheck::output(size_t index, Shape shape) {
  if (index >= outputs.size())
    return true;
  constexpr double most = 2147483648.0;
  double count = 1, largest = 0;
  for (int64_t size : shape) {
    count *= static_cast<double>(size);
    largest = std::max(largest, static_cast<double>(size));
  }
  if (count > most || largest > most)
    return fail("output '" + node.proto.output(index) + "' has shape " + shapeText(shape) +
                "; expected at most 2^31 elements");
  outputs[index].shape = std::move(shape);
  return true;
}

bool NodeCheck::outputDeclared(size_t index, int64_t rank) {
  if (index >= outputs.size())
    return true;
  outputs[index].isShapeOpen = true;
  const auto &shape = declared[index].shape ? declared[index].shape : declared[index].implied;
  if (shape && rank >= 0 && static_cast<int64_t>(shape->size()) != rank)
    return fail("output '" + node.proto.output(index) + "' is declared with shape " + shapeText(*shape) +
                "; expected " + Twine(rank) + " dimensions");
  if (shape)
    for (int64_t size : *shape)
      if (size < 0)
        return true; // the graph's walk says it
  return !shape || output(index, Shape(shape->begin(), shape->end()));
}

bool NodeCheck::outputDeclaredAs(size_t index, const Shape &shape) {
  if (!outputDeclared(index, shape.size()))
    return false;
  if (index >= outputs.size() || outputs[index].shape.size() != shape.size())
    return true; // nothing says it, which the graph's walk does
  for (auto [size, expected] : llvm::zip(outputs[index].shape, shape))
    if (expected >= 0 && size != expected)
      return fail("output '" + node.proto.output(index) + "' is declared with shape " +
                  shapeText(outputs[index].shape) + "; expected " + shapeText(shape) +
                  ", where -1 is any size");
  return true;
}

bool NodeCheck::windowOutput(const Shape &kernel, int64_t channels, Window &window) {
  const Result<Window> read = readWindow(node, shape(0), kernel);
  if (!read)
    return fail(read.error());
  window = *read;
  Shape result{shape(0)[0], channels};
  result.append(window.output.begin(), window.output.end());
  return output(0, result);
}

} // namespace daedalus::onnximport
