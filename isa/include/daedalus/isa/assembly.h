// Programs as text and back, exactly.
//
//   .machine default 0522596141f5576c          # name and hash
//   .base 0 limit=65536 readonly               # registers that are not there have the limit 0
//   .base 1 limit=16384
//   load wait(gemm) signal(gemm) scope=inp offset=64 run_bytes=16 loop2(count=8 dram_stride=16) unbounded
//   gemm wait(load) inp=0 wgt=4 acc=8 reduction(0 1) loop0(count=4 inp_stride=1)
//   finish
//
// One instruction a line: its name and then, in any order, fields as name=value, bits as their bare name,
// sets of modules or loops as name(...), and loops as loopL(...). What is not written has the value that it
// has in a new instruction (docs/isa.md); the disassembler writes the others, in the order of the encoding.
// `#` begins a comment. Numbers are decimal or 0x....
#pragma once

#include "daedalus/isa/program.h"

#include <string>

namespace daedalus::isa {

/// One line without a newline.
std::string disassemble(const Instruction &instruction);
/// The whole program; assembling it gives an equal program.
std::string disassemble(const Program &program);

/// The program in `text`. Errors begin with sourceName:line:column and say what was found and expected.
Result<Program> assemble(const std::string &text, const std::string &sourceName);

} // namespace daedalus::isa
