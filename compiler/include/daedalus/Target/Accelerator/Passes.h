// The passes of Passes.td.

#ifndef DAEDALUS_TARGET_ACCELERATOR_PASSES_H
#define DAEDALUS_TARGET_ACCELERATOR_PASSES_H

#include "mlir/Pass/Pass.h"

namespace daedalus::accelerator {
#define GEN_PASS_DECL
#include "daedalus/Target/Accelerator/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "daedalus/Target/Accelerator/Passes.h.inc"
} // namespace daedalus::accelerator

#endif
