// Program files (words behind a header). The checksum is mended first, so that the search gets past it. What
// is accepted is verified, and is the same bytes after disassembly and assembly.
#include "fuzz.h"

#include "daedalus/isa/assembly.h"
#include "daedalus/isa/program.h"
#include "daedalus/isa/verify.h"
#include "daedalus/support/hash.h"

#include <cstring>

namespace daedalus::fuzz {
namespace {

constexpr size_t ChecksumAt = 24;

/// The header's checksum is over everything else: FNV-1a (isa/lib/program.cpp).
void mendChecksum(std::vector<uint8_t> &bytes) {
  if (bytes.size() < ChecksumAt + 8)
    return;
  const Span<const uint8_t> all = bytes;
  const uint64_t hash = fnv1a(all.subspan(ChecksumAt + 8), fnv1a(all.subspan(0, ChecksumAt)));
  for (size_t i = 0; i < 8; ++i)
    bytes[ChecksumAt + i] = static_cast<uint8_t>(hash >> (8 * i));
}

} // namespace

std::vector<std::vector<uint8_t>> seeds() {
  std::vector<std::vector<uint8_t>> all;
  for (const char *text : {"finish",
                           "load scope=inp run_bytes=16 unbounded signal(vector)\n"
                           "vector wait(load) signal(store) op=mov dst_scope=out a_scope=inp\n"
                           "store base=1 run_bytes=16 wait(vector)\nfinish\n",
                           "load scope=wgt run_bytes=16 diagonal unbounded signal(gemm)\ngemm wait(load) "
                           "loop0(count=3 acc_stride=1)\n"
                           "mark module=load id=7\nnop module=store\nfinish\n"}) {
    Result<isa::Program> program = isa::assemble(text, "seed");
    require(bool(program), program ? "" : program.error());
    const isa::Machine machine = *isa::loadMachine("tiny");
    program->machineName = machine.name;
    program->machineHash = machine.hash();
    program->bases[0] = {4096, true};
    program->bases[1] = {4096, false};
    all.push_back(isa::writeProgram(*program));
  }
  return all;
}

} // namespace daedalus::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace daedalus;
  std::vector<uint8_t> bytes(data, data + size);
  fuzz::mendChecksum(bytes);
  const Result<isa::Program> program = isa::readProgram(bytes);
  if (!program)
    return 0;
  static const isa::Machine machine = *isa::loadMachine("tiny");
  isa::verify(*program, machine);
  const Result<isa::Program> again = isa::assemble(isa::disassemble(*program), "disassembly");
  fuzz::require(bool(again), again ? "" : "what was disassembled cannot be assembled: " + again.error());
  fuzz::require(isa::writeProgram(*again) == bytes, "disassembled and assembled, the program is another one");
  return 0;
}
