// instructions.h: the enumerations, one struct an instruction, the register map.
#include "emit.h"

#include <sstream>

namespace isagen {
namespace {

std::string memberType(const Spec &spec, const Field &field) {
  if (field.kind == "flag")
    return "bool";
  if (field.kind == "module" || field.kind == "scope" || spec.findEnum(field.kind))
    return camelCase(field.kind);
  const unsigned width = field.bits <= 8 ? 8 : field.bits <= 16 ? 16 : 32;
  return (field.isSigned ? "int" : "uint") + std::to_string(width) + "_t";
}

std::string initialValue(const Spec &spec, const Field &field) {
  if (field.kind == "flag")
    return field.initial ? "true" : "false";
  const size_t code = static_cast<size_t>(field.initial);
  if (field.kind == "module")
    return "Module::" + camelCase(spec.modules[code].name);
  if (field.kind == "scope")
    return "Scope::" + camelCase(spec.scopes[code].name);
  if (const Enumeration *enumeration = spec.findEnum(field.kind))
    return camelCase(field.kind) + "::" + camelCase(enumeration->values[code].name);
  return std::to_string(field.initial);
}

void emitEnum(std::ostream &out, const std::string &type, const std::vector<EnumValue> &values,
              const std::string &doc) {
  out << "/// " << doc << "\nenum class " << type << " : uint8_t {\n";
  for (const EnumValue &value : values)
    out << "  " << camelCase(value.name) << " = " << value.code << ","
        << (value.doc.empty() ? "" : " ///< " + value.doc) << "\n";
  out << "};\ninline constexpr unsigned " << type << "Count = " << values.size() << ";\n"
      << "/// The name in isa.yaml; \"?\" of a number that is no " << type << ".\n"
      << "constexpr const char *name(" << type << " value) {\n  switch (value) {\n";
  for (const EnumValue &value : values)
    out << "  case " << type << "::" << camelCase(value.name) << ": return \"" << value.name << "\";\n";
  out << "  }\n  return \"?\";\n}\n\n";
}

void emitMembers(std::ostream &out, const Spec &spec, const std::vector<Field> &fields) {
  for (const Field &field : fields)
    out << "  " << memberType(spec, field) << " " << camelBack(field.name) << " = "
        << initialValue(spec, field) << "; ///< " << field.doc << "\n";
}

void emitEquality(std::ostream &out, const std::string &type, const std::vector<std::string> &members) {
  std::vector<std::string> terms;
  for (const std::string &member : members)
    terms.push_back("x." + member + " == y." + member);
  out << "  friend bool operator==(const " << type << " &x, const " << type << " &y) {\n    "
      << "return " << (terms.empty() ? "true" : join(terms, " &&\n           ")) << ";\n  }\n"
      << "  friend bool operator!=(const " << type << " &x, const " << type << " &y) { return !(x == y); }\n";
}

std::vector<std::string> memberNames(const std::vector<Field> &fields) {
  std::vector<std::string> names;
  for (const Field &field : fields)
    names.push_back(camelBack(field.name));
  return names;
}

void emitInstruction(std::ostream &out, const Spec &spec, const Instruction &instruction) {
  const std::string type = camelCase(instruction.name);
  if (instruction.loopCount) {
    out << "struct " << type << "Loop {\n";
    emitMembers(out, spec, instruction.loopFields);
    emitEquality(out, type + "Loop", memberNames(instruction.loopFields));
    out << "};\n\n";
  }
  out << "/// " << instruction.doc << "\nstruct " << type << " {\n";
  std::vector<std::string> members;
  bool loopsDone = false;
  for (const Field &field : instruction.fields) {
    if (field.loop < 0) {
      emitMembers(out, spec, {field});
      members.push_back(camelBack(field.name));
    } else if (!loopsDone) {
      out << "  std::array<" << type << "Loop, " << instruction.loopCount << "> loops{}; ///< "
          << instruction.loopDoc << "\n";
      members.push_back("loops");
      loopsDone = true;
    }
  }
  emitEquality(out, type, members);
  out << "};\n\n";
}

void emitRegisters(std::ostream &out, const Spec &spec) {
  out << "/// Byte offsets in the AXI4-Lite slave. An array has a step and a count.\nnamespace reg {\n";
  for (const Register &reg : spec.registers) {
    const std::string name = camelCase(reg.name);
    out << "inline constexpr uint32_t " << name << " = " << reg.offset << "; ///< " << reg.doc << "\n";
    if (reg.count > 1)
      out << "inline constexpr uint32_t " << name << "Step = " << reg.step << ", " << name
          << "Count = " << reg.count << ";\n";
    for (const RegisterBit &bit : reg.bits)
      out << "inline constexpr uint32_t " << name << camelCase(bit.name) << " = 1u << " << bit.bit << ";\n";
  }
  out << "} // namespace reg\n\n";
}

/// moduleOf and the masks, for each type and for the variant.
void emitTokenAccess(std::ostream &out, const Spec &spec) {
  for (const Instruction &instruction : spec.instructions) {
    const std::string module = instruction.module == "fetch"   ? "std::nullopt"
                               : instruction.module == "field" ? "i.module"
                                                               : "Module::" + camelCase(instruction.module);
    out << "inline std::optional<Module> moduleOf(const " << camelCase(instruction.name) << " &i) { return "
        << module << "; }\n";
  }
  out << "/// The module that executes it; none for finish, which ends in FETCH.\n"
      << "inline std::optional<Module> moduleOf(const Instruction &instruction) {\n"
      << "  return std::visit([](const auto &i) { return moduleOf(i); }, instruction);\n}\n\n";
  for (const char *mask : {"wait", "signal"}) {
    const std::string upper = camelCase(mask);
    out << "/// The " << mask << " mask: bit m for the module of code m; 0 for finish.\n"
        << "inline uint8_t " << mask << "Mask(const Instruction &instruction) {\n  return std::visit(\n"
        << "      [](const auto &i) -> uint8_t {\n"
        << "        if constexpr (std::is_same_v<std::decay_t<decltype(i)>, Finish>)\n          return 0;\n"
        << "        else\n          return i." << mask << ";\n      },\n      instruction);\n}\n"
        << "inline void set" << upper << "Mask(Instruction &instruction, uint8_t mask) {\n  std::visit(\n"
        << "      [mask](auto &i) {\n"
        << "        if constexpr (!std::is_same_v<std::decay_t<decltype(i)>, Finish>)\n          i." << mask
        << " = mask;\n      },\n      instruction);\n}\n";
  }
  out << "\n";
}

} // namespace

std::string emitInstructions(const Spec &spec) {
  std::ostringstream out;
  out << generatedNotice("//", "The instruction set: enumerations, instructions, registers.")
      << "#pragma once\n\n#include <array>\n#include <cstdint>\n#include <optional>\n#include <type_traits>\n"
      << "#include <variant>\n\n"
      << "namespace daedalus::isa {\n\n"
      << "inline constexpr uint32_t Version = " << spec.version << ";\n"
      << "inline constexpr unsigned InstructionBytes = " << spec.instructionBytes << ";\n"
      << "inline constexpr unsigned BaseRegisters = " << spec.baseRegisters << ";\n"
      << "inline constexpr unsigned TokenCounterMax = " << spec.tokenCounterMax << ";\n\n";
  emitEnum(out, "Module", spec.modules, "A module with tokens; its code is its bit in the token masks.");
  emitEnum(out, "Scope", std::vector<EnumValue>(spec.scopes.begin(), spec.scopes.end()),
           "A scratchpad, or where else an operand of VECTOR comes from.");
  for (const Enumeration &enumeration : spec.enums)
    emitEnum(out, camelCase(enumeration.name), enumeration.values, "The values of a field.");
  std::vector<EnumValue> opcodes;
  for (const Instruction &instruction : spec.instructions)
    opcodes.push_back({instruction.name, instruction.opcode, instruction.doc});
  emitEnum(out, "Opcode", opcodes, "The first byte of an instruction.");
  emitEnum(out, "FaultCause", spec.faults, "What FAULT_CAUSE says.");
  emitEnum(out, "DeviceStatus", spec.status, "What STATUS says.");
  emitEnum(out, "CounterClass", spec.counterClasses, "What a module does in a cycle.");
  emitEnum(out, "CounterModule", spec.counterModules,
           "A module as the counters and FAULT_MODULE count them.");
  std::vector<std::string> types;
  for (const Instruction &instruction : spec.instructions) {
    emitInstruction(out, spec, instruction);
    types.push_back(camelCase(instruction.name));
  }
  out << "/// Any instruction; the alternatives in the order of the opcodes.\nusing Instruction = "
         "std::variant<"
      << join(types, ", ") << ">;\n\n";
  emitTokenAccess(out, spec);
  emitRegisters(out, spec);
  out << "} // namespace daedalus::isa\n";
  return out.str();
}

} // namespace isagen
