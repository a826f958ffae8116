// wgmma, and the fence between what threads write and what tensor cores read.
#include "Control.h"
#include "Decoder.h"
#include "Factors.h"
#include "Warpgroups.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/ADT/TypeSwitch.h"

#include <optional>

using namespace mlir;

namespace daedalus::cuda {
namespace {

struct Form {
  Factor factor;
  unsigned bits, k; ///< k is of every instruction
};

std::optional<Form> formOf(NVVM::WGMMATypes type) {
  switch (type) {
  case NVVM::WGMMATypes::f16:
    return Form{Factor::Half, 16, 16};
  case NVVM::WGMMATypes::bf16:
    return Form{Factor::BFloat, 16, 16};
  case NVVM::WGMMATypes::tf32:
    return Form{Factor::Tf32, 32, 8};
  case NVVM::WGMMATypes::s8:
    return Form{Factor::Signed, 8, 32};
  case NVVM::WGMMATypes::u8:
    return Form{Factor::Unsigned, 8, 32};
  default:
    return std::nullopt;
  }
}

/// "row" of A and "col" of B say that elements along K are neighbours, which all types but those of 16 bits
/// need.
bool hasKnownForm(NVVM::WgmmaMmaAsyncOp op, const Form &a, const Form &b, const WarpgroupProduct &product) {
  const auto shape = op.getShape();
  const bool isInt = isInteger(a.factor), isAlongK = product.majorA == Major::K && product.majorB == Major::K;
  const int64_t steps = isInt && shape.getN() > 24 ? 16 : 8;
  return a.bits == b.bits && (isInt || a.factor == b.factor) && isInteger(b.factor) == isInt &&
         shape.getM() == 64 && shape.getN() >= 8 && shape.getN() <= 256 && shape.getN() % steps == 0 &&
         shape.getK() == int64_t(a.k) && (isAlongK || a.bits == 16) &&
         op.getTypeD() == (isInt ? NVVM::WGMMATypes::s32 : NVVM::WGMMATypes::f32);
}

Result<bool> decodeProduct(Decoder &decoder, NVVM::WgmmaMmaAsyncOp op) {
  const auto a = formOf(op.getTypeA()), b = formOf(op.getTypeB());
  WarpgroupProduct product;
  product.majorA = op.getLayoutA() == NVVM::MMALayout::row ? Major::K : Major::Rows;
  product.majorB = op.getLayoutB() == NVVM::MMALayout::col ? Major::K : Major::Rows;
  if (!a || !b || !hasKnownForm(op, *a, *b, product))
    return error("the shape, the types or the layouts of " + nameOf(op) + " are not known to the emulator");
  product.columns = static_cast<unsigned>(op.getShape().getN());
  product.k = a->k;
  product.bits = a->bits;
  product.factorA = a->factor;
  product.factorB = b->factor;
  product.addsC = op.getScaleD() == NVVM::WGMMAScaleOut::one;
  product.negatesA = op.getScaleA() == NVVM::WGMMAScaleIn::neg;
  product.negatesB = op.getScaleB() == NVVM::WGMMAScaleIn::neg;
  product.saturates = op.getSatfinite() == NVVM::MMAIntOverflow::satfinite;
  const Slots c = decoder.slotsOf(op.getInouts()), d = decoder.defineNew(op.getResults());
  if (c.size() != product.columns / 2)
    return error("the operands of " + nameOf(op) + " are too few or too many for its shape");
  product.c.assign(c.begin(), c.end());
  product.d.assign(d.begin(), d.end());
  const uint32_t number = decoder.addProduct(std::move(product));
  decoder
      .emit(op, beginProduct, 0, {decoder.slotOf(op.getDescriptorA()), decoder.slotOf(op.getDescriptorB())})
      .extra = number;
  return true;
}

/// Of assembly alone that is empty: values pass through it, and code before and behind it keeps its place.
Result<bool> decodePin(Decoder &decoder, LLVM::InlineAsmOp op) {
  if (!op.getAsmString().empty() || op->getNumResults() != 1)
    return false;
  Slots slots;
  for (Value operand : op.getOperands())
    llvm::append_range(slots, decoder.slotsOf(operand));
  if (slots.size() != scalarsOf(op->getResult(0).getType()).size())
    return error("the operands of " + nameOf(op) + " are too few or too many");
  decoder.define(op->getResult(0), slots);
  return true;
}

} // namespace

Result<bool> decodeWarpgroup(Decoder &decoder, Operation *operation) {
  return llvm::TypeSwitch<Operation *, Result<bool>>(operation)
      .Case([&](NVVM::WgmmaMmaAsyncOp op) { return decodeProduct(decoder, op); })
      .Case([&](NVVM::WgmmaFenceAlignedOp op) { return decoder.emit(op, fenceProducts), true; })
      .Case([&](NVVM::WgmmaGroupSyncAlignedOp op) { return decoder.emit(op, commitProducts), true; })
      .Case([&](NVVM::WgmmaWaitGroupSyncOp op) {
        decoder.emit(op, waitForProducts).immediate = op.getGroup();
        return true;
      })
      .Case([&](NVVM::FenceProxyOp op) {
        const bool isOfShared =
            op.getKind() == NVVM::ProxyKind::async || op.getKind() == NVVM::ProxyKind::async_shared;
        decoder.emit(op, isOfShared ? fenceProxy : doNothing);
        return true;
      })
      .Case([&](LLVM::InlineAsmOp op) { return decodePin(decoder, op); })
      .Default([](Operation *) { return false; });
}

} // namespace daedalus::cuda
