// The emitters of isagen: each returns the whole text of one generated file.
#pragma once

#include "spec.h"

#include <string>
#include <vector>

namespace isagen {

std::string emitInstructions(const Spec &spec);      // daedalus/isa/instructions.h
std::string emitFieldTables(const Spec &spec);       // daedalus/isa/instruction_fields.h
std::string emitMachineSchema(const Spec &spec);     // daedalus/isa/machine_parameters.h
std::string emitCHeader(const Spec &spec);           // daedalus_isa.h, freestanding C11
std::string emitSystemRdl(const Spec &spec);         // daedalus.rdl
std::string emitSystemVerilog(const Spec &spec);     // daedalus_isa_pkg.sv
std::string emitSystemVerilogText(const Spec &spec); // the same as a string of C++
std::string emitLegality(const Spec &spec);          // is_legal(), a part of daedalus_isa_pkg.sv
std::string emitTableGen(const Spec &spec);          // daedalus/isa/IsaEnums.td
std::string emitManual(const Spec &spec);            // docs/isa.md

/// The machine files as strings in C++, by the name of the file without its extension.
std::string emitBuiltinMachines(const std::vector<std::string> &paths);

/// The comment that opens a generated file; `comment` is the language's mark.
std::string generatedNotice(const std::string &comment, const std::string &what);

std::string camelBack(const std::string &snake); // dram_stride -> dramStride
std::string camelCase(const std::string &snake); // vector_op -> VectorOp
std::string upperCase(const std::string &snake); // vector_op -> VECTOR_OP
std::string join(const std::vector<std::string> &parts, const std::string &separator);

/// `expression` with every identifier replaced by `replace(identifier)`.
template <class F> std::string replaceIdentifiers(const std::string &expression, F replace) {
  std::string text, word;
  auto flush = [&] {
    if (!word.empty())
      text += word[0] >= '0' && word[0] <= '9' ? word : replace(word);
    word.clear();
  };
  for (char c : expression) {
    if (isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
      continue;
    }
    flush();
    text += c;
  }
  flush();
  return text;
}

} // namespace isagen
