// The body of a kernel: tensors given by what an element of them is made of. They become operations of linalg
// that take the tensors which they read as inputs, with a map from the loops to the element, so that a
// backend can tile, fuse and pack them; views and padding are operations of tensor.

#ifndef DAEDALUS_KERNELS_BODY_H
#define DAEDALUS_KERNELS_BODY_H

#include "daedalus/Dialect/Shapes.h"
#include "daedalus/Kernels/Scalars.h"

namespace daedalus::kernels {

using Sizes = llvm::ArrayRef<int64_t>;
using Indices = llvm::SmallVector<mlir::Value, 6>;

/// What a structured operation reads in each iteration: the element of a tensor where a map of its loops
/// says, or a number.
struct Read {
  mlir::Value tensor = {};
  mlir::AffineMap map = {};
  mlir::TypedAttr number = {}; ///< if there is no tensor
};
using Reads = llvm::ArrayRef<Read>;

class Body : public Scalars {
public:
  using Combine = llvm::function_ref<mlir::Value(mlir::ValueRange elements)>;
  using Accumulate = llvm::function_ref<mlir::Value(mlir::Value accumulator, mlir::ValueRange elements)>;
  using Join = llvm::function_ref<mlir::Value(mlir::Value accumulator, mlir::Value element)>;
  using Gather = llvm::function_ref<mlir::Value(const Indices &)>;

  using Step =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value index, mlir::ValueRange tensors)>;
  using StepAt = llvm::function_ref<mlir::Value(const Indices &at, mlir::Value tensor)>;

  using Scalars::Scalars;

  /// The tensor of that shape whose element is combine(elements), of the elements that are read.
  mlir::Value elementwise(Sizes shape, mlir::Type type, Reads reads, Combine combine);
  /// The same of one tensor and its shape.
  mlir::Value elementwise(mlir::Value tensor, llvm::function_ref<mlir::Value(mlir::Value)> function);
  /// The tensor of that shape whose element at index map(loops) starts as `init` and is
  /// accumulate(it, elements) for all other loops in order, those that the map does not name: they reduce.
  mlir::Value reduce(Sizes shape, mlir::AffineMap map, mlir::Value init, Reads reads, Accumulate accumulate);
  /// The tensor without these dimensions, whose elements are joined with `init`, in order.
  mlir::Value reduce(mlir::Value tensor, llvm::ArrayRef<unsigned> dimensions, mlir::Value init, Join join);
  /// An operation of linalg's that has a name, into `init`.
  template <class Op, class... Attributes>
  mlir::Value named(mlir::ValueRange inputs, mlir::Value init, Attributes... attributes) {
    return b.create<Op>(loc, init.getType(), inputs, init, attributes...).getResult(0);
  }
  /// A tensor as elementwise() reads it for a result of `shape`, which it broadcasts to (numpy's rule).
  Read broadcast(mlir::Value tensor, Sizes shape);
  /// The index of a loop, inside of a structured operation.
  mlir::Value loopIndex(unsigned loop);
  mlir::Value empty(Sizes shape, mlir::Type type);
  mlir::Value filled(Sizes shape, mlir::Value value);
  mlir::Value filled(Sizes shape, double value, mlir::Type type);
  /// The tensor with `value` before and behind each dimension.
  mlir::Value pad(mlir::Value tensor, Sizes before, Sizes behind, mlir::Value value);
  /// The elements of a tensor of `shape`, from `starts` on in steps, which may go backwards or stay.
  mlir::Value slice(mlir::Value tensor, Sizes starts, Sizes shape, Sizes steps);
  /// The tensor with the elements of `part` in it, from `starts` on in steps.
  mlir::Value insertSlice(mlir::Value part, mlir::Value tensor, Sizes starts, Sizes steps);
  /// Dimension d of the result is dimension permutation[d] of the tensor.
  mlir::Value transpose(mlir::Value tensor, Sizes permutation);
  /// The same elements in another shape: tensor.collapse_shape and tensor.expand_shape.
  mlir::Value reshape(mlir::Value tensor, Sizes shape);
  /// The map of `count` loops to some of them.
  mlir::AffineMap loops(unsigned count, llvm::ArrayRef<unsigned> results) {
    return mlir::AffineMap::getMultiDimMapWithTargets(count, results, b.getContext());
  }

  /// The tensor of that shape whose element at index i is combine(i), which reads elements that no map of i
  /// names.
  mlir::Value gather(Sizes shape, mlir::Type type, Gather combine);
  mlir::Value element(mlir::Value tensor, const Indices &at);
  mlir::Value inside(mlir::Value at, int64_t size); ///< an index moved into a dimension

  /// `init` after `step`, which gives the next tensor of the one so far, for 0, 1, ... `count` - 1; `init`
  /// may be several tensors.
  llvm::SmallVector<mlir::Value> iterate(int64_t count, mlir::ValueRange init, Step step);
  /// The same of one tensor and all indices of a tensor of `shape`, in row-major order.
  mlir::Value iterate(Sizes shape, mlir::Value init, StepAt step);
  mlir::Value insert(mlir::Value element, mlir::Value tensor, const Indices &at);

  /// The kernel gives up at run time where `condition` (i1) does not hold.
  void require(mlir::Value condition, llvm::StringRef what);

  mlir::Value constant(mlir::DenseElementsAttr elements);
  /// Of int8, int32, float32 or float64.
  template <class T> mlir::Value constant(Sizes shape, llvm::ArrayRef<T> values) {
    mlir::Type type = b.getIntegerType(8 * sizeof(T));
    if constexpr (std::is_floating_point_v<T>)
      type = sizeof(T) == 4 ? b.getF32Type() : b.getF64Type();
    return constant(mlir::DenseElementsAttr::get(mlir::RankedTensorType::get(shape, type), values));
  }

private:
  mlir::Value structured(mlir::Value init, mlir::AffineMap map, Reads reads, Accumulate accumulate);
  llvm::SmallVector<mlir::Value> elementsOf(Reads reads, mlir::ValueRange arguments);
};

int64_t product(Sizes sizes);

} // namespace daedalus::kernels

#endif
