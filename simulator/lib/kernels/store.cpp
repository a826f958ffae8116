// STORE run by run: one copy each.
#include "common/loop_nest.h"
#include "kernels/kernels.h"

#include <cstring>

namespace daedalus::sim::kernels {

bool execute(const isa::Store &store, CoreState &core) {
  const std::vector<uint8_t> &scope = core.scratchpad(store.scope);
  const BaseRegister &base = core.bases[store.base];
  const int64_t run = store.runBytes;
  LoopNest nest(store.loops);
  do {
    const int64_t dram = int64_t(store.offset) + nest.offset(&isa::StoreLoop::dramStride);
    const int64_t src = (int64_t(store.src) + nest.offset(&isa::StoreLoop::srcStride)) * core.machine.n;
    if (src < 0 || src + run > int64_t(scope.size()) || dram < 0 || dram + run > int64_t(base.limit) ||
        !core.dram.holds(base.address + uint64_t(dram), uint64_t(run)))
      return false;
    uint8_t *to = core.dram.at(base.address + uint64_t(dram));
    if (!store.unsignedData) {
      std::memcpy(to, scope.data() + src, size_t(run));
      continue;
    }
    for (int64_t k = 0; k < run; ++k)
      to[k] = scope[src + k] ^ 0x80;
  } while (nest.next());
  return true;
}

} // namespace daedalus::sim::kernels
