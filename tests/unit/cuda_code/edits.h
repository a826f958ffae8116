// Finding and changing operations of kernels in the dialects llvm and nvvm, for faults that are planted.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace daedalus::test {

/// The operations of one type for which `takes` holds, in their order.
template <class Op, class Takes> std::vector<Op> allOf(mlir::ModuleOp module, Takes takes) {
  std::vector<Op> found;
  module.walk([&](Op op) {
    if (takes(op))
      found.push_back(op);
  });
  return found;
}
template <class Op> std::vector<Op> allOf(mlir::ModuleOp module) {
  return allOf<Op>(module, [](Op) { return true; });
}

/// What all edits below say: whether there was something to edit.
template <class Op, class Edit> bool editEach(const std::vector<Op> &ops, Edit edit) {
  for (Op op : ops)
    edit(op);
  return !ops.empty();
}
template <class Op, class Edit> bool editFirst(const std::vector<Op> &ops, Edit edit) {
  if (!ops.empty())
    edit(ops.front());
  return !ops.empty();
}

bool isInLoop(mlir::Operation *op);
std::optional<int64_t> constantOf(mlir::Value value);
/// What a value is before it is widened or narrowed.
mlir::Value beforeCasts(mlir::Value value);
/// An argument of a block that branches give: a loop's counter or sum.
bool isCarried(mlir::Value value);

/// All operations that a value is computed of.
std::vector<mlir::Operation *> sourcesOf(mlir::Value value);

/// The integer that an operand is, and the same plus a number, and its last bit flipped.
void setTo(mlir::OpOperand &operand, int64_t value);
void addTo(mlir::OpOperand &operand, int64_t number);
void flipLastBit(mlir::OpOperand &operand);

bool isShared(mlir::Value pointer);
bool isGlobal(mlir::Value pointer);
/// The address of a load or a store: its operand that is an index.
mlir::OpOperand *indexOf(mlir::Value pointer);

/// Whether a user of a condition, with what else it asks for, decides only what is stored to global memory,
/// or only what is loaded or copied from it.
bool guardsStores(mlir::Operation *user);
bool guardsCopies(mlir::Operation *user);

/// The branches from outside into loops, and those back.
std::vector<mlir::LLVM::BrOp> entriesOfLoops(mlir::ModuleOp module);
std::vector<mlir::LLVM::BrOp> backEdges(mlir::ModuleOp module);
/// The comparisons that say whether a loop goes on.
std::vector<mlir::LLVM::ICmpOp> boundsOfLoops(mlir::ModuleOp module);

} // namespace daedalus::test
