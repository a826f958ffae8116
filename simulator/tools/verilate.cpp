// verilate MACHINE FOLDER STAMP [RTL]: makes the Verilated model of a machine at build time, by the code that
// makes it at run time. With RTL, a folder with planted bugs, the model of that.
#include "daedalus/support/file.h"
#include "daedalus/support/temporaries.h"
#include "rtl/model_builder.h"

#include <cstdio>

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: verilate MACHINE FOLDER STAMP [RTL]\n");
    return 2;
  }
  daedalus::cleanUpOnSignals("verilate");
  const auto machine = daedalus::isa::loadMachine(argv[1]);
  daedalus::sim::rtl::BuildOptions options;
  options.directory = argv[2];
  if (argc > 4) {
    options.rtlDirectory = argv[4];
    options.bugs = true;
  }
  const auto model = machine ? daedalus::sim::rtl::modelFor(*machine, options, [](const std::string &) {})
                             : daedalus::Result<std::string>(daedalus::error(machine.error()));
  if (!model) {
    std::fprintf(stderr, "verilate: error: %s\n", model.error().c_str());
    return 1;
  }
  const auto written = daedalus::writeFileAtomically(argv[3], *model + "\n");
  if (!written)
    std::fprintf(stderr, "verilate: error: %s\n", written.error().c_str());
  return written ? 0 : 1;
}
