// The CPU kernels of a package, loaded.
#pragma once

#include "daedalus/package/kernel_abi.h"
#include "daedalus/package/package.h"
#include "daedalus/support/result.h"

#include <memory>
#include <vector>

namespace daedalus::runtime::cpu {

class LoadedCode;
class ThreadPool;

class Kernels {
public:
  /// Chooses the first object that this host can execute, validates it, loads it from memory, and starts the
  /// threads that share the work of a kernel; `threads`, from 1 on, counts the caller's. Without kernels
  /// nothing is loaded. The package has to outlive the kernels. Errors: no object for this host, an object
  /// that is not as it should be, a kernel that it does not define, no memory or threads.
  static Result<std::unique_ptr<Kernels>> load(const package::Package &package, unsigned threads = 1);
  ~Kernels();
  Kernels(const Kernels &) = delete;
  Kernels &operator=(const Kernels &) = delete;

  /// Calls kernel `index` of the package with pointers to its inputs, then to its outputs: what validate()
  /// compared with its signature. What it returns: 0, or bits of the statuses of package/kernel_abi.h.
  int32_t call(uint32_t index, void *const *args) const;

  /// The object that was chosen; null without kernels.
  const package::ElfObject *object() const { return chosen; }

private:
  Kernels();
  Result<void> open(const package::ElfObject &object, const std::vector<package::Kernel> &kernels);

  const package::ElfObject *chosen = nullptr; // of the package, which outlives the kernels
  std::unique_ptr<LoadedCode> code;
  std::vector<package::KernelEntry *> entries;
  std::unique_ptr<ThreadPool> pool;
};

} // namespace daedalus::runtime::cpu
