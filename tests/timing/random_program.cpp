// Draws the fields of an instruction until nothing leaves its limit or its scratchpad.
#include "random_program.h"

#include <algorithm>

namespace daedalus::timing {
namespace {

using isa::Scope;
constexpr unsigned Modules = isa::ModuleCount;

template <size_t Size> Scope pick(Random &random, const Scope (&scopes)[Size]) {
  return scopes[random.below(Size)];
}

uint16_t runBytes(Random &random) {
  switch (random.below(4)) {
  case 0:
    return random.between(1, 8);
  case 1:
    return random.between(1, 70);
  case 2:
    return 8u << random.below(6);
  default:
    return random.between(1, 700);
  }
}

/// The smallest byte or row that the strides of the loops reach, 0 being the first iteration's.
template <class Loops, class Stride> int64_t lowest(const Loops &loops, Stride stride) {
  int64_t low = 0;
  for (const auto &loop : loops)
    low += std::min<int64_t>(0, int64_t(loop.count - 1) * (loop.*stride));
  return low;
}

void drawPadding(Random &random, isa::Load &load) {
  load.unbounded = random.percent(40);
  load.originY = random.between(-2, 2);
  load.originX = random.between(-60, 60);
  load.extentY = random.below(5);
  load.extentX = random.below(300);
  load.tailFill = random.percent(30);
}

void drawDiagonal(Random &random, isa::Load &load, uint32_t n) {
  load.scope = Scope::Wgt;
  load.diagonal = true;
  load.tailFill = false;
  load.runBytes = random.between(1, n);
  load.dst = random.below(16) * n;
  for (isa::LoadLoop &loop : load.loops)
    loop.dstStride = random.below(4) * n;
}

isa::Load drawLoad(Random &random, uint32_t n) {
  isa::Load load;
  load.base = random.below(4);
  load.scope = pick(random, {Scope::Inp, Scope::Wgt, Scope::Param, Scope::Lut});
  load.runBytes = runBytes(random);
  for (isa::LoadLoop &loop : load.loops) {
    loop.count = random.percent(40) ? random.between(1, 4) : 1;
    loop.dramStride = random.percent(30) ? load.runBytes : random.between(-40, 200);
    loop.dstStride = random.percent(30) ? n * random.below(5) : random.between(-40, 100);
  }
  const int64_t lowDst = -lowest(load.loops, &isa::LoadLoop::dstStride);
  load.dst = lowDst + (random.percent(30) ? n * random.below(8) : random.below(300));
  drawPadding(random, load);
  if (random.percent(8))
    drawDiagonal(random, load, n);
  // Sometimes fill lies outside the limit, where it is not read.
  const int64_t lowOffset = -lowest(load.loops, &isa::LoadLoop::dramStride);
  load.offset = random.percent(25) ? random.below(lowOffset + 1) : lowOffset + random.below(3000);
  return load;
}

isa::Store drawStore(Random &random) {
  isa::Store store;
  store.base = random.below(4);
  store.runBytes = runBytes(random);
  for (isa::StoreLoop &loop : store.loops) {
    loop.count = random.percent(40) ? random.between(1, 4) : 1;
    loop.dramStride = random.percent(30) ? store.runBytes : random.between(-40, 200);
    loop.srcStride = random.between(-2, 6);
  }
  store.offset = -lowest(store.loops, &isa::StoreLoop::dramStride) + random.below(3000);
  store.src = -lowest(store.loops, &isa::StoreLoop::srcStride) + random.below(20);
  return store;
}

template <class Loops> void drawCounts(Random &random, Loops &loops) {
  for (auto &loop : loops)
    loop.count = random.percent(30) ? random.between(1, 5) : 1;
}

/// Any window that the machine has, so that its columns take up to a hundred cycles.
void drawWindow(Random &random, isa::Gemm &gemm, uint32_t most) {
  gemm.window = random.between(1, most);
  gemm.line = 2 * random.between(-4, 4) + 1;
  gemm.lead = random.percent(80) ? random.below(9) : random.below(64);
  gemm.step = random.between(1, 3);
  gemm.reduction &= 31;
}

isa::Gemm drawGemm(Random &random, const isa::Machine &machine) {
  isa::Gemm gemm;
  gemm.accumulate = random.percent(50);
  gemm.reduction = random.below(64);
  drawCounts(random, gemm.loops);
  if (random.percent(40))
    drawWindow(random, gemm, machine.inpInterleave);
  for (isa::GemmLoop &loop : gemm.loops) {
    loop.inpStride = random.between(-1, 3);
    loop.wgtStride = random.between(-1, 1);
    loop.accStride = random.between(-1, 3);
  }
  gemm.inp = -lowest(gemm.loops, &isa::GemmLoop::inpStride) + random.below(30) + (gemm.window ? 24 : 0);
  gemm.wgt = -lowest(gemm.loops, &isa::GemmLoop::wgtStride) + random.below(4);
  gemm.acc = -lowest(gemm.loops, &isa::GemmLoop::accStride) + random.below(30);
  return gemm;
}

/// Operations with few forms, which blind draws would seldom hit.
void fitScopes(isa::Vector &vector) {
  if (vector.op == isa::VectorOp::Mov32) {
    vector.dstScope = Scope::Out;
    vector.aScope = Scope::Acc;
  }
  if (vector.op == isa::VectorOp::Mov32 || vector.op == isa::VectorOp::Lut)
    vector.bScope = Scope::None;
  if (isa::requantizes(vector.op))
    vector.bScope = Scope::Param;
}

isa::Vector drawVector(Random &random) {
  isa::Vector vector;
  vector.op = static_cast<isa::VectorOp>(random.below(isa::VectorOpCount));
  vector.dstScope = pick(random, {Scope::Inp, Scope::Acc, Scope::Out});
  vector.aScope = pick(random, {Scope::Inp, Scope::Acc, Scope::Param, Scope::Imm});
  vector.bScope = pick(random, {Scope::None, Scope::Inp, Scope::Acc, Scope::Param, Scope::Imm});
  fitScopes(vector);
  vector.accumulate = random.percent(25);
  vector.reduction = random.percent(50) ? 0 : random.below(32);
  vector.table = isa::looksUp(vector.op) ? random.below(2) : 0;
  drawCounts(random, vector.loops);
  for (isa::VectorLoop &loop : vector.loops) {
    loop.dstStride = random.between(-1, 4);
    loop.aStride = random.between(-1, 3);
    loop.bStride = random.between(0, 1);
  }
  vector.dst = -lowest(vector.loops, &isa::VectorLoop::dstStride) + random.below(20);
  vector.a = -lowest(vector.loops, &isa::VectorLoop::aStride) + random.below(20);
  vector.b = random.below(3);
  return vector;
}

/// Whether every segment that the cursor shows is in its limits, and there are not many.
template <class Cursor> bool segmentsInRange(Cursor cursor) {
  unsigned segments = 0;
  for (;; cursor.next()) {
    if (cursor.fault() != isa::FaultCause::None || ++segments > 200)
      return false;
    if (cursor.segment().last)
      return true;
  }
}

bool isInRange(const isa::Load &load, const clocked::HostSetup &setup) {
  return segmentsInRange(clocked::LoadCursor(load, setup.machine, setup.bases[load.base]));
}

bool isInRange(const isa::Store &store, const clocked::HostSetup &setup) {
  return segmentsInRange(clocked::StoreCursor(store, setup.machine, setup.bases[store.base]));
}

template <class I> bool iterationsInRange(const I &instruction, const clocked::HostSetup &setup) {
  std::array<uint32_t, 6> index{};
  for (unsigned iterations = 1;; ++iterations) {
    if (clocked::leavesScratchpad(instruction, index, setup.machine) || iterations > 300)
      return false;
    if (!clocked::stepIteration(instruction, index))
      return true;
  }
}

bool isInRange(const isa::Gemm &gemm, const clocked::HostSetup &setup) {
  return isa::illegalReason(isa::Instruction(gemm), setup.machine).empty() && iterationsInRange(gemm, setup);
}
bool isInRange(const isa::Vector &vector, const clocked::HostSetup &setup) {
  return isa::illegalReason(isa::Instruction(vector)).empty() && iterationsInRange(vector, setup);
}

template <class Draw> isa::Instruction drawLegal(const clocked::HostSetup &setup, Draw draw) {
  for (;;)
    if (const auto instruction = draw(); isInRange(instruction, setup))
      return instruction;
}

/// Waits of tokens that are there in program order, and signals.
void drawTokens(Random &random, isa::Instruction &instruction, unsigned (&tokens)[Modules][Modules]) {
  const unsigned own = clocked::code(*isa::moduleOf(instruction));
  uint8_t wait = 0, signal = 0;
  for (unsigned other = 0; other < Modules; ++other) {
    if (other == own)
      continue;
    if (tokens[other][own] && random.percent(60)) {
      wait |= 1u << other;
      --tokens[other][own];
    }
    if (tokens[own][other] < 100 && random.percent(25)) {
      signal |= 1u << other;
      ++tokens[own][other];
    }
  }
  isa::setWaitMask(instruction, wait);
  isa::setSignalMask(instruction, signal);
}

} // namespace

isa::Instruction randomInstruction(Random &random, const clocked::HostSetup &setup, isa::Module module) {
  if (random.percent(10))
    return isa::Nop{0, 0, module, random.below(1000)};
  if (random.percent(10))
    return isa::Mark{0, 0, module, random.below(1000)};
  switch (module) {
  case isa::Module::Load:
    return drawLegal(setup, [&] { return drawLoad(random, setup.machine.n); });
  case isa::Module::Gemm:
    return drawLegal(setup, [&] { return drawGemm(random, setup.machine); });
  case isa::Module::Vector:
    return drawLegal(setup, [&] { return drawVector(random); });
  case isa::Module::Store:
    return drawLegal(setup, [&] { return drawStore(random); });
  }
  return isa::Nop();
}

TestProgram randomProgram(Random &random, const isa::Machine &machine, unsigned instructions) {
  TestProgram program;
  clocked::HostSetup &setup = program.setup;
  setup.machine = machine;
  setup.dramBytes = DramBytes;
  setup.programAddress = Code + 64 * random.below(16);
  for (unsigned base = 0; base < 4; ++base)
    setup.bases[base] = {0x4000 * base + (random.percent(50) ? random.below(0x1000) : 0), 0x4000};
  // Each program prefers some modules, so that each of them is the bottleneck of some.
  uint32_t weights[Modules], total = 0;
  for (uint32_t &weight : weights)
    total += weight = random.between(1, 10);
  unsigned tokens[Modules][Modules] = {};
  for (unsigned i = random.below(instructions + 1); i > 0; --i) {
    uint32_t draw = random.below(total), module = 0;
    while (draw >= weights[module])
      draw -= weights[module++];
    isa::Instruction instruction = randomInstruction(random, setup, static_cast<isa::Module>(module));
    drawTokens(random, instruction, tokens);
    program.instructions.push_back(instruction);
  }
  program.instructions.push_back(isa::Finish());
  if (random.percent(15)) // fetched as far as FETCH runs ahead, never dispatched (R4, R8)
    program.instructions.insert(program.instructions.end(), random.between(1, 40),
                                isa::Nop{1, 0, isa::Module::Gemm, 0});
  encodeProgram(program);
  return program;
}

void encodeProgram(TestProgram &program) {
  program.setup.program.clear();
  for (const isa::Instruction &instruction : program.instructions)
    program.setup.program.push_back(isa::encode(instruction));
}

} // namespace daedalus::timing
