// Arithmetic on the numbers inside of a kernel: floats, integers, indices and booleans.

#ifndef DAEDALUS_KERNELS_SCALARS_H
#define DAEDALUS_KERNELS_SCALARS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace daedalus::kernels {

/// Values are signless; where signs matter the caller says them. Booleans are bytes of 0 and 1 in tensors,
/// and i1 as scalars.
class Scalars {
public:
  /// What is made stands where `builder` stands.
  Scalars(const mlir::OpBuilder &builder, mlir::Location loc) : b(builder), loc(loc) {}

  mlir::Value index(int64_t value);
  std::optional<int64_t> constantOf(mlir::Value index); ///< what of an index is known when compiling
  std::optional<llvm::SmallVector<int64_t, 4>> constantsOf(mlir::ValueRange indices); ///< of all, or nothing
  bool isTrue(mlir::Value truth) { return constantOf(truth).value_or(0) != 0; }
  mlir::TypedAttr numberOf(double value, mlir::Type type); ///< float, integer or index
  mlir::Value number(double value, mlir::Type type);
  mlir::Value f32(double value) { return number(value, b.getF32Type()); }
  mlir::Value boolean(bool value);
  mlir::Value toIndex(mlir::Value value); ///< of a signed integer
  mlir::Value fromIndex(mlir::Value value, mlir::Type type);
  mlir::Value truth(mlir::Value stored); ///< i1 of a stored boolean, or of any integer or float
  mlir::Value stored(mlir::Value truth); ///< and back

  // On floats, integers and indices. Of constants an index or a truth is a constant.
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value div(mlir::Value x, mlir::Value y, bool isUnsigned = false); ///< truncating on integers
  mlir::Value min(mlir::Value x, mlir::Value y, bool isUnsigned = false); ///< of a NaN and a number: NaN
  mlir::Value max(mlir::Value x, mlir::Value y, bool isUnsigned = false);
  mlir::Value clamp(mlir::Value x, mlir::Value lo, mlir::Value hi, bool isUnsigned = false);
  enum class Compare { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };
  mlir::Value compare(Compare how, mlir::Value x, mlir::Value y, bool isUnsigned = false);
  mlir::Value equal(mlir::Value x, mlir::Value y);
  mlir::Value both(mlir::Value x, mlir::Value y);   ///< and
  mlir::Value either(mlir::Value x, mlir::Value y); ///< or
  mlir::Value negate(mlir::Value x);                ///< not
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y);
  mlir::Value absolute(mlir::Value x); ///< of a signed number

  // On floats.
  mlir::Value exp(mlir::Value x);
  mlir::Value log(mlir::Value x);

  mlir::OpBuilder b;
  mlir::Location loc;

private:
  mlir::Value known(mlir::Value value);
};

} // namespace daedalus::kernels

#endif
