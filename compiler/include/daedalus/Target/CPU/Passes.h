// The passes of Passes.td.

#ifndef DAEDALUS_TARGET_CPU_PASSES_H
#define DAEDALUS_TARGET_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace daedalus::cpu {
#define GEN_PASS_DECL
#include "daedalus/Target/CPU/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "daedalus/Target/CPU/Passes.h.inc"
} // namespace daedalus::cpu

#endif
