// Faults of products of warpgroups: fences, waits, descriptors of matrices in shared memory.
#include "faults.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace daedalus::test {
namespace {

using Wgmma = NVVM::WgmmaMmaAsyncOp;

template <class Op> bool eraseInLoop(Subject &s) {
  return editEach(allOf<Op>(s.module, [](Op op) { return isInLoop(op); }), [](Op op) { op->erase(); });
}

bool waitForOneLess(Subject &s) {
  return editEach(allOf<NVVM::WgmmaWaitGroupSyncOp>(s.module),
                  [](NVVM::WgmmaWaitGroupSyncOp wait) { wait.setGroup(wait.getGroup() + 1); });
}

enum class Factor { A, B };

/// Exchanges bits of a factor's descriptors.
bool flipDescriptors(Subject &s, Factor factor, uint64_t bits) {
  return editEach(allOf<Wgmma>(s.module), [&](Wgmma op) {
    OpOperand &descriptor = factor == Factor::A ? op.getDescriptorAMutable() : op.getDescriptorBMutable();
    OpBuilder b(op);
    Value flipped = b.create<LLVM::ConstantOp>(op.getLoc(), b.getI64IntegerAttr(static_cast<int64_t>(bits)));
    descriptor.set(b.create<LLVM::XOrOp>(op.getLoc(), descriptor.get(), flipped));
  });
}

/// The first one's of the second k-step.
bool stayAtFirstStep(Subject &s) {
  const std::vector<Wgmma> all = allOf<Wgmma>(s.module);
  if (all.size() < 2)
    return false;
  Wgmma second = all[1];
  second.getDescriptorAMutable().assign(Wgmma(all[0]).getDescriptorA());
  return true;
}

bool turnColumns(Subject &s) {
  return editEach(allOf<Wgmma>(s.module), [](Wgmma op) {
    const bool isRow = op.getLayoutB() == NVVM::MMALayout::row;
    op.setLayoutB(isRow ? NVVM::MMALayout::col : NVVM::MMALayout::row);
  });
}

bool forgetSums(Subject &s) {
  return editEach(allOf<Wgmma>(s.module), [](Wgmma op) { op.setScaleD(NVVM::WGMMAScaleOut::zero); });
}

bool negate(Subject &s) {
  return editFirst(allOf<Wgmma>(s.module), [](Wgmma op) { op.setScaleB(NVVM::WGMMAScaleIn::neg); });
}

/// A value passes the assembly without instructions in the place of another one.
bool exchangeSums(Subject &s) {
  const auto isPin = [](LLVM::InlineAsmOp op) { return isInLoop(op) && op.getAsmString().empty(); };
  return editFirst(allOf<LLVM::InlineAsmOp>(s.module, isPin), [](LLVM::InlineAsmOp op) {
    Value first = op->getOperand(0);
    op->setOperand(0, op->getOperand(2));
    op->setOperand(2, first);
  });
}

bool launchThreeWarps(Subject &s) {
  for (cuda::Kernel &kernel : s.code.images.front().kernels)
    for (cuda::Launch &launch : kernel.launches)
      launch.block[0] -= 32;
  return true;
}

/// The second warp's is another than that of the warps beside it.
bool moveDescriptorOfOneWarp(Subject &s) {
  return editFirst(allOf<Wgmma>(s.module), [](Wgmma op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    const auto constant = [&](int64_t value) -> Value {
      return b.create<LLVM::ConstantOp>(loc, b.getI64IntegerAttr(value));
    };
    Value thread =
        b.create<LLVM::ZExtOp>(loc, b.getI64Type(), b.create<NVVM::ThreadIdXOp>(loc, b.getI32Type()));
    Value warp = b.create<LLVM::LShrOp>(loc, thread, constant(5));
    Value isSecond = b.create<LLVM::ICmpOp>(loc, LLVM::ICmpPredicate::eq, warp, constant(1));
    Value moved = b.create<LLVM::SelectOp>(loc, isSecond, constant(64), constant(0));
    op.getDescriptorAMutable().assign(b.create<LLVM::AddOp>(loc, op.getDescriptorA(), moved));
  });
}

} // namespace

std::vector<Fault> faultsOfWarpgroups() {
  const auto flip = [](Factor factor, uint64_t bits) {
    return [=](Subject &s) { return flipDescriptors(s, factor, bits); };
  };
  constexpr const char *kernel = "warpgroup product";
  return {
      {kernel, "no fence between stores and reads of tensor cores", eraseInLoop<NVVM::FenceProxyOp>},
      {kernel, "no fence in front of a product", eraseInLoop<NVVM::WgmmaFenceAlignedOp>},
      {kernel, "nobody waits for products", eraseInLoop<NVVM::WgmmaWaitGroupSyncOp>},
      {kernel, "the wait leaves a group of products", waitForOneLess},
      {kernel, "products are not committed", eraseInLoop<NVVM::WgmmaGroupSyncAlignedOp>},
      {kernel, "no barrier between products of a stage and copies to it", eraseInLoop<NVVM::Barrier0Op>},
      {kernel, "nobody waits for copies", eraseInLoop<NVVM::CpAsyncWaitGroupOp>},
      {kernel, "a matrix without its swizzle", flip(Factor::A, uint64_t(2) << 62)},
      {kernel, "a matrix with the swizzle of longer lines", flip(Factor::A, uint64_t(3) << 62)},
      {kernel, "a matrix that begins a chunk later", flip(Factor::A, 1)},
      {kernel, "groups of rows at half their distance", flip(Factor::A, uint64_t(0x30) << 32)},
      {kernel, "groups of columns that lie in one", flip(Factor::B, uint64_t(0x100) << 16)},
      {kernel, "the second step of K is the first one", stayAtFirstStep},
      {kernel, "a factor that is transposed", turnColumns},
      {kernel, "sums of each step alone", forgetSums},
      {kernel, "a product with the other sign", negate},
      {kernel, "two sums are exchanged", exchangeSums},
      {kernel, "a block of three warps", launchThreeWarps},
      {kernel, "a warp that begins another product than its group", moveDescriptorOfOneWarp},
  };
}

} // namespace daedalus::test
