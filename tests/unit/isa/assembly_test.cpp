// Text and back, and a test for every sentence of the assembler.
#include "daedalus/isa/assembly.h"
#include "test_programs.h"

namespace daedalus::isa {
namespace {

std::string problem(const std::string &text) {
  Result<Program> program = assemble(text, "p.asm");
  EXPECT_FALSE(program) << text;
  return program ? "" : program.error();
}

TEST(Assembly, ReadsAsItShould) {
  Gemm gemm = tokens(product(0, 4, 8), {Module::Load}, {Module::Load, Module::Vector});
  gemm.reduction = 0b101;
  gemm.loops[0] = {4, 1, -2, 0};
  EXPECT_EQ(disassemble(gemm), "gemm wait(load) signal(load vector) wgt=4 acc=8 reduction(0 2) "
                               "loop0(count=4 inp_stride=1 wgt_stride=-2)");
  EXPECT_EQ(disassemble(moveRow(Scope::Acc, 1, Scope::Out, 0)),
            "vector op=mov dst_scope=out a_scope=acc a=1");
  EXPECT_EQ(disassemble(Finish()), "finish");
}

TEST(Assembly, Windows) {
  const std::string text = "gemm loop5(count=14 inp_stride=1 acc_stride=1) window=4 line=-29 lead=2 step=1\n";
  Result<Program> program = assemble(text, "p.asm");
  ASSERT_TRUE(program) << program.error();
  EXPECT_EQ(disassemble(program->instructions[0]) + "\n", text);
  EXPECT_EQ(problem("gemm window=5 step=1"), "p.asm:1:13: found '5'; expected a number from 0 to 4");
  EXPECT_EQ(problem("nop\n gemm window=3 line=8 step=1"),
            "p.asm:2:2: gemm: line is 8; expected an odd number with a window of 3 rows");
  EXPECT_EQ(problem("gemm window=1"), "p.asm:1:1: gemm: step is 0; expected 1 to 3 with a window");
}

TEST(Assembly, ProgramRoundTrips) {
  const std::string text =
      ".machine tiny 00000000000000ff\n.base 0 limit=64 readonly\n.base 15 limit=4294967295\n"
      "load base=15 scope=wgt offset=4294967295 run_bytes=3 fill=-7 unbounded\n"
      "mark module=store id=9\nfinish\n";
  Result<Program> program = assemble(text, "p.asm");
  ASSERT_TRUE(program) << program.error();
  EXPECT_EQ(program->machineHash, 255u);
  EXPECT_TRUE(program->bases[0].readOnly);
  EXPECT_EQ(disassemble(*program), text);
}

TEST(Assembly, CommentsSpacesAndHexadecimals) {
  Result<Program> program = assemble("# head\n\n  mark\tid = 0x10 # tail\r\nnop module=gemm", "p.asm");
  ASSERT_TRUE(program) << program.error();
  EXPECT_EQ(program->instructions,
            (std::vector<Instruction>{Mark{0, 0, Module::Load, 16}, Nop{0, 0, Module::Gemm, 0}}));
}

TEST(Assembly, AnyMachineNameRoundTrips) {
  for (const char *name : {"", "plain-1.2", "two words", "a\"b\\c#(=)", "\xc3\xa4\n"}) {
    Program program;
    program.machineName = name;
    Result<Program> again = assemble(disassemble(program), "p.asm");
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(*again, program);
  }
}

TEST(Assembly, UnknownInstruction) {
  EXPECT_EQ(problem("nop\n  jump 3"),
            "p.asm:2:3: found 'jump'; expected an instruction or a directive: nop, mark, "
            "finish, load, gemm, vector, store, .machine, .base");
}

TEST(Assembly, UnknownField) {
  EXPECT_EQ(problem("store dst=3"),
            "p.asm:1:7: found 'dst'; expected a field of store: wait, signal, base, scope, "
            "offset, src, run_bytes, unsigned_data or loop0 to loop2");
  EXPECT_EQ(problem("gemm loop0(counts=3)"), "p.asm:1:12: found 'counts'; expected a field of gemm: count, "
                                             "inp_stride, wgt_stride, acc_stride or ')'");
  EXPECT_EQ(problem("finish wait(load)"), "p.asm:1:8: found 'wait'; expected the end of the line");
}

TEST(Assembly, ValuesOutOfRange) {
  EXPECT_EQ(problem("gemm inp=65536"), "p.asm:1:10: found '65536'; expected a number from 0 to 65535");
  EXPECT_EQ(problem("gemm loop1(count=0)"), "p.asm:1:18: found '0'; expected a number from 1 to 65535");
  EXPECT_EQ(problem("gemm inp=x"), "p.asm:1:10: found 'x'; expected a number from 0 to 65535");
  EXPECT_EQ(problem("gemm reduction(6)"), "p.asm:1:16: found '6'; expected a number from 0 to 5");
}

TEST(Assembly, UnknownNames) {
  EXPECT_EQ(problem("load scope=acc"), "p.asm:1:12: found 'acc'; expected one of inp, wgt, param, lut");
  EXPECT_EQ(problem("gemm wait(fetch)"),
            "p.asm:1:11: found 'fetch'; expected one of load, gemm, vector, store or ')'");
  EXPECT_EQ(problem("vector op=div"),
            "p.asm:1:11: found 'div'; expected one of add, sub, mul, max, min, shl, shr, "
            "mov, mov32, mac, requant, lut, requant_lut");
}

TEST(Assembly, Punctuation) {
  EXPECT_EQ(problem("gemm inp 3"), "p.asm:1:10: found '3'; expected '='");
  EXPECT_EQ(problem("gemm loop0 count=1"), "p.asm:1:12: found 'count'; expected '('");
  EXPECT_EQ(problem("gemm loop0(count=2"),
            "p.asm:1:19: found the end of the line; expected a field of gemm: count, "
            "inp_stride, wgt_stride, acc_stride or ')'");
  EXPECT_EQ(problem("gemm inp="), "p.asm:1:10: found the end of the line; expected a number from 0 to 65535");
}

TEST(Assembly, FieldTwice) {
  EXPECT_EQ(problem("gemm inp=1 inp=1"), "p.asm:1:12: 'inp' is given twice; expected it once");
}

TEST(Assembly, IllegalCombination) {
  EXPECT_EQ(problem("gemm wait(gemm)"), "p.asm:1:1: gemm: wait names the instruction's own module gemm");
}

TEST(Assembly, Directives) {
  EXPECT_EQ(problem(".base 16 limit=3"), "p.asm:1:7: found '16'; expected a number from 0 to 15");
  EXPECT_EQ(problem(".base 1 3"), "p.asm:1:9: found '3'; expected 'limit='");
  EXPECT_EQ(problem(".base 1 limit=3 writeonly"),
            "p.asm:1:17: found 'writeonly'; expected the end of the line");
  EXPECT_EQ(problem(".machine tiny 12x"),
            "p.asm:1:15: found '12x'; expected the machine's name and its hash as 16 hexadecimal digits");
  EXPECT_EQ(problem(".machine \"\\q\" 12").substr(0, 20), "p.asm:1:10: found '\"");
}

} // namespace
} // namespace daedalus::isa
