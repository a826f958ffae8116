// Encoding and decoding, generic over the field tables; and legality, which is those tables' ranges plus the
// few rules that tie fields of one instruction together.
#include "daedalus/isa/encoding.h"
#include "daedalus/isa/instruction_fields.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace daedalus::isa {
namespace {

/// The eight bytes of the word in which a field of at most 57 bits lies that begins at bit `first`.
struct Window {
  unsigned byte, shift;
  explicit Window(unsigned first)
      : byte(std::min(first / 8, InstructionBytes - 8)), shift(first - 8 * byte) {}
};

uint64_t maskOf(unsigned bits) {
  return ~uint64_t(0) >> (64 - bits);
}

void putBits(InstructionWord &word, unsigned first, unsigned bits, uint64_t value) {
  const Window window(first);
  uint64_t whole;
  std::memcpy(&whole, word.data() + window.byte, 8); // of a little-endian host
  whole |= (value & maskOf(bits)) << window.shift;
  std::memcpy(word.data() + window.byte, &whole, 8);
}

uint64_t getBits(Span<const uint8_t> word, unsigned first, unsigned bits) {
  const Window window(first);
  uint64_t whole;
  std::memcpy(&whole, word.data() + window.byte, 8); // of a little-endian host
  return whole >> window.shift & maskOf(bits);
}

int64_t signExtend(uint64_t value, const Field &field) {
  if (field.isSigned && (value >> (field.bits - 1) & 1))
    return static_cast<int64_t>(value) - (int64_t(1) << field.bits);
  return static_cast<int64_t>(value);
}

std::string fieldName(const Field &field) {
  return field.loop < 0 ? field.name : "loop " + std::to_string(field.loop) + " " + field.name;
}

/// The names of the codes that an enumerated field may hold.
std::string allowedNames(const Field &field) {
  std::string names;
  for (unsigned code = 0; code < 32; ++code) {
    if (!(field.allowed >> code & 1))
      continue;
    const char *text = field.kind == FieldKind::Scope      ? name(static_cast<Scope>(code))
                       : field.kind == FieldKind::VectorOp ? name(static_cast<VectorOp>(code))
                                                           : name(static_cast<Rounding>(code));
    names += (names.empty() ? "" : ", ") + std::string(text);
  }
  return names;
}

bool isInRange(const Field &field, int64_t value) {
  if (field.allowed && (value < 0 || value > 31 || !(field.allowed >> value & 1)))
    return false;
  return value >= field.minimum && value <= field.maximum;
}

/// Why `value` may not stand in `field`; empty when it may.
std::string rangeProblem(const Field &field, int64_t value) {
  if (isInRange(field, value))
    return "";
  if (field.allowed && (value < 0 || value > 31 || !(field.allowed >> value & 1)))
    return fieldName(field) + " is " + std::to_string(value) + "; expected the code of one of " +
           allowedNames(field);
  return fieldName(field) + " is " + std::to_string(value) + "; expected " + std::to_string(field.minimum) +
         " to " + std::to_string(field.maximum);
}

template <class I> std::string fieldProblem(const I &instruction) {
  std::string problem;
  InstructionInfo<I>::visit(instruction, [&](const Field &field, const auto &value) {
    if (problem.empty() && !isInRange(field, static_cast<int64_t>(value)))
      problem = rangeProblem(field, static_cast<int64_t>(value));
  });
  return problem;
}

template <class I> std::string tokenProblem(const I &instruction) {
  if constexpr (InstructionInfo<I>::hasTokens) {
    const Module module = *moduleOf(instruction);
    for (const auto &[mask, text] :
         {std::pair{instruction.wait, "wait"}, std::pair{instruction.signal, "signal"}})
      if (mask >> static_cast<unsigned>(module) & 1)
        return std::string(text) + " names the instruction's own module " + name(module);
  }
  return "";
}

template <class I> std::string formProblem(const I &) {
  return "";
}

std::string formProblem(const Load &load) {
  if (load.diagonal && load.scope != Scope::Wgt)
    return std::string("diagonal goes to wgt alone; scope is ") + name(load.scope);
  if (load.diagonal && load.tailFill)
    return "diagonal and tail_fill exclude each other";
  return "";
}

/// Without a window its other fields are zero; with one they say where its taps lie.
std::string formProblem(const Gemm &gemm) {
  for (const auto &[name, value] :
       {std::pair{"line", int(gemm.line)}, {"lead", int(gemm.lead)}, {"step", int(gemm.step)}})
    if (!gemm.window && value)
      return std::string(name) + " is " + std::to_string(value) + "; expected 0 without a window";
  if (gemm.window && !gemm.step)
    return "step is 0; expected 1 to 3 with a window";
  if (gemm.window > 1 && gemm.line % 2 == 0)
    return "line is " + std::to_string(gemm.line) + "; expected an odd number with a window of " +
           std::to_string(gemm.window) + " rows";
  if (gemm.window && gemm.reduction >> 5 & 1)
    return "reduction names loop 5, which goes over columns with a window; expected loops 0 to 4 alone";
  return "";
}

std::string formProblem(const Vector &vector) {
  const bool reducing = isReducing(vector);
  auto has = [](uint32_t mask, auto code) { return mask >> static_cast<unsigned>(code) & 1; };
  for (const VectorForm &form : VectorForms)
    if (has(form.ops, vector.op) && (reducing ? form.reducing : form.plain) && has(form.a, vector.aScope) &&
        has(form.b, vector.bScope) && has(form.dst, vector.dstScope))
      return "";
  return std::string("vector has no form ") + name(vector.op) + (reducing ? ", reducing," : "") +
         " from a in " + name(vector.aScope) + " and b in " + name(vector.bScope) + " to " +
         name(vector.dstScope) + "; docs/isa.md lists the forms";
}

std::string diagonalProblem(const Load &load, const Machine &machine) {
  const int64_t n = machine.n;
  if (load.runBytes > n)
    return "run_bytes is " + std::to_string(load.runBytes) + "; expected at most n = " + std::to_string(n) +
           " with diagonal";
  bool aligned = load.dst % n == 0;
  for (const LoadLoop &loop : load.loops)
    aligned = aligned && loop.dstStride % n == 0;
  return aligned ? ""
                 : "dst and its strides must be multiples of n = " + std::to_string(n) + " with diagonal";
}

/// Bits that are set and that no field covers: what encoding the decoded instruction again does not give.
std::string reservedProblem(Span<const uint8_t> bytes, const InstructionWord &again, const char *name) {
  if (std::equal(again.begin(), again.end(), bytes.begin()))
    return "";
  for (unsigned bit = 0; bit < 8 * InstructionBytes; ++bit)
    if ((bytes[bit / 8] ^ again[bit / 8]) >> (bit % 8) & 1)
      return std::string("bit ") + std::to_string(bit) + " of " + name + " is set but reserved; expected 0";
  return "";
}

/// Whether a bit is set that no field of the instruction covers.
template <class I> bool hasReserved(Span<const uint8_t> bytes) {
  static const InstructionWord covered = [] {
    InstructionWord word{0xff};
    const I instruction{};
    InstructionInfo<I>::visit(instruction, [&](const Field &field, const auto &) {
      putBits(word, field.firstBit, field.bits, ~uint64_t(0));
    });
    return word;
  }();
  uint8_t reserved = 0;
  for (unsigned byte = 0; byte < InstructionBytes; ++byte)
    reserved |= bytes[byte] & ~covered[byte];
  return reserved != 0;
}

} // namespace

InstructionWord encode(const Instruction &instruction) {
  InstructionWord word{};
  std::visit(
      [&](const auto &i) {
        using Info = InstructionInfo<std::decay_t<decltype(i)>>;
        word[0] = static_cast<uint8_t>(Info::opcode);
        Info::visit(i, [&](const Field &field, const auto &value) {
          putBits(word, field.firstBit, field.bits, static_cast<uint64_t>(static_cast<int64_t>(value)));
        });
      },
      instruction);
  return word;
}

/// What is wrong between fields whose values are legal each by itself.
static std::string combinationProblem(const Instruction &instruction) {
  return std::visit(
      [](const auto &i) -> std::string {
        std::string problem = tokenProblem(i);
        if (problem.empty())
          problem = formProblem(i);
        return problem.empty()
                   ? ""
                   : InstructionInfo<std::decay_t<decltype(i)>>::name + std::string(": ") + problem;
      },
      instruction);
}

std::string illegalReason(const Instruction &instruction) {
  const std::string problem = std::visit(
      [](const auto &i) -> std::string {
        const std::string found = fieldProblem(i);
        return found.empty() ? ""
                             : InstructionInfo<std::decay_t<decltype(i)>>::name + std::string(": ") + found;
      },
      instruction);
  return problem.empty() ? combinationProblem(instruction) : problem;
}

static std::string machineProblem(const Instruction &instruction, const Machine &machine) {
  const Gemm *gemm = std::get_if<Gemm>(&instruction);
  if (gemm && gemm->window > machine.inpInterleave)
    return "gemm: window is " + std::to_string(gemm->window) +
           "; expected at most inp_interleave = " + std::to_string(machine.inpInterleave);
  const Load *load = std::get_if<Load>(&instruction);
  if (!load || !load->diagonal)
    return "";
  const std::string problem = diagonalProblem(*load, machine);
  return problem.empty() ? "" : "load: " + problem;
}

std::string illegalReason(const Instruction &instruction, const Machine &machine) {
  const std::string problem = illegalReason(instruction);
  return problem.empty() ? machineProblem(instruction, machine) : problem;
}

Result<Instruction> decode(Span<const uint8_t> bytes) {
  if (bytes.size() < InstructionBytes)
    return error("an instruction has " + std::to_string(InstructionBytes) + " bytes; found " +
                 std::to_string(bytes.size()));
  Instruction instruction;
  std::string problem;
  const bool known = visitOpcode(bytes[0], [&](auto i) {
    using Info = InstructionInfo<decltype(i)>;
    Info::visit(i, [&](const Field &field, auto &value) {
      const int64_t number = signExtend(getBits(bytes, field.firstBit, field.bits), field);
      if (problem.empty() && !isInRange(field, number))
        problem = rangeProblem(field, number);
      value = static_cast<std::decay_t<decltype(value)>>(number);
    });
    instruction = i;
    problem = problem.empty() ? "" : Info::name + std::string(": ") + problem;
    if (problem.empty() && hasReserved<decltype(i)>(bytes))
      problem = reservedProblem(bytes, encode(instruction), Info::name);
  });
  if (!known)
    return error("the opcode is " + std::to_string(bytes[0]) + "; expected 0 to " +
                 std::to_string(OpcodeCount - 1));
  if (problem.empty())
    problem = combinationProblem(instruction);
  if (!problem.empty())
    return error(problem);
  return instruction;
}

Result<Instruction> decode(Span<const uint8_t> bytes, const Machine &machine) {
  Result<Instruction> instruction = decode(bytes);
  if (!instruction)
    return instruction;
  if (const std::string problem = machineProblem(*instruction, machine); !problem.empty())
    return error(problem);
  return instruction;
}

std::vector<uint8_t> encodeWords(Span<const Instruction> instructions) {
  std::vector<uint8_t> bytes;
  bytes.reserve(instructions.size() * InstructionBytes);
  for (const Instruction &instruction : instructions) {
    const InstructionWord word = encode(instruction);
    bytes.insert(bytes.end(), word.begin(), word.end());
  }
  return bytes;
}

Result<std::vector<Instruction>> decodeWords(Span<const uint8_t> bytes) {
  if (bytes.size() % InstructionBytes)
    return error("the program has " + std::to_string(bytes.size()) + " bytes; expected a multiple of " +
                 std::to_string(InstructionBytes));
  std::vector<Instruction> instructions;
  instructions.reserve(bytes.size() / InstructionBytes);
  for (size_t at = 0; at < bytes.size(); at += InstructionBytes) {
    Result<Instruction> instruction = decode(bytes.subspan(at, InstructionBytes));
    if (!instruction)
      return error("instruction " + std::to_string(instructions.size()) + ": " + instruction.error());
    instructions.push_back(*instruction);
  }
  return instructions;
}

} // namespace daedalus::isa
