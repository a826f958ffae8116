// The functions of Codegen.h as passes.

#include "daedalus/Codegen/Passes.h"

#include "daedalus/Codegen/Codegen.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace daedalus::codegen {
#define GEN_PASS_DEF_CODEGENEXPANDSCALES
#define GEN_PASS_DEF_CODEGENEXPANDREQUANTIZE
#define GEN_PASS_DEF_CODEGENEXPANDPADS
#define GEN_PASS_DEF_CODEGENEXPANDMATH
#define GEN_PASS_DEF_CODEGENEXPANDHALVES
#define GEN_PASS_DEF_CODEGENCOMPUTEBEFORERESHAPES
#define GEN_PASS_DEF_CODEGENCOMPUTEINDESTINATION
#define GEN_PASS_DEF_CODEGENWIDENHALVES
#define GEN_PASS_DEF_CODEGENFUSEELEMENTWISE
#include "daedalus/Codegen/Passes.h.inc"

namespace {

struct ExpandScales : impl::CodegenExpandScalesBase<ExpandScales> {
  void runOnOperation() override {
    expandApplyScale(getOperation());
    expandLookup(getOperation());
  }
};

struct ExpandRequantize : impl::CodegenExpandRequantizeBase<ExpandRequantize> {
  void runOnOperation() override { expandRequantize(getOperation()); }
};

struct ExpandPads : impl::CodegenExpandPadsBase<ExpandPads> {
  void runOnOperation() override { expandPad(getOperation()); }
};

struct ExpandMath : impl::CodegenExpandMathBase<ExpandMath> {
  void runOnOperation() override {
    if (failed(expandMath(getOperation())))
      signalPassFailure();
  }
};

struct ExpandHalves : impl::CodegenExpandHalvesBase<ExpandHalves> {
  void runOnOperation() override {
    if (failed(expandHalves(getOperation())))
      signalPassFailure();
  }
};

struct WidenHalves : impl::CodegenWidenHalvesBase<WidenHalves> {
  void runOnOperation() override {
    if (failed(widenHalves(getOperation())))
      signalPassFailure();
  }
};

struct ComputeBeforeReshapes : impl::CodegenComputeBeforeReshapesBase<ComputeBeforeReshapes> {
  void runOnOperation() override { computeBeforeReshapes(getOperation()); }
};

struct ComputeInDestination : impl::CodegenComputeInDestinationBase<ComputeInDestination> {
  void runOnOperation() override { computeInDestination(getOperation()); }
};

struct FuseElementwise : impl::CodegenFuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override { fuseElementwise(getOperation()); }
};

} // namespace
} // namespace daedalus::codegen
