// Program text. What assembles is the same program after a round through text, and through a file, which
// keeps a part of its machine's name.
#include "fuzz.h"

#include "daedalus/isa/assembly.h"
#include "daedalus/isa/verify.h"

std::vector<std::vector<uint8_t>> daedalus::fuzz::seeds() {
  return {
      bytesOf(".machine tiny 0123456789abcdef\n.base 0 limit=4096 readonly\n.base 1 limit=0x1000\n"
              "load scope=inp run_bytes=16 loop2(count=8 dram_stride=-16) unbounded signal(vector) # text\n"
              "vector wait(load) signal(store) op=add dst_scope=out a_scope=inp b_scope=imm immediate=-3\n"
              "store base=1, run_bytes=16, wait(vector)\nfinish\n"),
      bytesOf(".machine \"a\\x20b\" 1\ngemm inp=0 wgt=4 acc=8 reduction(0 1) loop0(count=4 inp_stride=1)\n"
              "mark module=load id=7\nnop module=store wait(gemm load)\nfinish\n")};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace daedalus;
  const Result<isa::Program> program = isa::assemble({data, data + size}, "input");
  if (!program)
    return 0;
  static const isa::Machine machine = *isa::loadMachine("tiny");
  isa::verify(*program, machine);
  const Result<isa::Program> text = isa::assemble(isa::disassemble(*program), "disassembly");
  fuzz::require(bool(text), text ? "" : "what was disassembled cannot be assembled: " + text.error());
  fuzz::require(*text == *program, "disassembled and assembled, the program is another one");
  const Result<isa::Program> file = isa::readProgram(isa::writeProgram(*program));
  fuzz::require(bool(file), file ? "" : "the program's file cannot be read: " + file.error());
  isa::Program kept = *program;
  kept.machineName = std::string(kept.machineName.c_str()).substr(0, 31);
  fuzz::require(*file == kept, "written and read, the program is another one");
  return 0;
}
