// Passes on whole modules: from tensor programs to steps with their memory.

#ifndef DAEDALUS_PIPELINES_PASSES
#define DAEDALUS_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

class ModulePass<string name> : Pass<name, "mlir::ModuleOp"> {
  let dependentDialects = ["daedalus::host::HostDialect", "mlir::func::FuncDialect", "mlir::tensor::TensorDialect"];
}

def ConvertGraphToLinalg : ModulePass<"convert-graph-to-linalg"> {
  let summary = "Make calls of kernels of the operations on quantized tensors";
  let description = [{
    Each operation, with the clamp that follows it, becomes a call of a private function of `linalg` operations on plain
    integers: zero points go into biases, scales become multipliers of 31 bits with a shift, and every accumulator is
    proved to fit 32 bits. Modules without such operations stay as they are.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::tensor::TensorDialect", "daedalus::qnn::QnnDialect"];
}

def DropEmptyTensors : ModulePass<"drop-empty-tensors"> {
  let summary = "Compute nothing of or into tensors without elements";
  let description = [{
    A tensor with an extent of 0 becomes a `tensor.empty` in `@main`, and kernels neither take nor give one. What reads
    one and has elements starts from something, and is that: a sum over nothing is zero, a pad its value. A kernel that
    checks its inputs stays, and gives a byte that nobody reads. Reading an element of such a tensor is an error.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def FuseCalls : ModulePass<"fuse-calls"> {
  let summary = "Join kernels that compute element by element with those that they follow";
  let description = [{
    In `@main`, a call of a kernel that computes element by element, and that alone reads the result of another one, becomes
    one call with it: on floats of 16 bits, where the other one adds up products or computes element by element; on bytes,
    where it computes element by element and both together read two tensors and have eight operations at most. Where
    kernels are placed already, nothing is joined.
  }];
}

def FormKernels : ModulePass<"form-kernels"> {
  let summary = "Make calls of kernels of what stands in @main";
  let description = [{
    A kernel is an operation and what it alone reads, up to int8 tensors: at most one reduction with what follows it
    element by element, and constants, pads and reshapes. Calls stay calls of their kernels. Kernels are named by their
    operation's location.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def PlaceKernels : ModulePass<"place-kernels"> {
  let summary = "Decide where each kernel runs, and say why";
  let description = [{
    Makes the module's `host.placement`: what the targets know, such as the machine, and a `host.place` for every kernel
    that `@main` calls. What stands there already is decided anew.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"auto\"",
           "auto, the name of a target, or several of these with commas between them.">,
    Option<"policy", "policy", "std::string", "\"accelerator-first\"",
           "accelerator-first: on any target that takes it rather than on the fallback; cheapest: where all kernels and copies cost the least together.">,
    Option<"prices", "prices", "bool", "false",
           "Price kernels where targets can, whatever the policy.">,
    ListOption<"given", "options", "std::string",
               "NAME=VALUE of options of targets, such as machine=tiny; else what the module says, or defaults.">];
}

def FormStreams : ModulePass<"form-streams"> {
  let summary = "Make steps of calls; consecutive ones on a target that has streams become one";
  let description = [{
    `@main` then holds a `host.step` for each kernel on the CPU, each external function and each stream, which is a
    function of its own. `host.package` says what the model's layers, inputs and outputs are. A stream ends where
    another target has to compute, or where it would have too many instructions.
  }];
  let options = [
    Option<"most", "most", "uint64_t", "0",
           "The size, about, from which on another stream begins; 0: as large as its target says.">];
}

def PlanMemory : ModulePass<"plan-memory"> {
  let summary = "Give every tensor its place in the arena";
  let description = [{
    First fit in the order in which tensors come to life; tensors whose lives do not overlap may share memory.
    What a concatenation of a stream puts together lies in its place from the start, where nobody else reads it.
    Channels that a stream takes out of a tensor lie in the tensor, where all that read them read them by pixels.
    Pixels lie farther apart than they are long where all that write and read them are faster with that.
  }];
}

#endif
