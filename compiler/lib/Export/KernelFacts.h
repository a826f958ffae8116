// What an object of kernels says of itself: sizes, stack, undefined symbols.

#ifndef DAEDALUS_LIB_EXPORT_KERNELFACTS_H
#define DAEDALUS_LIB_EXPORT_KERNELFACTS_H

#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <string>
#include <vector>

namespace daedalus::firmware {

struct KernelFacts {
  uint64_t textBytes = 0, constantBytes = 0; ///< of sections that firmware has in flash
  uint64_t stackBytes = 0;                   ///< no call of a kernel needs more, its builtins aside
  std::vector<std::string> builtins;         ///< undefined symbols, sorted, without the folder's own
  bool needsMath = false;                    ///< calls functions of dae_math.h
};

/// Of a relocatable ELF object of LLVM's with sections of stack sizes. The error says what it lacks.
Result<KernelFacts> factsOf(Span<const uint8_t> object);

} // namespace daedalus::firmware

#endif
