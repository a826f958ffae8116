// Faults of fragments, sums and the places of elements in shared memory.
#include "faults.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <set>

using namespace mlir;

namespace daedalus::test {
namespace {

bool exchangeRegisters(Subject &s) {
  const auto isOfMatrix = [](LLVM::ExtractValueOp op) {
    return op.getContainer().getDefiningOp<NVVM::LdMatrixOp>() && op.getPosition()[0] < 2;
  };
  return editEach(allOf<LLVM::ExtractValueOp>(s.module, isOfMatrix),
                  [](LLVM::ExtractValueOp op) { op.setPosition({1 - op.getPosition()[0]}); });
}

void exchange(Operation *op, unsigned first, unsigned second) {
  Value kept = op->getOperand(first);
  op->setOperand(first, op->getOperand(second));
  op->setOperand(second, kept);
}

bool exchangeHalvesOfB(Subject &s) {
  return editFirst(allOf<NVVM::MmaOp>(s.module), [](NVVM::MmaOp op) {
    const auto first = static_cast<unsigned>(op.getOperandA().size());
    exchange(op, first, first + 1);
  });
}

/// Those of a thread's two rows.
bool exchangeSumsOfLanes(Subject &s) {
  return editFirst(allOf<NVVM::MmaOp>(s.module), [](NVVM::MmaOp op) {
    const auto first = static_cast<unsigned>(op.getOperandA().size() + op.getOperandB().size());
    exchange(op, first, first + 2);
  });
}

bool turnMatrices(Subject &s) {
  return editFirst(allOf<NVVM::LdMatrixOp>(s.module), [](NVVM::LdMatrixOp op) {
    const bool isRow = op.getLayout() == NVVM::MMALayout::row;
    op.setLayout(isRow ? NVVM::MMALayout::col : NVVM::MMALayout::row);
  });
}

template <class Op> void insertSources(std::set<Operation *> &found, const std::vector<Op> &ops) {
  for (Op op : ops)
    for (Operation *source : sourcesOf(op->getOperand(0)))
      found.insert(source);
}

/// Chunks are where they were copied to, but are read where they would be if they had not changed places.
bool readWithoutSwizzle(Subject &s) {
  std::set<Operation *> reads, writes;
  insertSources(reads, allOf<NVVM::LdMatrixOp>(s.module));
  insertSources(reads, allOf<LLVM::LoadOp>(s.module, [](LLVM::LoadOp op) { return isShared(op.getAddr()); }));
  insertSources(writes, allOf<NVVM::CpAsyncOp>(s.module));
  const auto isOfReads = [&](LLVM::XOrOp op) { return reads.count(op) && !writes.count(op); };
  return editEach(allOf<LLVM::XOrOp>(s.module, isOfReads),
                  [](LLVM::XOrOp op) { op.getResult().replaceAllUsesWith(op.getLhs()); });
}

bool writeWithoutSwizzle(Subject &s) {
  std::set<Operation *> writes;
  insertSources(writes, allOf<NVVM::CpAsyncOp>(s.module));
  return editEach(allOf<LLVM::XOrOp>(s.module, [&](LLVM::XOrOp op) { return writes.count(op) > 0; }),
                  [](LLVM::XOrOp op) { op.getResult().replaceAllUsesWith(op.getLhs()); });
}

Attribute onesLike(Attribute zeros) {
  if (auto number = dyn_cast<FloatAttr>(zeros))
    return FloatAttr::get(number.getType(), 1.0);
  if (auto number = dyn_cast<IntegerAttr>(zeros))
    return IntegerAttr::get(number.getType(), 1);
  auto elements = dyn_cast<DenseElementsAttr>(zeros);
  if (!elements)
    return {};
  const Type type = elements.getElementType();
  return DenseElementsAttr::get(elements.getType(), isa<FloatType>(type)
                                                        ? Attribute(FloatAttr::get(type, 1.0))
                                                        : Attribute(IntegerAttr::get(type, 1)));
}

/// A sum that a loop carries: the first of its branch's operands behind the counter.
bool beginWithOne(Subject &s) {
  const auto isOfZeros = [](LLVM::BrOp op) {
    return op->getOperand(1).getDefiningOp<LLVM::ConstantOp>() != nullptr;
  };
  std::vector<LLVM::BrOp> entries = entriesOfLoops(s.module);
  entries.erase(std::remove_if(entries.begin(), entries.end(), std::not_fn(isOfZeros)), entries.end());
  return editFirst(entries, [](LLVM::BrOp entry) {
    auto zeros = entry->getOperand(1).getDefiningOp<LLVM::ConstantOp>();
    OpBuilder b(entry);
    entry->setOperand(1, b.create<LLVM::ConstantOp>(entry.getLoc(), zeros.getType(),
                                                    cast<TypedAttr>(onesLike(zeros.getValue()))));
  });
}

bool exchangeSumsOfTiles(Subject &s) {
  return editFirst(backEdges(s.module), [](LLVM::BrOp back) { exchange(back, 1, 2); });
}

bool takeForUnsigned(Subject &s) {
  return editEach(allOf<NVVM::MmaOp>(s.module),
                  [](NVVM::MmaOp op) { op.setMultiplicandAPtxType(NVVM::MMATypes::u8); });
}

bool dropProduct(Subject &s) {
  return editFirst(allOf<LLVM::FMAOp>(s.module),
                   [](LLVM::FMAOp op) { op.getResult().replaceAllUsesWith(op.getC()); });
}

bool shiftByteFurther(Subject &s) {
  return editFirst(allOf<LLVM::ShlOp>(s.module, [](LLVM::ShlOp op) { return constantOf(op.getRhs()) == 8; }),
                   [](LLVM::ShlOp op) { setTo(op->getOpOperand(1), 9); });
}

} // namespace

std::vector<Fault> faultsOfFragments() {
  return {
      {"float16 product", "two registers of a fragment are exchanged", exchangeRegisters},
      {"float16 product", "both halves of K of a fragment are exchanged", exchangeHalvesOfB},
      {"int8 product", "two sums of a matrix are exchanged", exchangeSumsOfLanes},
      {"float16 product", "a fragment that is transposed", turnMatrices},
      {"float16 product", "reads of fragments without the swizzle", readWithoutSwizzle},
      {"float32 product", "copies without the swizzle", writeWithoutSwizzle},
      {"float32 product", "a sum that begins with 1", beginWithOne},
      {"int8 product", "the sums of a matrix that begin with 1", beginWithOne},
      {"float16 product", "the sums of two matrices are exchanged", exchangeSumsOfTiles},
      {"int8 product", "bytes with signs that are taken for bytes without", takeForUnsigned},
      {"float32 product", "a product that is not added", dropProduct},
      {"int8 product", "a byte at another bit of its word", shiftByteFurther},
  };
}

} // namespace daedalus::test
