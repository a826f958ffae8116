// CenterCropPad and ReverseSequence.

#include "Body/Indexed.h"
#include "OperatorTable.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool centerCropPad(C &c) {
  Shape axes;
  if (!c.axesOrAll(axes))
    return false;
  if (!c.hasShape(1, {static_cast<int64_t>(axes.size())},
                  c.attribute("axes") ? ", one for each of attribute 'axes'" : ""))
    return false;
  const std::optional<Shape> sizes = c.integers(1);
  Shape shape = c.shape(0);
  if (!sizes) {
    for (int64_t axis : axes)
      shape[axis] = -1;
    return c.outputDeclaredAs(0, shape);
  }
  for (auto [axis, size] : llvm::zip(axes, *sizes)) {
    if (size < 0 || size > int64_t(1) << 31)
      return c.fail("crops or pads to " + shapeText(*sizes) + "; expected sizes from 0 to 2^31");
    shape[axis] = size;
  }
  return c.output(0, shape);
}

bool reverseSequence(C &c) {
  const int64_t batch = c.integer("batch_axis", 1), time = c.integer("time_axis", 0);
  if (!c.rankAtLeast(0, 2))
    return false;
  if (batch < 0 || batch > 1 || time != 1 - batch)
    return c.fail("attributes 'batch_axis' and 'time_axis' have values " + Twine(batch) + " and " +
                  Twine(time) + "; expected 0 and 1, or 1 and 0");
  if (!c.hasShape(1, {c.shape(0)[batch]}))
    return false;
  if (const HostTensor *lengths = c.constant(1))
    for (int64_t length : lengths->ints)
      if (length < 0 || length > c.shape(0)[time])
        return c.fail("lengths '" + c.name(1) + "' hold " + Twine(length) + "; expected 0 to " +
                      Twine(c.shape(0)[time]));
  return c.like(0);
}

/// The middle of what is too large; zeros around what is too small.
Value centerCropPad(K &k) {
  const Sizes to = k.output.shape;
  if (!k.constant(1)) {
    Shape axes = intsAttribute(k.node, "axes", {});
    Value fits = k.boolean(true);
    for (int64_t i = 0; i < k.shape(1)[0]; ++i)
      fits =
          k.both(fits, k.equal(k.indexAt(1, i), k.index(to[axes.empty() ? i : k.axis(axes[i], k.rank(0))])));
    k.require(fits, "shape");
  }
  Shape starts, sizes, before, behind;
  for (auto [from, to] : llvm::zip(k.shape(0), to)) {
    sizes.push_back(std::min(from, to));
    starts.push_back((from - sizes.back()) / 2);
    before.push_back((to - sizes.back()) / 2);
    behind.push_back(to - sizes.back() - before.back());
  }
  Value part = k.slice(k.in(0), starts, sizes, Shape(sizes.size(), 1));
  return k.pad(part, before, behind, k.number(0, k.outputType()));
}

/// The first elements of each batch along the time, as many as its length says, backwards.
Value reverseSequence(K &k) {
  const int64_t batch = k.integer("batch_axis", 1), time = k.integer("time_axis", 0), size = k.shape(0)[time];
  Value x = k.in(0), lengths = k.in(1);
  requireRange(k, 1, 0, size + 1);
  return k.gatherOutput([&](const Indices &at) {
    Value length = k.toIndex(k.element(lengths, {at[batch]}));
    Indices from = at;
    Value turned = k.sub(k.sub(length, k.index(1)), at[time]);
    from[time] = k.inside(k.select(k.compare(Compare::Less, at[time], length), turned, at[time]), size);
    return k.element(x, from);
  });
}

} // namespace

void addImages(Operators &all) {
  all["CenterCropPad"] = {18, centerCropPad, centerCropPad, nullptr, inInt8};
  all["ReverseSequence"] = {10, reverseSequence, reverseSequence, nullptr, inInt8};
}

} // namespace daedalus::onnximport
