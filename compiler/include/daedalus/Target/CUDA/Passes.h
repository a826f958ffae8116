// The passes of Passes.td.

#ifndef DAEDALUS_TARGET_CUDA_PASSES_H
#define DAEDALUS_TARGET_CUDA_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace daedalus::cuda {
#define GEN_PASS_DECL
#include "daedalus/Target/CUDA/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "daedalus/Target/CUDA/Passes.h.inc"
} // namespace daedalus::cuda

#endif
