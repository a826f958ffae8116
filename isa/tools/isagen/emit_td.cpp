// IsaEnums.td: the codes that the dae and qnn dialects show, as lists of cases for TableGen's enumerations.
#include "emit.h"

#include <sstream>

namespace isagen {
namespace {

/// `kind` is the class of a case: I32EnumAttrCase takes a code, I32BitEnumAttrCaseBit a bit.
std::string caseOf(const std::string &kind, const EnumValue &value) {
  return "  " + kind + "<\"" + camelCase(value.name) + "\", " + std::to_string(value.code) + ", \"" +
         value.name + "\">";
}

void emitCases(std::ostream &out, const std::string &name, const std::vector<std::string> &cases) {
  out << "defvar Isa_" << name << "Cases = [\n" << join(cases, ",\n") << "];\n\n";
}

} // namespace

std::string emitTableGen(const Spec &spec) {
  std::ostringstream out;
  out << generatedNotice("//", "The codes of the instruction set as cases of enumerations.")
      << "#ifndef DAEDALUS_ISA_ISAENUMS_TD\n#define DAEDALUS_ISA_ISAENUMS_TD\n\n"
      << "include \"mlir/IR/EnumAttr.td\"\n\n";
  std::vector<std::string> scopes, modules;
  for (const Scope &scope : spec.scopes)
    if (!scope.row.empty())
      scopes.push_back(caseOf("I32EnumAttrCase", scope));
  emitCases(out, "Scope", scopes);
  for (const Enumeration &enumeration : spec.enums) {
    std::vector<std::string> cases;
    for (const EnumValue &value : enumeration.values)
      cases.push_back(caseOf("I32EnumAttrCase", value));
    emitCases(out, camelCase(enumeration.name), cases);
  }
  for (const EnumValue &module : spec.modules)
    modules.push_back(caseOf("I32BitEnumAttrCaseBit", module));
  emitCases(out, "Module", modules);
  out << "#endif\n";
  return out.str();
}

} // namespace isagen
