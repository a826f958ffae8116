// Passes of the dae dialect, in the order of the accelerator path: tensorize, allocate, tokens, masks.

#ifndef DAEDALUS_DIALECT_DAE_TRANSFORMS_PASSES
#define DAEDALUS_DIALECT_DAE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

defvar machineOption = Option<"machine", "machine", "std::string", "\"\"",
                              "Name of a built-in machine, or path of a machine file; else the module's own, or default.">;

class DaePass<string name> : Pass<name, "mlir::func::FuncOp"> {
  let dependentDialects = ["daedalus::dae::DaeDialect"];
  let options = [machineOption];
}

def DaeTensorize : DaePass<"dae-tensorize"> {
  let summary = "Replace blocks by the instructions that compute them";
  let description = [{
    Every `linalg.generic` on scoped memrefs is compared with the intrinsics (`dae.intrinsic`): its body with the
    description, both in the normal form of expressions, its innermost dimensions with the lanes. The rest of its iteration space becomes
    loops of the instruction. A block that nothing matches is an error.
  }];
  let options = [machineOption, Option<"intrinsics", "intrinsics", "std::string", "\"\"",
                                       "File of more intrinsics (docs/intrinsics.md).">];
}

def DaeAllocate : DaePass<"dae-allocate"> {
  let summary = "Give every buffer its rows";
  let description = [{
    Each scope is a ring in program order, so consecutive tiles land in different rows. A buffer in ACC owns
    whole banks. A buffer that fits nowhere is an error.
  }];
}

def DaeTokens : DaePass<"dae-tokens"> {
  let summary = "Order instructions of different modules by tokens";
  let description = [{
    Dependences on rows, bank ports and DRAM bytes become token operands, as far as others do not imply them.
  }];
}

def DaeMasks : DaePass<"dae-masks"> {
  let summary = "Map tokens onto wait and signal masks";
  let description = [{Of each pair of modules, the n-th wait takes the token of the n-th signal.}];
}

#endif
