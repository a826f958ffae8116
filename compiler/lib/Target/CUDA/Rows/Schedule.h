// How the threads of blocks share the rows of a chain.

#ifndef DAEDALUS_LIB_TARGET_CUDA_ROWS_SCHEDULE_H
#define DAEDALUS_LIB_TARGET_CUDA_ROWS_SCHEDULE_H

#include "Chain.h"

namespace daedalus::cuda {

constexpr int64_t warpSize = 32;

struct RowSchedule {
  int64_t group = 1;   ///< threads that compute a row together: a power of two
  int64_t threads = 1; ///< of a block
  int64_t vector = 1;  ///< neighbouring elements that a thread loads at once
  /// Whether neighbouring threads have neighbouring rows, rather than neighbouring elements of one.
  bool isAcross = false;
  /// Whether a thread keeps its elements in registers from pass to pass.
  bool keeps = false;

  int64_t rowsPerBlock() const { return threads / group; }
  /// Elements of a row that the group takes at once.
  int64_t step() const { return group * vector; }
};

/// The neighbouring elements of a row that can be loaded at once: of the largest ones 16 bytes.
int64_t vectorOf(const Chain &chain);

/// Nothing where a thread for each row, operation by operation, is as good.
std::optional<RowSchedule> scheduleOf(const Chain &chain);

} // namespace daedalus::cuda

#endif
