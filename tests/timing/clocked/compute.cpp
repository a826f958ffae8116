// One iteration after the other, as the address generators of GEMM and VECTOR make them.
#include "clocked/compute.h"

#include <algorithm>

namespace daedalus::clocked {
namespace {

using isa::Scope;

using Counts = std::array<uint32_t, 6>;

/// Iterations of each loop; with a window GEMM's innermost one goes over columns: those before the first
/// result, and from there to the last.
Counts countsOf(const isa::Instruction &instruction) {
  Counts counts{1, 1, 1, 1, 1, 1};
  if (const auto *vector = std::get_if<isa::Vector>(&instruction))
    for (size_t loop = 0; loop < vector->loops.size(); ++loop)
      counts[loop] = vector->loops[loop].count;
  const auto *gemm = std::get_if<isa::Gemm>(&instruction);
  for (size_t loop = 0; gemm && loop < gemm->loops.size(); ++loop)
    counts[loop] = gemm->loops[loop].count;
  if (gemm && gemm->window)
    counts[5] = gemm->lead + gemm->step * (counts[5] - 1) + 1;
  return counts;
}

template <class Loops, class Stride>
int64_t rowAt(uint16_t first, const Loops &loops, Stride stride, const std::array<uint32_t, 6> &index) {
  int64_t row = first;
  for (size_t loop = 0; loop < loops.size(); ++loop)
    row += int64_t(index[loop]) * (loops[loop].*stride);
  return row;
}

bool outside(int64_t row, int64_t count, uint32_t rows) {
  return row < 0 || row + count > int64_t(rows);
}

/// A column: each of its rows, and, where it has a result, that one's tile and accumulator.
bool columnLeaves(const isa::Gemm &gemm, std::array<uint32_t, 6> index, const isa::Machine &machine) {
  using Loop = isa::GemmLoop;
  const int64_t row = rowAt(gemm.inp, gemm.loops, &Loop::inpStride, index);
  for (int64_t r = 0; r < gemm.window; ++r)
    if (outside(row + r * gemm.line, 1, machine.rows(Scope::Inp)))
      return true;
  if (index[5] < gemm.lead || (index[5] - gemm.lead) % gemm.step != 0)
    return false;
  index[5] = (index[5] - gemm.lead) / gemm.step;
  return outside(rowAt(gemm.wgt, gemm.loops, &Loop::wgtStride, index), 1, machine.rows(Scope::Wgt)) ||
         outside(rowAt(gemm.acc, gemm.loops, &Loop::accStride, index), 1, machine.rows(Scope::Acc));
}

bool leaves(const isa::Gemm &gemm, const std::array<uint32_t, 6> &index, const isa::Machine &machine) {
  using Loop = isa::GemmLoop;
  if (gemm.window)
    return columnLeaves(gemm, index, machine);
  return outside(rowAt(gemm.inp, gemm.loops, &Loop::inpStride, index), 1, machine.rows(Scope::Inp)) ||
         outside(rowAt(gemm.wgt, gemm.loops, &Loop::wgtStride, index), 1, machine.rows(Scope::Wgt)) ||
         outside(rowAt(gemm.acc, gemm.loops, &Loop::accStride, index), 1, machine.rows(Scope::Acc));
}

/// An operand: PARAM has rows of N bytes but for requantization.
bool operandLeaves(Scope scope, int64_t row, bool requantParameters, const isa::Machine &machine) {
  if (scope == Scope::None || scope == Scope::Imm)
    return false;
  const bool narrow = scope == Scope::Param && !requantParameters;
  return outside(row, 1, narrow ? machine.paramBytes / machine.n : machine.rows(scope));
}

bool leaves(const isa::Vector &vector, const std::array<uint32_t, 6> &index, const isa::Machine &machine) {
  using Loop = isa::VectorLoop;
  const int64_t dst = rowAt(vector.dst, vector.loops, &Loop::dstStride, index);
  const int64_t a = rowAt(vector.a, vector.loops, &Loop::aStride, index);
  const int64_t b = rowAt(vector.b, vector.loops, &Loop::bStride, index);
  const bool throughTable = vector.op == isa::VectorOp::RequantLut;
  return outside(dst, vector.op == isa::VectorOp::Mov32 ? 4 : 1, machine.rows(vector.dstScope)) ||
         operandLeaves(vector.aScope, a, false, machine) ||
         operandLeaves(vector.bScope, b, vector.op == isa::VectorOp::Requant || throughTable, machine) ||
         ((vector.op == isa::VectorOp::Lut || throughTable) &&
          outside(vector.table, 1, machine.rows(Scope::Lut)));
}

} // namespace

bool stepIteration(const isa::Instruction &instruction, std::array<uint32_t, 6> &index) {
  const Counts counts = countsOf(instruction);
  for (size_t loop = counts.size(); loop-- > 0;) {
    if (++index[loop] < counts[loop])
      return true;
    index[loop] = 0;
  }
  return false;
}

uint32_t iterationCycles(const isa::Instruction &instruction) {
  const auto *vector = std::get_if<isa::Vector>(&instruction);
  if (!vector)
    return 1;
  if (vector->op == isa::VectorOp::Mov32)
    return 4;
  std::array<uint32_t, isa::ScopeCount> reads{};
  ++reads[static_cast<unsigned>(vector->aScope)];
  ++reads[static_cast<unsigned>(vector->bScope)];
  if (vector->accumulate || vector->reduction)
    ++reads[static_cast<unsigned>(vector->dstScope)];
  reads[static_cast<unsigned>(Scope::None)] = reads[static_cast<unsigned>(Scope::Imm)] = 0;
  return std::max(1u, *std::max_element(reads.begin(), reads.end()));
}

bool leavesScratchpad(const isa::Instruction &instruction, const std::array<uint32_t, 6> &index,
                      const isa::Machine &machine) {
  if (const auto *gemm = std::get_if<isa::Gemm>(&instruction))
    return leaves(*gemm, index, machine);
  if (const auto *vector = std::get_if<isa::Vector>(&instruction))
    return leaves(*vector, index, machine);
  return false;
}

bool Compute::start() {
  const Item *head = queue.head();
  if (!head || working || shared.faults.isSet())
    return false;
  const uint8_t wait = isa::waitMask(*head->instruction);
  if (tokens.firstMissing(module, wait))
    return false;
  tokens.take(module, wait);
  queue.pop();
  Working first{*head, shared.now};
  if (std::holds_alternative<isa::Gemm>(*head->instruction))
    first.drain = shared.machine.gemmLatency;
  if (const auto *vector = std::get_if<isa::Vector>(head->instruction))
    first.drain = shared.machine.vectorLatency + (vector->op == isa::VectorOp::RequantLut ? 2 : 0);
  started = first;
  return true;
}

/// R10: the iterations, then the drain; MARK and NOP are one iteration without a drain.
void Compute::work() {
  const isa::Instruction &instruction = *working->item.instruction;
  working->outside >>= 1;
  if (working->outside & 1)
    shared.faults.report({FaultCause::ScratchpadRange, counterOf(module), working->item.index});
  if (working->iterating) {
    if (working->inIteration == 0 && leavesScratchpad(instruction, working->index, shared.machine))
      working->outside |= 1u << 2; // a register behind the loops, and one behind the comparison
    if (++working->inIteration == iterationCycles(instruction)) {
      working->inIteration = 0;
      working->iterating = stepIteration(instruction, working->index);
    }
  } else {
    --working->drain;
  }
  if (!working->iterating && working->drain == 0)
    endInstruction();
}

void Compute::endInstruction() {
  ended = true;
  tokens.give(module, isa::signalMask(*working->item.instruction), working->item.index);
  shared.events.push_back({working->item.index, counterOf(module), working->start, shared.now});
}

CounterClass Compute::classify(bool starts) const {
  if (working || starts)
    return CounterClass::Busy;
  if (const Item *head = queue.head())
    if (const auto missing = tokens.firstMissing(module, isa::waitMask(*head->instruction)))
      return static_cast<CounterClass>(1 + code(*missing));
  return CounterClass::Idle;
}

void Compute::evaluate() {
  const bool starts = start();
  if (working)
    work();
  shared.count(counterOf(module), classify(starts));
}

void Compute::commit() {
  if (ended)
    working.reset();
  if (started)
    working = started;
  started.reset();
  ended = false;
}

} // namespace daedalus::clocked
