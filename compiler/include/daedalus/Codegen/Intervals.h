// What numbers a value of a body may be.

#ifndef DAEDALUS_CODEGEN_INTERVALS_H
#define DAEDALUS_CODEGEN_INTERVALS_H

#include "mlir/IR/Value.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace daedalus::codegen {

struct Interval {
  int64_t least, most;

  int64_t magnitude() const { return std::max(std::abs(least), std::abs(most)); }
};

std::optional<int64_t> constantOf(mlir::Value value);

/// Of constants, and of sums and products of few bits; nothing of others, and of those that may not fit into
/// 32 bits.
std::optional<Interval> intervalOf(mlir::Value value);

} // namespace daedalus::codegen

#endif
