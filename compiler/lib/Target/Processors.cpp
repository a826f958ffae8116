// See Processors.h.

#include "daedalus/Target/Processors.h"

#include "llvm/Support/Parallel.h"

#include <algorithm>
#include <atomic>

namespace daedalus {

static constexpr unsigned Most = 8;
static constexpr size_t Few = 4; ///< calls, which are not worth waking other threads for

Processors::Processors() : number(std::min(llvm::parallel::strategy.compute_thread_count(), Most)) {}

void Processors::forEach(size_t count, llvm::function_ref<void(size_t)> function) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++)
      function(i);
  };
  if (number < 2 || count < Few)
    return work();
  if (!others)
    others = std::make_unique<llvm::DefaultThreadPool>(llvm::hardware_concurrency(number - 1));
  llvm::ThreadPoolTaskGroup group(*others);
  for (size_t i = 1; i < std::min<size_t>(number, count); ++i)
    group.async(work);
  work();
  group.wait();
}

} // namespace daedalus
