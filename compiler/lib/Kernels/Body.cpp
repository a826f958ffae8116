// See Body.h.

#include "daedalus/Kernels/Body.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <functional>

using namespace mlir;

namespace daedalus::kernels {

int64_t product(Sizes sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// One linalg.generic that starts from `init`. The loops that `map` names are parallel.
Value Body::structured(Value init, AffineMap map, Reads reads, Accumulate accumulate) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Read &read : reads)
    if (read.tensor) {
      inputs.push_back(read.tensor);
      maps.push_back(read.map);
    }
  maps.push_back(map);
  SmallVector<utils::IteratorType> loops;
  for (unsigned d = 0; d < map.getNumDims(); ++d)
    loops.push_back(map.isFunctionOfDim(d) ? utils::IteratorType::parallel : utils::IteratorType::reduction);
  auto body = [&](OpBuilder &nested, Location, ValueRange arguments) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(nested.getBlock());
    b.create<linalg::YieldOp>(loc, accumulate(arguments.back(), elementsOf(reads, arguments)));
  };
  return b.create<linalg::GenericOp>(loc, TypeRange{init.getType()}, inputs, init, maps, loops, body)
      .getResult(0);
}

Value Body::elementwise(Sizes shape, Type type, Reads reads, Combine combine) {
  return structured(empty(shape, type), b.getMultiDimIdentityMap(shape.size()), reads,
                    [&](Value, ValueRange elements) { return combine(elements); });
}

Value Body::elementwise(Value tensor, function_ref<Value(Value)> function) {
  const Sizes shape = shapeOf(tensor);
  return elementwise(shape, elementOf(tensor), broadcast(tensor, shape),
                     [&](ValueRange x) { return function(x[0]); });
}

Value Body::reduce(Sizes shape, AffineMap map, Value init, Reads reads, Accumulate accumulate) {
  return structured(filled(shape, init), map, reads, accumulate);
}

Value Body::reduce(Value tensor, ArrayRef<unsigned> dimensions, Value init, Join join) {
  SmallVector<int64_t> shape, reduced(dimensions.begin(), dimensions.end());
  for (auto [d, size] : llvm::enumerate(shapeOf(tensor)))
    if (!llvm::is_contained(dimensions, d))
      shape.push_back(size);
  auto body = [&](OpBuilder &nested, Location, ValueRange arguments) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(nested.getBlock());
    b.create<linalg::YieldOp>(loc, join(arguments[1], arguments[0]));
  };
  return b.create<linalg::ReduceOp>(loc, tensor, filled(shape, init), reduced, body)->getResult(0);
}

Value Body::loopIndex(unsigned loop) {
  return b.create<linalg::IndexOp>(loc, loop);
}

Value Body::empty(Sizes shape, Type type) {
  return b.create<tensor::EmptyOp>(loc, shape, type);
}

Value Body::filled(Sizes shape, Value value) {
  return b.create<linalg::FillOp>(loc, value, empty(shape, value.getType())).getResult(0);
}

Value Body::filled(Sizes shape, double value, Type type) {
  Value init = empty(shape, type);
  return b.create<linalg::FillOp>(loc, number(value, type), init).getResult(0);
}

Value Body::pad(Value tensor, Sizes before, Sizes behind, Value value) {
  SmallVector<int64_t> shape(shapeOf(tensor));
  for (size_t d = 0; d < shape.size(); ++d)
    shape[d] += before[d] + behind[d];
  if (Sizes(shape) == shapeOf(tensor))
    return tensor;
  auto type = RankedTensorType::get(shape, elementOf(tensor));
  return b.create<tensor::PadOp>(loc, type, tensor, getAsIndexOpFoldResult(b.getContext(), before),
                                 getAsIndexOpFoldResult(b.getContext(), behind), value);
}

Value Body::slice(Value tensor, Sizes starts, Sizes shape, Sizes steps) {
  if (product(shape) == 0)
    return empty(shape, elementOf(tensor));
  SmallVector<OpFoldResult> from, sizes, by; // of the dimensions that go forwards; the others stay whole
  SmallVector<AffineExpr> at;
  for (unsigned d = 0; d < shape.size(); ++d) {
    const bool isForward = steps[d] > 0;
    from.push_back(b.getIndexAttr(isForward ? starts[d] : 0));
    sizes.push_back(b.getIndexAttr(isForward ? shape[d] : shapeOf(tensor)[d]));
    by.push_back(b.getIndexAttr(isForward ? steps[d] : 1));
    at.push_back(isForward ? b.getAffineDimExpr(d) : b.getAffineDimExpr(d) * steps[d] + starts[d]);
  }
  Value part = b.createOrFold<tensor::ExtractSliceOp>(loc, tensor, from, sizes, by);
  if (llvm::all_of(steps, [](int64_t step) { return step > 0; }))
    return part;
  return elementwise(shape, elementOf(tensor),
                     Read{part, AffineMap::get(shape.size(), 0, at, b.getContext())},
                     [](ValueRange x) { return x[0]; });
}

Value Body::insertSlice(Value part, Value tensor, Sizes starts, Sizes steps) {
  MLIRContext *context = b.getContext();
  return b.create<tensor::InsertSliceOp>(loc, part, tensor, getAsIndexOpFoldResult(context, starts),
                                         getAsIndexOpFoldResult(context, shapeOf(part)),
                                         getAsIndexOpFoldResult(context, steps));
}

Value Body::transpose(Value tensor, Sizes permutation) {
  if (permutation.empty()) // of which linalg.transpose has no map
    return elementwise(tensor, [](Value element) { return element; });
  SmallVector<int64_t> shape;
  for (int64_t d : permutation)
    shape.push_back(shapeOf(tensor)[d]);
  return b.create<linalg::TransposeOp>(loc, tensor, empty(shape, elementOf(tensor)), permutation)
      ->getResult(0);
}

Value Body::reshape(Value tensor, Sizes shape) {
  auto from = cast<RankedTensorType>(tensor.getType()),
       to = RankedTensorType::get(shape, from.getElementType());
  if (from == to)
    return tensor;
  if (to.getNumElements() == 0)
    return empty(shape, from.getElementType());
  if (auto groups = getReassociationIndicesForReshape(from, to)) {
    if (from.getRank() > to.getRank())
      return b.create<tensor::CollapseShapeOp>(loc, to, tensor, *groups);
    return b.create<tensor::ExpandShapeOp>(loc, to, tensor, *groups);
  }
  return reshape(reshape(tensor, to.getNumElements()), shape);
}

/// The arguments of a body, and the numbers among what it reads.
SmallVector<Value> Body::elementsOf(Reads reads, ValueRange arguments) {
  SmallVector<Value> elements;
  for (const Read &read : reads) {
    if (read.tensor) {
      elements.push_back(arguments.front());
      arguments = arguments.drop_front();
    } else {
      elements.push_back(b.create<arith::ConstantOp>(loc, read.number));
    }
  }
  return elements;
}

Read Body::broadcast(Value tensor, Sizes shape) {
  Sizes sizes = shapeOf(tensor);
  SmallVector<AffineExpr> at;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    const unsigned loop = shape.size() - sizes.size() + d;
    at.push_back(size == shape[loop] ? b.getAffineDimExpr(loop) : b.getAffineConstantExpr(0));
  }
  return {tensor, AffineMap::get(shape.size(), 0, at, b.getContext())};
}

Value Body::gather(Sizes shape, Type type, Gather combine) {
  return elementwise(shape, type, {}, [&](ValueRange) {
    Indices at;
    for (unsigned d = 0; d < shape.size(); ++d)
      at.push_back(loopIndex(d));
    return combine(at);
  });
}

Value Body::element(Value tensor, const Indices &at) {
  return b.create<tensor::ExtractOp>(loc, tensor, at);
}

Value Body::inside(Value at, int64_t size) {
  return clamp(at, index(0), index(std::max<int64_t>(size - 1, 0)));
}

SmallVector<Value> Body::iterate(int64_t count, ValueRange init, Step step) {
  auto loop = b.create<scf::ForOp>(loc, index(0), index(count), index(1), init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  const SmallVector<Value> next = step(loop.getInductionVar(), loop.getRegionIterArgs());
  b.create<scf::YieldOp>(loc, next);
  return SmallVector<Value>(loop.getResults());
}

Value Body::iterate(Sizes shape, Value init, StepAt step) {
  Indices at;
  const std::function<Value(Value)> along = [&](Value tensor) -> Value {
    if (at.size() == shape.size())
      return step(at, tensor);
    return iterate(shape[at.size()], tensor, [&](Value index, ValueRange tensors) {
      at.push_back(index);
      const Value next = along(tensors[0]);
      at.pop_back();
      return SmallVector<Value>{next};
    })[0];
  };
  return along(init);
}

Value Body::insert(Value element, Value tensor, const Indices &at) {
  return b.create<tensor::InsertOp>(loc, element, tensor, at);
}

void Body::require(Value condition, StringRef what) {
  if (isTrue(condition))
    return;
  b.create<cf::AssertOp>(loc, condition, what);
}

Value Body::constant(DenseElementsAttr elements) {
  return b.create<arith::ConstantOp>(loc, elements);
}

} // namespace daedalus::kernels
