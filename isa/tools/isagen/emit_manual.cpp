// docs/isa.md: the reference manual, one section a part of isa.yaml.
#include "emit.h"

#include <cstdio>
#include <sstream>

namespace isagen {
namespace {

std::string bitRange(const Field &field) {
  const unsigned last = field.firstBit + field.bits - 1;
  return field.bits == 1 ? std::to_string(last) : std::to_string(last) + ":" + std::to_string(field.firstBit);
}

std::string valuesOf(const Spec &spec, const Field &field) {
  if (field.kind == "flag")
    return "0, 1";
  if (!field.allowed.empty())
    return join(field.allowed, " ");
  if (field.kind == "module")
    return "module";
  if (field.kind == "module_mask" || field.kind == "loop_mask")
    return field.kind == "module_mask" ? "set of modules" : "set of loops";
  if (spec.findEnum(field.kind))
    return field.kind;
  return std::to_string(field.minimum) + " to " + std::to_string(field.maximum());
}

void emitFieldRow(std::ostream &out, const Spec &spec, const Instruction &instruction, const Field &field) {
  std::string name = "`" + field.name + "`", bits = bitRange(field);
  if (field.loop == 0) {
    unsigned step = 0;
    for (const Field &part : instruction.loopFields)
      step += part.bits;
    name = "`loops[l]." + field.name + "`";
    bits += " + " + std::to_string(step) + " l";
  }
  out << "| " << bits << " | " << name << " | " << valuesOf(spec, field) << " | " << field.doc << " |\n";
}

void emitInstruction(std::ostream &out, const Spec &spec, const Instruction &instruction) {
  out << "### `" << instruction.name << "`\n\nOpcode " << instruction.opcode << ", module "
      << (instruction.module == "field" ? "given by its field" : instruction.module) << ", "
      << instruction.usedBits() << " of " << spec.instructionBytes * 8 << " bits used.\n\n"
      << instruction.doc << "\n\n";
  if (instruction.loopCount)
    out << instruction.loopCount << " loops (l = 0 to " << instruction.loopCount - 1 << "). "
        << instruction.loopDoc << "\n\n";
  out << "| bits | field | values | meaning |\n|---|---|---|---|\n"
      << "| " << spec.opcodeBits - 1 << ":0 | `opcode` | " << instruction.opcode << " | " << instruction.name
      << " |\n";
  for (const Field &field : instruction.fields)
    if (field.loop <= 0)
      emitFieldRow(out, spec, instruction, field);
  out << "\n";
}

void emitCodes(std::ostream &out, const std::string &title, const std::vector<EnumValue> &values) {
  out << title << "\n\n| code | name | meaning |\n|---|---|---|\n";
  for (const EnumValue &value : values)
    out << "| " << value.code << " | `" << value.name << "` | " << value.doc << " |\n";
  out << "\n";
}

void emitScopes(std::ostream &out, const Spec &spec) {
  out << "## Scopes\n\n| code | name | bytes of a row | element | meaning |\n|---|---|---|---|---|\n";
  for (const Scope &scope : spec.scopes)
    out << "| " << scope.code << " | `" << scope.name << "` | " << (scope.row.empty() ? "-" : scope.row)
        << " | " << (scope.element.empty() ? "-" : scope.element) << " | " << scope.doc << " |\n";
  out << "\n";
}

void emitForms(std::ostream &out, const Spec &spec) {
  out << "#### Forms of `vector`\n\nEverything else is an illegal encoding. An instruction is reducing when "
         "its "
         "reduction mask is not zero or `accumulate` is set.\n\n"
      << "| operations | reducing | a | b | dst |\n|---|---|---|---|---|\n";
  for (const VectorForm &form : spec.vectorForms)
    out << "| " << join(form.ops, " ") << " | "
        << (form.reducing == "any"    ? "either"
            : form.reducing == "true" ? "yes"
                                      : "no")
        << " | " << join(form.a, " ") << " | " << join(form.b, " ") << " | " << join(form.dst, " ") << " |\n";
  out << "\n";
}

void emitRegisters(std::ostream &out, const Spec &spec) {
  out << "## Registers\n\n32-bit registers of the AXI4-Lite slave.\n\n"
      << "| offset | register | access | meaning |\n|---|---|---|---|\n";
  for (const Register &reg : spec.registers) {
    char offset[16];
    std::snprintf(offset, sizeof offset, "0x%03x", reg.offset);
    out << "| " << offset << (reg.count > 1 ? " + " + std::to_string(reg.step) + " i" : "") << " | `"
        << reg.name << "`" << (reg.count > 1 ? " (" + std::to_string(reg.count) + ")" : "") << " | "
        << reg.access << " | " << reg.doc << " |\n";
  }
  out << "\n";
}

std::string rangeOf(const MachineKey &key) {
  std::string text = std::to_string(key.minimum) + " to " + std::to_string(key.maximum);
  if (key.powerOfTwo)
    text += ", a power of two";
  if (!key.atMost.empty())
    text += ", at most `" + key.atMost + "`";
  if (!key.atLeast.empty())
    text += ", at least `" + key.atLeast + "`";
  return text;
}

void emitDram(std::ostream &out, const Spec &spec) {
  out << "### `memory` with a DRAM\n\n`model: NAME` puts a DRAM in the place of `read_latency` and "
         "`write_latency` ([timing.md](timing.md), \"DRAM\"); the file must then state `clock_mhz`. The "
         "keys below change single values of the model: `memory: {model: ddr4-2400, t_refi: 0, clock_mhz: "
         "800}`, or `--machine default,model=ddr4-2400,clock_mhz=800`. `model: fixed` is the memory without "
         "a DRAM. Times "
         "are in cycles of the DRAM's clock.\n\n| key | values |";
  for (const DramModel &model : spec.dramModels)
    out << " `" << model.name << "` |";
  out << " meaning |\n|---|---|";
  for (size_t i = 0; i < spec.dramModels.size(); ++i)
    out << "---|";
  out << "---|\n";
  for (size_t i = 0; i < spec.dramKeys.size(); ++i) {
    out << "| `" << spec.dramKeys[i].name << "` | " << rangeOf(spec.dramKeys[i]) << " |";
    for (const DramModel &model : spec.dramModels)
      out << " " << model.values[i] << " |";
    out << " " << spec.dramKeys[i].doc << " |\n";
  }
  out << "\n";
  for (const DramModel &model : spec.dramModels)
    out << "- `" << model.name << "`: " << model.doc << "\n";
  out << "\n";
}

void emitMachine(std::ostream &out, const Spec &spec) {
  out << "## Machine files\n\nA machine file is YAML with the two maps `core` (the hardware; its values make "
         "the "
         "machine's hash) and `memory` (may change without a new hash). It is one document; numbers are "
         "decimal, "
         "without leading zeros. `base: NAME` takes the keys that the file leaves out from a built-in "
         "machine. "
         "Examples: `isa/machines`.\n\nWherever a command takes a machine, keys of it may be changed behind "
         "its "
         "name or file: `--machine vta,bus_bytes=16,read_latency=200`.\n\n";
  for (const auto &[section, keys] : {std::pair{"core", &spec.core}, std::pair{"memory", &spec.memory}}) {
    out << "### `" << section << "`\n\n| key | values | default | meaning |\n|---|---|---|---|\n";
    for (const MachineKey &key : *keys)
      out << "| `" << key.name << "` | " << rangeOf(key) << " | "
          << (key.initial      ? std::to_string(*key.initial)
              : key.isOptional ? "none"
                               : "required")
          << " | " << key.doc << " |\n";
    out << "\n";
  }
  emitDram(out, spec);
  out << "## Conditions on machine files\n\n";
  for (const std::string &text : spec.machineConstraints)
    out << "- `" << text << "`\n";
}

} // namespace

std::string emitManual(const Spec &spec) {
  std::ostringstream out;
  out << "<!-- Generated by isagen from isa/spec/isa.yaml: change that file, not this one. -->\n"
      << "# The instruction set\n\nVersion " << spec.version << ". An instruction is "
      << spec.instructionBytes
      << " bytes; bit i is bit i mod 8 of byte i / 8. Bits that no field covers are reserved and zero. There "
         "are "
      << spec.baseRegisters << " base registers; a token counter holds at most " << spec.tokenCounterMax
      << ". N is the `n` of the machine. How long everything takes: [timing.md](timing.md).\n\n";
  emitCodes(out, "## Modules\n\nThe code is the bit in the wait and signal masks.", spec.modules);
  emitScopes(out, spec);
  out << "## Instructions\n\n";
  for (const Instruction &instruction : spec.instructions) {
    emitInstruction(out, spec, instruction);
    if (instruction.name == "vector")
      emitForms(out, spec);
  }
  out << "## Codes\n\n";
  for (const Enumeration &enumeration : spec.enums)
    emitCodes(out, "### `" + enumeration.name + "`", enumeration.values);
  emitCodes(out, "### Fault causes", spec.faults);
  emitCodes(out, "### Status", spec.status);
  emitCodes(out, "### Counter classes", spec.counterClasses);
  emitCodes(out, "### Counter modules", spec.counterModules);
  emitRegisters(out, spec);
  emitMachine(out, spec);
  return out.str();
}

} // namespace isagen
