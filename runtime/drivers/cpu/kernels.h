// The CPU kernels of a package, loaded.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/support/result.h"

#include <memory>
#include <vector>

namespace daedalus::runtime::cpu {

class LoadedCode;

class Kernels {
public:
  /// Chooses the first object that this host can execute, validates it, and loads it from memory. Without
  /// kernels nothing is loaded. Errors: no object for this host, an object that is not as it should be, a
  /// kernel that it does not define.
  static Result<std::unique_ptr<Kernels>> load(const package::Package &package);
  ~Kernels();
  Kernels(const Kernels &) = delete;
  Kernels &operator=(const Kernels &) = delete;

  /// Calls kernel `index` of the package with pointers to its inputs, then to its outputs: what validate()
  /// compared with its signature.
  /// What the kernel returns: 0, or 1 where values that came at run time do not fit its shapes.
  int32_t call(uint32_t index, void *const *args) const { return entries[index](args); }

private:
  Kernels();
  Result<void> open(const package::ElfObject &object, const std::vector<package::Kernel> &kernels);

  std::unique_ptr<LoadedCode> code;
  std::vector<int32_t (*)(void *const *)> entries;
};

} // namespace daedalus::runtime::cpu
