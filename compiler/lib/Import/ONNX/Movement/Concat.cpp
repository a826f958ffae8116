// Concat and Split. Sizes of parts may come at run time: the outputs' shapes are the declared ones then, and
// the kernel gives up where the values do not give them.

#include "OperatorTable.h"
#include "Values/EmptyTensor.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using llvm::Twine;

namespace daedalus::onnximport {
namespace {

bool concat(C &c) {
  int64_t axis = 0;
  if (!c.axis("axis", 1, c.rank(0), axis))
    return false;
  Shape shape = c.shape(0);
  for (size_t i = 1; i < c.inputs.size(); ++i)
    if (c.rank(i) == c.rank(0))
      shape[axis] += c.shape(i)[axis];
  for (size_t i = 0; i < c.inputs.size(); ++i)
    for (int64_t d = 0; d < c.rank(0); ++d)
      if (c.rank(i) != c.rank(0) || (d != axis && c.shape(i)[d] != shape[d]))
        return c.fail("joins shape " + shapeText(c.shape(i)) + " along axis " + Twine(c.integer("axis", 1)) +
                      " into " + shapeText(shape) + "; expected the same other dimensions");
  return c.output(0, shape);
}

/// From opset 18 on `num_outputs` parts are of one size but the last, which may be smaller.
bool splitEvenly(C &c, int64_t size, Shape &sizes) {
  const int64_t parts = c.outputs.size(), given = c.integer("num_outputs", 0);
  if (given != parts)
    return c.attribute("num_outputs")
               ? c.failToFit("num_outputs", Twine(given), Twine(parts) + ", as many as outputs")
               : c.fail(
                     "has neither sizes nor their number; expected input 'split' or attribute 'num_outputs'");
  const int64_t each = (size + parts - 1) / parts;
  sizes.assign(parts, each);
  sizes.back() = size - each * (parts - 1);
  return sizes.back() >= 0 || c.fail("splits a dimension of size " + Twine(size) + " into " + Twine(parts) +
                                     " parts of " + Twine(each) + "; expected at least that many elements");
}

/// The sizes of the parts; nothing where they come at run time.
bool splitSizes(C &c, int64_t size, std::optional<Shape> &sizes) {
  const int64_t parts = c.outputs.size();
  sizes = Shape(parts, size / parts);
  if (c.has(1)) {
    sizes = c.integers(1);
    return c.isVector(1) &&
           (c.shape(1)[0] == parts ||
            c.fail("input '" + c.name(1) + "' has shape " + shapeText(c.shape(1)) + "; expected [" +
                   Twine(parts) + "], as the node has " + Twine(parts) + " outputs"));
  }
  if (c.attribute("split")) {
    sizes = c.list("split", {});
    return static_cast<int64_t>(sizes->size()) == parts ||
           c.failToFit("split", shapeText(*sizes), "a size for each of " + Twine(parts) + " outputs");
  }
  if (c.attribute("num_outputs") || c.version >= 18)
    return splitEvenly(c, size, *sizes);
  return size % parts == 0 ||
         c.fail("has " + Twine(parts) + " outputs for equal parts of a dimension of size " + Twine(size) +
                "; expected a number that divides it");
}

bool split(C &c) {
  int64_t axis = 0;
  std::optional<Shape> sizes;
  if (c.version < 2 && c.has(1))
    return c.fail("has its sizes as an input; expected opset 2 or newer");
  if (!c.axis("axis", 0, c.rank(0), axis) || !splitSizes(c, c.shape(0)[axis], sizes))
    return false;
  if (!sizes) {
    Shape open = c.shape(0);
    open[axis] = -1;
    for (size_t i = 0; i < c.outputs.size(); ++i)
      if (!c.outputDeclaredAs(i, open))
        return false;
    return true;
  }
  int64_t rest = c.shape(0)[axis];
  for (int64_t size : *sizes)
    rest -= size < 0 || size > rest ? rest + 1 : size;
  if (rest != 0)
    return c.fail("splits a dimension of size " + Twine(c.shape(0)[axis]) + " into parts of " +
                  shapeText(*sizes) + "; expected sizes of that sum");
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    Shape shape = c.shape(0);
    shape[axis] = (*sizes)[i];
    if (!c.output(i, shape))
      return false;
  }
  return true;
}

Value concat(K &k) {
  const int64_t rank = k.output.shape.size(), axis = k.axis(k.integer("axis", 0), rank);
  Value result = k.b.create<tensor::EmptyOp>(k.loc, k.output.shape, k.outputType());
  SmallVector<OpFoldResult> offsets(rank, k.b.getIndexAttr(0)), strides(rank, k.b.getIndexAttr(1));
  int64_t at = 0;
  for (size_t i = 0; i < k.operands.size(); ++i) {
    if (!k.has(i) || product(k.shape(i)) == 0)
      continue;
    SmallVector<OpFoldResult> sizes;
    for (int64_t size : k.shape(i))
      sizes.push_back(k.b.getIndexAttr(size));
    offsets[axis] = k.b.getIndexAttr(at);
    result = k.b.create<tensor::InsertSliceOp>(k.loc, k.in(i), result, offsets, sizes, strides);
    at += k.shape(i)[axis];
  }
  return result;
}

Value split(K &k) {
  const int64_t axis = k.axis(k.integer("axis", 0), k.rank(0));
  Shape starts(k.rank(0), 0), steps(k.rank(0), 1);
  for (unsigned before = 0; before < k.outputIndex; ++before)
    starts[axis] += k.outputs[before].shape[axis];
  if (k.has(1) && !k.constant(1))
    for (auto [i, part] : llvm::enumerate(k.outputs))
      k.require(k.equal(k.indexAt(1, i), k.index(part.shape[axis])), "split");
  return k.slice(k.in(0), starts, k.output.shape, steps);
}

/// Of parts with elements; of one alone a view.
Covered importConcat(Importer &im, const Node &node) {
  SmallVector<int> inputs;
  for (int i = 0; i < node.proto.input_size(); ++i)
    if (!llvm::is_contained(im.known(node, i).shape, 0))
      inputs.push_back(i);
  if (inputs.empty() || !llvm::all_of(inputs, [&](int i) { return im.isReal(node, i); }))
    return false;
  FailureOr<PlainType> output = im.declaredType(node, node.proto.output(0));
  if (failed(output))
    return failure();
  const int64_t rank = output->shape.size(), given = intAttribute(node, "axis", 1);
  SmallVector<Value> parts;
  for (int i : inputs)
    parts.push_back(im.valueOf(node, i));
  im.define(node, im.builder.create<qnn::ConcatOp>(node.loc, im.realType(output->shape), parts,
                                                   given < 0 ? given + rank : given));
  return true;
}

Covered importSplit(Importer &im, const Node &node) {
  const Shape x = im.known(node, 0).shape;
  if (!im.canMove(node) || (im.has(node, 1) && !im.constantInput(node, 1)))
    return false;
  FailureOr<std::vector<PlainType>> outputs = im.declaredOutputs(node);
  if (failed(outputs))
    return failure();
  for (const PlainType &output : *outputs) // one without a name has no shape
    if (output.shape.size() != x.size())
      return false;
  const int64_t given = intAttribute(node, "axis", 0), rank = x.size();
  const int64_t axis = given < 0 ? given + rank : given;
  Shape start(rank, 0);
  Value input = im.valueOf(node, 0);
  for (auto [i, output] : llvm::enumerate(*outputs)) {
    const Shape size(output.shape.begin(), output.shape.end());
    if (llvm::is_contained(size, 0)) {
      OnnxValue none;
      none.dtype = output.dtype, none.shape = size, none.isConstant = true;
      none.constant = emptyTensor(output.dtype, size);
      im.output(node, int(i)) = none;
      continue;
    }
    const auto part = cast<RankedTensorType>(input.getType()).clone(size);
    im.defineMoved(node, im.builder.create<tosa::SliceOp>(node.loc, part, input, start, size), i);
    start[axis] += size[axis];
  }
  return true;
}

} // namespace

void addConcat(Operators &all) {
  all["Concat"] = {1, concat, concat, importConcat, "accelerator, along channels; CPU in int8 along others"};
  all["Split"] = {1, split, split, importSplit, "accelerator; parts of known sizes"};
}

} // namespace daedalus::onnximport
