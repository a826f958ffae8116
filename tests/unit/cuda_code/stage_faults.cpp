// Faults of copies to shared memory, their stages and the waits for them.
#include "faults.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace daedalus::test {
namespace {

template <class Op> bool eraseInLoop(Subject &s) {
  return editEach(allOf<Op>(s.module, [](Op op) { return isInLoop(op); }), [](Op op) { op->erase(); });
}

bool waitForOneLess(Subject &s) {
  return editEach(allOf<NVVM::CpAsyncWaitGroupOp>(s.module, [](auto op) { return isInLoop(op); }),
                  [](NVVM::CpAsyncWaitGroupOp wait) { wait.setN(wait.getN() + 1); });
}

/// The remainder by the number of stages: of the step whose copies begin, or of the one that is added up.
bool moveStage(Subject &s, bool isOfCopies, int64_t by) {
  const auto isStage = [&](LLVM::URemOp op) {
    Value step = beforeCasts(op.getLhs());
    auto ahead = step.getDefiningOp<LLVM::AddOp>();
    if (ahead && constantOf(ahead.getRhs()))
      step = beforeCasts(ahead.getLhs());
    return isInLoop(op) && isCarried(step) && bool(ahead) == isOfCopies;
  };
  return editEach(allOf<LLVM::URemOp>(s.module, isStage),
                  [&](LLVM::URemOp op) { addTo(op->getOpOperand(0), by); });
}

/// The copies of the last group that is committed before the loop.
std::vector<NVVM::CpAsyncOp> copiesBeforeLoop(Subject &s) {
  std::vector<NVVM::CpAsyncOp> group, last;
  s.module.walk([&](Operation *op) {
    if (isa<NVVM::CpAsyncCommitGroupOp>(op) && !isInLoop(op))
      last = std::exchange(group, {});
    else if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op))
      group.push_back(copy);
  });
  return last;
}

bool copyOneStageLess(Subject &s) {
  return editEach(copiesBeforeLoop(s), [](NVVM::CpAsyncOp copy) { copy.erase(); });
}

/// A barrier that only the first warp comes to.
bool guardBarrier(Subject &s) {
  return editFirst(allOf<NVVM::Barrier0Op>(s.module, [](auto op) { return isInLoop(op); }),
                   [](NVVM::Barrier0Op barrier) {
                     Block *before = barrier->getBlock(), *guarded = before->splitBlock(barrier),
                           *behind = guarded->splitBlock(barrier->getNextNode());
                     Location loc = barrier.getLoc();
                     OpBuilder b(before, before->end());
                     Value thread = b.create<NVVM::ThreadIdXOp>(loc, b.getI32Type());
                     Value size = b.create<LLVM::ConstantOp>(loc, b.getI32IntegerAttr(32));
                     Value isFirst = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::ult, thread, size);
                     b.create<LLVM::CondBrOp>(loc, isFirst, guarded, behind);
                     b.setInsertionPointToEnd(guarded);
                     b.create<LLVM::BrOp>(loc, behind);
                   });
}

/// A barrier where threads behind the last element do not come.
bool addBarrierInBranch(Subject &s) {
  return editFirst(allOf<LLVM::StoreOp>(s.module),
                   [](LLVM::StoreOp store) { OpBuilder(store).create<NVVM::Barrier0Op>(store.getLoc()); });
}

bool copyHalf(Subject &s) {
  return editEach(allOf<NVVM::CpAsyncOp>(s.module), [](NVVM::CpAsyncOp copy) {
    copy.setSize(8);
    copy.setModifier(NVVM::LoadCacheModifierKind::CA);
    copy.getCpSizeMutable().clear();
  });
}

bool copyFromNext(Subject &s) {
  return editEach(allOf<NVVM::CpAsyncOp>(s.module), [](NVVM::CpAsyncOp copy) {
    if (OpOperand *index = indexOf(copy.getSrc()))
      addTo(*index, 1);
  });
}

/// Bytes behind the factors' ends come from their first elements.
bool fillNoZeros(Subject &s) {
  const auto filling =
      allOf<NVVM::CpAsyncOp>(s.module, [](NVVM::CpAsyncOp op) { return bool(op.getCpSize()); });
  return editEach(filling, [](NVVM::CpAsyncOp copy) { copy.getCpSizeMutable().clear(); });
}

bool shareTooLittle(Subject &s) {
  return editEach(allOf<LLVM::GlobalOp>(s.module), [](LLVM::GlobalOp global) {
    auto type = cast<LLVM::LLVMArrayType>(global.getType());
    global.setGlobalType(LLVM::LLVMArrayType::get(type.getElementType(), type.getNumElements() / 4 * 3));
  });
}

std::vector<LLVM::StoreOp> storesToShared(Subject &s) {
  return allOf<LLVM::StoreOp>(s.module, [](LLVM::StoreOp op) { return isShared(op.getAddr()); });
}

bool forgetStore(Subject &s) {
  return editFirst(storesToShared(s), [](LLVM::StoreOp store) { store.erase(); });
}

bool storeToNeighbours(Subject &s) {
  return editFirst(storesToShared(s), [](LLVM::StoreOp store) {
    OpOperand &index = *indexOf(store.getAddr());
    OpBuilder b(index.getOwner());
    Value even = b.create<LLVM::ConstantOp>(store.getLoc(), index.get().getType(),
                                            b.getIntegerAttr(index.get().getType(), -2));
    index.set(b.create<LLVM::AndOp>(store.getLoc(), index.get(), even));
  });
}

} // namespace

std::vector<Fault> faultsOfStages() {
  return {
      {"float16 product", "no barrier between reads of a stage and copies to it",
       eraseInLoop<NVVM::Barrier0Op>},
      {"int8 product", "no barrier behind stores to a stage", eraseInLoop<NVVM::Barrier0Op>},
      {"float32 product", "a barrier that one warp alone comes to", guardBarrier},
      {"elementwise", "a barrier in a branch", addBarrierInBranch},
      {"float16 product", "nobody waits for copies", eraseInLoop<NVVM::CpAsyncWaitGroupOp>},
      {"float32 product", "the wait leaves one group too many", waitForOneLess},
      {"float16 product", "copies of the loop are not committed", eraseInLoop<NVVM::CpAsyncCommitGroupOp>},
      {"float16 product", "copies go to the stage before", [](Subject &s) { return moveStage(s, true, -1); }},
      {"int8 product", "copies go to the stage behind", [](Subject &s) { return moveStage(s, true, 1); }},
      {"float16 product", "reads are of the stage behind", [](Subject &s) { return moveStage(s, false, 1); }},
      {"float32 product", "the loop begins with one stage less", copyOneStageLess},
      {"float32 product", "copies of half a chunk", copyHalf},
      {"float16 product", "copies from an address that is not aligned", copyFromNext},
      {"float16 product", "copies without zeros behind the end", fillNoZeros},
      {"float32 product", "shared memory of one stage less", shareTooLittle},
      {"int8 product", "a word that is not stored", forgetStore},
      {"int8 product", "two threads store the same word", storeToNeighbours},
  };
}

} // namespace daedalus::test
