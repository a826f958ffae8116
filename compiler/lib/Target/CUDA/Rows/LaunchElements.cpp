// See LaunchElements.h. All elements are one row, of which each thread has a vector.

#include "LaunchElements.h"

#include "RowElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t threadsOfBlock = 256;

/// As many threads as there are vectors, in whole warps, up to a block.
int64_t threadsFor(int64_t vectors) {
  return std::clamp<int64_t>(llvm::PowerOf2Ceil(vectors), warpSize, threadsOfBlock);
}

} // namespace

void launchElements(const Chain &chain, gpu::GPUModuleOp device, StringRef name) {
  OpBuilder b(chain.last()->getContext());
  b.setInsertionPointAfter(chain.last());
  Location loc = chain.last()->getLoc();
  RowSchedule schedule;
  schedule.vector = vectorOf(chain);
  schedule.keeps = true; // there is one pass
  const int64_t vectors = llvm::divideCeil(chain.columns, schedule.vector);
  schedule.threads = threadsFor(vectors);
  const int64_t blocks = llvm::divideCeil(vectors, schedule.threads);
  DeviceFunction f(device, name, b, loc, blocks, schedule.threads);
  const auto index = [&](int64_t value) -> Value { return f.b.create<arith::ConstantIndexOp>(loc, value); };
  Value block = f.b.create<gpu::BlockIdOp>(loc, gpu::Dimension::x);
  Value thread = f.b.create<gpu::ThreadIdOp>(loc, gpu::Dimension::x);
  Value first = f.b.create<arith::MulIOp>(loc, block, index(schedule.threads));
  Value number = f.b.create<arith::AddIOp>(loc, first, thread);
  Value base = f.b.createOrFold<arith::MulIOp>(loc, number, index(schedule.vector));
  Value isInside;
  if (blocks * schedule.threads * schedule.vector != chain.columns)
    isInside = f.b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, base, index(chain.columns));
  RowElements made(chain, schedule, f, Values(chain.sizes.size(), index(0)));
  made.loadNumbers(0);
  Elements elements;
  made.compute(0, elements, base, isInside, {});
  f.finish();
}

} // namespace daedalus::cuda
