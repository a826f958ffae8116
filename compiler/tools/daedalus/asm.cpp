// daedalus asm: program text to a program file.
#include "Commands.h"
#include "cli/Files.h"
#include "daedalus/isa/assembly.h"

#include <memory>

namespace daedalus::cli {

void addAsm(CLI::App &app) {
  struct Options {
    std::string input, output = "-";
  };
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("asm", "Assemble a program");
  command->add_option("program", options->input, "Program text; - is stdin")->required()->type_name("P.s");
  addOutputOption(*command, options->output, "the program file", "stdout", "P.bin");
  command->footer("Examples:\n"
                  "  daedalus asm program.s -o program.bin\n"
                  "  daedalus disasm program.bin | daedalus asm - -o same.bin");
  command->callback([options] {
    std::vector<uint8_t> bytes = read(options->input, input::ProgramText);
    checkOutput(options->output);
    std::string text(bytes.begin(), bytes.end());
    isa::Program program = orFail(isa::assemble(text, options->input == "-" ? "stdin" : options->input));
    writeBinary(options->output, isa::writeProgram(program), "the program");
  });
}

} // namespace daedalus::cli
