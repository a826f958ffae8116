// isagen: makes everything that states a fact of the instruction set from isa/spec/isa.yaml.
//
//   isagen SPEC EMITTER OUTPUT [MACHINE FILES]
//
// EMITTER is one of the names in `emitters` below. Nothing is written when something is wrong.
#include "emit.h"

#include <cstdio>
#include <fstream>
#include <functional>
#include <map>

using namespace isagen;

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3) {
    std::fprintf(stderr, "usage: isagen SPEC EMITTER OUTPUT [MACHINE FILES]\n");
    return 2;
  }
  const std::vector<std::string> machines(arguments.begin() + 3, arguments.end());
  const std::map<std::string, std::function<std::string(const Spec &)>> emitters = {
      {"instructions", emitInstructions},
      {"fields", emitFieldTables},
      {"schema", emitMachineSchema},
      {"c", emitCHeader},
      {"sv", emitSystemVerilog},
      {"sv_text", emitSystemVerilogText},
      {"tablegen", emitTableGen},
      {"manual", emitManual},
      {"machines", [&](const Spec &) { return emitBuiltinMachines(machines); }},
  };
  auto emitter = emitters.find(arguments[1]);
  if (emitter == emitters.end()) {
    std::fprintf(stderr, "isagen: no emitter named '%s'\n", arguments[1].c_str());
    return 2;
  }
  daedalus::Result<Spec> spec = loadSpec(arguments[0]);
  if (!spec) {
    std::fprintf(stderr, "isagen: %s\n", spec.error().c_str());
    return 1;
  }
  const std::string text = emitter->second(*spec);
  std::ofstream output(arguments[2], std::ios::binary);
  output << text;
  output.close();
  if (!output) {
    std::fprintf(stderr, "isagen: cannot write %s\n", arguments[2].c_str());
    return 1;
  }
  return 0;
}
