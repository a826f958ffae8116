// The dialect nvvm: special registers, barriers, and what the lanes of a warp do together.
#include "Control.h"
#include "Decoder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/ADT/TypeSwitch.h"

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
      .Default([](Operation *) { return false; });
}

} // namespace daedalus::cuda
