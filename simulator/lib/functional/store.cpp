// STORE, byte by byte: runs from OUT to DRAM. A run starts at lane 0 of a row and goes on through the
// rows behind it.
#include "common/loop_nest.h"
#include "daedalus/isa/semantics.h"
#include "functional/instructions.h"

namespace daedalus::sim::functional {

std::optional<Fault> execute(const isa::Store &store, CoreState &core) {
  const std::vector<uint8_t> &scope = core.scratchpad(store.scope);
  const int64_t rowBytes = core.machine.n;
  LoopNest nest(store.loops);
  do {
    const int64_t dram = int64_t(store.offset) + nest.offset(&isa::StoreLoop::dramStride);
    const int64_t src = (int64_t(store.src) + nest.offset(&isa::StoreLoop::srcStride)) * rowBytes;
    for (int64_t k = 0; k < store.runBytes; ++k) {
      if (auto fault = checkDram(core, store.base, dram + k, dram + k + 1))
        return fault;
      if (auto fault = checkScope(store.scope, "byte", src + k, src + k + 1, int64_t(scope.size())))
        return fault;
      const uint64_t address = core.bases[store.base].address + uint64_t(dram + k);
      *core.dram.at(address) = store.unsignedData ? isa::flipSign(scope[src + k]) : scope[src + k];
      core.wrote(isa::Scope::None, address, core.dram.at(address), 1);
    }
  } while (nest.next());
  return std::nullopt;
}

} // namespace daedalus::sim::functional
