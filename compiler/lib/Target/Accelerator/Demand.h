// What the streams of a model need of the accelerator at least: products of tiles, and bytes of DRAM when
// each tensor is read and written once.

#ifndef DAEDALUS_LIB_TARGET_ACCELERATOR_DEMAND_H
#define DAEDALUS_LIB_TARGET_ACCELERATOR_DEMAND_H

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/Accelerator/Accelerator.h"

#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseMap.h"

namespace daedalus::accelerator {

class Demand {
public:
  Demand(const mlir::SymbolTable &symbols, const isa::Machine &machine)
      : symbols(symbols), machine(machine) {}

  /// A stream of calls; `unstored`: as of AcceleratorStream.
  void add(host::StepOp step, mlir::func::FuncOp stream, llvm::ArrayRef<mlir::Value> unstored);

  /// Adds the sums to what the package says of the accelerator.
  void write(host::PackageOp package) const;

private:
  bool isPutTogether(mlir::Value value) const;

  const mlir::SymbolTable &symbols;
  const isa::Machine &machine;
  uint64_t tileCycles = 0, readBytes = 0, writtenBytes = 0;
  llvm::DenseMap<mlir::Value, uint64_t>
      readBySteps; ///< by the value of @main: a tensor of several readers counts once
};

} // namespace daedalus::accelerator

#endif
