// convert-graph-to-linalg: Conversion/GraphToLinalg as a pass.

#include "daedalus/Conversion/GraphToLinalg/GraphToLinalg.h"
#include "daedalus/Dialect/Qnn/IR/Qnn.h"
#include "daedalus/Dialect/Qnn/Transforms/Graph.h"
#include "daedalus/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace daedalus {
#define GEN_PASS_DEF_CONVERTGRAPHTOLINALG
#include "daedalus/Pipelines/Passes.h.inc"

namespace {

using namespace mlir;

struct ConvertGraphToLinalg : impl::ConvertGraphToLinalgBase<ConvertGraphToLinalg> {
  using ConvertGraphToLinalgBase::ConvertGraphToLinalgBase;

  void runOnOperation() override {
    const FailureOr<func::FuncOp> graph = qnn::graphOf(getOperation());
    if (failed(graph) || (*graph && failed(convertGraphToLinalg(getOperation()))))
      signalPassFailure();
  }
};

} // namespace
} // namespace daedalus
