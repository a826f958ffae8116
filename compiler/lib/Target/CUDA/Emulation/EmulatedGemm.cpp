#include "EmulatedGemm.h"

#include "Numbers.h"

namespace daedalus::cuda {
namespace {

using package::DType;

template <class T> T numberAt(const uint8_t *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// A factor's element as what it is multiplied as.
template <class Sum> Sum factorAt(const uint8_t *bytes, DType type) {
  switch (type) {
  case DType::F16:
    return static_cast<Sum>(floatOfFloat16(numberAt<uint16_t>(bytes)));
  case DType::BF16:
    return static_cast<Sum>(floatOfBfloat16(numberAt<uint16_t>(bytes)));
  case DType::I8:
    return static_cast<Sum>(numberAt<int8_t>(bytes));
  default:
    return static_cast<Sum>(numberAt<float>(bytes));
  }
}

/// Sum: float, or uint32_t for int32, whose sums wrap.
template <class Sum> class Product {
public:
  Product(Emulator &emulator, const Gemm &gemm) : emulator(emulator), gemm(gemm) {}

  Result<void> run(uint64_t x, uint64_t y, uint64_t out) {
    const uint64_t bytes = package::byteSize(gemm.type);
    for (uint64_t b = 0; b < gemm.batch; ++b) {
      const auto left = matrix(x + b * gemm.x.batch * bytes, gemm.x, gemm.m, gemm.k);
      const auto right = left ? matrix(y + b * gemm.y.batch * bytes, gemm.y, gemm.k, gemm.n) : left;
      if (!right)
        return error(right.error());
      if (auto ok = store(*left, *right, out + b * gemm.out.batch * sizeof(Sum)); !ok)
        return ok;
    }
    return {};
  }

private:
  /// Row by row. It is read line by line as it lies: what is between lines may be nobody's.
  Result<std::vector<Sum>> matrix(uint64_t address, const Strides &strides, uint64_t rows, uint64_t columns) {
    const bool isTransposed = strides.isTransposed();
    const uint64_t lines = isTransposed ? columns : rows, length = isTransposed ? rows : columns;
    const uint64_t bytes = package::byteSize(gemm.type);
    std::vector<uint8_t> line(length * bytes);
    std::vector<Sum> elements(rows * columns);
    for (uint64_t i = 0; i < lines; ++i) {
      if (auto ok = emulator.read(address + i * strides.leading() * bytes, {line.data(), line.size()}); !ok)
        return error(ok.error());
      for (uint64_t j = 0; j < length; ++j)
        elements[isTransposed ? j * columns + i : i * columns + j] =
            factorAt<Sum>(line.data() + j * bytes, gemm.type);
    }
    return elements;
  }

  Result<void> store(const std::vector<Sum> &left, const std::vector<Sum> &right, uint64_t out) {
    std::vector<Sum> sums(gemm.n);
    auto *bytes = reinterpret_cast<uint8_t *>(sums.data());
    for (uint64_t row = 0; row < gemm.m; ++row) {
      const uint64_t place = out + row * gemm.out.row * sizeof(Sum);
      std::fill(sums.begin(), sums.end(), Sum(0));
      if (gemm.accumulates)
        if (auto ok = emulator.read(place, {bytes, gemm.n * sizeof(Sum)}); !ok)
          return ok;
      for (uint64_t k = 0; k < gemm.k; ++k)
        for (uint64_t column = 0; column < gemm.n; ++column)
          sums[column] += left[row * gemm.k + k] * right[k * gemm.n + column];
      if (auto ok = emulator.write(place, {bytes, gemm.n * sizeof(Sum)}); !ok)
        return ok;
    }
    return {};
  }

  Emulator &emulator;
  const Gemm &gemm;
};

} // namespace

Result<EmulationCounts> multiply(Emulator &emulator, const Gemm &gemm, uint64_t x, uint64_t y, uint64_t out) {
  const Result<void> ok = gemm.type == DType::I8 ? Product<uint32_t>(emulator, gemm).run(x, y, out)
                                                 : Product<float>(emulator, gemm).run(x, y, out);
  if (!ok)
    return error(ok.error());
  EmulationCounts counts;
  counts.instructions = gemm.batch * gemm.m * gemm.n * gemm.k;
  counts.globalBytesLoaded = gemm.bytesOfX() + gemm.bytesOfY();
  counts.globalBytesStored = gemm.bytesOfOut();
  return counts;
}

} // namespace daedalus::cuda
