// Rows of a scratchpad for buffers in program order: the next buffer goes behind the last one, past whatever
// is still in use, so that consecutive tiles land in different rows and overlap.

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_RING_H
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_RING_H

#include "daedalus/isa/machine.h"

#include <vector>

namespace daedalus::dae {

class Ring {
public:
  /// Buffers of ACC begin at a bank and own whole banks, since GEMM and VECTOR may not share a bank's port.
  Ring(isa::Scope scope, const isa::Machine &machine);

  /// The first row of `size` rows free at `position` of the program, or -1.
  int64_t place(int64_t size, int64_t position);
  /// Keeps rows that place() gave until the buffer's last use.
  void hold(int64_t row, int64_t size, int64_t lastUse);
  /// The rows that a buffer of `size` rows owns.
  int64_t whole(int64_t size) const;
  /// Forgets buffers that nothing uses any more, so that positions may count from zero again.
  void clear() { live.clear(); }

private:
  struct Held {
    int64_t begin, end, lastUse;
  };
  int64_t firstFit(int64_t start, int64_t size) const;

  int64_t rows, granule, next = 0;
  std::vector<Held> live;
};

} // namespace daedalus::dae

#endif
