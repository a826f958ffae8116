// The passes of Passes.td.

#ifndef DAEDALUS_TARGET_ACCELERATOR_PASSES_H
#define DAEDALUS_TARGET_ACCELERATOR_PASSES_H

#include "daedalus/Target/Accelerator/Planning.h"

#include "mlir/Pass/Pass.h"

#include <memory>

namespace daedalus::accelerator {
#define GEN_PASS_DECL
#include "daedalus/Target/Accelerator/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "daedalus/Target/Accelerator/Passes.h.inc"

/// The pass, with what the passes of one compilation share: kernels that placement looked at are not
/// enumerated again.
std::unique_ptr<mlir::Pass> createDaeBlockize(const DaeBlockizeOptions &options,
                                              std::shared_ptr<Planning> planning);
} // namespace daedalus::accelerator

#endif
