// machine_parameters.h: the keys of a machine file as a struct, a table of their ranges and the conditions
// between them; and the machine files of the tree as strings, so that the library needs no files.
#include "emit.h"

#include <fstream>
#include <sstream>

namespace isagen {
namespace {

std::string inMachine(const Spec &spec, const std::string &expression) {
  return replaceIdentifiers(expression, [&](const std::string &word) {
    return spec.isMachineKey(word) ? "uint64_t(m." + camelBack(word) + ")" : "#error unknown key " + word;
  });
}

void emitKeys(std::ostream &out, const std::vector<MachineKey> &keys, const char *section) {
  for (const MachineKey &key : keys)
    out << "    {\"" << section << "\", \"" << key.name << "\", &MachineParameters::" << camelBack(key.name)
        << ", " << key.minimum << ", " << key.maximum << ", " << (key.powerOfTwo ? "true" : "false") << ", "
        << (key.initial || key.isOptional ? "false" : "true") << ", "
        << (key.hashedAtDefault ? "true" : "false") << ", "
        << (key.atMost.empty() ? "nullptr" : "\"" + key.atMost + "\"") << ", "
        << (key.atLeast.empty() ? "nullptr" : "\"" + key.atLeast + "\"") << "},\n";
}

void emitStruct(std::ostream &out, const Spec &spec) {
  out << "/// The numbers of a machine; those without a default are zero until they are read, and optional "
         "ones without a\n"
         "/// value stay so.\n"
      << "struct MachineParameters {\n";
  for (const auto *keys : {&spec.core, &spec.memory, &spec.dramKeys})
    for (const MachineKey &key : *keys)
      out << "  uint32_t " << camelBack(key.name) << " = " << key.initial.value_or(0) << "; ///< " << key.doc
          << "\n";
  out << "  uint32_t memoryModel = 0; ///< 0: the latencies; else one more than its index in DramModels\n"
      << "};\n\n";
}

void emitDram(std::ostream &out, const Spec &spec) {
  out << "/// Keys of `memory` beside a model; zero in a machine without one.\n"
      << "inline constexpr std::array<MachineKey, " << spec.dramKeys.size() << "> DramKeys = {{\n";
  emitKeys(out, spec.dramKeys, "memory");
  out << "}};\n\nstruct DramModel {\n  const char *name;\n  std::array<uint32_t, " << spec.dramKeys.size()
      << "> values; ///< in the order of DramKeys\n};\n\n"
      << "inline constexpr std::array<DramModel, " << spec.dramModels.size() << "> DramModels = {{\n";
  for (const DramModel &model : spec.dramModels) {
    out << "    {\"" << model.name << "\", {";
    for (size_t i = 0; i < model.values.size(); ++i)
      out << (i ? ", " : "") << model.values[i];
    out << "}},\n";
  }
  out << "}};\n\n";
}

/// A function of the scope: `value` gives the expression of those that have memory.
template <class F>
void emitScopeFunction(std::ostream &out, const Spec &spec, const char *function, const char *doc, F value) {
  out << "/// " << doc << "; 0 of scopes without memory.\ninline uint32_t " << function
      << "(const MachineParameters &m, Scope scope) {\n  switch (scope) {\n";
  for (const Scope &scope : spec.scopes)
    out << "  case Scope::" << camelCase(scope.name) << ": return "
        << (scope.row.empty() ? "0" : value(scope)) << ";\n";
  out << "  }\n  return 0;\n}\n\n";
}

} // namespace

std::string emitMachineSchema(const Spec &spec) {
  std::ostringstream out;
  out << generatedNotice("//", "The keys of a machine file, their ranges and what must hold between them.")
      << R"(#pragma once

#include "daedalus/isa/instructions.h"

#include <array>
#include <cstdint>

namespace daedalus::isa {

)";
  emitStruct(out, spec);
  out << R"(struct MachineKey {
  const char *section; ///< core (hashed) or memory
  const char *name;
  uint32_t MachineParameters::*member;
  uint32_t minimum, maximum;
  bool powerOfTwo, required;
  bool hashedAtDefault; ///< else the hash leaves it out where it has its default
  const char *atMost, *atLeast; ///< another key that bounds it, or null
};

/// In the order of isa.yaml, in which the hash takes the core's keys.
)";
  out << "inline constexpr std::array<MachineKey, " << spec.core.size() + spec.memory.size()
      << "> MachineKeys = {{\n";
  emitKeys(out, spec.core, "core");
  emitKeys(out, spec.memory, "memory");
  out << "}};\n\n";
  emitDram(out, spec);
  out << "struct MachineConstraint {\n  const char *text;\n  bool (*holds)(const MachineParameters "
         "&);\n};\n\n"
      << "inline constexpr std::array<MachineConstraint, " << spec.machineConstraints.size()
      << "> MachineConstraints = {{\n";
  for (const std::string &text : spec.machineConstraints)
    out << "    {\"" << text << "\",\n     [](const MachineParameters &m) { return " << inMachine(spec, text)
        << "; }},\n";
  out << "}};\n\n";
  auto key = [](const char *suffix) {
    return [suffix](const Scope &scope) { return "m." + camelBack(scope.name + suffix); };
  };
  emitScopeFunction(out, spec, "scopeBytes", "Size of a scratchpad in bytes", key("_bytes"));
  emitScopeFunction(out, spec, "scopeBanks", "Banks of a scratchpad", key("_banks"));
  emitScopeFunction(out, spec, "scopeRowBytes",
                    "Bytes of the unit in which instructions address a scratchpad", [](const Scope &scope) {
                      return replaceIdentifiers(scope.row,
                                                [](const std::string &) { return std::string("m.n"); });
                    });
  out << "} // namespace daedalus::isa\n";
  return out.str();
}

std::string emitBuiltinMachines(const std::vector<std::string> &paths) {
  std::ostringstream out;
  out << "// The machine files of isa/machines. Generated by isagen: change those files, not this one.\n"
      << "#include \"builtin_machines.h\"\n\nnamespace daedalus::isa {\n\n"
      << "const std::vector<BuiltinMachine> &builtinMachineFiles() {\n"
      << "  static const std::vector<BuiltinMachine> files = {\n";
  for (const std::string &path : paths) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    const size_t slash = path.find_last_of('/');
    const std::string name = path.substr(slash + 1, path.find_last_of('.') - slash - 1);
    out << "      {\"" << name << "\", R\"yaml(" << text.str() << ")yaml\"},\n";
  }
  out << "  };\n  return files;\n}\n\n} // namespace daedalus::isa\n";
  return out.str();
}

} // namespace isagen
