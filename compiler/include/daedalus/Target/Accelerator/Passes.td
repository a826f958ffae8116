// Passes that lead from kernels at level linalg into the dae dialect.

#ifndef DAEDALUS_TARGET_ACCELERATOR_PASSES
#define DAEDALUS_TARGET_ACCELERATOR_PASSES

include "mlir/Pass/PassBase.td"

class AcceleratorPass<string name> : Pass<name, "mlir::ModuleOp"> {
  let dependentDialects = ["daedalus::dae::DaeDialect", "mlir::linalg::LinalgDialect", "mlir::arith::ArithDialect"];
  let options = [Option<"machine", "machine", "std::string", "\"\"",
                        "Name of a built-in machine, or path of a machine file; else the module's own, or default.">];
}

def DaeSchedule : AcceleratorPass<"dae-schedule"> {
  let summary = "Plan each stream";
  let description = [{
    The planner decides as it does for `daedalus compile` and writes `dae.plan` into the module, of its streams or,
    without `host.package`, of the kernels that `@main` calls. What a `dae.plan` that is there already says is obeyed. A kernel that the accelerator cannot run is an error that
    says why.
  }];
}

def DaeBlockize : AcceleratorPass<"dae-blockize"> {
  let summary = "Make of each stream's kernels blocks on scoped buffers";
  let description = [{
    A stream's function then holds for each tile loads, `linalg.generic` blocks and a store, in the order of the plan;
    weights and parameters are the constants of `host.package`. A module without `host.package` becomes one function `@stream` of the kernels that
    `@main` calls, whose tensors lie one after the other in the arena. A `dae.plan` in the module is obeyed and
    used up; what it leaves out is planned.
  }];
  let options = [Option<"machine", "machine", "std::string", "\"\"",
                        "Name of a built-in machine, or path of a machine file; else the module's own, or default.">,
                 Option<"record", "record", "bool", "false", "Leave all that was decided in the module, as dae.plan.">,
                 Option<"constants", "constants", "bool", "true", "Make the constants' bytes; else streams alone, whose cycles can be counted.">];
}

#endif
