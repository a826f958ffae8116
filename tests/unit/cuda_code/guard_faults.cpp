// Faults of conditions that keep threads inside of the operands.
#include "faults.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace daedalus::test {
namespace {

constexpr int64_t imageHeight = 11, imageWidth = 13; ///< of the convolution

using Guards = bool (*)(Operation *);

/// The uses of a comparison that guard something.
std::vector<OpOperand *> usesAs(Guards guards, LLVM::ICmpOp compare) {
  std::vector<OpOperand *> uses;
  for (OpOperand &use : compare->getUses())
    if (guards(use.getOwner()))
      uses.push_back(&use);
  return uses;
}

/// Where comparisons with an extent guard something, they are with more or less.
std::function<bool(Subject &)> moveBound(Guards guards, int64_t extent, int64_t by) {
  return [=](Subject &s) {
    const auto isGuard = [&](LLVM::ICmpOp op) {
      return constantOf(op.getRhs()) == extent && !usesAs(guards, op).empty();
    };
    return editEach(allOf<LLVM::ICmpOp>(s.module, isGuard), [&](LLVM::ICmpOp op) {
      const std::vector<OpOperand *> uses = usesAs(guards, op);
      Operation *moved = OpBuilder(op).clone(*op);
      setTo(moved->getOpOperand(1), extent + by);
      for (OpOperand *use : uses)
        use->set(moved->getResult(0));
    });
  };
}

bool takeTheEndToo(Subject &s) {
  const auto isLess = [](LLVM::ICmpOp op) {
    return op.getPredicate() == LLVM::ICmpPredicate::ult && !usesAs(guardsStores, op).empty();
  };
  return editEach(allOf<LLVM::ICmpOp>(s.module, isLess),
                  [](LLVM::ICmpOp op) { op.setPredicate(LLVM::ICmpPredicate::ule); });
}

} // namespace

std::vector<Fault> faultsOfGuards() {
  const auto [m, n, k] = int8Extents;
  return {
      {"int8 product", "a row behind the first factor's last is copied", moveBound(guardsCopies, m, 1)},
      {"int8 product", "the last row is not copied", moveBound(guardsCopies, m, -1)},
      {"int8 product", "a row behind the second factor's last is copied", moveBound(guardsCopies, k, 1)},
      {"int8 product", "the last column is not copied", moveBound(guardsCopies, n, -1)},
      {"int8 product", "a row behind the result's last is stored", moveBound(guardsStores, m, 1)},
      {"int8 product", "the last row is not stored", moveBound(guardsStores, m, -1)},
      {"float32 product", "a column behind the last is stored", moveBound(guardsStores, float32Extents.n, 1)},
      {"float32 product", "the last column is not stored", moveBound(guardsStores, float32Extents.n, -1)},
      {"float16 product", "zeros begin a chunk too early", moveBound(guardsCopies, float16Extents.k, -8)},
      {"float32 product", "zeros begin a chunk too late", moveBound(guardsCopies, float32Extents.k, 4)},
      {"convolution", "an element behind the window is copied", moveBound(guardsCopies, windowElements, 1)},
      {"convolution", "the last element of the window is not copied",
       moveBound(guardsCopies, windowElements, -1)},
      {"convolution", "the pixel right of a row is of it", moveBound(guardsCopies, imageWidth, 1)},
      {"convolution", "the last row is around the image", moveBound(guardsCopies, imageHeight, -1)},
      {"convolution", "the last pixel is not stored", moveBound(guardsStores, pixels, -1)},
      {"softmax", "the element behind a row is of it", moveBound(guardsCopies, softmaxWidth, 1)},
      {"elementwise", "the element behind the last is computed", takeTheEndToo},
  };
}

} // namespace daedalus::test
