// Passes that lead from kernels at level linalg into the dae dialect.

#ifndef DAEDALUS_TARGET_ACCELERATOR_PASSES
#define DAEDALUS_TARGET_ACCELERATOR_PASSES

include "mlir/Pass/PassBase.td"

class AcceleratorPass<string name> : Pass<name, "mlir::ModuleOp"> {
  let dependentDialects = ["daedalus::dae::DaeDialect", "mlir::linalg::LinalgDialect", "mlir::arith::ArithDialect"];
  let options = [Option<"machine", "machine", "std::string", "\"default\"",
                        "Name of a built-in machine, or path of a machine file.">];
}

def DaeSchedule : AcceleratorPass<"dae-schedule"> {
  let summary = "Plan the stream of the kernels that @main calls";
  let description = [{
    The planner decides as it does for `daedalus compile` and writes `dae.plan` into the module. What a
    `dae.plan` that is there already says is obeyed. A kernel that the accelerator cannot run is an error that
    says why.
  }];
}

def DaeBlockize : AcceleratorPass<"dae-blockize"> {
  let summary = "Replace the module by the stream of its kernels, as blocks on scoped buffers";
  let description = [{
    The kernels that `@main` calls become one function `@stream`: for each tile loads, `linalg.generic` blocks
    and a store. Tensors are placed one after the other in the arena. A `dae.plan` in the module is obeyed;
    what it leaves out is planned.
  }];
}

#endif
