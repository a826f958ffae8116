// Which elements of matrices lie in which lane's registers: the fragments of mma.sync and of ldmatrix, by the
// PTX ISA manual, chapter "Warp Level Matrix Multiply-Accumulate Instructions".
#pragma once

#include <cstdint>

namespace daedalus::cuda {

/// A product of tensor cores: D = A B + C of m by k, k by n and m by n elements. C and D lie alike.
struct MmaShape {
  unsigned m = 0, n = 0, k = 0;
  unsigned bits = 0; ///< of each element of A and B: 8, 16, or 32 of tf32

  bool operator==(const MmaShape &other) const {
    return m == other.m && n == other.n && k == other.k && bits == other.bits;
  }

  /// In a register of 32 bits, the first one in the lowest bits.
  unsigned elementsPerRegister() const { return 32 / bits; }
  /// Registers of each lane.
  unsigned registersOfA() const { return m * k * bits / 1024; }
  unsigned registersOfB() const { return k * n * bits / 1024; }
  /// Elements of each lane, whether they are in a register of their own or two of float16 in one.
  unsigned elementsOfC() const { return m * n / 32; }
};

/// Those below are of these shapes: m16n8k16 and m16n8k8 of 16 bits, m16n8k8 and m16n8k4 of tf32, m16n8k32,
/// m16n8k16 and m8n8k16 of 8 bits.
bool isKnown(const MmaShape &shape);

struct Position {
  unsigned row = 0, column = 0;

  bool operator==(const Position &other) const { return row == other.row && column == other.column; }
};

// "Matrix Fragments for mma.m16n8k16 with floating point type", ".m16n8k8", ".m16n8k4", "... for mma.m16n8k16
// with integer type", ".m16n8k32", ".m8n8k16": in each of them groupID is lane / 4 and threadID_in_group lane
// % 4. The manual numbers elements through, a0, a1, ...; here it is the register and the element within it.

/// Row groupID, of every second register 8 below; the lanes of a group hold a register's elements each, one
/// behind the other, and of every further two registers those of the next columns.
Position positionInA(const MmaShape &shape, unsigned lane, unsigned number, unsigned element);

/// Column groupID, down which the lanes of a group hold a register's elements each; of the next register the
/// next rows.
Position positionInB(const MmaShape &shape, unsigned lane, unsigned number, unsigned element);

/// Row groupID, of the second two elements 8 below; two columns for each lane of a group.
Position positionInC(const MmaShape &shape, unsigned lane, unsigned element);

/// "ldmatrix": which element of a matrix of 8 by 8 elements of 16 bits a lane gets, as the register's first
/// or second one. Lane 8 i + r says where row r of the matrix of register i is.
Position positionInLoaded(unsigned lane, unsigned element, bool isTransposed);

} // namespace daedalus::cuda
