// Text of instructions, generic over the field tables.
#include "daedalus/isa/assembly.h"
#include "daedalus/isa/instruction_fields.h"

#include <cinttypes>
#include <cstdio>

namespace daedalus::isa {
namespace {

std::string bitsOf(unsigned mask, FieldKind kind) {
  std::string text;
  for (unsigned bit = 0; bit < 8; ++bit)
    if (mask >> bit & 1)
      text +=
          (text.empty() ? "" : " ") +
          (kind == FieldKind::LoopMask ? std::to_string(bit) : std::string(name(static_cast<Module>(bit))));
  return text;
}

std::string fieldText(const Field &field, int64_t value) {
  std::string label = field.name;
  switch (field.kind) {
  case FieldKind::Flag:
    return label;
  case FieldKind::ModuleMask:
  case FieldKind::LoopMask:
    return label + "(" + bitsOf(static_cast<unsigned>(value), field.kind) + ")";
  case FieldKind::Module:
    return label + "=" + name(static_cast<Module>(value));
  case FieldKind::Scope:
    return label + "=" + name(static_cast<Scope>(value));
  case FieldKind::VectorOp:
    return label + "=" + name(static_cast<VectorOp>(value));
  case FieldKind::Rounding:
    return label + "=" + name(static_cast<Rounding>(value));
  case FieldKind::Number:
    break;
  }
  return label + "=" + std::to_string(value);
}

/// Appends fields as they come and keeps those of one loop in one pair of parentheses.
class Line {
public:
  explicit Line(std::string text) : text(std::move(text)) {}

  void add(const Field &field, int64_t value) {
    if (value == field.initial)
      return;
    if (field.loop != loop) {
      close();
      if (field.loop >= 0)
        text += " loop" + std::to_string(field.loop) + "(";
      loop = field.loop;
    } else if (loop >= 0) {
      text += " ";
    }
    text += (loop < 0 ? " " : "") + fieldText(field, value);
  }

  std::string finish() {
    close();
    return text;
  }

private:
  void close() {
    if (loop >= 0)
      text += ")";
    loop = -1;
  }

  std::string text;
  int loop = -1;
};

/// A name as it is where it is a plain word, otherwise in quotes with \\xNN for what is not plain.
std::string quoted(const std::string &word) {
  std::string text;
  for (unsigned char c : word) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02x", c);
    text += isalnum(c) || c == '_' || c == '-' || c == '.' ? std::string(1, static_cast<char>(c)) : escape;
  }
  return text == word ? text : "\"" + text + "\"";
}

} // namespace

std::string disassemble(const Instruction &instruction) {
  return std::visit(
      [](const auto &i) {
        using Info = InstructionInfo<std::decay_t<decltype(i)>>;
        Line line(Info::name);
        Info::visit(
            i, [&](const Field &field, const auto &value) { line.add(field, static_cast<int64_t>(value)); });
        return line.finish();
      },
      instruction);
}

std::string disassemble(const Program &program) {
  char hash[32];
  std::snprintf(hash, sizeof hash, "%016" PRIx64, program.machineHash);
  std::string text =
      ".machine " + quoted(program.machineName) + (program.machineName.empty() ? "" : " ") + hash + "\n";
  for (unsigned i = 0; i < BaseRegisters; ++i)
    if (!(program.bases[i] == BaseLimit()))
      text += ".base " + std::to_string(i) + " limit=" + std::to_string(program.bases[i].limit) +
              (program.bases[i].readOnly ? " readonly\n" : "\n");
  for (const Instruction &instruction : program.instructions)
    text += disassemble(instruction) + "\n";
  return text;
}

} // namespace daedalus::isa
