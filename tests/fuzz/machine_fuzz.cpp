// Machine files. What is accepted has a hash, the packages of the RTL, and the same values when its keys are
// written out and read again.
#include "fuzz.h"

#include "daedalus/isa/machine.h"
#include "daedalus/isa/machine_verilog.h"

#include <fstream>
#include <iterator>

using daedalus::isa::Machine;

std::vector<std::vector<uint8_t>> daedalus::fuzz::seeds() {
  std::ifstream tiny(DAEDALUS_SOURCE_DIR "/isa/machines/tiny.yaml", std::ios::binary);
  return {std::vector<uint8_t>(std::istreambuf_iterator<char>(tiny), {}),
          bytesOf("core: &a {n: 8}\nmemory: *a\n---\ncore: ~\n"),
          bytesOf("core: {n: [1, {a: .inf}], 'n': 0x8}")};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace daedalus;
  const Result<Machine> machine = isa::parseMachine({data, data + size}, "input.yaml");
  if (!machine)
    return 0;
  fuzz::require(!isa::systemVerilogPackage(*machine).empty(), "no package for the RTL");
  const Result<Machine> again = isa::parseMachine(writeMachine(*machine), "again.yaml");
  fuzz::require(bool(again), again ? "" : "its keys written out are refused: " + again.error());
  fuzz::require(again->hash() == machine->hash() && writeMachine(*again) == writeMachine(*machine),
                "its keys written out are another machine");
  return 0;
}
