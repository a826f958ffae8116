// dae-opt: mlir-opt with the dialects and passes of the accelerator path.
//
//   dae-opt --dae-blockize=machine=tiny --dae-tensorize=machine=tiny kernels.mlir

#include "daedalus/Dialect/Dae/IR/Dae.h"
#include "daedalus/Dialect/Dae/Transforms/Passes.h"
#include "daedalus/Target/Accelerator/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<daedalus::dae::DaeDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect, mlir::tensor::TensorDialect>();
  daedalus::dae::registerDaePasses();
  daedalus::accelerator::registerAcceleratorPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Daedalus accelerator optimizer\n", registry));
}
