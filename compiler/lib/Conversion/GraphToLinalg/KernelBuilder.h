// Builds kernels in the form that the targets take (docs of the exact form: Kernels.cpp, one function a
// form).

#ifndef DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_KERNELBUILDER_H
#define DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_KERNELBUILDER_H

#include "Arithmetic.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace daedalus {

/// The body of one kernel under construction. Values are tensors of plain integers or floats.
class KernelBuilder {
public:
  /// A private function `symbol` at the end of `module`, its builder at the start of its body.
  KernelBuilder(mlir::ModuleOp module, mlir::Location loc, llvm::StringRef symbol, mlir::TypeRange inputs,
                mlir::Type result);

  mlir::Value argument(unsigned index) { return function.getArgument(index); }
  mlir::Value empty(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value filled(llvm::ArrayRef<int64_t> shape, mlir::Type element, int64_t value);
  mlir::Value scalar(mlir::Type element, int64_t value);
  mlir::Value constant(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int8_t> data);
  mlir::Value constant(llvm::ArrayRef<int32_t> data);
  /// `pads` as qnn has them: top, bottom, left, right of the dimensions 1 and 2.
  mlir::Value padded(mlir::Value x, llvm::ArrayRef<int64_t> pads, int64_t value);
  mlir::Value requantized(mlir::Value acc, const Requant &requant);
  /// With one entry of `requant` a position of the dimensions 1 and 2 instead of a channel.
  mlir::Value requantizedByPosition(mlir::Value acc, const Requant &requant);
  /// An elementwise generic; `maps` of the inputs, the output's is the identity.
  mlir::Value elementwise(mlir::ValueRange inputs, llvm::ArrayRef<mlir::AffineMap> maps, mlir::Value output,
                          llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> body);
  mlir::func::FuncOp finish(mlir::Value result);

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::func::FuncOp function;

private:
  mlir::Value requantizedBy(mlir::AffineMap entry, mlir::ValueRange parameters, mlir::Value acc,
                            const Requant &requant);
};

llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);

} // namespace daedalus

#endif
