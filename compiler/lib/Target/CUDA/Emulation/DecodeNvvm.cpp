// The dialect nvvm: special registers, barriers, and what the lanes of a warp do together.
#include "Control.h"
#include "Decoder.h"
#include "WarpOperations.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

using S = SpecialRegister;

unsigned part(S first, unsigned axis) {
  return static_cast<unsigned>(first) + axis;
}

const std::map<llvm::StringRef, unsigned> specialRegisters = {
    {"nvvm.read.ptx.sreg.tid.x", part(S::ThreadIndex, 0)},
    {"nvvm.read.ptx.sreg.tid.y", part(S::ThreadIndex, 1)},
    {"nvvm.read.ptx.sreg.tid.z", part(S::ThreadIndex, 2)},
    {"nvvm.read.ptx.sreg.ntid.x", part(S::BlockSize, 0)},
    {"nvvm.read.ptx.sreg.ntid.y", part(S::BlockSize, 1)},
    {"nvvm.read.ptx.sreg.ntid.z", part(S::BlockSize, 2)},
    {"nvvm.read.ptx.sreg.ctaid.x", part(S::BlockIndex, 0)},
    {"nvvm.read.ptx.sreg.ctaid.y", part(S::BlockIndex, 1)},
    {"nvvm.read.ptx.sreg.ctaid.z", part(S::BlockIndex, 2)},
    {"nvvm.read.ptx.sreg.nctaid.x", part(S::GridSize, 0)},
    {"nvvm.read.ptx.sreg.nctaid.y", part(S::GridSize, 1)},
    {"nvvm.read.ptx.sreg.nctaid.z", part(S::GridSize, 2)},
    {"nvvm.read.ptx.sreg.laneid", part(S::Lane, 0)},
    {"nvvm.read.ptx.sreg.warpsize", part(S::WarpSize, 0)},
};

bool decodeSpecialRegister(Decoder &decoder, Operation *operation) {
  const auto found = specialRegisters.find(operation->getName().getStringRef());
  if (found == specialRegisters.end())
    return false;
  const uint32_t result = decoder.defineNew(operation->getResult(0)).front();
  decoder.emit(operation, readSpecialRegister, result).immediate = found->second;
  return true;
}

void decodeBarrier(Decoder &decoder, NVVM::BarrierOp op) {
  const auto slot = [&](Value value) { return value ? decoder.slotOf(value) : decoder.constantSlot(0); };
  const uint32_t id = slot(op.getBarrierId()), threads = slot(op.getNumberOfThreads());
  decoder.emit(op, blockBarrier, 0, {id, threads});
}

ShuffleKind kindOf(NVVM::ShflKind kind) {
  switch (kind) {
  case NVVM::ShflKind::bfly:
    return ShuffleKind::Butterfly;
  case NVVM::ShflKind::up:
    return ShuffleKind::Up;
  case NVVM::ShflKind::down:
    return ShuffleKind::Down;
  case NVVM::ShflKind::idx:
    return ShuffleKind::Index;
  }
  return ShuffleKind::Index;
}

ReductionKind kindOf(NVVM::ReduxKind kind) {
  switch (kind) {
  case NVVM::ReduxKind::ADD:
    return ReductionKind::Add;
  case NVVM::ReduxKind::AND:
    return ReductionKind::And;
  case NVVM::ReduxKind::MAX:
    return ReductionKind::Max;
  case NVVM::ReduxKind::MIN:
    return ReductionKind::Min;
  case NVVM::ReduxKind::OR:
    return ReductionKind::Or;
  case NVVM::ReduxKind::UMAX:
    return ReductionKind::UMax;
  case NVVM::ReduxKind::UMIN:
    return ReductionKind::UMin;
  case NVVM::ReduxKind::XOR:
    return ReductionKind::Xor;
  }
  return ReductionKind::Add;
}

Result<bool> decodeShuffle(Decoder &decoder, NVVM::ShflOp op) {
  if (scalarsOf(op.getVal().getType()).front().bits != 32 || scalarsOf(op.getVal().getType()).size() != 1)
    return error("the type of " + nameOf(op) + " is not known to the emulator; expected 32 bits");
  const Slots results = decoder.defineNew(op);
  const uint32_t isInRange = results.size() > 1 ? results[1] : decoder.newSlot();
  const uint32_t list =
      decoder.addList({decoder.slotOf(op.getThreadMask()), decoder.slotOf(op.getVal()),
                       decoder.slotOf(op.getOffset()), decoder.slotOf(op.getMaskAndClamp()), isInRange});
  Instruction &instruction = decoder.emit(op, shuffle, results[0]);
  instruction.extra = list;
  instruction.immediate = static_cast<uint64_t>(kindOf(op.getKind()));
  return true;
}

void decodeReduction(Decoder &decoder, NVVM::ReduxOp op) {
  const uint32_t result = decoder.defineNew(op).front();
  decoder.emit(op, reduce, result, {decoder.slotOf(op.getMaskAndClamp()), decoder.slotOf(op.getVal())})
      .immediate = static_cast<uint64_t>(kindOf(op.getKind()));
}

void decodeCopy(Decoder &decoder, NVVM::CpAsyncOp op) {
  const uint32_t bytes = op.getCpSize() ? decoder.slotOf(op.getCpSize()) : decoder.constantSlot(op.getSize());
  decoder.emit(op, copyAsync, 0, {decoder.slotOf(op.getDst()), decoder.slotOf(op.getSrc()), bytes}).width =
      op.getSize();
}

/// LLVM's intrinsics of copies with zeros behind them, "llvm.nvvm.cp.async.cg.shared.global.16.s", and
/// without.
Result<bool> decodeCopyIntrinsic(Decoder &decoder, LLVM::CallIntrinsicOp op) {
  static const llvm::Regex form("^llvm\\.nvvm\\.cp\\.async\\.c[ag]\\.shared\\.global\\.(4|8|16)(\\.s)?$");
  llvm::SmallVector<llvm::StringRef, 3> parts;
  if (!form.match(op.getIntrin(), &parts))
    return false;
  const bool hasBytes = !parts[2].empty();
  unsigned size = 0;
  parts[1].getAsInteger(10, size);
  if (op.getArgs().size() != (hasBytes ? 3 : 2))
    return error("the operands of " + nameOf(op) + " are too few or too many");
  const uint32_t bytes = hasBytes ? decoder.slotOf(op.getArgs()[2]) : decoder.constantSlot(size);
  decoder.emit(op, copyAsync, 0, {decoder.slotOf(op.getArgs()[0]), decoder.slotOf(op.getArgs()[1]), bytes})
      .width = size;
  return true;
}

} // namespace

Result<bool> decodeNvvm(Decoder &decoder, Operation *operation) {
  if (decodeSpecialRegister(decoder, operation))
    return true;
  return llvm::TypeSwitch<Operation *, Result<bool>>(operation)
      .Case([&](NVVM::Barrier0Op op) {
        const uint32_t zero = decoder.constantSlot(0);
        decoder.emit(op, blockBarrier, 0, {zero, zero});
        return true;
      })
      .Case([&](NVVM::BarrierOp op) { return decodeBarrier(decoder, op), true; })
      .Case([&](NVVM::SyncWarpOp op) {
        decoder.emit(op, warpBarrier, 0, {decoder.slotOf(op.getMask())});
        return true;
      })
      .Case([&](NVVM::ShflOp op) { return decodeShuffle(decoder, op); })
      .Case([&](NVVM::ReduxOp op) { return decodeReduction(decoder, op), true; })
      .Case([&](NVVM::VoteBallotOp op) {
        const uint32_t result = decoder.defineNew(op).front();
        decoder.emit(op, ballot, result, {decoder.slotOf(op.getMask()), decoder.slotOf(op.getPred())});
        return true;
      })
      .Case([&](NVVM::CpAsyncOp op) { return decodeCopy(decoder, op), true; })
      .Case([&](LLVM::CallIntrinsicOp op) { return decodeCopyIntrinsic(decoder, op); })
      .Case([&](NVVM::CpAsyncCommitGroupOp op) { return decoder.emit(op, commitCopies), true; })
      .Case([&](NVVM::CpAsyncWaitGroupOp op) {
        decoder.emit(op, waitForCopies).immediate = op.getN();
        return true;
      })
      .Default([](Operation *) { return false; });
}

} // namespace daedalus::cuda
