#include "cuda_gemm.h"

namespace daedalus::cuda {
namespace {

using package::DType;

constexpr uint64_t mostSize = 0x7fffffff, mostBatchStride = uint64_t(1) << 40;
/// More than any GPU's memory: of what is below it no sum of ours overflows.
constexpr uint64_t mostElements = uint64_t(1) << 48;

/// From the first element to the last; too large ones are mostElements.
uint64_t elements(const Strides &strides, uint64_t batch, uint64_t rows, uint64_t columns) {
  const uint64_t perMatrix = (rows - 1) * strides.row + (columns - 1) * strides.column + 1; // below 2^63
  const bool isTooLarge =
      perMatrix >= mostElements || (batch > 1 && strides.batch > mostElements / 2 / (batch - 1));
  return isTooLarge ? mostElements : (batch - 1) * strides.batch + perMatrix;
}

bool isMatrix(const Strides &strides, uint64_t rows, uint64_t columns) {
  return strides.row <= mostSize && strides.column <= mostSize && strides.batch <= mostBatchStride &&
         ((strides.column == 1 && strides.row >= columns) || (strides.row == 1 && strides.column >= rows));
}

bool isSize(uint64_t size) {
  return size >= 1 && size <= mostSize;
}

void write(ByteWriter &out, const Strides &strides) {
  for (uint64_t stride : {strides.batch, strides.row, strides.column})
    out.u64(stride);
}

} // namespace

uint64_t Gemm::bytesOfX() const {
  return elements(x, batch, m, k) * package::byteSize(type);
}
uint64_t Gemm::bytesOfY() const {
  return elements(y, batch, k, n) * package::byteSize(type);
}
uint64_t Gemm::bytesOfOut() const {
  return elements(out, batch, m, n) * package::byteSize(sumType());
}

bool isLegal(const Gemm &gemm) {
  const bool hasType = gemm.type == DType::F32 || gemm.type == DType::F16 || gemm.type == DType::BF16 ||
                       gemm.type == DType::I8;
  return hasType && isSize(gemm.batch) && isSize(gemm.m) && isSize(gemm.n) && isSize(gemm.k) &&
         isMatrix(gemm.x, gemm.m, gemm.k) && isMatrix(gemm.y, gemm.k, gemm.n) &&
         isMatrix(gemm.out, gemm.m, gemm.n) && gemm.out.column == 1 &&
         (gemm.batch == 1 || gemm.out.batch >= (gemm.m - 1) * gemm.out.row + gemm.n);
}

void write(ByteWriter &out, const Gemm &gemm) {
  out.u8(static_cast<uint8_t>(gemm.type));
  out.u8(gemm.accumulates);
  for (uint64_t size : {gemm.batch, gemm.m, gemm.n, gemm.k})
    out.u64(size);
  for (const Strides &strides : {gemm.x, gemm.y, gemm.out})
    write(out, strides);
}

Gemm readGemm(ByteReader &in) {
  Gemm gemm;
  gemm.type = static_cast<DType>(in.u8());
  gemm.accumulates = in.u8() != 0;
  for (uint64_t *size : {&gemm.batch, &gemm.m, &gemm.n, &gemm.k})
    *size = in.u64();
  for (Strides *strides : {&gemm.x, &gemm.y, &gemm.out})
    for (uint64_t *stride : {&strides->batch, &strides->row, &strides->column})
      *stride = in.u64();
  return gemm;
}

} // namespace daedalus::cuda
