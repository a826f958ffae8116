// What a program may cost: some of it for every program, so that short ones may have large instructions, and
// several times what the compiler's streams take for each instruction. An instruction may touch every slice.
#include "daedalus/isa/work.h"
#include "daedalus/isa/verify.h"

namespace daedalus::isa {

uint64_t mostWork(size_t instructions, const Machine &machine) {
  constexpr uint64_t ofProgram = uint64_t(1) << 22, ofInstruction = 2048;
  uint64_t slices = 0;
  for (unsigned scope = 0; scope < ScopeCount; ++scope)
    slices += machine.slices(static_cast<Scope>(scope));
  return ofProgram + instructions * (ofInstruction + slices / SlicesOfUnit);
}

uint64_t mostRanges(size_t instructions) {
  constexpr uint64_t ofProgram = uint64_t(1) << 18, ofInstruction = 128;
  return ofProgram + instructions * ofInstruction;
}

} // namespace daedalus::isa
