// See edits.h.
#include "edits.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;

namespace daedalus::test {
namespace {

bool reaches(Block *from, Block *to) {
  std::set<Block *> seen;
  std::vector<Block *> open = {from};
  while (!open.empty()) {
    Block *block = open.back();
    open.pop_back();
    for (Block *next : block->getSuccessors()) {
      if (next == to)
        return true;
      if (seen.insert(next).second)
        open.push_back(next);
    }
  }
  return false;
}

Value constantBefore(Operation *op, Type type, int64_t value) {
  OpBuilder b(op);
  return b.create<LLVM::ConstantOp>(op->getLoc(), type, b.getIntegerAttr(type, value));
}

bool hasGlobalStore(Block &block) {
  return llvm::any_of(block.getOps<LLVM::StoreOp>(), [](auto store) { return isGlobal(store.getAddr()); });
}

bool hasGlobalLoad(Block &block) {
  return llvm::any_of(block.getOps<LLVM::LoadOp>(), [](auto load) { return isGlobal(load.getAddr()); });
}

} // namespace

bool isInLoop(Operation *op) {
  return reaches(op->getBlock(), op->getBlock());
}

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  return matchPattern(value, m_ConstantInt(&number)) ? std::optional<int64_t>(number.getSExtValue())
                                                     : std::nullopt;
}

Value beforeCasts(Value value) {
  while (isa_and_nonnull<LLVM::TruncOp, LLVM::SExtOp, LLVM::ZExtOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

bool isCarried(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && !argument.getOwner()->isEntryBlock();
}

std::vector<Operation *> sourcesOf(Value value) {
  llvm::SetVector<Operation *> found;
  if (value.getDefiningOp())
    found.insert(value.getDefiningOp());
  for (size_t i = 0; i < found.size(); ++i)
    for (Value operand : found[i]->getOperands())
      if (operand.getDefiningOp())
        found.insert(operand.getDefiningOp());
  return {found.begin(), found.end()};
}

void setTo(OpOperand &operand, int64_t value) {
  operand.set(constantBefore(operand.getOwner(), operand.get().getType(), value));
}

void addTo(OpOperand &operand, int64_t number) {
  OpBuilder b(operand.getOwner());
  Value more = constantBefore(operand.getOwner(), operand.get().getType(), number);
  operand.set(b.create<LLVM::AddOp>(operand.getOwner()->getLoc(), operand.get(), more));
}

void flipLastBit(OpOperand &operand) {
  OpBuilder b(operand.getOwner());
  Value one = constantBefore(operand.getOwner(), operand.get().getType(), 1);
  operand.set(b.create<LLVM::XOrOp>(operand.getOwner()->getLoc(), operand.get(), one));
}

bool isShared(Value pointer) {
  auto type = dyn_cast<LLVM::LLVMPointerType>(pointer.getType());
  return type && type.getAddressSpace() == NVVM::kSharedMemorySpace;
}

bool isGlobal(Value pointer) {
  return isa<LLVM::LLVMPointerType>(pointer.getType()) && !isShared(pointer);
}

OpOperand *indexOf(Value pointer) {
  while (auto cast = pointer.getDefiningOp<LLVM::AddrSpaceCastOp>())
    pointer = cast.getArg();
  auto address = pointer.getDefiningOp<LLVM::GEPOp>();
  return address && address.getDynamicIndices().size() == 1 ? &address->getOpOperand(1) : nullptr;
}

bool guardsStores(Operation *user) {
  if (isa<LLVM::AndOp>(user))
    return llvm::all_of(user->getUsers(), guardsStores);
  auto branch = dyn_cast<LLVM::CondBrOp>(user);
  return branch && hasGlobalStore(*branch.getTrueDest());
}

bool guardsCopies(Operation *user) {
  if (isa<LLVM::AndOp>(user))
    return llvm::all_of(user->getUsers(), guardsCopies);
  auto branch = dyn_cast<LLVM::CondBrOp>(user);
  return isa<LLVM::SelectOp>(user) ||
         (branch && hasGlobalLoad(*branch.getTrueDest()) && !hasGlobalStore(*branch.getTrueDest()));
}

std::vector<LLVM::BrOp> entriesOfLoops(ModuleOp module) {
  return allOf<LLVM::BrOp>(module, [](LLVM::BrOp op) {
    return op->getNumOperands() > 0 && reaches(op.getDest(), op.getDest()) &&
           !reaches(op.getDest(), op->getBlock());
  });
}

std::vector<LLVM::BrOp> backEdges(ModuleOp module) {
  std::set<Block *> headers;
  for (LLVM::BrOp entry : entriesOfLoops(module))
    headers.insert(entry.getDest());
  return allOf<LLVM::BrOp>(module, [&](LLVM::BrOp op) {
    return headers.count(op.getDest()) && reaches(op.getDest(), op->getBlock());
  });
}

std::vector<LLVM::ICmpOp> boundsOfLoops(ModuleOp module) {
  return allOf<LLVM::ICmpOp>(module, [](LLVM::ICmpOp op) {
    return isInLoop(op) && isCarried(op.getLhs()) && constantOf(op.getRhs());
  });
}

} // namespace daedalus::test
