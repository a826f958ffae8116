// The passes of Passes.td.

#ifndef DAEDALUS_CODEGEN_PASSES_H
#define DAEDALUS_CODEGEN_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace daedalus::codegen {
#define GEN_PASS_DECL
#include "daedalus/Codegen/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "daedalus/Codegen/Passes.h.inc"
} // namespace daedalus::codegen

#endif
