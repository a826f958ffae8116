// Random instructions by rejection: an operand's loops are drawn first and its place then, so that most
// candidates fit their scratchpad; a candidate that reads an unwritten row or leaves DRAM's limits is drawn
// again. Tokens come last, from the dependences and from random pairs of instructions.
#include "daedalus/simulator/random_program.h"

#include "cosim/random.h"

#include "daedalus/isa/footprint.h"
#include "daedalus/isa/instruction_fields.h"
#include "daedalus/isa/timing.h"
#include "daedalus/isa/tokens.h"

#include <algorithm>
#include <cassert>

namespace daedalus::cosim {
namespace {

using namespace daedalus::isa;

constexpr uint32_t ParamArea = 4096; // bytes at the start of the constants that are sound rows of PARAM

class Generator {
public:
  Generator(const Machine &machine, uint64_t seed, const ProgramOptions &options)
      : machine(machine), options(options), seed(seed), random(seed * 2 + 1) {
    for (unsigned scope = 0; scope < ScopeCount; ++scope)
      written[scope].resize(machine.slices(static_cast<Scope>(scope)));
  }

  RandomProgram make() {
    result.program.machineName = machine.name;
    result.program.machineHash = machine.hash();
    result.program.bases[0] = {options.dramBytes, true};
    result.program.bases[1] = {options.dramBytes, false};
    RandomData data = randomData(options.dramBytes, seed);
    result.constants = std::move(data.constants);
    result.arena = std::move(data.arena);
    fillScratchpads();
    for (unsigned i = 0; i < options.instructions; ++i)
      addRandom();
    addTokens();
    instructions().push_back(Finish{});
    return std::move(result);
  }

private:
  std::vector<Instruction> &instructions() { return result.program.instructions; }

  /// One load a scope that the other instructions read, so that there is something to read.
  void fillScratchpads() {
    for (Scope scope : {Scope::Inp, Scope::Wgt, Scope::Param, Scope::Lut}) {
      Load load;
      load.scope = scope;
      const uint32_t most = scope == Scope::Param ? ParamArea : 12 * 1024;
      load.runBytes = static_cast<uint16_t>(std::min(most, machine.bytes(scope)));
      load.offset = scope == Scope::Param ? 0 : static_cast<uint32_t>(random.between(0, 4096));
      load.unbounded = true;
      load.unsignedData = random.chance(20) && scope != Scope::Param;
      accept(load);
    }
    Vector vector; // rows of ACC at both ends of a bank's border, and of OUT
    vector.op = VectorOp::Mov;
    vector.aScope = Scope::Inp;
    vector.dstScope = Scope::Acc;
    vector.dst = static_cast<uint16_t>(accWindow());
    vector.loops[4] = {32, 1, 1, 0};
    accept(vector);
    vector.dstScope = Scope::Out;
    vector.dst = 0;
    accept(vector);
  }

  /// ACC's rows that are used most: around the border of two banks.
  int64_t accWindow() const { return machine.rows(Scope::Acc) / machine.banks(Scope::Acc) - 16; }

  void addRandom() {
    for (unsigned attempt = 0; attempt < 200; ++attempt)
      if (accept(candidate()))
        return;
    accept(Nop{});
  }

  Instruction candidate() {
    const int64_t kind = random.between(0, 99);
    if (kind < 30)
      return randomLoad();
    if (kind < 50)
      return randomGemm();
    if (kind < 75)
      return randomVector();
    if (kind < 93)
      return randomStore();
    const Module module = static_cast<Module>(random.between(0, ModuleCount - 1));
    const uint32_t id = static_cast<uint32_t>(random.bits());
    return kind < 97 ? Instruction(Mark{0, 0, module, id}) : Instruction(Nop{0, 0, module, id});
  }

  /// Appends the candidate if it is legal here.
  bool accept(const Instruction &instruction) {
    assert(illegalReason(instruction).empty());
    if (!illegalReason(instruction, machine).empty())
      return false;
    const Footprint footprint = footprintOf(instruction, machine);
    for (const ScratchAccess &access : footprint.scratch)
      if (access.bounds.begin < 0 || access.bounds.end > machine.slices(access.scope) ||
          (!access.write && !access.ownRows && !allWritten(access)))
        return false;
    for (const Range &range : footprint.dram)
      if (range.begin < 0 || range.end > options.dramBytes)
        return false;
    if (const Vector *vector = std::get_if<Vector>(&instruction))
      if (selfOverwrite(*vector, 'a') || selfOverwrite(*vector, 'b'))
        return false;
    for (const ScratchAccess &access : footprint.scratch)
      if (access.write)
        for (const Range &range : access.slices)
          std::fill(writtenOf(access).begin() + range.begin, writtenOf(access).begin() + range.end, 1);
    instructions().push_back(instruction);
    return true;
  }

  std::vector<uint8_t> &writtenOf(const ScratchAccess &access) {
    return written[static_cast<size_t>(access.scope)];
  }

  bool allWritten(const ScratchAccess &access) {
    for (const Range &range : access.slices)
      if (std::count(writtenOf(access).begin() + range.begin, writtenOf(access).begin() + range.end, 0))
        return false;
    return true;
  }

  /// Counts of loops: most are 1, and their product stays within the options.
  template <class Loops> void drawCounts(Loops &loops, uint64_t most) {
    for (auto &loop : loops)
      loop.count = random.chance(55) ? 1 : static_cast<uint16_t>(random.between(1, 9));
    while (iterationsOf(loops) > most)
      loops[static_cast<size_t>(random.between(0, static_cast<int64_t>(loops.size()) - 1))].count = 1;
  }

  /// Strides of one operand; then a place from which its rows lie in [0, rows), inside or around the window.
  template <class Loops, class Member>
  int64_t drawPlace(Loops &loops, Member stride, int64_t reach, int64_t extent, int64_t rows,
                    int64_t window = 0) {
    int64_t low = 0, high = extent;
    for (auto &loop : loops) {
      int64_t value = random.chance(25) ? 0 : random.between(-reach, reach);
      const int64_t moved = (loop.count - 1) * value;
      if (high - low + std::abs(moved) > rows)
        value = 0;
      loop.*stride = static_cast<std::decay_t<decltype(loop.*stride)>>(value);
      (value < 0 ? low : high) += (loop.count - 1) * value;
    }
    const int64_t first = -low, last = rows - high;
    const int64_t kind = random.between(0, 99);
    const int64_t at = kind < 85   ? window + random.between(0, 31)
                       : kind < 90 ? last
                       : kind < 92 ? first
                                   : random.between(first, last);
    return std::clamp(at, first, last);
  }

  Load randomLoad() {
    Load load;
    load.scope = static_cast<Scope>(random.oneOf(1u << 1 | 1u << 2 | 1u << 4 | 1u << 5)); // inp wgt param lut
    load.base = random.chance(50);
    load.diagonal = load.scope == Scope::Wgt && random.chance(40);
    load.unsignedData = random.chance(30);
    load.tailFill = !load.diagonal && random.chance(40);
    load.unbounded = random.chance(40);
    load.fill = static_cast<int8_t>(random.bits());
    const int64_t n = machine.n, longest = load.diagonal ? n : random.chance(10) ? 40 * n : 4 * n;
    load.runBytes = static_cast<uint16_t>(random.between(1, longest));
    drawCounts(load.loops, 40);
    const int64_t grain = load.diagonal || random.chance(50) ? n : 1; // rows, or bytes anywhere
    const int64_t extent = load.diagonal ? load.runBytes * n : load.runBytes,
                  bytes = machine.bytes(load.scope);
    load.dst =
        static_cast<uint32_t>(grain * drawPlace(load.loops, &LoadLoop::dstStride, grain == 1 ? 3 * n : 5,
                                                (extent + grain - 1) / grain, bytes / grain));
    for (LoadLoop &loop : load.loops)
      loop.dstStride *= static_cast<int32_t>(grain);
    for (LoadLoop &loop : load.loops)
      loop.dramStride = static_cast<int32_t>(random.between(-150, 300));
    load.offset = static_cast<uint32_t>(random.between(0, options.dramBytes - 1));
    load.originY = static_cast<int16_t>(random.between(-3, 3));
    load.originX = static_cast<int16_t>(random.between(-40, 40));
    load.extentY = static_cast<uint16_t>(random.between(0, 6));
    load.extentX = static_cast<uint16_t>(random.between(0, 400));
    return load;
  }

  Gemm randomGemm() {
    Gemm gemm;
    drawCounts(gemm.loops, options.iterations);
    gemm.inp =
        static_cast<uint16_t>(drawPlace(gemm.loops, &GemmLoop::inpStride, 7, 1, machine.rows(Scope::Inp)));
    gemm.wgt =
        static_cast<uint16_t>(drawPlace(gemm.loops, &GemmLoop::wgtStride, 2, 1, machine.rows(Scope::Wgt)));
    gemm.acc = static_cast<uint16_t>(
        drawPlace(gemm.loops, &GemmLoop::accStride, 5, 1, machine.rows(Scope::Acc), accWindow()));
    gemm.accumulate = random.chance(25);
    gemm.reduction = static_cast<uint8_t>(random.bits() & 63);
    for (unsigned loop = 0; loop < gemm.loops.size(); ++loop) // as compilers do it, mostly: partial sums stay
      if ((gemm.reduction >> loop & 1) && random.chance(80))
        gemm.loops[loop].accStride = 0;
    return gemm;
  }

  Vector randomVector() {
    const VectorForm &form = VectorForms[static_cast<size_t>(random.between(0, VectorForms.size() - 1))];
    Vector vector;
    vector.op = static_cast<VectorOp>(random.oneOf(form.ops));
    vector.aScope = static_cast<Scope>(random.oneOf(form.a));
    vector.bScope = static_cast<Scope>(random.oneOf(form.b));
    vector.dstScope = static_cast<Scope>(random.oneOf(form.dst));
    vector.rounding = random.chance(50) ? Rounding::HalfEven : Rounding::HalfUp;
    vector.immediate = static_cast<int32_t>(random.chance(50) ? random.bits() : random.between(-9, 9));
    vector.lo = static_cast<int8_t>(random.chance(30) ? -128 : random.between(-128, 0));
    vector.hi = static_cast<int8_t>(random.chance(30) ? 127 : random.between(random.chance(5) ? -128 : vector.lo, 127));
    vector.zeroPoint = static_cast<int8_t>(random.bits());
    vector.table = static_cast<uint8_t>(random.between(0, std::min(8u, machine.rows(Scope::Lut)) - 1));
    drawCounts(vector.loops, options.iterations);
    vector.a = drawOperand(vector, vector.aScope, &VectorLoop::aStride);
    vector.b = drawOperand(vector, vector.bScope, &VectorLoop::bStride);
    if (vector.op == VectorOp::Mov32)
      vector.dst = static_cast<uint16_t>(
          drawPlace(vector.loops, &VectorLoop::dstStride, 6, 4, machine.rows(Scope::Out)));
    else
      vector.dst = drawOperand(vector, vector.dstScope, &VectorLoop::dstStride);
    if (form.reducing && (!form.plain || random.chance(50)))
      drawReduction(vector);
    if (!isReducing(vector) && random.chance(30))
      makeInPlace(vector);
    return vector;
  }

  uint16_t drawOperand(Vector &vector, Scope scope, int16_t VectorLoop::*stride) {
    if (scope == Scope::None || scope == Scope::Imm)
      return 0;
    const bool rows = scope == Scope::Param && vector.op == VectorOp::Requant;
    const int64_t units = rows ? machine.rows(scope) : machine.slices(scope);
    return static_cast<uint16_t>(
        drawPlace(vector.loops, stride, rows ? 2 : 6, 1, units, scope == Scope::Acc ? accWindow() : 0));
  }

  void drawReduction(Vector &vector) {
    vector.reduction = static_cast<uint8_t>(random.bits() & 31);
    vector.accumulate = vector.reduction == 0 || random.chance(25);
    for (unsigned loop = 0; loop < vector.loops.size(); ++loop)
      if ((vector.reduction >> loop & 1) && random.chance(80))
        vector.loops[loop].dstStride = 0;
  }

  void makeInPlace(Vector &vector) {
    if (vector.aScope != vector.dstScope)
      return;
    vector.dst = vector.a;
    for (VectorLoop &loop : vector.loops)
      loop.dstStride = loop.aStride;
  }

  Store randomStore() {
    Store store;
    store.base = 1;
    store.unsignedData = random.chance(30);
    const int64_t n = machine.n;
    store.runBytes = static_cast<uint16_t>(random.between(1, random.chance(10) ? 20 * n : 3 * n));
    drawCounts(store.loops, 40);
    store.src = static_cast<uint16_t>(drawPlace(store.loops, &StoreLoop::srcStride, 3,
                                                (store.runBytes + n - 1) / n, machine.rows(Scope::Out)));
    for (StoreLoop &loop : store.loops)
      loop.dramStride = static_cast<int32_t>(random.between(-150, 300));
    store.offset = static_cast<uint32_t>(random.between(0, options.dramBytes - 1));
    return store;
  }

  void addTokens() {
    std::vector<TokenEdge> extra;
    const int64_t count = static_cast<int64_t>(instructions().size());
    for (int64_t i = 0; options.extraTokens && i < count / 4; ++i) {
      const int64_t consumer = random.between(1, count - 1);
      extra.push_back(
          {static_cast<uint32_t>(random.between(0, consumer - 1)), static_cast<uint32_t>(consumer)});
    }
    std::sort(extra.begin(), extra.end(),
              [](const TokenEdge &x, const TokenEdge &y) { return x.consumer < y.consumer; });
    applyTokens(instructions(), computeTokens(instructions(), machine, 1, extra));
  }

  const Machine &machine;
  const ProgramOptions options;
  const uint64_t seed;
  Random random;
  RandomProgram result;
  std::array<std::vector<uint8_t>, ScopeCount> written;
};

} // namespace

RandomData randomData(uint32_t bytesOfEach, uint64_t seed) {
  Random random(seed * 2);
  RandomData result;
  for (auto *bytes : {&result.constants, &result.arena})
    for (uint32_t i = 0; i < bytesOfEach; ++i)
      bytes->push_back(static_cast<uint8_t>(random.bits()));
  for (uint32_t lane = 0; lane < ParamArea; lane += 16) {
    const bool extreme = random.chance(25);
    const int64_t bias = extreme ? static_cast<int32_t>(random.bits()) : random.between(-5000, 5000);
    const int64_t multiplier = extreme ? static_cast<int32_t>(random.bits()) : random.between(1 << 30, INT32_MAX);
    for (unsigned i = 0; i < 4; ++i) {
      result.constants[lane + i] = static_cast<uint8_t>(bias >> (8 * i));
      result.constants[lane + 4 + i] = static_cast<uint8_t>(multiplier >> (8 * i));
    }
    result.constants[lane + 8] = static_cast<uint8_t>(random.between(extreme ? 0 : 30, extreme ? 255 : 46));
    std::fill_n(result.constants.begin() + lane + 9, 7, uint8_t(0));
  }
  return result;
}

RandomProgram randomProgram(const Machine &machine, uint64_t seed, const ProgramOptions &options) {
  return Generator(machine, seed, options).make();
}

} // namespace daedalus::cosim
