// Footprints against brute force over every iteration, every byte and every segment of random instructions.
#include "daedalus/isa/footprint.h"
#include "daedalus/isa/range_set.h"
#include "daedalus/isa/timing.h"
#include "daedalus/simulator/random_program.h"
#include "test_programs.h"

#include <map>
#include <set>

namespace daedalus::isa {
namespace {

using Places = std::set<int64_t>;
using Touched = std::map<std::pair<Scope, bool>, Places>;

/// Calls f with the indices of every iteration.
template <class Loops, class F> void forEachIteration(const Loops &loops, F f) {
  std::vector<uint32_t> index(loops.size());
  for (;;) {
    f(index);
    size_t loop = loops.size();
    while (loop > 0 && ++index[loop - 1] == loops[loop - 1].count)
      index[--loop] = 0;
    if (loop == 0)
      return;
  }
}

template <class Loops, class Member>
int64_t rowAt(const Loops &loops, const std::vector<uint32_t> &index, Member stride, int64_t row) {
  for (size_t loop = 0; loop < loops.size(); ++loop)
    row += int64_t(index[loop]) * (loops[loop].*stride);
  return row;
}

bool isFirst(unsigned reduction, const std::vector<uint32_t> &index) {
  for (size_t loop = 0; loop < index.size(); ++loop)
    if ((reduction >> loop & 1) && index[loop])
      return false;
  return true;
}

Touched bruteForce(const Gemm &gemm, const Machine &machine, Places &) {
  Touched touched;
  forEachIteration(gemm.loops, [&](const auto &index) {
    const int64_t row = rowAt(gemm.loops, index, &GemmLoop::inpStride, gemm.inp);
    if (!gemm.window)
      touched[{Scope::Inp, false}].insert(row);
    else if (index[5] == 0)
      for (int64_t column = 0; column <= gemm.lead + gemm.step * (gemm.loops[5].count - 1); ++column)
        for (int64_t r = 0; r < gemm.window; ++r)
          touched[{Scope::Inp, false}].insert(row + column * gemm.loops[5].inpStride + r * gemm.line);
    const int64_t tile = rowAt(gemm.loops, index, &GemmLoop::wgtStride, gemm.wgt);
    for (uint32_t i = 0; i < machine.n; ++i)
      touched[{Scope::Wgt, false}].insert(tile * machine.n + i);
    const int64_t acc = rowAt(gemm.loops, index, &GemmLoop::accStride, gemm.acc);
    touched[{Scope::Acc, true}].insert(acc);
    if (gemm.accumulate || !isFirst(gemm.reduction, index))
      touched[{Scope::Acc, false}].insert(acc);
  });
  return touched;
}

Touched bruteForce(const Vector &vector, const Machine &machine, Places &) {
  Touched touched;
  auto read = [&](Scope scope, int64_t row) {
    const bool isWhole = vector.op == VectorOp::Requant || vector.op == VectorOp::RequantLut;
    const int64_t slices = scope == Scope::Param && isWhole ? 16 : 1;
    for (int64_t i = 0; i < slices && scope != Scope::None && scope != Scope::Imm; ++i)
      touched[{scope, false}].insert(row * slices + i);
  };
  forEachIteration(vector.loops, [&](const auto &index) {
    read(vector.aScope, rowAt(vector.loops, index, &VectorLoop::aStride, vector.a));
    read(vector.bScope, rowAt(vector.loops, index, &VectorLoop::bStride, vector.b));
    const int64_t dst = rowAt(vector.loops, index, &VectorLoop::dstStride, vector.dst);
    for (int64_t i = 0; i < (vector.op == VectorOp::Mov32 ? 4 : 1); ++i)
      touched[{vector.dstScope, true}].insert(dst + i);
    if (vector.accumulate || !isFirst(vector.reduction, index))
      touched[{vector.dstScope, false}].insert(dst);
  });
  const bool looksUp = vector.op == VectorOp::Lut || vector.op == VectorOp::RequantLut;
  for (uint32_t i = 0; looksUp && i < 256 / machine.n; ++i)
    touched[{Scope::Lut, false}].insert(vector.table * (256 / machine.n) + i);
  return touched;
}

Touched bruteForce(const Load &load, const Machine &machine, Places &bytes) {
  Touched touched;
  LoadSegment segment;
  for (LoadSegments segments(load, machine, 24); segments.next(segment);)
    for (uint32_t i = 0; i < segment.bytes; ++i) {
      if (segment.kind == LoadSegment::Kind::Burst)
        bytes.insert(segment.offset + i);
      const int64_t at =
          load.diagonal ? segment.runDst + int64_t(segment.position + i) * machine.n : segment.dst() + i;
      touched[{load.scope, true}].insert(at / machine.n);
    }
  return touched;
}

Touched bruteForce(const Store &store, const Machine &machine, Places &bytes) {
  Touched touched;
  StoreSegment segment;
  for (StoreSegments segments(store, machine, 40); segments.next(segment);)
    for (uint32_t i = 0; i < segment.bytes; ++i) {
      bytes.insert(segment.offset + i);
      touched[{Scope::Out, false}].insert((segment.src + i) / machine.n);
    }
  return touched;
}

template <class I> Touched bruteForce(const I &, const Machine &, Places &) {
  return {};
}

Places placesOf(const std::vector<Range> &ranges) {
  Places places;
  int64_t end = INT64_MIN;
  for (const Range &range : ranges) {
    EXPECT_LT(end, range.begin) << "sorted, disjoint and not adjacent";
    end = range.end;
    for (int64_t at = range.begin; at < range.end; ++at)
      places.insert(at);
  }
  return places;
}

void compare(const Instruction &instruction, const Machine &machine) {
  Places bytes;
  const Touched expected =
      std::visit([&](const auto &i) { return bruteForce(i, machine, bytes); }, instruction);
  const Footprint footprint = footprintOf(instruction, machine);
  Touched found;
  for (const ScratchAccess &access : footprint.scratch) {
    const Places places = placesOf(access.slices);
    for (int64_t place : places)
      EXPECT_TRUE(access.bounds.begin <= place && place < access.bounds.end);
    found[{access.scope, access.write}].insert(places.begin(), places.end());
  }
  EXPECT_EQ(placesOf(footprint.dram), bytes);
  for (const auto &[key, places] : expected) {
    const bool superset = key.first == Scope::Acc && !key.second; // rows never read again may be in it
    if (superset) {
      EXPECT_TRUE(std::includes(found[key].begin(), found[key].end(), places.begin(), places.end()));
    } else {
      EXPECT_EQ(found[key], places) << name(key.first) << (key.second ? " written" : " read");
    }
  }
  EXPECT_EQ(found.size(), expected.size());
}

TEST(Footprint, IsWhatTheIterationsTouch) {
  unsigned windows = 0;
  for (const char *name : {"tiny", "default", "default,inp_interleave=2"}) {
    const Machine machine = machineNamed(name);
    for (uint64_t seed = 0; seed < 20; ++seed)
      for (const Instruction &instruction : cosim::randomProgram(machine, seed).program.instructions) {
        const Gemm *gemm = std::get_if<Gemm>(&instruction);
        windows += gemm && gemm->window;
        if (!::testing::Test::HasFailure())
          compare(instruction, machine);
      }
  }
  EXPECT_GT(windows, 30u);
}

/// Bytes of the scope, by the words of the specification.
Places bytesWritten(const Load &load, const Machine &machine) {
  Places bytes;
  const int64_t n = machine.n;
  forEachIteration(load.loops, [&](const auto &index) {
    const int64_t dst = rowAt(load.loops, index, &LoadLoop::dstStride, load.dst);
    int64_t end = dst + load.runBytes * (load.diagonal ? n : 1);
    while (load.tailFill && end % n)
      ++end;
    for (int64_t byte = dst; byte < end; ++byte)
      bytes.insert(byte);
  });
  return bytes;
}

TEST(Footprint, LoadWritesTheseBytesAndNoOther) {
  unsigned parts = 0;
  for (const char *name : {"tiny", "default"}) {
    const Machine machine = machineNamed(name);
    for (uint64_t seed = 100; seed < 140; ++seed)
      for (const Instruction &instruction : cosim::randomProgram(machine, seed).program.instructions)
        if (const Load *load = std::get_if<Load>(&instruction)) {
          const Footprint footprint = footprintOf(instruction, machine);
          const ScratchAccess &access = footprint.scratch[0];
          std::vector<Range> bytes = access.bytes;
          parts += !bytes.empty();
          for (const Range &slices : access.slices)
            if (access.bytes.empty())
              bytes.push_back({slices.begin * machine.n, slices.end * machine.n});
          Places found;
          for (const Range &range : bytes)
            for (int64_t byte = range.begin; byte < range.end; ++byte)
              found.insert(byte);
          ASSERT_TRUE(footprint.exact);
          ASSERT_EQ(found, bytesWritten(*load, machine)) << "seed " << seed;
        }
  }
  EXPECT_GT(parts, 100u);
}

TEST(Footprint, TooManySeparateRangesAreABoxAndSaySo) {
  const Machine machine = machineNamed("default");
  Load load = loadTo(Scope::Inp, 0, 1, 1);
  load.loops = {{{999, 3, 0}, {1999, 65537, 0}, {1999, 32771, 0}}};
  const Footprint footprint = footprintOf(load, machine);
  EXPECT_FALSE(footprint.exact);
  EXPECT_EQ(footprint.dram, (std::vector<Range>{{0, 998 * 3 + 1998 * 65537 + int64_t(1998) * 32771 + 1}}));
}

TEST(RangeSetTest, IsWhatASetOfNumbersIs) {
  uint64_t state = 1;
  auto number = [&](uint64_t below) {
    return static_cast<int64_t>(((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) %
                                below);
  };
  for (unsigned round = 0; round < 200; ++round) {
    RangeSet set;
    Places places;
    for (unsigned i = 0; i < 12; ++i) {
      const int64_t begin = number(60), end = begin + number(9);
      const Range probe{begin, end};
      Places missing;
      set.forEachMissing(probe, [&](Range part) {
        for (int64_t at = part.begin; at < part.end; ++at)
          missing.insert(at);
      });
      Places expected, common;
      for (int64_t at = begin; at < end; ++at)
        (places.count(at) ? common : expected).insert(at);
      ASSERT_EQ(missing, expected);
      ASSERT_EQ(set.missing(probe).has_value(), !expected.empty());
      ASSERT_EQ(set.common(probe).has_value(), !common.empty());
      if (!expected.empty()) {
        ASSERT_EQ(set.missing(probe)->begin, *expected.begin());
        ASSERT_EQ(places.count(set.missing(probe)->end - 1), 0u);
      }
      if (!common.empty()) {
        ASSERT_EQ(set.common(probe)->begin, *common.begin());
        ASSERT_EQ(places.count(set.common(probe)->end - 1), 1u);
      }
      set.add(probe);
      for (int64_t at = begin; at < end; ++at)
        places.insert(at);
      std::vector<Range> ranges;
      for (const auto &[from, to] : set)
        ranges.push_back({from, to});
      ASSERT_EQ(placesOf(ranges), places);
    }
  }
}

TEST(Footprint, FirstRowIsNotReadWhenPartialSumsMove) {
  const Machine machine = machineNamed("tiny");
  Gemm gemm;
  gemm.reduction = 1;
  gemm.loops[0] = {3, 0, 0, 1}; // overwrites row 0, then reads rows 1 and 2, which it never wrote
  bool external = false;
  for (const ScratchAccess &access : footprintOf(gemm, machine).scratch)
    external = external || (access.scope == Scope::Acc && !access.write && !access.ownRows);
  EXPECT_TRUE(external);
  gemm.loops[0] = {3, 0, 0, 0};
  for (const ScratchAccess &access : footprintOf(gemm, machine).scratch)
    EXPECT_TRUE(access.scope != Scope::Acc || access.write || access.ownRows);
}

TEST(Footprint, BigInstructionsAreCheap) {
  const Machine machine = machineNamed("default");
  Gemm gemm; // 4 billion iterations over 3 rows
  gemm.loops[0].count = 60000;
  gemm.loops[1] = {60000, 0, 0, 0};
  gemm.loops[2] = {3, 1, 0, 0};
  const Footprint footprint = footprintOf(gemm, machine);
  EXPECT_EQ(footprint.scratch[0].slices, (std::vector<Range>{{0, 3}}));
}

TEST(Footprint, Banks) {
  const Machine machine = machineNamed("default"); // ACC: 4 banks of 512 rows
  const Footprint footprint = footprintOf(moveRow(Scope::Inp, 0, Scope::Acc, 511), machine);
  EXPECT_EQ(banksOf(footprint.scratch[1], machine), 1u);
  Vector vector = moveRow(Scope::Inp, 0, Scope::Acc, 511);
  vector.loops[0] = {3, 512, 0, 0};
  EXPECT_EQ(banksOf(footprintOf(vector, machine).scratch[1], machine), 7u);
}

TEST(SelfOverwrite, InPlaceIsFineAndAShiftDownIsNot) {
  Vector vector = moveRow(Scope::Inp, 8, Scope::Inp, 8);
  vector.loops[0] = {4, 1, 1, 0};
  EXPECT_TRUE(selfOverwrite(vector, 'a').never());
  vector.dst = 9; // writes 9, reads 9
  EXPECT_EQ(selfOverwrite(vector, 'a').row, 9);
  vector.dst = 7; // reads 8 before it is written
  EXPECT_TRUE(selfOverwrite(vector, 'a').never());
  vector.dst = 8;
  vector.loops[1] = {60000, 0, 0, 0}; // in place, twice
  EXPECT_EQ(selfOverwrite(vector, 'a').row, 8);
  vector.dst = 20;
  EXPECT_TRUE(selfOverwrite(vector, 'a').never());
}

} // namespace
} // namespace daedalus::isa
