// What stands around a kernel in @main: the words of a reason that its body cannot give.

#ifndef DAEDALUS_LIB_PIPELINES_NEIGHBOURS_H
#define DAEDALUS_LIB_PIPELINES_NEIGHBOURS_H

#include "daedalus/Analysis/Work.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace daedalus {

class Neighbours {
public:
  explicit Neighbours(const mlir::SymbolTable &symbols) : symbols(symbols) {}

  /// hostWork() of a kernel, asked once; of an external function nothing.
  const std::optional<HostWork> &workOf(mlir::func::FuncOp kernel);
  /// The reason of the called kernel's work, and whether a conversion stands at the boundary of the graph, or
  /// what a kernel of floats lacks for integers: an input or its output that is not quantized, or is to 16
  /// bits.
  std::string reasonOf(mlir::func::CallOp call, const HostWork &work);

private:
  using Test = llvm::function_ref<bool(mlir::Operation *)>;
  using Kind = HostWork::Kind;
  const HostWork *workOf(mlir::Operation *op);
  bool isOf(mlir::Operation *op, Kind kind);
  bool comesFrom(mlir::Value operand, Test test);
  bool goesTo(mlir::Value result, Test test);
  bool isAtBoundary(mlir::func::CallOp call);
  bool isWide(mlir::func::CallOp call);
  bool isQuantized(mlir::Value operand);
  bool isQuantizedBehind(mlir::Value result);
  std::string lacks(mlir::func::CallOp call);

  const mlir::SymbolTable &symbols;
  std::map<mlir::Operation *, std::optional<HostWork>> works; ///< by the kernel
};

} // namespace daedalus

#endif
