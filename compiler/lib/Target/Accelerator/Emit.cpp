// The levels asm and words: the accelerator's streams as text and as bytes.

#include "State.h"

#include "daedalus/isa/assembly.h"
#include "daedalus/isa/encoding.h"

#include <algorithm>

namespace daedalus::accelerator {
namespace {

/// A stream's text with a comment wherever the next instruction belongs to another layer.
std::string annotated(const isa::Program &program, const std::vector<uint32_t> &layerOfInstruction,
                      const std::vector<package::Layer> &layers) {
  isa::Program head = program;
  head.instructions.clear();
  std::string text = isa::disassemble(head);
  uint32_t last = package::noLayer;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    uint32_t layer = i < layerOfInstruction.size() ? layerOfInstruction[i] : package::noLayer;
    if (layer != last && layer < layers.size()) {
      std::string node = layers[layer].node;
      std::replace(node.begin(), node.end(), '\n', ' '); // a name is free text, a comment one line
      text += "# " + node + "\n";
    }
    last = layer;
    text += isa::disassemble(program.instructions[i]) + "\n";
  }
  return text;
}

} // namespace

Result<std::string> emitPrograms(const std::string &level, const package::Package &package,
                                 const std::vector<isa::Program> &programs) {
  if (level == "words" && programs.size() != 1)
    return error("the model has " + std::to_string(programs.size()) +
                 " streams, and a program file holds one; use --emit asm, or compile a package");
  std::string text;
  for (size_t i = 0; i < programs.size(); ++i) {
    if (level == "words") {
      std::vector<uint8_t> bytes = isa::writeProgram(programs[i]);
      text.append(bytes.begin(), bytes.end());
    } else {
      text += i ? "\n# stream " + std::to_string(i) + "\n" : "";
      text += annotated(programs[i], package.programs[i].layerOfInstruction, package.layers);
    }
  }
  return text;
}

} // namespace daedalus::accelerator
