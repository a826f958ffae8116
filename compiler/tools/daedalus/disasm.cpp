// daedalus disasm: a program file to text that `daedalus asm` turns into the same bytes.
#include "Commands.h"
#include "Models/Programs.h"
#include "cli/Files.h"
#include "daedalus/isa/assembly.h"

#include <memory>

namespace daedalus::cli {

void addDisasm(CLI::App &app) {
  struct Options {
    std::string input, output = "-";
  };
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("disasm", "Print a program as text");
  command->add_option("program", options->input, "A program file or a package; - is stdin")
      ->required()
      ->type_name("P.bin|M.dae");
  addOutputOption(*command, options->output, "the program text", "stdout", "P.s");
  command->footer("Examples:\n"
                  "  daedalus disasm program.bin\n"
                  "  daedalus compile model.onnx --emit words -o - | daedalus disasm -");
  command->callback([options] {
    std::vector<NamedProgram> programs = readPrograms(options->input).programs;
    std::string text;
    for (const NamedProgram &program : programs)
      text += (programs.size() > 1 ? "# " + program.name + "\n" : "") + isa::disassemble(program.program);
    write(options->output, text);
  });
}

} // namespace daedalus::cli
