// Rows of a scratchpad for buffers in program order: the next buffer goes behind the last one, past whatever
// is still in use, so that consecutive tiles land in different rows and overlap.

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_RING_H
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_RING_H

#include "daedalus/isa/machine.h"

#include "llvm/ADT/SmallVector.h"

namespace daedalus::dae {

/// The rows that a buffer of `rows` rows owns, from a multiple of `alignment` on: of ACC, and of INP where
/// VECTOR writes it, whole banks, since GEMM and VECTOR, or LOAD and VECTOR, may not share a bank's port.
struct RowsOwned {
  int64_t rows, alignment;
};
RowsOwned rowsOwned(isa::Scope scope, int64_t rows, bool isWrittenByVector, const isa::Machine &machine);

class Ring {
public:
  Ring(isa::Scope scope, const isa::Machine &machine) : rows(machine.rows(scope)) {}

  /// The first row for a buffer, whose rows are taken until they are released; -1 if there are none.
  int64_t place(const RowsOwned &size);
  /// Of what place() gave.
  void release(int64_t row);
  void releaseAll() { taken.clear(); }

private:
  struct Taken {
    int64_t begin, end;
  };
  int64_t firstFit(int64_t start, const RowsOwned &size) const;

  int64_t rows, next = 0;
  llvm::SmallVector<Taken, 16> taken;
};

} // namespace daedalus::dae

#endif
