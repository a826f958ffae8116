// Walks the schema's keys; nothing here names one.
#include "daedalus/isa/machine_verilog.h"

#include <cctype>
#include <cinttypes>
#include <cstdio>

namespace daedalus::isa {
namespace {

std::string camelCase(const char *snake) {
  std::string text;
  bool upper = true;
  for (; *snake; ++snake) {
    if (*snake != '_')
      text += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(*snake))) : *snake;
    upper = *snake == '_';
  }
  return text;
}

} // namespace

std::string systemVerilogPackage(const Machine &machine) {
  char hash[20];
  std::snprintf(hash, sizeof hash, "%016" PRIx64, machine.hash());
  std::string text =
      "// The machine for the RTL, generated from its machine file (isa::systemVerilogPackage).\n"
      "/* verilator lint_off UNUSEDPARAM */ // no design uses every key\n"
      "package daedalus_machine_pkg;\n\n";
  for (const MachineKey &key : MachineKeys)
    if (key.section == std::string("core"))
      text += "  parameter int unsigned " + camelCase(key.name) + " = " +
              std::to_string(machine.*(key.member)) + ";\n";
  return text + "  parameter logic [63:0] Hash = 64'h" + hash +
         ";\n\nendpackage\n/* verilator lint_on UNUSEDPARAM */\n";
}

} // namespace daedalus::isa
