// Faults of what is computed: reductions, requantization.
#include "faults.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace daedalus::test {
namespace {

/// Of loops that may take several elements at once.
std::function<bool(Subject &)> endEarly(int64_t by) {
  return [=](Subject &s) {
    return editFirst(boundsOfLoops(s.module), [&](LLVM::ICmpOp op) { addTo(op->getOpOperand(1), -by); });
  };
}

bool beginOneLate(Subject &s) {
  return editFirst(entriesOfLoops(s.module), [](LLVM::BrOp op) { addTo(op->getOpOperand(0), 1); });
}

bool stepFurther(Subject &s) {
  return editFirst(backEdges(s.module), [](LLVM::BrOp op) { addTo(op->getOpOperand(0), 1); });
}

/// What lanes of a warp reduce together, a step for each power of two.
bool forgetLanes(Subject &s) {
  return editFirst(allOf<NVVM::ShflOp>(s.module),
                   [](NVVM::ShflOp op) { op.getRes().replaceAllUsesWith(op.getVal()); });
}

bool exchangeWithOthers(Subject &s) {
  return editFirst(allOf<NVVM::ShflOp>(s.module), [](NVVM::ShflOp op) { setTo(op->getOpOperand(2), 2); });
}

bool nameHalfOfLanes(Subject &s) {
  return editFirst(allOf<NVVM::ShflOp>(s.module),
                   [](NVVM::ShflOp op) { setTo(op->getOpOperand(0), 0xffff); });
}

template <class From, class To> bool replaceFirst(Subject &s) {
  return editFirst(allOf<From>(s.module), [](From op) {
    OpBuilder b(op);
    Value other = b.create<To>(op.getLoc(), op.getType(), op->getOperands());
    op.getResult().replaceAllUsesWith(other);
  });
}

/// Of a sum, before it is multiplied by the scale.
bool widenWithoutSign(Subject &s) {
  const auto isOfSum = [](LLVM::SExtOp op) { return op.getArg().getDefiningOp<LLVM::AddOp>() != nullptr; };
  return editEach(allOf<LLVM::SExtOp>(s.module, isOfSum), [](LLVM::SExtOp op) {
    OpBuilder b(op);
    Value other = b.create<LLVM::ZExtOp>(op.getLoc(), op.getType(), op.getArg());
    op.getResult().replaceAllUsesWith(other);
  });
}

template <class Op> bool moveClamp(Subject &s, int64_t by) {
  return editEach(allOf<Op>(s.module, [](Op op) { return bool(constantOf(op->getOperand(1))); }),
                  [&](Op op) { addTo(op->getOpOperand(1), by); });
}

/// The shift whose result is clamped, perhaps with a zero point added.
std::vector<LLVM::AShrOp> shifts(Subject &s) {
  return allOf<LLVM::AShrOp>(s.module, [](LLVM::AShrOp op) {
    return llvm::any_of(op->getUsers(), [](Operation *user) {
      return isa<LLVM::AddOp>(user) && llvm::any_of(user->getUsers(), [](Operation *behind) {
               return isa<LLVM::SMaxOp, LLVM::SMinOp>(behind);
             });
    });
  });
}

bool shiftFurther(Subject &s, int64_t by) {
  return editEach(shifts(s), [&](LLVM::AShrOp op) { addTo(op->getOpOperand(1), by); });
}

bool roundDown(Subject &s) {
  bool edited = false;
  for (LLVM::AShrOp shift : shifts(s)) {
    auto sum = shift.getLhs().getDefiningOp<LLVM::AddOp>();
    auto rounding = sum ? sum.getRhs().getDefiningOp<LLVM::AddOp>() : LLVM::AddOp();
    if (rounding && constantOf(rounding.getRhs())) {
      setTo(rounding->getOpOperand(1), 0);
      edited = true;
    }
  }
  return edited;
}

bool moveZeroPoint(Subject &s) {
  bool edited = false;
  for (LLVM::AShrOp shift : shifts(s))
    for (Operation *user : shift->getUsers())
      if (isa<LLVM::AddOp>(user) && constantOf(user->getOperand(1))) {
        addTo(user->getOpOperand(1), 1);
        edited = true;
      }
  return edited;
}

/// The value around the image.
bool padWithOther(Subject &s) {
  const auto isConstant = [](LLVM::StoreOp op) {
    return isGlobal(op.getAddr()) && op.getValue().getDefiningOp<LLVM::ConstantOp>();
  };
  return editEach(allOf<LLVM::StoreOp>(s.module, isConstant), [](LLVM::StoreOp op) {
    OpBuilder b(op);
    op->setOperand(0, b.create<LLVM::ConstantOp>(op.getLoc(), b.getF32FloatAttr(1)));
  });
}

} // namespace

std::vector<Fault> faultsOfValues() {
  return {
      {"reduction", "the last elements are not taken", endEarly(4)},
      {"reduction", "the loop begins an element late", beginOneLate},
      {"reduction", "the loop goes an element too far", stepFurther},
      {"reduction", "a step among the lanes is left out", forgetLanes},
      {"reduction", "lanes are added that were", exchangeWithOthers},
      {"reduction", "half of the lanes that reduce are named", nameHalfOfLanes},
      {"float16 product", "the last step along K is not taken", endEarly(1)},
      {"softmax", "a product for a quotient", replaceFirst<LLVM::FDivOp, LLVM::FMulOp>},
      {"softmax", "a difference that is a sum", replaceFirst<LLVM::FSubOp, LLVM::FAddOp>},
      {"elementwise", "a minimum for a maximum", replaceFirst<LLVM::MaximumOp, LLVM::MinimumOp>},
      {"quantized product", "a sum that is widened without its sign", widenWithoutSign},
      {"quantized product", "a lower bound of one more",
       [](Subject &s) { return moveClamp<LLVM::SMaxOp>(s, 1); }},
      {"quantized product", "an upper bound of one less",
       [](Subject &s) { return moveClamp<LLVM::SMinOp>(s, -1); }},
      {"quantized product", "a shift by one bit more", [](Subject &s) { return shiftFurther(s, 1); }},
      {"quantized product", "a shift that rounds down", roundDown},
      {"quantized product", "a zero point of one more", moveZeroPoint},
      {"padding", "another value around the image", padWithOther},
  };
}

} // namespace daedalus::test
