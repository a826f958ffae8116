// Encoding and decoding against each other and against the field tables; illegal words and their sentences.
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/instruction_fields.h"
#include "test_programs.h"

#include <bitset>

namespace daedalus::isa {
namespace {

using Bits = std::bitset<8 * InstructionBytes>;

Bits bitsOf(const Field &field) {
  Bits bits;
  for (unsigned i = 0; i < field.bits; ++i)
    bits.set(field.firstBit + i);
  return bits;
}

/// Calls f with a default instruction of every type.
template <class F> void forEachInstruction(F f) {
  for (unsigned opcode = 0; opcode < OpcodeCount; ++opcode)
    EXPECT_TRUE(visitOpcode(opcode, f));
}

/// The default instruction, made legal where its default is not (VECTOR's add needs a second operand).
template <class I> I legal(I instruction) {
  if constexpr (std::is_same_v<I, Vector>)
    instruction.op = VectorOp::Mov;
  return instruction;
}

std::string refusal(const Instruction &instruction) {
  Result<Instruction> decoded = decode(encode(instruction));
  EXPECT_FALSE(decoded);
  return decoded ? "" : decoded.error();
}

TEST(Encoding, FieldsAreDisjointAndFit) {
  forEachInstruction([](auto instruction) {
    using Info = InstructionInfo<decltype(instruction)>;
    Bits used(0xff); // the opcode
    for (const Field &field : Info::fields) {
      ASSERT_LE(field.firstBit + field.bits, 8u * InstructionBytes) << Info::name << " " << field.name;
      EXPECT_TRUE((used & bitsOf(field)).none()) << Info::name << " " << field.name;
      used |= bitsOf(field);
    }
  });
}

TEST(Encoding, WidthsAreThoseOfTheDesign) {
  auto widthOf = [](const auto &fields) {
    unsigned last = 32;
    for (const Field &field : fields)
      last = std::max<unsigned>(last, field.firstBit + field.bits);
    return last;
  };
  EXPECT_LE(widthOf(InstructionInfo<Gemm>::fields), 512u);
  EXPECT_EQ(widthOf(InstructionInfo<Nop>::fields), 66u);
  EXPECT_EQ(widthOf(InstructionInfo<Finish>::fields), 32u);
}

TEST(Encoding, OpcodesAreDistinct) {
  std::bitset<256> seen;
  forEachInstruction([&](auto instruction) {
    const uint8_t opcode = encode(instruction)[0];
    EXPECT_FALSE(seen[opcode]);
    seen.set(opcode);
  });
}

/// Every field alone at its extremes goes to its own bits and comes back; the rest stays as it was.
TEST(Encoding, EveryFieldRoundTripsAlone) {
  forEachInstruction([](auto instruction) {
    using I = decltype(instruction);
    const InstructionWord plain = encode(instruction);
    for (size_t which = 0; which < InstructionInfo<I>::fields.size(); ++which) {
      const Field &field = InstructionInfo<I>::fields[which];
      for (int64_t value :
           {field.minimum, field.maximum, field.minimum + (field.maximum - field.minimum) / 3}) {
        I changed = instruction;
        InstructionInfo<I>::visit(changed, [&](const Field &at, auto &member) {
          if (&at == &field)
            member = static_cast<std::decay_t<decltype(member)>>(value);
        });
        const InstructionWord word = encode(changed);
        for (unsigned bit = 0; bit < 8 * InstructionBytes; ++bit)
          ASSERT_TRUE(bitsOf(field)[bit] || !((word[bit / 8] ^ plain[bit / 8]) >> (bit % 8) & 1))
              << field.name;
        if (illegalReason(changed).empty()) {
          Result<Instruction> decoded = decode(word);
          ASSERT_TRUE(decoded) << decoded.error();
          EXPECT_EQ(*decoded, Instruction(changed)) << InstructionInfo<I>::name << " " << field.name;
        }
      }
    }
  });
}

/// The layout by hand, once: little endian, bit i of byte i / 8, in the order of isa.yaml.
TEST(Encoding, LayoutOfMark) {
  const InstructionWord word =
      encode(Mark{bits({Module::Load}), bits({Module::Store}), Module::Vector, 0x12345678});
  const uint64_t tail = uint64_t(2) | uint64_t(0x12345678) << 2;
  EXPECT_EQ(word[0], 1);
  EXPECT_EQ(word[1], 0x81);
  EXPECT_EQ(word[2] | word[3], 0);
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(word[4 + i], uint8_t(tail >> (8 * i)));
}

TEST(Encoding, EveryReservedBitIsRefused) {
  forEachInstruction([](auto instruction) {
    using Info = InstructionInfo<decltype(instruction)>;
    Bits used(0xff);
    for (const Field &field : Info::fields)
      used |= bitsOf(field);
    instruction = legal(instruction);
    for (unsigned bit = 0; bit < 8 * InstructionBytes; ++bit) {
      InstructionWord word = encode(instruction);
      word[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
      if (used[bit])
        continue;
      Result<Instruction> decoded = decode(word);
      ASSERT_FALSE(decoded) << Info::name << " bit " << bit;
      EXPECT_EQ(decoded.error(),
                "bit " + std::to_string(bit) + " of " + Info::name + " is set but reserved; expected 0");
    }
  });
}

TEST(Encoding, UnknownOpcode) {
  InstructionWord word{};
  word[0] = 7;
  EXPECT_EQ(decode(word).error(), "the opcode is 7; expected 0 to 6");
}

TEST(Encoding, TooFewBytes) {
  const std::vector<uint8_t> bytes(63);
  EXPECT_EQ(decode(bytes).error(), "an instruction has 64 bytes; found 63");
}

TEST(Encoding, CountOfZero) {
  Gemm gemm;
  gemm.loops[2].count = 0;
  EXPECT_EQ(refusal(gemm), "gemm: loop 2 count is 0; expected 1 to 65535");
}

TEST(Encoding, OwnTokenBit) {
  EXPECT_EQ(refusal(tokens(Gemm(), {Module::Gemm}, {})),
            "gemm: wait names the instruction's own module gemm");
  Nop nop;
  nop.module = Module::Store;
  EXPECT_EQ(refusal(tokens(nop, {}, {Module::Store})),
            "nop: signal names the instruction's own module store");
}

TEST(Encoding, WrongScope) {
  Load load;
  load.scope = Scope::Acc;
  EXPECT_EQ(refusal(load), "load: scope is 3; expected the code of one of inp, wgt, param, lut");
}

TEST(Encoding, DiagonalGoesToWgtWithoutTailFill) {
  Load load;
  load.diagonal = true;
  EXPECT_EQ(refusal(load), "load: diagonal goes to wgt alone; scope is inp");
  load.scope = Scope::Wgt;
  load.tailFill = true;
  EXPECT_EQ(refusal(load), "load: diagonal and tail_fill exclude each other");
}

TEST(Encoding, DiagonalOnAMachine) {
  const Machine machine = machineNamed("default");
  Load load = loadTo(Scope::Wgt, 16, 17);
  load.diagonal = true;
  EXPECT_TRUE(decode(encode(load)));
  EXPECT_EQ(decode(encode(load), machine).error(),
            "load: run_bytes is 17; expected at most n = 16 with diagonal");
  load.runBytes = 16;
  load.dst = 8;
  EXPECT_EQ(decode(encode(load), machine).error(),
            "load: dst and its strides must be multiples of n = 16 with diagonal");
}

Gemm windowOf(uint8_t rows, int16_t line, uint8_t lead, uint8_t step) {
  Gemm gemm;
  gemm.window = rows;
  gemm.line = line;
  gemm.lead = lead;
  gemm.step = step;
  return gemm;
}

TEST(Encoding, FieldsOfAWindow) {
  EXPECT_TRUE(decode(encode(windowOf(4, -7, 63, 3))));
  EXPECT_TRUE(decode(encode(windowOf(1, 8, 0, 1)))) << "one row has no other line";
  EXPECT_EQ(refusal(windowOf(5, 1, 0, 1)), "gemm: window is 5; expected 0 to 4");
  EXPECT_EQ(refusal(windowOf(3, 8, 0, 1)), "gemm: line is 8; expected an odd number with a window of 3 rows");
  EXPECT_EQ(refusal(windowOf(2, -6, 0, 1)),
            "gemm: line is -6; expected an odd number with a window of 2 rows");
  EXPECT_EQ(refusal(windowOf(2, 1, 0, 0)), "gemm: step is 0; expected 1 to 3 with a window");
  EXPECT_EQ(refusal(windowOf(0, 3, 0, 0)), "gemm: line is 3; expected 0 without a window");
  EXPECT_EQ(refusal(windowOf(0, 0, 3, 0)), "gemm: lead is 3; expected 0 without a window");
  EXPECT_EQ(refusal(windowOf(0, 0, 0, 3)), "gemm: step is 3; expected 0 without a window");
  Gemm summed = windowOf(1, 0, 2, 1);
  summed.reduction = 0b100000;
  EXPECT_EQ(refusal(summed), "gemm: reduction names loop 5, which goes over columns with a window; expected "
                             "loops 0 to 4 alone");
  summed.reduction = 0b011111;
  EXPECT_TRUE(decode(encode(summed)));
}

TEST(Encoding, AWindowOfMoreRowsThanTheMachineReads) {
  EXPECT_EQ(decode(encode(windowOf(2, 1, 0, 1)), machineNamed("default,inp_interleave=1")).error(),
            "gemm: window is 2; expected at most inp_interleave = 1");
  EXPECT_TRUE(decode(encode(windowOf(1, 1, 0, 1)), machineNamed("default,inp_interleave=1")));
  EXPECT_EQ(decode(encode(windowOf(4, 1, 0, 1)), machineNamed("default,inp_interleave=2")).error(),
            "gemm: window is 4; expected at most inp_interleave = 2");
  EXPECT_TRUE(decode(encode(windowOf(4, 1, 0, 1)), machineNamed("default,inp_interleave=4")));
}

/// Its fields lie in bits that were reserved: without one a word is what it was.
TEST(Encoding, WithoutAWindowNothingIsBehindTheLoops) {
  Gemm gemm;
  gemm.loops.fill({0xffff, -1, -1, -1});
  const InstructionWord word = encode(gemm);
  for (unsigned bit = 470; bit < 512; ++bit)
    EXPECT_FALSE(word[bit / 8] >> bit % 8 & 1) << bit;
}

/// All combinations of operation, scopes and reducing: legal exactly as isa.yaml's forms say, here by hand
/// for one operation of each form.
TEST(Encoding, FormsOfVector) {
  auto isLegal = [](VectorOp op, bool reducing, Scope a, Scope b, Scope dst) {
    Vector vector;
    vector.op = op;
    vector.accumulate = reducing;
    vector.aScope = a;
    vector.bScope = b;
    vector.dstScope = dst;
    return illegalReason(vector).empty();
  };
  EXPECT_TRUE(isLegal(VectorOp::Max, true, Scope::Inp, Scope::None, Scope::Acc));
  EXPECT_FALSE(isLegal(VectorOp::Max, true, Scope::Inp, Scope::None, Scope::Out));
  EXPECT_FALSE(isLegal(VectorOp::Max, false, Scope::Inp, Scope::None, Scope::Acc));
  EXPECT_FALSE(isLegal(VectorOp::Sub, true, Scope::Inp, Scope::None, Scope::Acc));
  EXPECT_TRUE(isLegal(VectorOp::Mac, true, Scope::Inp, Scope::Param, Scope::Acc));
  EXPECT_TRUE(isLegal(VectorOp::Mac, false, Scope::Acc, Scope::Imm, Scope::Acc));
  EXPECT_FALSE(isLegal(VectorOp::Mov32, false, Scope::Acc, Scope::None, Scope::Inp));
  EXPECT_FALSE(isLegal(VectorOp::Requant, false, Scope::Acc, Scope::None, Scope::Out));
  EXPECT_TRUE(isLegal(VectorOp::Lut, false, Scope::Inp, Scope::None, Scope::Inp));
}

TEST(Encoding, WordsNameTheInstruction) {
  std::vector<uint8_t> bytes = encodeWords(std::vector<Instruction>{Nop{}, Finish{}});
  EXPECT_TRUE(decodeWords(bytes));
  bytes[64] = 200;
  EXPECT_EQ(decodeWords(bytes).error(), "instruction 1: the opcode is 200; expected 0 to 6");
  bytes.pop_back();
  EXPECT_EQ(decodeWords(bytes).error(), "the program has 127 bytes; expected a multiple of 64");
}

} // namespace
} // namespace daedalus::isa
