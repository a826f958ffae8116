// machine_sv MACHINE OUTPUT: the SystemVerilog package of a machine, by its name or file.
#include "daedalus/isa/machine_verilog.h"
#include "daedalus/support/file.h"

#include <cstdio>

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: machine_sv MACHINE OUTPUT\n");
    return 2;
  }
  const auto machine = daedalus::isa::loadMachine(argv[1]);
  if (!machine) {
    std::fprintf(stderr, "machine_sv: error: %s\n", machine.error().c_str());
    return 1;
  }
  const auto written = daedalus::writeFileAtomically(argv[2], daedalus::isa::systemVerilogPackage(*machine));
  if (!written)
    std::fprintf(stderr, "machine_sv: error: %s\n", written.error().c_str());
  return written ? 0 : 1;
}
