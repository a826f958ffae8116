// The body of a kernel in index notation: a tensor is given by what its element at an index is, a reduction
// by how an element joins an accumulator. Both become linalg.generic, which the CPU target makes loops of.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_GENERAL_BODY_H
#define DAEDALUS_LIB_IMPORT_ONNX_GENERAL_BODY_H

#include "../HostTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace daedalus::onnximport {

using Sizes = llvm::ArrayRef<int64_t>;
using Indices = llvm::SmallVector<mlir::Value, 6>;

/// Values are signless; where signs matter the ONNX type of the operands (`dtype`) says them. Booleans are
/// bytes of 0 and 1 in tensors, and i1 as scalars.
class Body {
public:
  using Element = llvm::function_ref<mlir::Value(const Indices &)>;
  using Join =
      llvm::function_ref<mlir::Value(const Indices &at, const Indices &over, mlir::Value accumulator)>;

  Body(mlir::OpBuilder &builder, mlir::Location loc) : b(builder), loc(loc) {}

  /// The tensor of that shape whose element at index i is element(i).
  mlir::Value compute(Sizes shape, mlir::Type type, Element element);
  /// The tensor whose element at index i starts as `init` and is join(i, r, it) for all r in `over`, in
  /// order. The last `inner` dimensions of the shape run inside of the reduction, so that they vectorize.
  mlir::Value reduce(Sizes shape, Sizes over, mlir::Value init, Join join, unsigned inner = 0);
  /// Element of a tensor.
  mlir::Value read(mlir::Value tensor, const Indices &at);
  /// Element of `tensor` for an index of a shape that it broadcasts to (numpy's rule).
  mlir::Value readBroadcast(mlir::Value tensor, const Indices &at);

  /// The kernel gives up at run time where `condition` (i1) does not hold.
  void require(mlir::Value condition, llvm::StringRef what);

  mlir::Value constant(const HostTensor &host);
  mlir::Value index(int64_t value);
  mlir::Value number(double value, mlir::Type type); ///< float or integer
  mlir::Value boolean(bool value);
  mlir::Value toIndex(mlir::Value value); ///< of a signed integer
  mlir::Value fromIndex(mlir::Value value, mlir::Type type);
  mlir::Value truth(mlir::Value stored); ///< i1 of a stored boolean, or of any integer or float
  mlir::Value stored(mlir::Value truth); ///< and back
  /// Between the types of tensors' elements, as ONNX's Cast; floats are truncated to integers.
  mlir::Value convert(mlir::Value value, int32_t from, int32_t to);

  // On floats, integers and indices.
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value div(mlir::Value x, mlir::Value y, bool isUnsigned = false); ///< truncating on integers
  mlir::Value min(mlir::Value x, mlir::Value y, bool isUnsigned = false); ///< of a NaN and a number: NaN
  mlir::Value max(mlir::Value x, mlir::Value y, bool isUnsigned = false);
  mlir::Value clamp(mlir::Value x, mlir::Value lo, mlir::Value hi, bool isUnsigned = false);
  enum class Compare { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };
  mlir::Value compare(Compare how, mlir::Value x, mlir::Value y, bool isUnsigned = false);
  mlir::Value both(mlir::Value x, mlir::Value y);   ///< and
  mlir::Value either(mlir::Value x, mlir::Value y); ///< or
  mlir::Value negate(mlir::Value x);                ///< not
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  mlir::Value generic(Sizes shape, Sizes over, mlir::Value init, unsigned inner, bool readsInit, Join join);
  mlir::Value fromFloat(mlir::Value value, int32_t to);
};

Sizes sizesOf(mlir::Value tensor);
mlir::Type elementOf(mlir::Value tensor);
int64_t product(Sizes sizes);

} // namespace daedalus::onnximport

#endif
