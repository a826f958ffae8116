// A place near the end of its scope, or a stride that leads out of it.
#include "cosim/pick.h"
#include "cosim/random_fault.h"

#include "daedalus/isa/encoding.h"
#include "daedalus/isa/verify.h"

#include <algorithm>

namespace daedalus::cosim {

using namespace isa;

namespace {

int64_t rowsOf(const Machine &machine, Scope scope, bool ofBytes) {
  return ofBytes ? machine.slices(scope) : machine.rows(scope);
}

/// A field that says where an operand begins gets a value near the end of its scope.
void spoilPlace(Instruction &instruction, const Machine &machine, Random &random) {
  const int64_t back = random.chance(40) ? random.between(0, 2) : random.between(0, 40);
  const auto before = [&](int64_t rows) { return static_cast<uint16_t>(std::max<int64_t>(rows - back, 0)); };
  if (auto *load = std::get_if<Load>(&instruction)) {
    const int64_t grain = load->diagonal ? machine.n : 1;
    const int64_t bytes = machine.bytes(load->scope), some = random.between(1, load->runBytes);
    load->dst = static_cast<uint32_t>((bytes - some) / grain * grain);
    if (random.chance(20))
      load->loops[2].dstStride = -static_cast<int32_t>(random.between(1, 300) * grain);
  } else if (auto *gemm = std::get_if<Gemm>(&instruction)) {
    const int64_t which = random.between(0, 2);
    (which == 0   ? gemm->inp
     : which == 1 ? gemm->wgt
                  : gemm->acc) = before(machine.rows(which == 0   ? Scope::Inp
                                                     : which == 1 ? Scope::Wgt
                                                                  : Scope::Acc));
  } else if (auto *vector = std::get_if<Vector>(&instruction)) {
    const int64_t which = random.between(0, 2);
    const bool bytes = !isa::requantizes(vector->op);
    if (which == 0)
      vector->a = before(rowsOf(machine, vector->aScope, bytes || vector->aScope != Scope::Param));
    else if (which == 1)
      vector->b = before(rowsOf(machine, vector->bScope, bytes));
    else
      vector->dst = before(machine.slices(vector->dstScope));
  } else if (auto *store = std::get_if<Store>(&instruction)) {
    store->src = before(machine.rows(Scope::Out));
  }
}

bool looksUp(const Instruction &instruction) {
  const auto *vector = std::get_if<Vector>(&instruction);
  return vector && isa::looksUp(vector->op);
}

bool hasWindow(const Instruction &instruction) {
  const auto *gemm = std::get_if<Gemm>(&instruction);
  return gemm && gemm->window;
}

/// Or a table that is the last one, the first that does not exist, or the one behind.
void spoilTable(Instruction &instruction, const Machine &machine, Random &random) {
  const int64_t tables = machine.rows(Scope::Lut);
  std::get<Vector>(instruction).table =
      static_cast<uint8_t>(std::min<int64_t>(tables + random.between(-1, 1), 7));
}

/// One of the loops, rather one that goes round than not.
template <class Loops> auto &drawLoop(Loops &loops, Random &random) {
  size_t at = 0;
  for (unsigned attempt = 0; attempt < 4 && (attempt == 0 || loops[at].count == 1); ++attempt)
    at = static_cast<size_t>(random.between(0, int64_t(loops.size()) - 1));
  return loops[at];
}

/// Or one of its strides goes too far.
void spoilStride(Instruction &instruction, Random &random) {
  const auto stride = [&] {
    return static_cast<int16_t>(random.chance(50) ? -random.between(1, 400) : random.between(1, 32767));
  };
  if (auto *gemm = std::get_if<Gemm>(&instruction)) {
    GemmLoop &loop = drawLoop(gemm->loops, random);
    const int64_t which = random.between(0, gemm->window > 1 ? 3 : 2);
    if (which == 3) // the rows of a column beyond the first
      gemm->line = static_cast<int16_t>(stride() | 1);
    else
      (which == 0 ? loop.inpStride : which == 1 ? loop.wgtStride : loop.accStride) = stride();
  } else if (auto *vector = std::get_if<Vector>(&instruction)) {
    VectorLoop &loop = drawLoop(vector->loops, random);
    const int64_t which = random.between(0, 2);
    (which == 0 ? loop.dstStride : which == 1 ? loop.aStride : loop.bStride) = stride();
  } else if (auto *store = std::get_if<Store>(&instruction)) {
    drawLoop(store->loops, random).srcStride = stride();
  }
}

} // namespace

bool scratchpadRange(Case &test, const Machine &machine, Random &random) {
  std::vector<Instruction> &list = test.program.instructions;
  const int64_t kind = random.between(0, 99);
  const bool ofTable = kind < 10;
  const uint32_t at = ofTable     ? pickIf(list, random, looksUp)
                      : kind < 30 ? pickIf(list, random, hasWindow)
                                  : pick<Load, Gemm, Vector, Store>(list, random);
  if (at == list.size())
    return false;
  test.faulty = at;
  if (ofTable)
    spoilTable(list[at], machine, random);
  else
    random.chance(60) ? spoilPlace(list[at], machine, random) : spoilStride(list[at], random);
  return illegalReason(list[at], machine).empty();
}

} // namespace daedalus::cosim
