// Rows of a scratchpad for buffers in program order: the next buffer goes behind the last one, past whatever
// is still in use, so that consecutive tiles land in different rows and overlap.

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_RING_H
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_RING_H

#include "daedalus/isa/machine.h"

#include "llvm/ADT/SmallVector.h"

namespace daedalus::dae {

/// The rows that a buffer of `rows` rows owns: of ACC whole banks, from the beginning of one on, since GEMM
/// and VECTOR may not share a bank's port.
int64_t rowsOwned(isa::Scope scope, int64_t rows, const isa::Machine &machine);

class Ring {
public:
  Ring(isa::Scope scope, const isa::Machine &machine) : rows(machine.rows(scope)) {}

  /// The first row for a buffer that owns `size` rows, which are taken until they are released; -1 if there
  /// are none.
  int64_t place(int64_t size);
  /// Of what place() gave.
  void release(int64_t row);
  void releaseAll() { taken.clear(); }

private:
  struct Taken {
    int64_t begin, end;
  };
  int64_t firstFit(int64_t start, int64_t size) const;

  int64_t rows, next = 0;
  llvm::SmallVector<Taken, 16> taken;
};

} // namespace daedalus::dae

#endif
