// VECTOR: in every iteration of five loops, dst = op(a, b), lane by lane. Operands of int8 are widened,
// arithmetic is modulo 2^32, and a destination of int8 clamps to [lo, hi].
#include "common/loop_nest.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/semantics.h"
#include "functional/instructions.h"

#include <cstring>

namespace daedalus::sim::functional {
namespace {

using isa::Scope;
using isa::VectorOp;
using isa::VectorWay;
using Row = std::array<int32_t, 64>; ///< the lanes of a row, of which the machine has N

/// One VECTOR instruction on its core.
class Execution {
public:
  Execution(const isa::Vector &vector, CoreState &core) : vector(vector), core(core), n(core.machine.n) {}

  std::optional<Fault> row(const LoopNest<isa::VectorLoop, 5> &nest) {
    dst = vector.dst + nest.offset(&isa::VectorLoop::dstStride);
    a = vector.a + nest.offset(&isa::VectorLoop::aStride);
    b = vector.b + nest.offset(&isa::VectorLoop::bStride);
    if (auto fault = checkRows())
      return fault;
    execute(nest.isFirst(vector.reduction) && !vector.accumulate);
    return std::nullopt;
  }

private:
  uint8_t *memory(Scope scope) const { return core.scratchpad(scope).data(); }

  std::optional<Fault> checkRows() const {
    const int64_t dstRows = vector.op == VectorOp::Mov32 ? 4 : 1;
    if (auto fault =
            checkScope(vector.dstScope, "row", dst, dst + dstRows, core.machine.rows(vector.dstScope)))
      return fault;
    if (auto fault = checkOperand(vector.aScope, a))
      return fault;
    if (auto fault = checkOperand(vector.bScope, b))
      return fault;
    if (isa::looksUp(vector.op))
      return checkScope(Scope::Lut, "table", vector.table, vector.table + 1, core.machine.rows(Scope::Lut));
    return std::nullopt;
  }

  /// PARAM is rows of 16 N bytes for requantization, of N bytes otherwise.
  std::optional<Fault> checkOperand(Scope scope, int64_t index) const {
    if (scope == Scope::None || scope == Scope::Imm)
      return std::nullopt;
    const bool bytes = scope == Scope::Param && !isa::requantizes(vector.op);
    const int64_t rows = bytes ? core.machine.bytes(scope) / n : core.machine.rows(scope);
    return checkScope(scope, "row", index, index + 1, rows);
  }

  Row read(Scope scope, int64_t index) const {
    Row lanes{};
    for (int64_t lane = 0; lane < n; ++lane) {
      if (scope == Scope::Imm)
        lanes[lane] = vector.immediate;
      else if (scope == Scope::Acc)
        std::memcpy(&lanes[lane], memory(scope) + (index * n + lane) * 4, 4);
      else
        lanes[lane] = static_cast<int8_t>(memory(scope)[index * n + lane]);
    }
    return lanes;
  }

  void execute(bool overwrite) const {
    switch (isa::wayOf(vector.op)) {
    case VectorWay::Lanes:
      return write(isa::isReducing(vector) || vector.op == VectorOp::Mac ? reduce(overwrite) : compute());
    case VectorWay::Words:
      return writeWords();
    case VectorWay::Requantize:
      return write(requant(read(vector.aScope, a)));
    case VectorWay::LookUp:
      return write(lookUp(read(vector.aScope, a)));
    case VectorWay::RequantizeAndLookUp:
      return write(lookUp(requant(read(vector.aScope, a))));
    }
  }

  /// op(old destination, a); the first iteration of the reduction loops overwrites unless accumulate is set.
  Row reduce(bool overwrite) const {
    Row value = read(vector.aScope, a);
    if (vector.op == VectorOp::Mac) {
      const Row factor = read(vector.bScope, b);
      for (int64_t lane = 0; lane < n; ++lane)
        value[lane] = isa::combine(VectorOp::Mac, value[lane], factor[lane]);
    }
    if (overwrite)
      return value;
    const Row old = read(Scope::Acc, dst);
    const VectorOp op = vector.op == VectorOp::Mac ? VectorOp::Add : vector.op;
    for (int64_t lane = 0; lane < n; ++lane)
      value[lane] = isa::combine(op, old[lane], value[lane]);
    return value;
  }

  Row compute() const {
    Row value = read(vector.aScope, a);
    const Row second = vector.bScope == Scope::None ? Row{} : read(vector.bScope, b); // none: mov
    for (int64_t lane = 0; lane < n; ++lane)
      value[lane] = isa::combine(vector.op, value[lane], second[lane]);
    return value;
  }

  Row requant(Row value) const {
    for (int64_t lane = 0; lane < n; ++lane) {
      const uint8_t *param = memory(Scope::Param) + (b * n + lane) * 16;
      int32_t bias, multiplier;
      std::memcpy(&bias, param, 4);
      std::memcpy(&multiplier, param + 4, 4);
      value[lane] = isa::requantize(value[lane], bias, multiplier, param[8], vector.zeroPoint, vector.lo,
                                    vector.hi, vector.rounding);
    }
    return value;
  }

  Row lookUp(Row value) const {
    const uint8_t *table = memory(Scope::Lut) + 256 * vector.table;
    for (int64_t lane = 0; lane < n; ++lane)
      value[lane] = static_cast<int8_t>(table[isa::lutIndex(value[lane])]);
    return value;
  }

  /// The bytes of a row of ACC as four rows of OUT.
  void writeWords() const {
    std::memcpy(memory(Scope::Out) + dst * n, memory(Scope::Acc) + a * 4 * n, size_t(4 * n));
    core.wrote(Scope::Out, dst * n, memory(Scope::Out) + dst * n, 4 * n);
  }

  void write(const Row &value) const {
    const bool clamps = isa::clampsResult(vector.op);
    for (int64_t lane = 0; lane < n; ++lane) {
      if (vector.dstScope == Scope::Acc) {
        std::memcpy(memory(Scope::Acc) + (dst * n + lane) * 4, &value[lane], 4);
      } else {
        memory(vector.dstScope)[dst * n + lane] =
            static_cast<uint8_t>(clamps ? isa::clampTo(value[lane], vector.lo, vector.hi) : value[lane]);
      }
    }
    const int64_t rowBytes = vector.dstScope == Scope::Acc ? 4 * n : n;
    core.wrote(vector.dstScope, dst * rowBytes, memory(vector.dstScope) + dst * rowBytes, rowBytes);
  }

  const isa::Vector &vector;
  CoreState &core;
  const int64_t n;
  int64_t dst = 0, a = 0, b = 0; ///< rows of this iteration
};

} // namespace

std::optional<Fault> execute(const isa::Vector &vector, CoreState &core) {
  Execution execution(vector, core);
  LoopNest nest(vector.loops);
  do {
    if (auto fault = execution.row(nest))
      return fault;
  } while (nest.next());
  return std::nullopt;
}

} // namespace daedalus::sim::functional
