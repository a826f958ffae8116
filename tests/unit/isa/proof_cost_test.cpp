// A proof costs work and memory in proportion to the program, whatever the program says: the most expensive
// programs that we know, of the form "some instructions that fill the scratchpads, then one kind again and
// again". Each is proved, or refused as too costly, within mostWork. DAEDALUS_PROOF_INSTRUCTIONS says how
// often (16384: a mebibyte of words), and each test prints what that took.
#include "daedalus/isa/assembly.h"
#include "daedalus/isa/tokens.h"
#include "test_programs.h"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>

namespace daedalus::isa {
namespace {

/// An instruction may be finished that begins within the limit; one sweep of each operand, and what is kept.
constexpr uint64_t WorkOfOneMore = uint64_t(1) << 25;

struct Case {
  const char *name;
  std::vector<Instruction> first;
  std::function<Instruction(uint32_t)> then; ///< the i-th one
};

void PrintTo(const Case &test, std::ostream *out) {
  *out << test.name;
}

Load runs(Scope scope, uint16_t bytes, uint32_t offset, LoadLoop outer, LoadLoop middle, LoadLoop inner) {
  Load load = loadTo(scope, 0, bytes, 1, offset);
  load.loops = {outer, middle, inner};
  return load;
}

Store scattered(uint32_t offset, uint16_t count, int32_t stride) {
  Store store = storeRow(0, 1, offset);
  store.loops[2] = {count, stride, 0};
  return store;
}

/// A VECTOR from immediates to the first `rows` rows: VECTOR needs no tokens for what it wrote itself.
Vector filled(Scope scope, uint16_t rows) {
  Vector vector = moveRow(Scope::Imm, 0, scope, 0);
  vector.loops[4] = {rows, 1, 0, 0};
  return vector;
}

/// Reads rows 1023 to 2022 and writes 0 to 1023, in a million iterations of which none reads what was
/// written.
Vector walked() {
  Vector vector = moveRow(Scope::Inp, 1023, Scope::Inp, 0);
  vector.loops[0] = {1024, 1, 0, 0};
  vector.loops[1] = {1000, 0, 1, 0};
  return vector;
}

/// Partial sums that move: only the last iterations read a row that the instruction did not write.
Vector moving() {
  Vector vector = moveRow(Scope::Acc, 1500, Scope::Acc, 0);
  vector.op = VectorOp::Max;
  vector.reduction = 1;
  vector.loops[0] = {2, 1, 0, 0};
  vector.loops[1] = {999, 1, 0, 0};
  vector.loops[2] = {32, 0, 0, 0};
  return vector;
}

/// Rows in an order that no sweep makes contiguous before its last loop.
Vector interleaved() {
  Vector vector = filled(Scope::Acc, 1);
  vector.loops[0] = {19, 101, 0, 0};
  vector.loops[1] = {2, 31, 0, 0};
  vector.loops[2] = {3, 13, 0, 0};
  vector.loops[3] = {4, 7, 0, 0};
  vector.loops[4] = {8, 3, 0, 0};
  return vector;
}

Gemm everything() {
  Gemm gemm;
  gemm.loops[0] = {2048, 1, 0, 0};
  gemm.loops[1] = {1024, 0, 1, 0};
  gemm.loops[2] = {2047, 0, 0, 1};
  return gemm;
}

std::vector<Instruction> wholeInpAndWgt() {
  Load inp = loadTo(Scope::Inp, 0, 32768), wgt = loadTo(Scope::Wgt, 0, 32768);
  wgt.loops[2] = {8, 0, 32768};
  return {inp, wgt};
}

std::vector<Case> cases() {
  const Store every = scattered(0, 60000, 9);
  return {
      // Three loops of DRAM whose strides have no common divisor: 10^9 runs that never join.
      {"StridesInDram",
       {},
       [](uint32_t) {
         return runs(Scope::Inp, 1, 0, {999, 3, 0}, {1999, 65537, 0}, {1999, 32771, 0});
       }},
      // The same in a scratchpad, where they join in the end.
      {"StridesInWgt",
       {},
       [](uint32_t) {
         return runs(Scope::Wgt, 1, 0, {60, 0, 331}, {999, 0, 97}, {2000, 0, 63});
       }},
      {"StridesInAcc", {}, [](uint32_t) { return interleaved(); }},
      {"BytesOfRows",
       {},
       [](uint32_t) {
         return runs(Scope::Wgt, 1, 0, {1, 0, 0}, {2, 0, 2}, {65535, 0, 4});
       }},
      {"RunsInATensor",
       {},
       [](uint32_t) {
         Load load = runs(Scope::Inp, 2, 400000, {1, 0, 0}, {1, 0, 0}, {10922, -3, 0});
         load.unbounded = false;
         load.originX = 32767;
         load.extentX = load.extentY = 65535;
         return load;
       }},
      {"BytesReadFromDram",
       {},
       [](uint32_t i) {
         return runs(Scope::Inp, 1, i % 7, {1, 0, 0}, {1, 0, 0}, {60000, 9, 0});
       }},
      {"BytesWrittenToDram",
       {filled(Scope::Out, 1)},
       [](uint32_t i) { return scattered(i * 2, 60000, 40009); }},
      {"FewBytesHereAndThere",
       {filled(Scope::Out, 1)},
       [](uint32_t i) { return scattered(i * 7919 * 64 % (UINT32_MAX / 2), 120, 65537 * 3); }},
      {"ReadsOfWhatIsScattered",
       {filled(Scope::Out, 1), every},
       [](uint32_t) {
         return runs(Scope::Inp, 32000, 0, {1, 0, 0}, {1, 0, 0}, {17, 32000, 0});
       }},
      {"IterationsInPlace", {filled(Scope::Inp, 2048)}, [](uint32_t) { return walked(); }},
      {"PartialSumsThatMove", {filled(Scope::Acc, 2048)}, [](uint32_t) { return moving(); }},
      {"AllRowsOfEverything", wholeInpAndWgt(), [](uint32_t) { return everything(); }},
      {"Tokens",
       {},
       [](uint32_t i) {
         Nop nop;
         nop.module = static_cast<Module>(i % 4);
         return nop;
       }},
  };
}

class ProofCost : public ::testing::TestWithParam<Case> {};

TEST_P(ProofCost, IsBounded) {
  const Machine machine = machineNamed("default");
  const char *setting = std::getenv("DAEDALUS_PROOF_INSTRUCTIONS");
  const auto count = static_cast<uint32_t>(setting ? std::strtoul(setting, nullptr, 10) : 300);
  std::vector<Instruction> instructions = GetParam().first;
  const size_t ordered = std::min<size_t>(count, 8); // what comes later needs no other tokens
  for (uint32_t i = 0; i < ordered; ++i)
    instructions.push_back(GetParam().then(i));
  assignTokens(instructions, machine, 1);
  for (uint32_t i = static_cast<uint32_t>(ordered); i < count; ++i)
    instructions.push_back(GetParam().then(i));
  instructions.push_back(Finish{});
  Program program = programFor(machine, std::move(instructions));
  for (BaseLimit &base : program.bases)
    base.limit = UINT32_MAX;
  const auto begin = std::chrono::steady_clock::now();
  const Proof proof = prove(program, machine);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const uint64_t most = mostWork(program.instructions.size(), machine);
  std::cout << program.instructions.size() << " instructions, " << proof.work << " of " << most
            << " units of work, " << took.count() << " s\n";
  EXPECT_LE(proof.work, most + WorkOfOneMore);
  for (const Finding &finding : proof.findings) // else it is proved
    EXPECT_EQ(finding.cause, "too_costly") << finding.message;
}

INSTANTIATE_TEST_SUITE_P(Programs, ProofCost, ::testing::ValuesIn(cases()),
                         [](const auto &info) { return info.param.name; });

/// Each of these took a second and hundreds of megabytes (tables as long as its rows lie apart), the LOAD
/// ten.
TEST(ProofCostOfOne, OneInstructionCostsLittle) {
  const Machine machine = machineNamed("default");
  Vector far = moveRow(Scope::Inp, 0, Scope::Inp, 0); // rows far outside
  far.loops = {{{60000, 32767, 1, 0}, {60000, 32767, 1, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}};
  Gemm moving;
  moving.reduction = 1;
  moving.loops[0] = {60000, 0, 0, 32767};
  moving.loops[1] = {69, 0, 0, -32768};
  const Load load = runs(Scope::Inp, 1, 0, {256, 65536, 0}, {250, 3, 0}, {255, 1031, 0});
  for (const Instruction &instruction : {Instruction(far), Instruction(moving), Instruction(load)}) {
    Program program = programFor(machine, {instruction, Finish{}});
    program.bases[1].limit = UINT32_MAX;
    const Proof proof = prove(program, machine);
    EXPECT_FALSE(proof.findings.empty());
    EXPECT_LE(proof.work, uint64_t(1) << 21) << disassemble(instruction);
    EXPECT_LE(footprintOf(instruction, machine).work, uint64_t(1) << 21);
  }
}

TEST(ProofCostOfOne, TheSentenceSaysWhatIsExpected) {
  const Machine machine = machineNamed("default");
  EXPECT_GT(mostWork(2, machine), mostWork(1, machine));
  std::vector<Instruction> instructions(300, Instruction(walked()));
  instructions.insert(instructions.begin(), filled(Scope::Inp, 2048));
  const Proof proof = prove(programFor(machine, std::move(instructions)), machine);
  ASSERT_EQ(proof.findings.size(), 1u);
  EXPECT_EQ(proof.findings[0].cause, "too_costly");
  EXPECT_NE(proof.findings[0].message.find(" units of work; expected at most " +
                                           std::to_string(mostWork(301, machine)) + " for 301 instructions"),
            std::string::npos)
      << proof.findings[0].message;
}

} // namespace
} // namespace daedalus::isa
