// Live bytes of scratchpads: worked out by hand, and against the definition, byte by byte and cycle by cycle.
#include "Report/Profile/Occupancy.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::report {
namespace {

using isa::Scope;

const isa::Machine &machine() {
  static const isa::Machine machine = *isa::loadMachine("tiny");
  return machine;
}

/// An instruction, and the first and the last cycle in which it is at work.
struct Timed {
  isa::Instruction instruction;
  uint64_t start, end;
};

std::vector<ScopeOccupancy> occupancyOf(const std::vector<std::vector<Timed>> &programs, uint64_t cycles) {
  Occupancy occupancy(machine());
  for (const std::vector<Timed> &program : programs) {
    std::vector<isa::Instruction> instructions;
    std::vector<sim::InstructionCycles> times(program.size());
    for (size_t i = 0; i < program.size(); ++i) {
      instructions.push_back(program[i].instruction);
      times[i].start = program[i].start, times[i].end = program[i].end;
    }
    occupancy.add(instructions, times, cycles);
  }
  return occupancy.take();
}

const ScopeOccupancy &of(const std::vector<ScopeOccupancy> &all, Scope scope) {
  return *std::find_if(all.begin(), all.end(), [&](const auto &one) { return one.scope == scope; });
}

isa::Load load(Scope scope, uint32_t byte, uint16_t bytes) {
  isa::Load load;
  load.scope = scope, load.unbounded = true, load.dst = byte, load.runBytes = bytes;
  return load;
}

/// acc[row] = inp[row], or acc[row] += inp[row], of `rows` rows.
isa::Vector toAcc(uint16_t row, uint16_t rows, bool accumulate = false) {
  isa::Vector vector;
  vector.op = isa::VectorOp::Add, vector.aScope = Scope::Inp, vector.dstScope = Scope::Acc;
  vector.bScope = Scope::Imm, vector.accumulate = accumulate;
  vector.a = vector.dst = row;
  vector.loops.back().count = rows, vector.loops.back().aStride = vector.loops.back().dstStride = 1;
  return vector;
}

TEST(Occupancy, IsFromTheWriteToTheLastRead) {
  const uint32_t n = machine().n;
  const auto all = occupancyOf(
      {{{load(Scope::Inp, 0, static_cast<uint16_t>(2 * n)), 2, 3}, {toAcc(0, 1), 5, 5}, {toAcc(0, 2), 7, 8}}},
      10);
  const ScopeOccupancy &inp = of(all, Scope::Inp);
  EXPECT_EQ(inp.mean, (std::vector<uint64_t>{0, 0, 2 * n, 2 * n, 2 * n, 2 * n, 2 * n, 2 * n, 2 * n, 0}));
  EXPECT_EQ(inp.peak, 2 * n);
  EXPECT_EQ(inp.capacity, machine().bytes(Scope::Inp));
  EXPECT_EQ(of(all, Scope::Acc).peak, 0) << "what nobody reads is not live";
}

TEST(Occupancy, OfOverwrittenBytesEndsWithTheLastReadBefore) {
  const uint32_t n = machine().n;
  const auto row = load(Scope::Inp, 0, static_cast<uint16_t>(n));
  const auto all = occupancyOf({{{row, 0, 0}, {toAcc(0, 1), 1, 1}, {row, 4, 4}, {toAcc(0, 1), 6, 6}}}, 8);
  EXPECT_EQ(of(all, Scope::Inp).mean, (std::vector<uint64_t>{n, n, 0, 0, n, n, n, 0}));
}

TEST(Occupancy, OfSumsThatAreReadAndWrittenCountsThemOnce) {
  const uint32_t bytes = 4 * machine().n;
  isa::Vector last = toAcc(0, 1);
  last.aScope = Scope::Acc, last.dstScope = Scope::Out;
  const auto all = occupancyOf(
      {{{toAcc(0, 1), 0, 1}, {toAcc(0, 1, true), 2, 4}, {toAcc(0, 1, true), 3, 5}, {last, 7, 7}}}, 9);
  const ScopeOccupancy &acc = of(all, Scope::Acc);
  EXPECT_EQ(acc.mean, (std::vector<uint64_t>{bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, 0}));
  EXPECT_EQ(acc.peak, bytes);
}

TEST(Occupancy, OfPartialSumsBeginsWithTheirInstruction) {
  isa::Vector sum = toAcc(0, 2);
  sum.loops.back().dstStride = 0, sum.reduction = 1 << (sum.loops.size() - 1);
  isa::Vector last = toAcc(0, 1);
  last.aScope = Scope::Acc, last.dstScope = Scope::Out;
  const uint32_t bytes = 4 * machine().n;
  const auto all = occupancyOf({{{toAcc(0, 1), 0, 1}, {sum, 3, 4}, {last, 5, 5}}}, 6);
  EXPECT_EQ(of(all, Scope::Acc).mean, (std::vector<uint64_t>{0, 0, 0, bytes, bytes, bytes}));
}

TEST(Occupancy, OfPartOfARowLeavesTheRest) {
  const uint16_t n = static_cast<uint16_t>(machine().n), half = n / 2;
  const auto all = occupancyOf(
      {{{load(Scope::Inp, 0, n), 0, 0}, {load(Scope::Inp, 0, half), 2, 2}, {toAcc(0, 1), 3, 3}}}, 4);
  EXPECT_EQ(of(all, Scope::Inp).mean, (std::vector<uint64_t>{uint64_t(n) - half, uint64_t(n) - half, n, n}));
}

TEST(Occupancy, OfSeveralProgramsIsThatOfOneBehindTheOther) {
  const uint32_t n = machine().n;
  const std::vector<Timed> program{{load(Scope::Inp, 0, static_cast<uint16_t>(n)), 0, 1},
                                   {toAcc(0, 1), 1, 2}};
  const auto all = occupancyOf({program, program}, 4);
  EXPECT_EQ(of(all, Scope::Inp).mean, (std::vector<uint64_t>{n, n, n, 0, n, n, n, 0}));
}

TEST(Occupancy, IsNothingWithoutCycles) {
  EXPECT_TRUE(occupancyOf({}, 0).empty());
}

/// Bytes that are live in each cycle: of each byte and each read of it, from the last write before it to the
/// read.
std::vector<uint64_t> defined(const std::vector<Timed> &program, Scope scope, uint64_t cycles) {
  std::vector<std::vector<bool>> live(machine().bytes(scope), std::vector<bool>(cycles));
  std::vector<std::optional<uint64_t>> written(machine().bytes(scope));
  const uint32_t slice = machine().sliceBytes(scope);
  for (const Timed &timed : program)
    for (const bool write : {false, true})
      for (const isa::ScratchAccess &access : footprintOf(timed.instruction, machine()).scratch) {
        if (access.scope != scope || access.write != write)
          continue;
        std::vector<isa::Range> ranges = access.bytes;
        for (size_t i = 0; access.bytes.empty() && i < access.slices.size(); ++i)
          ranges.push_back({access.slices[i].begin * slice, access.slices[i].end * slice});
        for (const isa::Range &range : ranges)
          for (auto byte = static_cast<size_t>(range.begin); byte < static_cast<size_t>(range.end); ++byte)
            if (write)
              written[byte] = timed.start;
            else if (written[byte])
              std::fill(live[byte].begin() + static_cast<std::ptrdiff_t>(*written[byte]),
                        live[byte].begin() + static_cast<std::ptrdiff_t>(timed.end + 1), true);
      }
  std::vector<uint64_t> counted(cycles);
  for (const std::vector<bool> &byte : live)
    for (uint64_t cycle = 0; cycle < cycles; ++cycle)
      counted[cycle] += byte[cycle];
  return counted;
}

/// LOADs of any bytes of 32 rows and VECTORs that read them; each begins behind the one before, and may end
/// behind the next one's end.
std::vector<Timed> randomProgram(std::mt19937 &random, uint64_t cycles) {
  const auto below = [&](uint64_t most) { return static_cast<uint32_t>(random() % most); };
  std::vector<Timed> program;
  for (uint64_t start = below(4); start + 40 < cycles; start += 1 + below(9)) {
    const uint32_t row = below(32);
    isa::Instruction instruction = load(Scope::Inp, row * machine().n + below(machine().n),
                                        static_cast<uint16_t>(1 + below(6 * machine().n)));
    if (below(2))
      instruction = toAcc(static_cast<uint16_t>(row), static_cast<uint16_t>(1 + below(6)), below(2));
    program.push_back({instruction, start, start + below(40)});
  }
  return program;
}

TEST(Occupancy, OfRandomProgramsIsAsDefined) {
  std::mt19937 random(20);
  for (unsigned round = 0; round < 60; ++round) {
    const uint64_t cycles = 100 + random() % 900;
    const std::vector<Timed> program = randomProgram(random, cycles);
    const auto all = occupancyOf({program}, cycles);
    for (const Scope scope : {Scope::Inp, Scope::Acc}) {
      const std::vector<uint64_t> expected = defined(program, scope, cycles);
      const ScopeOccupancy &found = of(all, scope);
      EXPECT_EQ(found.peak, *std::max_element(expected.begin(), expected.end()));
      const uint64_t parts = std::min<uint64_t>(cycles, 300);
      ASSERT_EQ(found.mean.size(), parts);
      for (uint64_t part = 0; part < parts; ++part) {
        const uint64_t first = part * cycles / parts, end = (part + 1) * cycles / parts;
        double sum = 0;
        for (uint64_t cycle = first; cycle < end; ++cycle)
          sum += static_cast<double>(expected[cycle]);
        ASSERT_EQ(found.mean[part], static_cast<uint64_t>(sum / static_cast<double>(end - first) + 0.5))
            << "round " << round << ", part " << part << " of " << parts;
      }
    }
  }
}

} // namespace
} // namespace daedalus::report
