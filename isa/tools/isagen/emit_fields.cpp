// instruction_fields.h: for every instruction a table of its fields, with their bits and ranges, and a
// visitor that pairs them with the members of the struct. Encoder, decoder, assembler, disassembler and
// checks all walk these tables; nothing else knows where a field lies.
#include "emit.h"

#include <sstream>

namespace isagen {
namespace {

unsigned maskOf(const Spec &spec, const std::vector<std::string> &scopes) {
  unsigned mask = 0;
  for (const std::string &name : scopes)
    mask |= 1u << spec.findScope(name)->code;
  return mask;
}

unsigned allowedMask(const Spec &spec, const Field &field) {
  if (!field.allowed.empty())
    return maskOf(spec, field.allowed);
  if (const Enumeration *enumeration = spec.findEnum(field.kind))
    return (1u << enumeration->values.size()) - 1;
  return 0;
}

/// Where the instruction itself does not name its module.
std::string moduleOf(const Instruction &instruction) {
  const bool isOfOne = instruction.module != "field" && instruction.module != "fetch";
  return isOfOne ? "Module::" + camelCase(instruction.module) : "std::nullopt";
}

void emitTable(std::ostream &out, const Spec &spec, const Instruction &instruction) {
  const std::string type = camelCase(instruction.name);
  out << "template <> struct InstructionInfo<" << type << "> {\n"
      << "  static constexpr const char *name = \"" << instruction.name << "\";\n"
      << "  static constexpr Opcode opcode = Opcode::" << type << ";\n"
      << "  static constexpr std::optional<Module> module = " << moduleOf(instruction) << ";\n"
      << "  static constexpr bool hasTokens = " << (instruction.hasTokens() ? "true" : "false") << ";\n"
      << "  static constexpr unsigned loopCount = " << instruction.loopCount << ";\n"
      << "  static constexpr std::array<Field, " << instruction.fields.size() << "> fields = {{\n";
  for (const Field &field : instruction.fields)
    out << "      {\"" << field.name
        << "\", FieldKind::" << (field.kind.empty() ? "Number" : camelCase(field.kind)) << ", "
        << field.firstBit << ", " << field.bits << ", " << (field.isSigned ? "true" : "false") << ", "
        << field.loop << ", " << field.minimum << ", " << field.maximum() << ", " << field.initial << ", "
        << allowedMask(spec, field) << "},\n";
  out << "  }};\n  template <class Self, class F> static void visit(Self &self, F &&f) {\n";
  for (size_t i = 0; i < instruction.fields.size(); ++i) {
    const Field &field = instruction.fields[i];
    out << "    f(fields[" << i << "], self."
        << (field.loop < 0 ? "" : "loops[" + std::to_string(field.loop) + "].") << camelBack(field.name)
        << ");\n";
  }
  if (instruction.fields.empty())
    out << "    (void)self, (void)f;\n";
  out << "  }\n};\n\n";
}

void emitForms(std::ostream &out, const Spec &spec) {
  const Enumeration &ops = *spec.findEnum("vector_op");
  out << "/// A combination that VECTOR accepts: sets of operations and scopes as bit masks of their codes.\n"
      << "struct VectorForm {\n  uint32_t ops;\n  bool plain, reducing; ///< without and with reduction or "
         "accumulate\n"
      << "  uint32_t a, b, dst;\n};\n"
      << "inline constexpr std::array<VectorForm, " << spec.vectorForms.size() << "> VectorForms = {{\n";
  for (const VectorForm &form : spec.vectorForms) {
    unsigned mask = 0;
    for (const EnumValue &op : ops.values)
      for (const std::string &name : form.ops)
        mask |= name == op.name ? 1u << op.code : 0;
    out << "    {" << mask << ", " << (form.reducing != "true" ? "true" : "false") << ", "
        << (form.reducing != "false" ? "true" : "false") << ", " << maskOf(spec, form.a) << ", "
        << maskOf(spec, form.b) << ", " << maskOf(spec, form.dst) << "}, // " << join(form.ops, " ") << "\n";
  }
  out << "}};\n\n";
}

void emitVisitOpcode(std::ostream &out, const Spec &spec) {
  out << "/// Calls `f` with a default instruction of the opcode's type; false when there is no such "
         "opcode.\n"
      << "template <class F> bool visitOpcode(unsigned opcode, F &&f) {\n  switch (opcode) {\n";
  for (const Instruction &instruction : spec.instructions)
    out << "  case " << instruction.opcode << ": f(" << camelCase(instruction.name) << "{}); return true;\n";
  out << "  }\n  return false;\n}\n\n";
}

} // namespace

std::string emitFieldTables(const Spec &spec) {
  std::ostringstream out;
  out << generatedNotice("//", "The fields of every instruction: where they lie and what they may hold.")
      << R"(#pragma once

#include "daedalus/isa/instructions.h"

namespace daedalus::isa {

enum class FieldKind : uint8_t { Number, Flag, Module, ModuleMask, LoopMask, Scope, VectorOp, Rounding };

struct Field {
  const char *name;
  FieldKind kind;
  uint16_t firstBit; ///< bit i of an instruction is bit i mod 8 of byte i / 8
  uint8_t bits;
  bool isSigned;
  int8_t loop;      ///< the loop it belongs to, or -1
  int64_t minimum, maximum;
  int64_t initial;  ///< what a new instruction holds
  uint32_t allowed; ///< codes that it may hold as a bit mask; 0: all from the minimum to the maximum
};

template <class I> struct InstructionInfo;

)";
  for (const Instruction &instruction : spec.instructions)
    emitTable(out, spec, instruction);
  emitForms(out, spec);
  emitVisitOpcode(out, spec);
  out << "} // namespace daedalus::isa\n";
  return out.str();
}

} // namespace isagen
