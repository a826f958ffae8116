#include "SharedMatrices.h"

namespace daedalus::cuda {
namespace {

constexpr unsigned chunk = 16, lines = 8; ///< bytes that stay together, and lines that change places

uint64_t field(uint64_t bits, unsigned first, unsigned width) {
  return bits >> first & ((uint64_t(1) << width) - 1);
}

/// Chunks of a line change places with the line's number: "Swizzle<b,4,3>" exchanges the b bits from 4 on by
/// those from 7 on.
uint64_t swizzled(uint64_t address, unsigned bytes) {
  const uint64_t places = bytes / chunk - 1;
  return address ^ (address >> 7 & places) << 4;
}

} // namespace

MatrixDescriptor MatrixDescriptor::of(uint64_t bits) {
  constexpr unsigned swizzles[] = {16, 128, 64, 32};
  MatrixDescriptor matrix;
  matrix.start = field(bits, 0, 14) * chunk;
  matrix.leading = field(bits, 16, 14) * chunk;
  matrix.stride = field(bits, 32, 14) * chunk;
  matrix.baseOffset = static_cast<unsigned>(field(bits, 49, 3));
  matrix.swizzle = swizzles[field(bits, 62, 2)];
  return matrix;
}

uint64_t addressOf(const MatrixDescriptor &matrix, Major major, unsigned row, unsigned k, unsigned bytes) {
  const bool isAlongK = major == Major::K, isPlain = matrix.swizzle == chunk;
  const unsigned line = isAlongK ? row : k, along = (isAlongK ? k : row) * bytes;
  const uint64_t lineGroup = line / lines, alongGroup = along / matrix.swizzle;
  // Without a swizzle a matrix whose rows are neighbours has the two offsets the other way round.
  const bool isExchanged = !isAlongK && isPlain;
  const uint64_t ofLines = isExchanged ? matrix.leading : matrix.stride,
                 ofAlong = isExchanged ? matrix.stride : matrix.leading;
  const uint64_t address = matrix.start + lineGroup * ofLines + line % lines * matrix.swizzle +
                           alongGroup * ofAlong + along % matrix.swizzle;
  return swizzled(address, matrix.swizzle);
}

} // namespace daedalus::cuda
