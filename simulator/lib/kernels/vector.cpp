// VECTOR for speed: a row at a time in int32 lanes, with the operation chosen outside the lane loops.
#include "common/loop_nest.h"
#include "common/scratch_range.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/semantics.h"
#include "kernels/host.h"
#include "kernels/kernels.h"

#include <cstring>

namespace daedalus::sim::kernels {
namespace {

using isa::Scope;
using isa::VectorOp;

struct Job {
  const isa::Vector &vector;
  std::array<uint8_t *, isa::ScopeCount> memory;

  uint8_t *of(Scope scope) const { return memory[static_cast<unsigned>(scope)]; }
};

template <unsigned N>
DAEDALUS_ALWAYS_INLINE void read(const Job &job, Scope scope, int64_t row, int32_t *lanes) {
  if (scope == Scope::Acc) {
    std::memcpy(lanes, job.of(scope) + row * 4 * N, 4 * N);
  } else if (scope == Scope::Imm || scope == Scope::None) {
    for (unsigned lane = 0; lane < N; ++lane)
      lanes[lane] = job.vector.immediate;
  } else {
    const auto *bytes = reinterpret_cast<const int8_t *>(job.of(scope)) + row * N;
    for (unsigned lane = 0; lane < N; ++lane)
      lanes[lane] = bytes[lane];
  }
}

template <unsigned N> DAEDALUS_ALWAYS_INLINE void write(const Job &job, int64_t row, const int32_t *lanes) {
  const isa::Vector &vector = job.vector;
  if (vector.dstScope == Scope::Acc) {
    std::memcpy(job.of(Scope::Acc) + row * 4 * N, lanes, 4 * N);
    return;
  }
  uint8_t *bytes = job.of(vector.dstScope) + row * N;
  for (unsigned lane = 0; lane < N; ++lane)
    bytes[lane] = static_cast<uint8_t>(isa::clampTo(lanes[lane], vector.lo, vector.hi));
}

template <unsigned N> DAEDALUS_ALWAYS_INLINE void requant(const Job &job, int64_t row, int32_t *lanes) {
  const isa::Vector &vector = job.vector;
  const uint8_t *param = job.of(Scope::Param) + row * 16 * N;
  for (unsigned lane = 0; lane < N; ++lane) {
    int32_t bias, multiplier;
    std::memcpy(&bias, param + 16 * lane, 4);
    std::memcpy(&multiplier, param + 16 * lane + 4, 4);
    lanes[lane] = isa::requantize(lanes[lane], bias, multiplier, param[16 * lane + 8], vector.zeroPoint,
                                  vector.lo, vector.hi, vector.rounding);
  }
}

template <unsigned N>
DAEDALUS_ALWAYS_INLINE void combine(VectorOp op, const int32_t *a, const int32_t *b, int32_t *result) {
  const auto lanes = [&](auto constant) __attribute__((always_inline)) {
    for (unsigned lane = 0; lane < N; ++lane)
      result[lane] = isa::combine(constant, a[lane], b[lane]);
  };
  switch (op) {
  case VectorOp::Add:
    return lanes(std::integral_constant<VectorOp, VectorOp::Add>());
  case VectorOp::Sub:
    return lanes(std::integral_constant<VectorOp, VectorOp::Sub>());
  case VectorOp::Mul:
  case VectorOp::Mac:
    return lanes(std::integral_constant<VectorOp, VectorOp::Mul>());
  case VectorOp::Max:
    return lanes(std::integral_constant<VectorOp, VectorOp::Max>());
  case VectorOp::Min:
    return lanes(std::integral_constant<VectorOp, VectorOp::Min>());
  case VectorOp::Shl:
    return lanes(std::integral_constant<VectorOp, VectorOp::Shl>());
  case VectorOp::Shr:
    return lanes(std::integral_constant<VectorOp, VectorOp::Shr>());
  case VectorOp::Mov:
    return lanes(std::integral_constant<VectorOp, VectorOp::Mov>());
  case VectorOp::Mov32:
  case VectorOp::Requant:
  case VectorOp::Lut:
    break; // row() has them elsewhere
  }
  std::abort();
}

template <unsigned N>
DAEDALUS_ALWAYS_INLINE void row(const Job &job, isa::VectorWay way, int64_t dst, int64_t a, int64_t b,
                                bool reducing, bool overwrite) {
  const isa::Vector &vector = job.vector;
  int32_t x[N], y[N];
  read<N>(job, vector.aScope, a, x);
  switch (way) {
  case isa::VectorWay::Words:
    std::memcpy(job.of(Scope::Out) + dst * N, x, 4 * N);
    return;
  case isa::VectorWay::Requantize:
    requant<N>(job, b, x);
    break;
  case isa::VectorWay::LookUp:
    for (unsigned lane = 0; lane < N; ++lane)
      x[lane] = static_cast<int8_t>(job.of(Scope::Lut)[256 * vector.table + isa::lutIndex(x[lane])]);
    break;
  case isa::VectorWay::Lanes:
    if (!reducing || vector.op == VectorOp::Mac) {
      read<N>(job, vector.bScope, b, y);
      combine<N>(vector.op, x, y, x);
    }
    break;
  }
  if (reducing && !overwrite) {
    read<N>(job, Scope::Acc, dst, y);
    combine<N>(vector.op == VectorOp::Mac ? VectorOp::Add : vector.op, y, x, x);
  }
  write<N>(job, dst, x);
}

template <unsigned N> DAEDALUS_ALWAYS_INLINE void run(const Job &job) {
  const isa::Vector &vector = job.vector;
  const bool reducing = isa::isReducing(vector);
  const isa::VectorWay way = isa::wayOf(vector.op);
  LoopNest nest(vector.loops);
  do {
    const int64_t dst = vector.dst + nest.offset(&isa::VectorLoop::dstStride);
    const int64_t a = vector.a + nest.offset(&isa::VectorLoop::aStride);
    const int64_t b = vector.b + nest.offset(&isa::VectorLoop::bStride);
    row<N>(job, way, dst, a, b, reducing, nest.isFirst(vector.reduction) && !vector.accumulate);
  } while (nest.next());
}

DAEDALUS_KERNEL_WIDTHS(Job)

} // namespace

bool execute(const isa::Vector &vector, CoreState &core) {
  if (firstRowOutside(vector, core.machine))
    return false;
  Job job{vector, {}};
  for (unsigned scope = 0; scope < isa::ScopeCount; ++scope)
    job.memory[scope] = core.scratchpads[scope].data();
  return runRows(core.machine.n, job);
}

} // namespace daedalus::sim::kernels
