// isagen: makes everything that states a fact of the instruction set from isa/spec/isa.yaml, and of the
// simulated system from isa/spec/soc.yaml.
//
//   isagen SPEC EMITTER OUTPUT [MACHINE FILES]
//
// EMITTER is one of the names in `emitters` and `socEmitters` below. Nothing is written when something is
// wrong.
#include "emit.h"
#include "soc.h"

#include <cstdio>
#include <fstream>
#include <functional>
#include <map>

using namespace isagen;

namespace {

template <class Description>
using Emitters = std::map<std::string, std::function<std::string(const Description &)>>;

/// The text of that emitter; null: none has the name.
template <class Description>
std::optional<daedalus::Result<std::string>>
emit(const Emitters<Description> &emitters, const std::string &name,
     const std::function<daedalus::Result<Description>()> &load) {
  const auto emitter = emitters.find(name);
  if (emitter == emitters.end())
    return std::nullopt;
  const daedalus::Result<Description> description = load();
  if (!description)
    return daedalus::error(description.error());
  return emitter->second(*description);
}

int write(const std::string &path, const std::string &text) {
  std::ofstream output(path, std::ios::binary);
  output << text;
  output.close();
  if (output)
    return 0;
  std::fprintf(stderr, "isagen: cannot write %s\n", path.c_str());
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3) {
    std::fprintf(stderr, "usage: isagen SPEC EMITTER OUTPUT [MACHINE FILES]\n");
    return 2;
  }
  const std::vector<std::string> machines(arguments.begin() + 3, arguments.end());
  const Emitters<Spec> emitters = {
      {"instructions", emitInstructions},
      {"fields", emitFieldTables},
      {"schema", emitMachineSchema},
      {"c", emitCHeader},
      {"rdl", emitSystemRdl},
      {"sv", emitSystemVerilog},
      {"sv_text", emitSystemVerilogText},
      {"tablegen", emitTableGen},
      {"manual", emitManual},
      {"machines", [&](const Spec &) { return emitBuiltinMachines(machines); }},
  };
  const Emitters<Soc> socEmitters = {{"soc_c", emitSocHeader}, {"soc_manual", emitSocManual}};
  auto text = emit<Spec>(emitters, arguments[1], [&] { return loadSpec(arguments[0]); });
  if (!text)
    text = emit<Soc>(socEmitters, arguments[1], [&] { return loadSoc(arguments[0]); });
  if (!text) {
    std::fprintf(stderr, "isagen: no emitter named '%s'\n", arguments[1].c_str());
    return 2;
  }
  if (!*text) {
    std::fprintf(stderr, "isagen: %s\n", text->error().c_str());
    return 1;
  }
  return write(arguments[2], **text);
}
