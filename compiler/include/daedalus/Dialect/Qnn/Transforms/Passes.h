// The passes of Passes.td.

#ifndef DAEDALUS_DIALECT_QNN_TRANSFORMS_PASSES_H
#define DAEDALUS_DIALECT_QNN_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace daedalus::qnn {
#define GEN_PASS_DECL
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "daedalus/Dialect/Qnn/Transforms/Passes.h.inc"
} // namespace daedalus::qnn

#endif
