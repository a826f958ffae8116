// Instructions that report a fault, or end, so many cycles behind their start (R22, R26 to R28).
#pragma once

#include "cosim/random.h"
#include "daedalus/isa/encoding.h"
#include "daedalus/simulator/cosim.h"

#include <algorithm>
#include <optional>

namespace daedalus::cosim::timed {

using namespace isa;

inline constexpr uint32_t Limit = 16384; ///< of the base registers
inline constexpr unsigned BadBase = 5;   ///< a base register behind the end of the memory
inline constexpr uint64_t Nowhere = 1ull << 40;

inline uint8_t bit(Module module) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(module));
}

/// Loops of so many iterations.
template <class Loops> void setIterations(Loops &loops, uint64_t iterations) {
  loops.back().count = static_cast<uint16_t>(std::clamp<uint64_t>(iterations, 1, 65535));
}

/// The cycles from the start of an instruction to a report of its module.
class Faulty {
public:
  Faulty(const Case &test, const Machine &machine, Random &random) : machine(machine), random(random) {
    readLatency = test.readLatency ? test.readLatency : machine.readLatency;
    writeLatency = test.writeLatency ? test.writeLatency : machine.writeLatency;
  }

  /// A number of cycles that several modules can keep.
  int64_t drawDelay() {
    const int64_t shown = std::max(machine.loadIssueLatency, machine.storeIssueLatency);
    const int64_t delays[] = {
        shown,
        shown + random.between(1, 2),
        shown + random.between(1, 6),
        readError(),
        writeError(),
        std::max<int64_t>(std::max(machine.gemmLatency, machine.vectorLatency) + 1, shown)};
    return delays[random.chance(30) ? random.between(0, 1) : random.between(0, 5)];
  }

  /// The cycles to a bus error of LOAD, and of STORE.
  int64_t readError() const { return machine.loadIssueLatency + 1 + readLatency; }
  int64_t writeError() const {
    return machine.storeIssueLatency + 1 + machine.storeReadLatency + writeLatency;
  }

  /// A number of cycles in which ending() can end.
  int64_t drawEnd(Module module) {
    switch (module) {
    case Module::Load:
      return machine.loadIssueLatency + 1;
    case Module::Gemm:
      return machine.gemmLatency + random.between(1, 6);
    case Module::Vector:
      return machine.vectorLatency + random.between(1, 6);
    case Module::Store:
      break;
    }
    return machine.storeIssueLatency + 1;
  }

  Instruction make(Module module, int64_t delay, uint8_t wait) {
    Instruction instruction = faultOf(module, delay);
    setWaitMask(instruction, wait);
    return instruction;
  }

  /// The same of a LOAD or STORE, where it is no bus error.
  Instruction makeOutside(Module module, int64_t delay) {
    return module == Module::Load    ? Instruction(load(delay, false))
           : module == Module::Store ? Instruction(store(delay, false))
                                     : faultOf(module, delay);
  }

  /// An instruction that ends `delay` cycles behind its start, if it can, with a token for `consumer`.
  Instruction ending(Module module, int64_t delay, uint8_t wait, Module consumer) {
    Instruction instruction = Nop{0, 0, module, 0};
    if (module == Module::Gemm && delay > int64_t(machine.gemmLatency))
      instruction = working(Gemm(), delay - machine.gemmLatency);
    if (module == Module::Vector && delay > int64_t(machine.vectorLatency))
      instruction = working(copyRow(), delay - machine.vectorLatency);
    setWaitMask(instruction, wait);
    setSignalMask(instruction, bit(consumer));
    return instruction;
  }

private:
  template <class I> static I working(I instruction, int64_t iterations) {
    setIterations(instruction.loops, static_cast<uint64_t>(iterations));
    return instruction;
  }

  Vector copyRow() const {
    Vector vector;
    vector.op = VectorOp::Mov;
    vector.dstScope = Scope::Out;
    return vector;
  }

  Instruction faultOf(Module module, int64_t delay) {
    switch (module) {
    case Module::Load:
      return load(delay, delay == readError());
    case Module::Gemm:
      return gemm(delay - 3);
    case Module::Vector:
      return vector(delay - 3);
    case Module::Store:
      return store(delay, delay == writeError());
    }
    return Nop();
  }

  /// Fill in so many runs, one cycle each, and then a run outside of its limit, of its scope, or of both.
  Instruction load(int64_t delay, bool mayFail) {
    Load load;
    load.base = mayFail && random.chance(70) ? BadBase : 0;
    const int64_t runs = std::clamp<int64_t>(delay - machine.loadIssueLatency, 0, 200);
    load.unbounded = load.base == BadBase || runs == 0;
    if (load.base == BadBase)
      return load;
    load.loops[1].count = static_cast<uint16_t>(runs + 1);
    load.originY = static_cast<int16_t>(-runs);
    load.extentY = load.extentX = 1;
    const bool scope = random.chance(50), limit = !scope || random.chance(40);
    const auto size = static_cast<int64_t>(machine.bytes(load.scope));
    if (scope && runs)
      load.loops[1].dstStride = static_cast<int32_t>((size + runs - 1) / runs);
    else if (scope)
      load.dst = static_cast<uint32_t>(size);
    if (limit)
      load.offset = Limit;
    return load;
  }

  /// So many bursts inside, and then one that is not.
  Instruction store(int64_t delay, bool mayFail) {
    Store store;
    store.scope = Scope::Out;
    store.base = mayFail && random.chance(70) ? BadBase : 1;
    if (store.base == BadBase)
      return store;
    const int64_t bursts = std::clamp<int64_t>(delay - machine.storeIssueLatency, 0, 100),
                  rows = machine.rows(Scope::Out);
    const bool scope = random.chance(50), limit = !scope || random.chance(40);
    store.loops[0].count = static_cast<uint16_t>(bursts + 1);
    if (scope)
      (bursts ? store.loops[0].srcStride = static_cast<int16_t>((rows + bursts - 1) / bursts)
              : store.src = static_cast<uint16_t>(rows));
    if (limit && bursts == 1 && random.chance(50)) // before the base register
      store.loops[0].dramStride = -1;
    else if (limit)
      (bursts ? store.loops[0].dramStride = static_cast<int32_t>((Limit + bursts - 1) / bursts)
              : store.offset = Limit);
    return store;
  }

  /// So many iterations inside, and then one that is not, in one of its operands.
  template <class Loops, class Member>
  void leave(Loops &loops, int64_t iterations, Member stride, uint16_t &row, int64_t rows) {
    loops[4].count = 2;
    setIterations(loops, static_cast<uint64_t>(iterations));
    if (iterations > 0)
      loops[4].*stride = static_cast<int16_t>(random.chance(50) ? -1 : std::min<int64_t>(rows, 32767));
    else
      row = static_cast<uint16_t>(std::min<int64_t>(rows, 65535));
  }

  /// The same with a window: so many columns inside, and then one of which a row is outside, or the result.
  std::optional<Gemm> window(int64_t columns) {
    Gemm gemm;
    gemm.window = static_cast<uint8_t>(random.between(1, machine.inpInterleave));
    gemm.line = static_cast<int16_t>(2 * random.between(0, 4) + 1);
    gemm.step = static_cast<uint8_t>(random.between(1, 3));
    const int64_t least = columns > 63 ? (columns - 61) / gemm.step : 0; // a lead has six bits
    const int64_t results = random.between(std::min(least, columns / gemm.step), columns / gemm.step);
    gemm.lead = static_cast<uint8_t>(columns - results * gemm.step);
    gemm.loops[5].count = static_cast<uint16_t>(results + random.between(1, 3));
    const bool ofResult = random.chance(50);
    const int64_t place = ofResult ? machine.rows(Scope::Acc) - results
                                   : machine.rows(Scope::Inp) - columns - (gemm.window - 1) * gemm.line;
    (ofResult ? gemm.acc : gemm.inp) = static_cast<uint16_t>(place);
    (ofResult ? gemm.loops[5].accStride : gemm.loops[5].inpStride) = 1;
    return place < 0 || place > UINT16_MAX ? std::nullopt : std::optional<Gemm>(gemm);
  }

  Instruction gemm(int64_t iterations) {
    if (random.chance(40))
      if (const std::optional<Gemm> found = window(std::max<int64_t>(iterations, 0)))
        return *found;
    Gemm gemm;
    switch (random.between(0, 2)) {
    case 0:
      leave(gemm.loops, iterations, &GemmLoop::inpStride, gemm.inp, machine.rows(Scope::Inp));
      break;
    case 1:
      leave(gemm.loops, iterations, &GemmLoop::wgtStride, gemm.wgt, machine.rows(Scope::Wgt));
      break;
    default:
      leave(gemm.loops, iterations, &GemmLoop::accStride, gemm.acc, machine.rows(Scope::Acc));
    }
    return gemm;
  }

  Instruction vector(int64_t iterations) {
    if (random.chance(15))
      return atTheEnd();
    Vector vector = copyRow();
    auto &loops = vector.loops;
    loops[3].count = 2;
    loops[4].count = static_cast<uint16_t>(std::max<int64_t>(iterations, 1));
    const bool dst = random.chance(50);
    const int64_t rows = machine.rows(dst ? Scope::Out : Scope::Inp);
    if (iterations > 0)
      (dst ? loops[3].dstStride : loops[3].aStride) =
          static_cast<int16_t>(random.chance(50) ? -1 : std::min<int64_t>(rows, 32767));
    else
      (dst ? vector.dst : vector.a) = static_cast<uint16_t>(std::min<int64_t>(rows, 65535));
    return vector;
  }

  /// The last table or the one behind; four rows of which some are the last.
  Instruction atTheEnd() {
    Vector vector = copyRow();
    vector.op = random.chance(50) ? VectorOp::Lut : VectorOp::Mov32;
    if (vector.op == VectorOp::Mov32) {
      vector.aScope = Scope::Acc;
      vector.dst =
          static_cast<uint16_t>(std::min<int64_t>(machine.rows(Scope::Out) - random.between(1, 4), 65535));
    } else {
      vector.table =
          static_cast<uint8_t>(std::min<int64_t>(machine.rows(Scope::Lut) - random.between(0, 1), 7));
    }
    return vector;
  }

  const Machine &machine;
  Random &random;
  int64_t readLatency = 0, writeLatency = 0;
};

} // namespace daedalus::cosim::timed
