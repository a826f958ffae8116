// What a package says, run plainly: one step after the other, each kernel on copies of its operands that end
// where the memory ends and cannot be written where the signature says "read". It shares nothing with the
// runtime but the package as a value: kernels come through the system's dynamic linker, programs run on the
// functional engine.
#pragma once

#include "daedalus/package/kernel_abi.h"
#include "daedalus/package/package.h"

#include <map>
#include <string>
#include <vector>

namespace daedalus::mutants {

using Bytes = std::vector<uint8_t>;

/// Kernels of the packages that mutants are made of.
class TrustedKernels {
public:
  using Entry = package::KernelEntry *;

  explicit TrustedKernels(const package::Package &package);
  ~TrustedKernels();
  TrustedKernels(const TrustedKernels &) = delete;
  TrustedKernels &operator=(const TrustedKernels &) = delete;
  /// Null where there is none of that name.
  Entry find(const std::string &symbol) const;

private:
  void *library = nullptr;
  int file = -1;
};

/// The outputs of a function for these inputs, or none where a step fails. External functions double int8.
struct PlainRun {
  bool finished = false;
  std::vector<Bytes> outputs;
};
PlainRun runPlainly(const package::Package &package, const TrustedKernels &kernels,
                    const package::Function &function, const std::vector<Bytes> &inputs);

} // namespace daedalus::mutants
