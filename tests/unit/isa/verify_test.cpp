// One program for each reason to refuse one, and its neighbour that is fine.
#include "daedalus/isa/tokens.h"
#include "daedalus/isa/verify.h"
#include "test_programs.h"

namespace daedalus::isa {
namespace {

constexpr Module L = Module::Load, G = Module::Gemm, V = Module::Vector, S = Module::Store;

class Verify : public ::testing::Test {
protected:
  std::vector<Finding> findings(std::vector<Instruction> instructions) {
    instructions.push_back(Finish{});
    return verify(programFor(machine, std::move(instructions)), machine);
  }

  void expectClean(std::vector<Instruction> instructions) {
    for (const Finding &finding : findings(std::move(instructions)))
      ADD_FAILURE() << finding.message;
  }

  /// Exactly one finding, of this cause at this instruction, whose sentence contains `text`.
  void expectOne(const std::vector<Finding> &found, const std::string &cause, size_t index,
                 const std::string &text) {
    ASSERT_EQ(found.size(), 1u) << (found.empty()
                                        ? ""
                                        : found[0].message + "\n" + found[found.size() - 1].message);
    EXPECT_EQ(found[0].cause, cause) << found[0].message;
    EXPECT_EQ(found[0].instruction, index) << found[0].message;
    EXPECT_NE(found[0].message.find(text), std::string::npos) << found[0].message;
    if (index != Finding::WholeProgram) {
      EXPECT_EQ(found[0].message.find("instruction " + std::to_string(index) + " `"), 0u) << found[0].message;
    }
  }

  /// Without tokens there is one race, at the last instruction with `other`; with the tokens needed, none.
  void expectRace(std::vector<Instruction> instructions, const std::string &text, size_t other) {
    const size_t last = instructions.size() - 1;
    std::vector<Instruction> ordered = instructions;
    const std::vector<TokenEdge> edges = assignTokens(ordered, machine, 1);
    expectClean(ordered);
    std::vector<TokenEdge> others; // all but those for the last instruction
    for (const TokenEdge &edge : edges)
      if (edge.consumer != last)
        others.push_back(edge);
    applyTokens(instructions, others);
    expectOne(findings(instructions), "race", last, text);
    EXPECT_NE(findings(instructions)[0].message.find("instruction " + std::to_string(other) + " `"),
              std::string::npos);
  }

  const Machine machine = machineNamed("default,inp_interleave=1");
  const Load inp = loadTo(Scope::Inp, 0, 64), wgt = loadTo(Scope::Wgt, 0, 1024);
};

TEST_F(Verify, AcceptsASmallPipeline) {
  expectClean({inp, tokens(wgt, {}, {G}), tokens(product(0, 0, 0), {L}, {V}),
               tokens(moveRow(Scope::Acc, 0, Scope::Out, 0), {G}, {S}), tokens(storeRow(0, 16), {V}, {})});
}

TEST_F(Verify, TokenThatNeverComes) {
  expectOne(findings({tokens(inp, {V}, {})}), "token_never_comes", 0, "waits for a token from VECTOR");
  Nop later;
  later.module = V; // a signal behind the wait in program order does not help
  const std::vector<Finding> found = findings({tokens(inp, {V}, {}), tokens(later, {}, {L})});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].cause, "token_never_comes");
  EXPECT_EQ(found[1].cause, "token_left_over");
}

TEST_F(Verify, TokenLeftOver) {
  expectOne(findings({tokens(inp, {}, {G})}), "token_left_over", 0, "nothing takes its token to GEMM");
}

TEST_F(Verify, CounterOverflow) {
  std::vector<Instruction> program(248, tokens(Nop(), {}, {G}));
  Nop taker;
  taker.module = G;
  for (int i = 0; i < 248; ++i)
    program.push_back(tokens(taker, {L}, {}));
  expectOne(findings(program), "counter_overflow", 247, "number 248 under way; expected at most 247");
  program.erase(program.begin());
  program.pop_back();
  expectClean(program);
}

TEST_F(Verify, RaceOnInp) {
  expectRace({inp, moveRow(Scope::Inp, 3, Scope::Acc, 0)}, "row 3 of INP", 0);
}

TEST_F(Verify, RaceOnInpWrittenAfterItWasRead) {
  expectRace({inp, wgt, product(2, 0, 0), loadTo(Scope::Inp, 32, 16)}, "it writes row 2 of INP", 2);
}

TEST_F(Verify, RaceOnWgt) {
  expectRace({inp, Nop{}, wgt, tokens(product(0, 3, 0), {}, {})}, "slice 48 of WGT", 2);
}

TEST_F(Verify, RaceOnAcc) {
  expectRace({inp, wgt, product(0, 0, 5), moveRow(Scope::Acc, 5, Scope::Out, 0)}, "it reads row 5 of ACC", 2);
}

TEST_F(Verify, RaceOnParam) {
  Vector requant = moveRow(Scope::Inp, 0, Scope::Out, 0);
  requant.op = VectorOp::Requant;
  requant.bScope = Scope::Param;
  requant.b = 1;
  expectRace({inp, loadTo(Scope::Param, 256, 256), requant}, "slice 16 of PARAM", 1);
}

TEST_F(Verify, RaceOnLut) {
  Vector lookup = moveRow(Scope::Inp, 0, Scope::Out, 0);
  lookup.op = VectorOp::Lut;
  lookup.table = 2;
  expectRace({inp, loadTo(Scope::Lut, 512, 256), lookup}, "slice 32 of LUT", 1);
}

TEST_F(Verify, RaceOnOut) {
  expectRace({inp, moveRow(Scope::Inp, 0, Scope::Out, 7), storeRow(7, 16)}, "row 7 of OUT", 1);
}

TEST_F(Verify, RaceOnDram) {
  expectRace({inp, moveRow(Scope::Inp, 0, Scope::Out, 0), storeRow(0, 16, 100),
              loadTo(Scope::Inp, 1024, 16, 1, 115)},
             "it reads byte 115 of base register 1", 2);
}

TEST_F(Verify, InterleavedRunsInDramAreNoRace) {
  Store store = storeRow(0, 8, 0);
  store.loops[2] = {4, 16, 0};
  Load load = loadTo(Scope::Inp, 1024, 8, 1, 8);
  load.loops[2] = {4, 16, 16};
  expectClean({tokens(inp, {}, {V}), tokens(moveRow(Scope::Inp, 0, Scope::Out, 0), {L}, {S}),
               tokens(store, {V}, {}), load});
}

TEST_F(Verify, TwoModulesOnOnePortOfABank) {
  auto program = [&](uint16_t row) {
    return std::vector<Instruction>{tokens(inp, {}, {V}), tokens(wgt, {}, {G}),
                                    tokens(product(0, 0, 0), {L}, {}),
                                    tokens(moveRow(Scope::Inp, 0, Scope::Acc, row), {L}, {})};
  };
  expectOne(findings(program(100)), "bank_port", 3,
            "write port of bank 0 of ACC unordered with instruction 2");
  expectClean(program(512));
}

TEST_F(Verify, TwoModulesOnTheWritePortOfInp) {
  expectOne(findings({tokens(inp, {}, {V}), tokens(moveRow(Scope::Inp, 0, Scope::Inp, 100), {L}, {}),
                      loadTo(Scope::Inp, 64, 16)}),
            "bank_port", 2, "write port of bank 0 of INP unordered with instruction 1");
}

TEST_F(Verify, ReadOfARowNeverWritten) {
  expectOne(findings({moveRow(Scope::Inp, 9, Scope::Out, 0)}), "unwritten_row", 0, "a reads row 9 of INP");
  Gemm accumulating = product(0, 0, 3);
  accumulating.accumulate = true;
  expectOne(findings({inp, tokens(wgt, {}, {G}), tokens(accumulating, {L}, {})}), "unwritten_row", 2,
            "acc reads row 3 of ACC");
}

TEST_F(Verify, SourceThatTheInstructionOverwrote) {
  Vector shift = moveRow(Scope::Inp, 0, Scope::Inp, 1);
  shift.loops[0] = {3, 1, 1, 0};
  expectOne(findings({tokens(inp, {}, {V}), tokens(shift, {L}, {})}), "self_overwrite", 1,
            "operand a reads row 1 of INP");
}

TEST_F(Verify, ScratchpadOverrun) {
  expectOne(findings({loadTo(Scope::Inp, 32760, 16)}), "scratchpad_range", 0,
            "dst reaches row 2048 of INP, which has 0 to 2047");
  Gemm below = product(0, 0, 0);
  below.loops[0] = {2, 0, 0, -1};
  expectOne(findings({inp, tokens(wgt, {}, {G}), tokens(below, {L}, {})}), "scratchpad_range", 2,
            "acc reaches row -1 of ACC");
}

TEST_F(Verify, DramPastItsLimit) {
  expectOne(findings({loadTo(Scope::Inp, 0, 16, 0, 65521)}), "address_limit", 0,
            "it reads byte 65536 of base register 0, whose limit is 65536");
  Load below = loadTo(Scope::Inp, 0, 16, 0, 0);
  below.loops[2] = {2, -3, 16};
  expectOne(findings({below}), "address_limit", 0, "it reads byte -3 of base register 0");
  below.unbounded = false; // what is outside the tensor is not read
  below.extentY = 1;
  below.extentX = 16;
  expectClean({below});
}

TEST_F(Verify, StoreThroughAReadOnlyRegister) {
  expectOne(findings({tokens(inp, {}, {V}), tokens(moveRow(Scope::Inp, 0, Scope::Out, 0), {L}, {S}),
                      tokens(storeRow(0, 16, 0, 0), {V}, {})}),
            "read_only", 2, "base register 0, which is read-only");
}

TEST_F(Verify, TooManyIterations) {
  Gemm gemm;
  gemm.loops[0].count = gemm.loops[1].count = 65535;
  gemm.loops[2].count = 2;
  expectOne(findings({gemm}), "iterations", 0, "2^32 iterations or more");
}

TEST_F(Verify, IllegalInstruction) {
  expectOne(findings({tokens(inp, {L}, {})}), "illegal", 0, "the instruction's own module load");
  Load diagonal = loadTo(Scope::Wgt, 8, 16);
  diagonal.diagonal = true;
  expectOne(findings({diagonal}), "illegal", 0, "multiples of n = 16");
}

/// A window reads columns before its first result; all of them must be there, those that no tap takes too.
TEST_F(Verify, ColumnsOfAWindow) {
  Gemm taps = product(0, 0, 0);
  taps.window = taps.step = 1;
  taps.lead = 2;
  taps.loops[5] = {2, 1, 0, 1};
  const auto with = [&](const Gemm &gemm) {
    return std::vector<Instruction>{inp, tokens(wgt, {}, {G}), tokens(gemm, {L}, {})};
  };
  expectClean(with(taps)); // rows 0 to 3
  taps.lead = 3;
  expectOne(findings(with(taps)), "unwritten_row", 2, "inp reads row 4 of INP");
  taps.loops[5].inpStride = -1;
  expectOne(findings(with(taps)), "scratchpad_range", 2, "inp reaches row -4 of INP");
  taps.window = 2;
  taps.line = 1;
  expectOne(findings(with(taps)), "illegal", 2, "window is 2; expected at most inp_interleave = 1");
}

TEST_F(Verify, MissingFinishAndWhatFollowsIt) {
  expectOne(verify(programFor(machine, {Nop{}}), machine), "missing_finish", Finding::WholeProgram,
            "does not end with finish");
  expectOne(verify(programFor(machine, {Finish{}, Nop{}}), machine), "after_finish", 1,
            "nothing may follow finish");
}

TEST_F(Verify, AnotherMachinesProgram) {
  expectOne(verify(programFor(machineNamed("tiny"), {Finish{}}), machine), "machine", Finding::WholeProgram,
            "for machine 'tiny'");
}

TEST_F(Verify, StopsAtTheMostFindings) {
  std::vector<Instruction> program(50, moveRow(Scope::Inp, 9, Scope::Out, 0));
  program.push_back(Finish{});
  EXPECT_EQ(verify(programFor(machine, program), machine, 7).size(), 7u);
}

} // namespace
} // namespace daedalus::isa
