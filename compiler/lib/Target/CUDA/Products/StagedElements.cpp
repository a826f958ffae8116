// What of a factor is not copied to shared memory in chunks: loaded to registers, and stored from there.

#include "Staging.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

constexpr int64_t bytesOfWord = 4;

/// A value, or a constant where a condition does not hold; null of one that always does.
Value orElse(Numbers n, Value condition, llvm::function_ref<Value()> value, TypedAttr constant) {
  if (!condition)
    return value();
  const auto either = n.b.create<scf::IfOp>(
      n.loc, condition, [&](OpBuilder &b, Location loc) { b.create<scf::YieldOp>(loc, value()); },
      [&](OpBuilder &b, Location loc) {
        b.create<scf::YieldOp>(loc, b.create<arith::ConstantOp>(loc, constant).getResult());
      });
  return scf::IfOp(either).getResult(0);
}

} // namespace

/// An element of the factor, or 0 where it has none there.
Value StagedFactor::read(Numbers n, Value origin, Value row, Value k) {
  const auto [inside, inImage] = insideOf(n, row, k);
  Value from = n.toIndex(offset(n, origin, row, k));
  const auto load = [&]() -> Value { return n.b.create<memref::LoadOp>(n.loc, source, from); };
  const auto ofImage = [&, isThere = inImage] {
    return isThere ? orElse(n, isThere, load, factor.border->constant) : load();
  };
  return orElse(n, inside, ofImage, n.b.getZeroAttr(factor.type()));
}

/// Neighbouring threads copy neighbours in shared memory.
void StagedFactor::copyElements(Numbers n, Value thread, Value origin, Value firstRow, Value firstK,
                                Value stage) {
  share(n, thread, rowsInTile * tile.k, [&](Value number) {
    Value line = n.div(number, width()), at = n.rem(number, width());
    Value row = alongRows ? at : line, k = alongRows ? line : at;
    Value element = read(n, origin, n.add(firstRow, row), n.add(firstK, k));
    n.b.create<memref::StoreOp>(n.loc, element, memory, place(n, stage, row, k));
  });
}

/// Four neighbours along K, which lie apart in the factor's memory, as one word: a warp writes four words of
/// eight rows, which lie in all banks.
void StagedFactor::copyWords(Numbers n, Value thread, Value origin, Value firstRow, Value firstK,
                             Value stage) {
  constexpr int64_t rowsAtOnce = 8, wordsAtOnce = 4;
  const int64_t wordsOfLine = width() / bytesOfWord, groups = wordsOfLine / wordsAtOnce;
  share(n, thread, rowsInTile * wordsOfLine, [&](Value number) {
    Value warp = n.div(number, rowsAtOnce * wordsAtOnce);
    Value row = n.add(n.mul(n.div(warp, groups), rowsAtOnce), n.rem(number, rowsAtOnce));
    Value k =
        n.mul(n.add(n.mul(n.rem(warp, groups), wordsAtOnce), n.rem(n.div(number, rowsAtOnce), wordsAtOnce)),
              bytesOfWord);
    Value word = n.constant(0);
    for (int64_t i = 0; i < bytesOfWord; ++i) {
      Value byte = read(n, origin, n.add(firstRow, row), n.add(n.add(firstK, k), i));
      Value wide = n.b.create<arith::ExtUIOp>(n.loc, n.b.getI32Type(), byte);
      word = n.b.createOrFold<arith::OrIOp>(n.loc, word,
                                            n.b.createOrFold<arith::ShLIOp>(n.loc, wide, n.constant(8 * i)));
    }
    const Place at = placeOf(n, stage, row, k);
    Value column = n.add(n.mul(at.chunk, elements / bytesOfWord), n.div(at.within, bytesOfWord));
    n.b.create<memref::StoreOp>(n.loc, word, words, ValueRange{n.toIndex(at.line), n.toIndex(column)});
  });
}

} // namespace daedalus::cuda
