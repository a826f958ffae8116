// Where the elements of a matrix in shared memory lie that an asynchronous product of a warpgroup reads: by
// the PTX ISA manual, "Asynchronous Warpgroup Level Matrix Instructions", "Matrix Descriptor Format" and
// "Canonical Layouts".
#pragma once

#include <cstdint>

namespace daedalus::cuda {

/// What the 64 bits of a descriptor say; bytes all of them.
struct MatrixDescriptor {
  uint64_t start = 0;
  uint64_t leading = 0,
           stride = 0;   ///< offsets between groups of elements, along which dimension the layout says
  unsigned swizzle = 16; ///< along so many bytes 16 of them change places: 16 (none), 32, 64 or 128
  unsigned baseOffset = 0;

  static MatrixDescriptor of(uint64_t bits);

  /// Whether the start is in the first line of a pattern of the swizzle, as layouts without a base offset
  /// demand.
  bool isAtPattern() const { return start % (8 * swizzle) < swizzle; }
};

/// Of which elements neighbours in memory are neighbours: those of K, or those of rows of A (columns of B).
enum class Major : uint8_t { K, Rows };

/// The address of an element: its row of A, or column of B, its place along K, and its bytes. Major::Rows is
/// of 2 bytes alone.
uint64_t addressOf(const MatrixDescriptor &matrix, Major major, unsigned row, unsigned k, unsigned bytes);

} // namespace daedalus::cuda
