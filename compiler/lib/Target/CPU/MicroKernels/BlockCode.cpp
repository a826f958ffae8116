// See BlockCode.h.

#include "BlockCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace daedalus::cpu {
namespace {

constexpr int64_t PanelBytes = PanelWidth * DotWidth; ///< of DotWidth weights for each column

int64_t chunkBytes(const Features &features) {
  return features.vectorBits / 16; // as int16 they fill a register
}

StringRef pairsIntrinsic(unsigned bits) {
  return bits == 512   ? "llvm.x86.avx512.pmaddw.d.512"
         : bits == 256 ? "llvm.x86.avx2.pmadd.wd"
                       : "llvm.x86.sse2.pmadd.wd";
}

} // namespace

unsigned BlockCode::accumulators(Arithmetic arithmetic, const Features &features) {
  return arithmetic == Arithmetic::Pairs ? PanelBytes / chunkBytes(features)
                                         : PanelWidth * 32 / features.vectorBits;
}

VectorType BlockCode::sumType() const {
  const Type element = arithmetic == Arithmetic::Float ? Type(b.getF32Type()) : b.getI32Type();
  return arithmetic == Arithmetic::Pairs ? VectorType::get({features.vectorBits / 32}, element)
                                         : VectorType::get({streams.lanes}, element);
}

Value BlockCode::constant(Type type, int64_t value) {
  const Type element = getElementTypeOrSelf(type);
  const TypedAttr attribute =
      isa<FloatType>(element) ? TypedAttr(b.getFloatAttr(element, value)) : b.getIntegerAttr(element, value);
  if (auto vector = dyn_cast<VectorType>(type))
    return b.create<arith::ConstantOp>(loc, DenseElementsAttr::get(vector, ArrayRef<Attribute>(attribute)));
  return b.create<arith::ConstantOp>(loc, attribute);
}

BlockCode::Values BlockCode::zeros(Block block) {
  const int64_t parts = arithmetic == Arithmetic::Pairs ? accumulators(arithmetic, features) : 1;
  return Values(block.rows * block.panels * parts, constant(sumType(), 0));
}

Value BlockCode::load(Value flat, Value at, int64_t more, int64_t size) {
  if (more)
    at = b.create<arith::AddIOp>(loc, at, b.create<arith::ConstantIndexOp>(loc, more));
  const Type element = cast<MemRefType>(flat.getType()).getElementType();
  return b.create<vector::LoadOp>(loc, VectorType::get({size}, element), flat, at);
}

Value BlockCode::vectorsOf(const Place &at, int64_t panel) {
  const int64_t width = arithmetic == Arithmetic::Dots ? PanelBytes : streams.lanes;
  Value vector = load(streams.vectors, at.vectors, panel * streams.vectorPanel, width);
  if (arithmetic == Arithmetic::Widened)
    return b.create<arith::ExtSIOp>(loc, sumType(), vector);
  if (arithmetic == Arithmetic::Dots)
    return b.create<vector::BitCastOp>(loc, sumType(), vector);
  return vector;
}

/// DotWidth bytes as one number.
Value BlockCode::fourBytes(const Place &at, int64_t row) {
  Value bytes = load(streams.scalars, at.scalars, row * streams.scalarRow, DotWidth);
  Value word = b.create<vector::BitCastOp>(loc, VectorType::get({1}, b.getI32Type()), bytes);
  return b.create<vector::ExtractOp>(loc, word, 0);
}

Value BlockCode::scalarOf(const Place &at, int64_t row, int64_t panel) {
  if (arithmetic == Arithmetic::Dots) {
    Value all = b.create<vector::BroadcastOp>(loc, sumType(), fourBytes(at, row));
    return b.create<arith::XOrIOp>(loc, all, constant(sumType(), int32_t(0x80808080)));
  }
  const int64_t more = row * streams.scalarRow + panel * streams.scalarPanel;
  Value value = load(streams.scalars, at.scalars, more, streams.hasScalars ? 1 : streams.lanes);
  if (streams.hasScalars)
    value = b.create<vector::ExtractOp>(loc, value, 0);
  if (arithmetic == Arithmetic::Widened)
    value = b.create<arith::ExtSIOp>(loc, streams.hasScalars ? Type(b.getI32Type()) : sumType(), value);
  return streams.hasScalars ? b.create<vector::BroadcastOp>(loc, sumType(), value).getResult() : value;
}

Value BlockCode::added(Value x, Value y) {
  if (arithmetic == Arithmetic::Float)
    return b.create<arith::AddFOp>(loc, x, y);
  return b.create<arith::AddIOp>(loc, x, y);
}

Value BlockCode::dot(Value sum, Value bytes, Value weights) {
  const std::string name = "llvm.x86.avx512.vpdpbusd." + std::to_string(features.vectorBits);
  return b
      .create<LLVM::CallIntrinsicOp>(loc, sum.getType(), b.getStringAttr(name),
                                     ValueRange{sum, bytes, weights})
      .getResults();
}

Value BlockCode::product(Value sum, Value scalar, Value vector) {
  if (arithmetic == Arithmetic::Dots)
    return dot(sum, scalar, vector);
  if (arithmetic == Arithmetic::Widened)
    return added(sum, b.create<arith::MulIOp>(loc, scalar, vector));
  if (features.hasFma)
    return b.create<vector::FMAOp>(loc, scalar, vector, sum);
  return added(sum, b.create<arith::MulFOp>(loc, scalar, vector));
}

BlockCode::Values BlockCode::step(const Place &at, Block block, Values sums) {
  if (arithmetic == Arithmetic::Pairs)
    return stepOfPairs(at, block, std::move(sums));
  Values vectors;
  for (int64_t panel = 0; panel < block.panels; ++panel)
    vectors.push_back(vectorsOf(at, panel));
  for (int64_t row = 0; row < block.rows; ++row) {
    Value scalar = streams.hasScalars ? scalarOf(at, row, 0) : nullptr;
    for (int64_t panel = 0; panel < block.panels; ++panel) {
      Value &sum = sums[row * block.panels + panel];
      sum = product(sum, streams.hasScalars ? scalar : scalarOf(at, row, panel), vectors[panel]);
    }
  }
  return sums;
}

/// Each register of sums holds two for each of a few columns, of products 0 and 1, and 2 and 3.
BlockCode::Values BlockCode::stepOfPairs(const Place &at, Block block, Values sums) {
  const int64_t bytes = chunkBytes(features), chunks = PanelBytes / bytes;
  const auto wide = VectorType::get({bytes}, b.getI16Type());
  const auto words = VectorType::get({bytes / DotWidth}, b.getI64Type());
  Values scalars;
  for (int64_t row = 0; row < block.rows; ++row) {
    Value four = load(streams.scalars, at.scalars, row * streams.scalarRow, DotWidth);
    if (const auto type = VectorType::get({DotWidth}, b.getI16Type()); four.getType() != type)
      four = b.create<arith::ExtSIOp>(loc, type, four);
    four = b.create<vector::BitCastOp>(loc, VectorType::get({1}, b.getI64Type()), four);
    Value all =
        b.create<vector::BroadcastOp>(loc, words, b.create<vector::ExtractOp>(loc, four, 0).getResult());
    scalars.push_back(b.create<vector::BitCastOp>(loc, wide, all));
  }
  const StringAttr name = b.getStringAttr(pairsIntrinsic(features.vectorBits));
  for (int64_t panel = 0; panel < block.panels; ++panel)
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      Value weights = load(streams.vectors, at.vectors, panel * streams.vectorPanel + chunk * bytes, bytes);
      weights = b.create<arith::ExtSIOp>(loc, wide, weights);
      for (int64_t row = 0; row < block.rows; ++row) {
        Value &sum = sums[(row * block.panels + panel) * chunks + chunk];
        auto pairs =
            b.create<LLVM::CallIntrinsicOp>(loc, sum.getType(), name, ValueRange{scalars[row], weights});
        sum = added(sum, pairs.getResults());
      }
    }
  return sums;
}

BlockCode::Values BlockCode::weightsStep(const Place &at, int64_t panels, Values sums) {
  Value ones = constant(sumType(), int32_t(0x80808080));
  for (int64_t panel = 0; panel < panels; ++panel)
    sums[panel] = dot(sums[panel], ones, vectorsOf(at, panel));
  return sums;
}

/// The two sums of each column added.
BlockCode::Values BlockCode::pairSums(ArrayRef<Value> chunks) {
  const int64_t size = sumType().getNumElements();
  SmallVector<int64_t> even, odd;
  for (int64_t i = 0; i < size; i += 2) {
    even.push_back(i);
    odd.push_back(i + 1);
  }
  Values all;
  for (Value chunk : chunks)
    all.push_back(added(b.create<vector::ShuffleOp>(loc, chunk, chunk, even),
                        b.create<vector::ShuffleOp>(loc, chunk, chunk, odd)));
  return all;
}

void BlockCode::store(const Place &at, Block block, const Values &sums, const Values &taken, bool isAdded) {
  const int64_t parts = sums.size() / (block.rows * block.panels);
  for (int64_t row = 0; row < block.rows; ++row)
    for (int64_t panel = 0; panel < block.panels; ++panel) {
      Values values(ArrayRef<Value>(sums).slice((row * block.panels + panel) * parts, parts));
      if (arithmetic == Arithmetic::Pairs)
        values = pairSums(values);
      int64_t more = row * streams.outputRow + panel * streams.outputPanel;
      for (Value value : values) {
        const int64_t size = cast<VectorType>(value.getType()).getNumElements();
        if (!taken.empty())
          value = b.create<arith::SubIOp>(loc, value, taken[panel]);
        if (isAdded)
          value = added(load(streams.output, at.output, more, size), value);
        Value index = b.create<arith::AddIOp>(loc, at.output, b.create<arith::ConstantIndexOp>(loc, more));
        b.create<vector::StoreOp>(loc, value, streams.output, index);
        more += size;
      }
    }
}

} // namespace daedalus::cpu
