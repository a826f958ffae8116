// Work that does not depend on its order, on all processors of the host.

#ifndef DAEDALUS_TARGET_PROCESSORS_H
#define DAEDALUS_TARGET_PROCESSORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"

#include <memory>

namespace daedalus {

/// Those that llvm::parallel::strategy allows: without a change, all that the process may use; at most 8.
/// Threads are made when they are first needed.
class Processors {
public:
  Processors();

  /// Calls a function with 0 to count - 1, on this thread and others.
  void forEach(size_t count, llvm::function_ref<void(size_t)> function);

private:
  const unsigned number;
  std::unique_ptr<llvm::DefaultThreadPool> others;
};

} // namespace daedalus

#endif
