// Folding of operators that move elements: each element of an output is one of an input.

#include "Schema/Fold.h"

#include <numeric>

namespace daedalus::onnximport {
namespace {

using Sources = std::vector<Source>;

/// source(position) of each element of an output.
template <class F> Sources eachOf(const C &c, unsigned output, F source) {
  Sources sources;
  forEachPosition(c.outputs[output].shape, [&](const Shape &at) { sources.push_back(source(at)); });
  return sources;
}

/// The elements of the input in their order.
std::optional<Sources> asTheyAre(const C &c, unsigned) {
  Sources sources;
  for (int64_t i = 0; i < c.elements(0); ++i)
    sources.push_back({0, i});
  return sources;
}

std::optional<Sources> broadcast(const C &c, unsigned output) {
  return eachOf(c, output, [&](const Shape &at) { return Source{0, broadcastIndex(c.shape(0), at)}; });
}

std::optional<Sources> transposed(const C &c, unsigned output) {
  Shape permutation(c.rank(0));
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  permutation = c.list("perm", permutation);
  return eachOf(c, output, [&](const Shape &at) {
    Shape from(at.size());
    for (size_t d = 0; d < at.size(); ++d)
      from[permutation[d]] = at[d];
    return Source{0, flatIndex(c.shape(0), from)};
  });
}

int64_t axisOf(const C &c, int64_t otherwise) {
  const int64_t axis = c.integer("axis", otherwise);
  return axis < 0 ? axis + c.rank(0) : axis;
}

std::optional<Sources> joined(const C &c, unsigned output) {
  const int64_t axis = axisOf(c, 1);
  return eachOf(c, output, [&](Shape at) {
    unsigned input = 0;
    for (; at[axis] >= c.shape(input)[axis]; ++input)
      at[axis] -= c.shape(input)[axis];
    return Source{input, flatIndex(c.shape(input), at)};
  });
}

std::optional<Sources> part(const C &c, unsigned output) {
  const int64_t axis = axisOf(c, 0);
  int64_t before = 0;
  for (unsigned i = 0; i < output; ++i)
    before += c.outputs[i].shape[axis];
  return eachOf(c, output, [&](Shape at) {
    at[axis] += before;
    return Source{0, flatIndex(c.shape(0), at)};
  });
}

std::optional<Sources> gathered(const C &c, unsigned output) {
  const std::optional<Shape> indices = c.integers(1);
  const int64_t axis = axisOf(c, 0), rank = c.rank(1);
  if (!indices)
    return std::nullopt;
  return eachOf(c, output, [&](const Shape &at) {
    const Shape place(at.begin() + axis, at.begin() + axis + rank);
    const int64_t index = (*indices)[flatIndex(c.shape(1), place)];
    Shape from(at.begin(), at.begin() + axis);
    from.push_back(index < 0 ? index + c.shape(0)[axis] : index);
    from.append(at.begin() + axis + rank, at.end());
    return Source{0, flatIndex(c.shape(0), from)};
  });
}

/// A list of a Slice: an attribute before opset 10, an input since; nothing where it comes at run time.
std::optional<Shape> sliceList(const C &c, size_t input, Text key, const Shape &otherwise) {
  return c.has(input) ? c.integers(input) : c.list(key, otherwise);
}

std::optional<Sources> sliced(const C &c, unsigned output) {
  const std::optional<Shape> starts = sliceList(c, 1, "starts", {});
  Shape all(starts ? starts->size() : 0);
  std::iota(all.begin(), all.end(), 0);
  const std::optional<Shape> axes = sliceList(c, 3, "axes", all),
                             steps = sliceList(c, 4, "", Shape(all.size(), 1));
  if (!starts || !axes || !steps)
    return std::nullopt;
  return eachOf(c, output, [&](Shape at) {
    for (size_t i = 0; i < starts->size(); ++i) {
      const int64_t d = (*axes)[i] < 0 ? (*axes)[i] + c.rank(0) : (*axes)[i], size = c.shape(0)[d];
      const int64_t step = (*steps)[i], given = (*starts)[i], start = given < 0 ? given + size : given;
      at[d] = std::clamp<int64_t>(start, 0, step > 0 ? size : size - 1) + at[d] * step;
    }
    return Source{0, flatIndex(c.shape(0), at)};
  });
}

std::optional<Sources> repeated(const C &c, unsigned output) {
  return eachOf(c, output, [&](Shape at) {
    for (size_t d = 0; d < at.size(); ++d)
      at[d] %= c.shape(0)[d];
    return Source{0, flatIndex(c.shape(0), at)};
  });
}

std::optional<Sources> chosen(const C &c, unsigned output) {
  const std::optional<Shape> condition = c.integers(0);
  if (!condition)
    return std::nullopt;
  return eachOf(c, output, [&](const Shape &at) {
    const unsigned input = (*condition)[broadcastIndex(c.shape(0), at)] ? 1 : 2;
    return Source{input, broadcastIndex(c.shape(input), at)};
  });
}

} // namespace

int64_t flatIndex(const Shape &shape, const Shape &at) {
  int64_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    index = index * shape[d] + at[d];
  return index;
}

int64_t broadcastIndex(const Shape &shape, const Shape &at) {
  const size_t more = at.size() - shape.size();
  int64_t index = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    index = index * shape[d] + (shape[d] == 1 ? 0 : at[more + d]);
  return index;
}

std::optional<std::vector<Source>> sourcesOf(const NodeCheck &c, unsigned output) {
  using Move = std::optional<Sources> (*)(const C &, unsigned);
  static const std::map<std::string, Move> moves = {
      {"Concat", joined},      {"Expand", broadcast},  {"Flatten", asTheyAre},    {"Gather", gathered},
      {"Identity", asTheyAre}, {"Reshape", asTheyAre}, {"Slice", sliced},         {"Split", part},
      {"Squeeze", asTheyAre},  {"Tile", repeated},     {"Transpose", transposed}, {"Unsqueeze", asTheyAre},
      {"Where", chosen}};
  const auto found = moves.find(c.node.proto.op_type());
  return found == moves.end() ? std::nullopt : found->second(c, output);
}

} // namespace daedalus::onnximport
