// Kernels that only move elements: repetitions, and inputs side by side.

#include "Kernels/Reader.h"

namespace daedalus::accelerator {

/// Each row and each column several times: [b][h][repeats][w][repeats][c] of [b][h][w][c]; false where it is
/// something else.
bool Reader::readRepeats(const Block &block, const Access &access) {
  if (access.shape.size() != 4)
    return false;
  llvm::SmallVector<std::optional<unsigned>, 4> own; // the iterator of each dimension
  llvm::SmallVector<bool, 6> isOwn(block.iterators.size(), false);
  for (auto [at, size] : llvm::zip(access.at, access.shape)) { // nothing outside of it is read then
    own.push_back(at.onlyIterator());
    const bool isWhole =
        own.back() ? block.iterators[*own.back()].extent == size && !isOwn[*own.back()]
                   : size == 1 && at.offset == 0 && llvm::all_of(at.factors, [](int64_t f) { return !f; });
    if (!isWhole)
      return false;
    if (own.back())
      isOwn[*own.back()] = true;
  }
  // Iterators stand in the order of the output.
  std::vector<unsigned> expected, found;
  std::optional<unsigned> repeatH, repeatW;
  for (unsigned d = 0; d < block.iterators.size(); ++d) {
    found.push_back(d);
    if (isOwn[d])
      continue;
    const bool isOfRows = own[2] ? d < *own[2] : !repeatH && d + 1 < block.iterators.size() && !isOwn[d + 1];
    (isOfRows ? repeatH : repeatW) = d; // the last of several, which are not `expected` then
  }
  for (const std::optional<unsigned> &iterator : {own[0], own[1], repeatH, own[2], repeatW, own[3]})
    if (iterator)
      expected.push_back(*iterator);
  if (expected != found)
    return false;
  setShape(access.shape);
  kernel.repeatH = repeatH ? block.iterators[*repeatH].extent : 1;
  kernel.repeatW = repeatW ? block.iterators[*repeatW].extent : 1;
  kernel.tail.result = kernel.tail.all.argument(0, 8);
  return addInput(access).has_value();
}

/// Arguments in slices of one tensor that lie one behind the other in its last dimension.
bool Reader::readParts(mlir::tensor::InsertSliceOp last) {
  const llvm::ArrayRef<int64_t> shape = last.getType().getShape();
  setShape(shape);
  std::vector<mlir::tensor::InsertSliceOp> slices;
  for (mlir::tensor::InsertSliceOp op = last; op;
       op = op.getDest().getDefiningOp<mlir::tensor::InsertSliceOp>())
    slices.insert(slices.begin(), op);
  int64_t end = 0;
  for (mlir::tensor::InsertSliceOp slice : slices) {
    const auto offsets = slice.getStaticOffsets(), strides = slice.getStaticStrides();
    const llvm::ArrayRef<int64_t> part = slice.getStaticSizes();
    const bool isBehind = !offsets.empty() && offsets.back() == end &&
                          llvm::all_of(offsets.drop_back(), [](int64_t offset) { return offset == 0; }) &&
                          llvm::all_of(strides, [](int64_t stride) { return stride == 1; }) &&
                          part.drop_back() == shape.drop_back();
    if (!isBehind)
      return fail("puts its inputs side by side along another dimension than channels");
    kernel.parts.push_back(part.back());
    end += part.back();
    Access source{slice.getSource()};
    if (const auto copy = blocks.find(source.tensor); copy != blocks.end()) {
      const Block &block = copy->second;
      const Expr &node = block.expressions[block.result];
      if (node.kind != ExprKind::Argument || size_t(node.value) >= block.inputs.size() ||
          !block.writesInOrder() || !isPointwise(block, block.inputs[node.value]))
        return fail("it computes something of the inputs that it puts side by side");
      source = block.inputs[node.value];
    }
    if (!addInput(source))
      return false;
  }
  kernel.tail.result = kernel.tail.all.argument(0, 8); // of each part
  return end == shape.back() || fail("its slices do not fill its result");
}

} // namespace daedalus::accelerator
