// VECTOR for speed: a row at a time in int32 lanes, with the operation chosen outside the lane loops.
#include "common/loop_nest.h"
#include "common/scratch_range.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/semantics.h"
#include "kernels/converted.h"
#include "kernels/kernels.h"

#include <cstring>

namespace daedalus::sim::kernels {
namespace {

using isa::Scope;
using isa::VectorOp;

struct Job {
  const isa::Vector &vector;
  std::array<uint8_t *, isa::ScopeCount> memory;
  Converted<int32_t> &params; ///< rows of PARAM as N biases, N multipliers and N shifts

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
  const bool clamps = isa::clampsResult(vector.op);
  const int32_t lo = clamps ? vector.lo : -128, hi = clamps ? vector.hi : 127;
  int8_t bytes[N];
  for (unsigned lane = 0; lane < N; ++lane)
    bytes[lane] = static_cast<int8_t>(isa::clampTo(lanes[lane], lo, hi));
  std::memcpy(job.of(vector.dstScope) + row * N, bytes, N);
}

template <unsigned N> DAEDALUS_ALWAYS_INLINE const int32_t *paramsOf(const Job &job, int64_t row) {
  return job.params.get(
      row, [&](int32_t * params) __attribute__((always_inline)) {
        const uint8_t *param = job.of(Scope::Param) + row * 16 * N;
        for (unsigned lane = 0; lane < N; ++lane) {
          std::memcpy(params + lane, param + 16 * lane, 4);
          std::memcpy(params + N + lane, param + 16 * lane + 4, 4);
          params[N + lane] &= 0x7fffffff;
          params[2 * N + lane] = isa::clampTo(param[16 * lane + 8] & 63, 1, 62);
        }
      });
}

/// isa::requantize, eight lanes at a time.
template <unsigned N> DAEDALUS_ALWAYS_INLINE void requant(const Job &job, int64_t row, int32_t *lanes) {
  typedef int32_t Ints __attribute__((vector_size(32)));
  typedef uint32_t Words __attribute__((vector_size(32)));
  typedef int64_t Longs __attribute__((vector_size(64)));
  const isa::Vector &vector = job.vector;
  const int32_t *params = paramsOf<N>(job, row);
  const Longs lo = Longs{} + vector.lo, hi = Longs{} + vector.hi;
  const Longs isUp = Longs{} + (vector.rounding == isa::Rounding::HalfUp ? 1 : 0);
  for (unsigned first = 0; first < N; first += 8) {
    Words acc, bias;
    Ints multipliers, shifts;
    std::memcpy(&acc, lanes + first, sizeof(acc));
    std::memcpy(&bias, params + first, sizeof(bias));
    std::memcpy(&multipliers, params + N + first, sizeof(multipliers));
    std::memcpy(&shifts, params + 2 * N + first, sizeof(shifts));
    const Longs shift = __builtin_convertvector(shifts, Longs);
    Longs value = __builtin_convertvector(reinterpret_cast<Ints>(acc + bias), Longs) *
                  __builtin_convertvector(multipliers, Longs);
    const Longs half = (Longs{} + 1) << (shift - 1);
    value = (value + half - 1 + (isUp | (value >> shift & 1))) >> shift;
    value += vector.zeroPoint;
    value = value < lo ? lo : value;
    value = value > hi ? hi : value;
    const Ints result = __builtin_convertvector(value, Ints);
    std::memcpy(lanes + first, &result, sizeof(result));
  }
}

template <unsigned N> DAEDALUS_ALWAYS_INLINE void lookUp(const Job &job, int32_t *lanes) {
  const uint8_t *table = job.of(Scope::Lut) + 256 * job.vector.table;
  for (unsigned lane = 0; lane < N; ++lane)
    lanes[lane] = static_cast<int8_t>(table[isa::lutIndex(lanes[lane])]);
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
  case VectorOp::RequantLut:
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
    lookUp<N>(job, x);
    break;
  case isa::VectorWay::RequantizeAndLookUp:
    requant<N>(job, b, x);
    lookUp<N>(job, x);
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
  const isa::VectorLoop inner = vector.loops[4];
  std::array<isa::VectorLoop, 5> outer = vector.loops;
  outer[4].count = 1;
  LoopNest nest(outer);
  do {
    int64_t dst = vector.dst + nest.offset(&isa::VectorLoop::dstStride);
    int64_t a = vector.a + nest.offset(&isa::VectorLoop::aStride);
    int64_t b = vector.b + nest.offset(&isa::VectorLoop::bStride);
    const bool first = nest.isFirst(vector.reduction) && !vector.accumulate;
    for (unsigned i = 0; i < inner.count; ++i) {
      row<N>(job, way, dst, a, b, reducing, first && !(i && (vector.reduction >> 4 & 1)));
      dst += inner.dstStride;
      a += inner.aStride;
      b += inner.bStride;
    }
  } while (nest.next());
}

DAEDALUS_KERNEL_WIDTHS(Job)

} // namespace

bool execute(const isa::Vector &vector, CoreState &core) {
  if (firstRowOutside(vector, core.machine))
    return false;
  static thread_local Converted<int32_t> params;
  if (isa::requantizes(vector.op))
    params.begin(core.machine.rows(Scope::Param), size_t(3) * core.machine.n);
  Job job{vector, {}, params};
  for (unsigned scope = 0; scope < isa::ScopeCount; ++scope)
    job.memory[scope] = core.scratchpads[scope].data();
  return runRows(core.machine.n, job);
}

} // namespace daedalus::sim::kernels
