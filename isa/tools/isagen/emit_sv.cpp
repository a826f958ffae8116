// daedalus_isa_pkg.sv: the codes as enumerations, the instructions as packed structs (the last member of a
// packed struct lies at bit 0, so the fields come out in reverse), the register map as parameters.
#include "emit.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace isagen {
namespace {

unsigned widthOf(size_t values) {
  unsigned width = 1;
  while ((size_t(1) << width) < values)
    ++width;
  return width;
}

void emitEnum(std::ostream &out, const std::string &name, unsigned width,
              const std::vector<EnumValue> &values) {
  out << "  typedef enum logic [" << width - 1 << ":0] {\n";
  for (size_t i = 0; i < values.size(); ++i)
    out << "    " << camelCase(name) << camelCase(values[i].name) << " = " << width << "'d" << values[i].code
        << (i + 1 < values.size() ? "," : "") << "\n";
  out << "  } " << name << "_e;\n\n";
}

/// A packed member; every field stays plain bits, so that an illegal code can be looked at before a cast.
std::string member(const std::string &name, unsigned bits, bool isSigned) {
  std::string type = isSigned ? "logic signed" : "logic";
  return "    " + type + (bits > 1 ? " [" + std::to_string(bits - 1) + ":0] " : " ") + name + ";\n";
}

/// The field's name, with an underscore behind what is a keyword of SystemVerilog.
std::string memberName(const std::string &name) {
  static const std::set<std::string> keywords = {
      "assert", "bit",    "byte",   "case",  "clocking", "config", "default", "do",     "event", "for",
      "if",     "input",  "inout",  "int",   "logic",    "module", "output",  "packed", "reg",   "repeat",
      "rand",   "signed", "static", "table", "task",     "time",   "type",    "use",    "wait",  "wire"};
  return keywords.count(name) ? name + "_" : name;
}

void emitLoop(std::ostream &out, const Instruction &instruction) {
  out << "  typedef struct packed {\n";
  for (auto field = instruction.loopFields.rbegin(); field != instruction.loopFields.rend(); ++field)
    out << member(memberName(field->name), field->bits, field->isSigned);
  out << "  } " << instruction.name << "_loop_t;\n\n";
}

unsigned loopBits(const Instruction &instruction) {
  unsigned bits = 0;
  for (const Field &field : instruction.loopFields)
    bits += field.bits;
  return bits;
}

/// Members from bit 0 up; gaps become reserved members.
std::vector<std::string> membersUpward(const Spec &spec, const Instruction &instruction) {
  std::vector<Field> fields = instruction.fields;
  std::stable_sort(fields.begin(), fields.end(),
                   [](const Field &x, const Field &y) { return x.firstBit < y.firstBit; });
  std::vector<std::string> members = {member("opcode", spec.opcodeBits, false)};
  unsigned bit = spec.opcodeBits;
  auto pad = [&](unsigned until) {
    if (until > bit)
      members.push_back(member("reserved_" + std::to_string(bit), until - bit, false));
    bit = until;
  };
  for (const Field &field : fields) {
    pad(field.firstBit);
    bit = field.firstBit + field.bits;
    if (field.loop < 0)
      members.push_back(member(memberName(field.name), field.bits, field.isSigned));
    else if (field.loop == 0 && field.name == instruction.loopFields.front().name)
      members.push_back("    logic [" + std::to_string(instruction.loopCount - 1) + ":0][" +
                        std::to_string(loopBits(instruction) - 1) + ":0] loops; // " + instruction.name +
                        "_loop_t each\n");
  }
  pad(spec.instructionBytes * 8);
  return members;
}

void emitInstruction(std::ostream &out, const Spec &spec, const Instruction &instruction) {
  if (instruction.loopCount)
    emitLoop(out, instruction);
  std::vector<std::string> members = membersUpward(spec, instruction);
  std::reverse(members.begin(), members.end());
  out << "  // " << instruction.doc << "\n  typedef struct packed {\n"
      << join(members, "") << "  } " << instruction.name << "_t;\n\n";
}

void emitRegisters(std::ostream &out, const Spec &spec) {
  for (const Register &reg : spec.registers) {
    const std::string name = "Reg" + camelCase(reg.name);
    out << "  parameter int unsigned " << name << " = " << reg.offset << "; // " << reg.access << "\n";
    if (reg.count > 1)
      out << "  parameter int unsigned " << name << "Step = " << reg.step << ";\n  parameter int unsigned "
          << name << "Count = " << reg.count << ";\n";
    for (const RegisterBit &bit : reg.bits)
      out << "  parameter int unsigned " << name << camelCase(bit.name) << "Bit = " << bit.bit << ";\n";
  }
}

} // namespace

std::string emitSystemVerilog(const Spec &spec) {
  std::ostringstream out;
  out << generatedNotice("//", "The instruction set for the RTL.")
      << "// A package has more than any one design uses.\n"
      << "/* verilator lint_off UNUSEDPARAM */\n/* verilator lint_off UNUSEDSIGNAL */\n"
      << "package daedalus_isa_pkg;\n\n"
      << "  parameter int unsigned IsaVersion = " << spec.version << ";\n"
      << "  parameter int unsigned InstructionBytes = " << spec.instructionBytes << ";\n"
      << "  parameter int unsigned BaseRegisters = " << spec.baseRegisters << ";\n"
      << "  parameter int unsigned TokenCounterMax = " << spec.tokenCounterMax << ";\n\n";
  emitEnum(out, "module", widthOf(spec.modules.size()), spec.modules);
  emitEnum(out, "scope", 4, std::vector<EnumValue>(spec.scopes.begin(), spec.scopes.end()));
  for (const Enumeration &enumeration : spec.enums)
    emitEnum(out, enumeration.name, widthOf(enumeration.values.size()), enumeration.values);
  std::vector<EnumValue> opcodes;
  for (const Instruction &instruction : spec.instructions)
    opcodes.push_back({instruction.name, instruction.opcode, ""});
  emitEnum(out, "opcode", spec.opcodeBits, opcodes);
  emitEnum(out, "fault", widthOf(spec.faults.size()), spec.faults);
  emitEnum(out, "status", widthOf(spec.status.size()), spec.status);
  emitEnum(out, "counter_class", widthOf(spec.counterClasses.size()), spec.counterClasses);
  emitEnum(out, "counter_module", widthOf(spec.counterModules.size()), spec.counterModules);
  for (const Instruction &instruction : spec.instructions)
    emitInstruction(out, spec, instruction);
  out << emitLegality(spec);
  emitRegisters(out, spec);
  out << "\nendpackage\n/* verilator lint_on UNUSEDPARAM */\n/* verilator lint_on UNUSEDSIGNAL */\n";
  return out.str();
}

std::string emitSystemVerilogText(const Spec &spec) {
  return generatedNotice("//", "daedalus_isa_pkg.sv as a string.") +
         "#include \"daedalus/isa/machine_verilog.h\"\n\n"
         "const char *daedalus::isa::systemVerilogIsaPackage() {\n  return R\"verilog(" +
         emitSystemVerilog(spec) + ")verilog\";\n}\n";
}

} // namespace isagen
