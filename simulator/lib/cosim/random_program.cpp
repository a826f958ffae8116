// Random instructions by rejection: a candidate that reads an unwritten row or leaves DRAM's limits is drawn
// again. Tokens come last, from the dependences and from what the options ask for.
#include "daedalus/simulator/random_program.h"

#include "cosim/random_data.h"
#include "cosim/random_instruction.h"
#include "daedalus/isa/footprint.h"
#include "daedalus/isa/tokens.h"
#include "daedalus/isa/written_bytes.h"
#include "daedalus/simulator/cosim.h"

#include <algorithm>
#include <cassert>

namespace daedalus::cosim {
namespace {

using namespace isa;

class Generator {
public:
  Generator(const Machine &machine, uint64_t seed, const ProgramOptions &options)
      : machine(machine), options(options), seed(seed), random(seed * 2 + 1),
        draw(machine, random, {options.dramBytes, options.iterations}), written(machine) {}

  RandomProgram make() {
    result.program.machineName = machine.name;
    result.program.machineHash = machine.hash();
    result.program.bases[0] = {options.dramBytes, true};
    result.program.bases[1] = {options.dramBytes, false};
    for (auto *bytes : {&result.constants, &result.arena}) {
      bytes->resize(options.dramBytes);
      fillRandomly(*bytes, random.bits());
    }
    fillParameters(Span<uint8_t>(result.constants).subspan(0, ParameterBytes), seed);
    fillScratchpads();
    for (unsigned i = 0; i < options.instructions; ++i)
      addRandom();
    for (unsigned i = 0; i < options.wide; ++i)
      addWide();
    addDebt();
    addTokens();
    instructions().push_back(Finish{});
    return std::move(result);
  }

private:
  std::vector<Instruction> &instructions() { return result.program.instructions; }

  /// The windows of the scopes, so that there is something to read.
  void fillScratchpads() {
    for (Scope scope : {Scope::Inp, Scope::Wgt, Scope::Param, Scope::Lut})
      for (const Window &window : windowsOf(scope, machine))
        loadWindow(scope, window);
    const VectorOp ops[] = {VectorOp::Mov, VectorOp::Mul, VectorOp::Shl};
    for (const Window &window : windowsOf(Scope::Acc, machine))
      fillFromInp(Scope::Acc, window, ops[random.between(0, 2)]);
    for (const Window &window : windowsOf(Scope::Out, machine))
      fillFromInp(Scope::Out, window, VectorOp::Mov);
  }

  void loadWindow(Scope scope, const Window &window) {
    Load load;
    load.scope = scope;
    load.base = scope != Scope::Param && random.chance(50);
    load.dst = static_cast<uint32_t>(window.first * machine.rowBytes(scope));
    load.runBytes = static_cast<uint16_t>(std::min<int64_t>(
        window.count * machine.rowBytes(scope), scope == Scope::Param ? ParameterBytes : 12 * 1024));
    load.offset = static_cast<uint32_t>(scope == Scope::Param
                                            ? 16 * random.between(0, (ParameterBytes - load.runBytes) / 16)
                                            : random.between(0, 4096));
    load.unbounded = true;
    load.unsignedData = random.chance(20) && scope != Scope::Param;
    accept(load);
  }

  /// Rows of int8, or with larger numbers.
  void fillFromInp(Scope scope, const Window &window, VectorOp op) {
    Vector vector;
    vector.op = op;
    vector.aScope = Scope::Inp;
    vector.bScope = op == VectorOp::Mov ? Scope::None : Scope::Imm;
    vector.immediate = op == VectorOp::Shl ? static_cast<int32_t>(random.between(0, 31))
                                           : static_cast<int32_t>(random.bits() >> random.between(32, 62));
    vector.dstScope = scope;
    vector.dst = static_cast<uint16_t>(window.first);
    vector.loops[4] = {static_cast<uint16_t>(window.count), 1, 1, 0};
    if (!accept(vector)) { // INP has fewer rows
      vector.loops[4].aStride = 0;
      accept(vector);
    }
  }

  void addRandom() {
    for (unsigned attempt = 0; attempt < 200; ++attempt)
      if (accept(draw.any()))
        return;
    accept(Nop{});
  }

  void addWide() {
    for (unsigned attempt = 0; attempt < 60; ++attempt)
      if (accept(draw.wide()))
        return;
  }

  /// Appends the candidate if it is legal here.
  bool accept(const Instruction &instruction) {
    assert(illegalReason(instruction).empty());
    if (!illegalReason(instruction, machine).empty())
      return false;
    const Footprint footprint = footprintOf(instruction, machine);
    for (const ScratchAccess &access : footprint.scratch)
      if (access.bounds.begin < 0 || access.bounds.end > machine.slices(access.scope))
        return false;
    if (!footprint.exact || written.missing(footprint))
      return false;
    for (const Range &range : footprint.dram)
      if (range.begin < 0 || range.end > options.dramBytes)
        return false;
    if (const Vector *vector = std::get_if<Vector>(&instruction))
      if (!selfOverwrite(*vector, 'a').never() || !selfOverwrite(*vector, 'b').never())
        return false;
    written.write(footprint);
    instructions().push_back(instruction);
    return true;
  }

  /// Instructions of one module that give a token each, and then as many of another that take one each.
  void addDebt() {
    if (!options.debt)
      return;
    const auto producer = static_cast<Module>(random.between(0, 3));
    const auto consumer = static_cast<Module>((static_cast<unsigned>(producer) + random.between(1, 3)) % 4);
    const auto at = static_cast<uint32_t>(random.between(0, int64_t(instructions().size())));
    std::vector<Instruction> block;
    for (Module module : {producer, consumer})
      for (unsigned i = 0; i < options.debt; ++i)
        block.push_back(draw.nothing(module));
    instructions().insert(instructions().begin() + at, block.begin(), block.end());
    for (unsigned i = 0; i < options.debt; ++i)
      extra.push_back({at + i, at + options.debt + i});
  }

  void addTokens() {
    const auto count = static_cast<uint32_t>(instructions().size());
    for (uint32_t i = 0; options.extraTokens && i < count / 4; ++i) {
      const auto consumer = static_cast<uint32_t>(random.between(1, count - 1));
      extra.push_back({static_cast<uint32_t>(random.between(0, consumer - 1)), consumer});
    }
    if (options.tight)
      orderAll();
    std::stable_sort(extra.begin(), extra.end(),
                     [](const TokenEdge &x, const TokenEdge &y) { return x.consumer < y.consumer; });
    applyTokens(instructions(), computeTokens(instructions(), machine, 1, extra));
  }

  /// Every instruction waits for the last one before it of every other module.
  void orderAll() {
    std::array<std::optional<uint32_t>, ModuleCount> last;
    for (uint32_t i = 0; i < instructions().size(); ++i) {
      const Module own = *moduleOf(instructions()[i]);
      for (unsigned other = 0; other < ModuleCount; ++other)
        if (last[other] && other != static_cast<unsigned>(own))
          extra.push_back({*last[other], i});
      last[static_cast<unsigned>(own)] = i;
    }
  }

  const Machine &machine;
  const ProgramOptions options;
  const uint64_t seed;
  Random random;
  InstructionDraw draw;
  RandomProgram result;
  std::vector<TokenEdge> extra;
  WrittenBytes written;
};

} // namespace

RandomProgram randomProgram(const Machine &machine, uint64_t seed, const ProgramOptions &options) {
  return Generator(machine, seed, options).make();
}

} // namespace daedalus::cosim
