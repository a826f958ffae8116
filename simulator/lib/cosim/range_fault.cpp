// A place near the end of its scope, or a stride that leads out of it.
#include "cosim/pick.h"
#include "cosim/random_fault.h"

#include "daedalus/isa/verify.h"

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
    const int64_t which = vector->op == VectorOp::Lut && random.chance(50) ? 2 : random.between(0, 3);
    const bool bytes = vector->op != VectorOp::Requant;
    if (which == 0)
      vector->a = before(rowsOf(machine, vector->aScope, bytes || vector->aScope != Scope::Param));
    else if (which == 1)
      vector->b = before(rowsOf(machine, vector->bScope, bytes));
    else if (which == 2 && vector->op == VectorOp::Lut)
      vector->table = static_cast<uint8_t>(random.between(0, 7));
    else
      vector->dst = before(machine.slices(vector->dstScope));
  } else if (auto *store = std::get_if<Store>(&instruction)) {
    store->src = before(machine.rows(Scope::Out));
  }
}

/// Or one of its strides goes too far.
void spoilStride(Instruction &instruction, Random &random) {
  const auto stride = [&] {
    return static_cast<int16_t>(random.chance(50) ? -random.between(1, 400) : random.between(1, 32767));
  };
  if (auto *gemm = std::get_if<Gemm>(&instruction)) {
    GemmLoop &loop = gemm->loops[random.between(0, 5)];
    const int64_t which = random.between(0, 2);
    (which == 0 ? loop.inpStride : which == 1 ? loop.wgtStride : loop.accStride) = stride();
  } else if (auto *vector = std::get_if<Vector>(&instruction)) {
    VectorLoop &loop = vector->loops[random.between(0, 4)];
    const int64_t which = random.between(0, 2);
    (which == 0 ? loop.dstStride : which == 1 ? loop.aStride : loop.bStride) = stride();
  } else if (auto *store = std::get_if<Store>(&instruction)) {
    store->loops[random.between(0, 2)].srcStride = stride();
  }
}

} // namespace

bool scratchpadRange(Case &test, const Machine &machine, Random &random) {
  const uint32_t at = pick<Load, Gemm, Vector, Store>(test.program.instructions, random);
  if (at == test.program.instructions.size())
    return false;
  test.faulty = at;
  Instruction &instruction = test.program.instructions[at];
  random.chance(60) ? spoilPlace(instruction, machine, random) : spoilStride(instruction, random);
  return illegalReason(instruction, machine).empty();
}

} // namespace daedalus::cosim
