// Builds kernels in the form that the targets take (docs of the exact form: Kernels.h, one function a form).

#ifndef DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_KERNELBUILDER_H
#define DAEDALUS_LIB_CONVERSION_GRAPHTOLINALG_KERNELBUILDER_H

#include "daedalus/Dialect/Qnn/Transforms/Arithmetic.h"
#include "daedalus/Kernels/Window.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace daedalus {

/// A kernel under construction. Values are tensors of plain integers or floats.
class KernelBuilder : public kernels::Body {
public:
  /// A private function `symbol` at the end of `module`, its builder at the start of its body.
  KernelBuilder(mlir::ModuleOp module, mlir::Location loc, llvm::StringRef symbol, mlir::TypeRange inputs,
                mlir::Type result);

  mlir::Value argument(unsigned index) { return function.getArgument(index); }
  mlir::Value requantized(mlir::Value acc, const Requant &requant);
  /// With one entry of `requant` a position of the dimensions 1 and 2 instead of a channel.
  mlir::Value requantizedByPosition(mlir::Value acc, const Requant &requant);
  mlir::func::FuncOp finish(mlir::Value result);

  mlir::func::FuncOp function;

private:
  mlir::Value requantizedBy(kernels::Sizes shape, mlir::AffineMap entry, mlir::Value acc,
                            const Requant &requant);
};

} // namespace daedalus

#endif
