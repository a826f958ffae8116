// Passes of the CPU backend.

#ifndef DAEDALUS_TARGET_CPU_PASSES
#define DAEDALUS_TARGET_CPU_PASSES

include "mlir/Pass/PassBase.td"

def CpuCallLibraries : Pass<"cpu-call-libraries", "mlir::ModuleOp"> {
  let summary = "Give products of the CPU's steps to functions of libraries";
  let description = [{
    A step whose kernel has a product of matrices or a convolution of float32, or of int8 with sums of int32, that one of `libraries` computes becomes a
    step that calls the library's function, an external one, with the sum and the maximum that follow. Its constants, and
    strides, pads and the like as a tensor of int64, are constants of the step. What the kernel computes before and
    behind it becomes steps of their own on the CPU.
  }];
  let options = [
    Option<"libraries", "libraries", "std::string", "\"\"",
           "As --cpu-library takes them: openblas, onednn:conv, or functions of the user's such as mine:matmul+conv.">,
    Option<"vnni", "vnni", "bool", "false",
           "All processors that code is made for add up products of bytes without saturating: libraries of the host get "
           "those that stay exact in float32.">];
  let dependentDialects = ["daedalus::host::HostDialect", "daedalus::qnn::QnnDialect", "mlir::linalg::LinalgDialect",
                           "mlir::memref::MemRefDialect", "mlir::tensor::TensorDialect"];
}

// The kernels of the CPU's steps, from `linalg` on tensors to loops on buffers. cpu-take-kernels puts them in a module
// of their own, inside of the model's, and cpu-share-kernels takes them out again; what stands between works there, on
// each kernel or on all of them. The pipeline cpu-lower-kernels is all of it.

class CpuPass<string name, string on> : Pass<name, on> {
  let dependentDialects = [
    "daedalus::cpu::CpuDialect", "daedalus::host::HostDialect", "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
    "mlir::bufferization::BufferizationDialect", "mlir::cf::ControlFlowDialect", "mlir::linalg::LinalgDialect",
    "mlir::math::MathDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}
class CpuKernelPass<string name> : CpuPass<name, "mlir::func::FuncOp">;
class CpuModulePass<string name> : CpuPass<name, "mlir::ModuleOp">;

def CpuTakeKernels : CpuModulePass<"cpu-take-kernels"> {
  let summary = "Put the kernels of the CPU's steps in a module of their own";
  let description = [{
    Each becomes a function of buffers, its inputs and its result, with its body between `bufferization.to_tensor` and
    `bufferization.materialize_in_destination`, in the order of the steps. A declaration stands where it was. A
    `cpu.schedule` of the model goes with them. Kernels that are lowered stay as they are.
  }];
}

def CpuGeneralizeContractions : CpuKernelPass<"cpu-generalize-contractions"> {
  let summary = "Sums of products in their general form, and what they begin with as linalg.fill";
}

def CpuDropUnitLoops : CpuKernelPass<"cpu-drop-unit-loops"> {
  let summary = "Take loops of one iteration out of products in groups";
  let description = "Depthwise ones have no dimension behind their channels then.";
}

def CpuRequantizeInDoubles : CpuKernelPass<"cpu-requantize-in-doubles"> {
  let summary = "Requantize in arithmetic on doubles where that is exact";
  let description = [{
    The product of a sum under 2^29 and of a multiplier of 24 significant bits has 53, which a double holds.
  }];
}

def CpuPadDepths : CpuKernelPass<"cpu-pad-depths"> {
  let summary = "Make reductions of bytes whole steps of the instruction that adds their products";
}

def CpuTile : CpuModulePass<"cpu-tile"> {
  let summary = "Tile the last operation of each kernel, with what computes its operands";
  let description = [{
    As the module's `cpu.schedule` says, or so that sums stay in the caches and threads have enough to share. A
    `cpu.schedule` then says what was decided.
  }];
}

def CpuSeparatePools : CpuKernelPass<"cpu-separate-pools"> {
  let summary = "Maxima of windows as those of their columns, then those of rows of these";
  let description = "Where that is less to read.";
}

def CpuBlockContractions : CpuKernelPass<"cpu-block-contractions"> {
  let summary = "Lay constant weights of sums of products in panels";
  let options = [Option<"dots", "dots", "bool", "true",
                        "Weights of bytes in groups of four, for instructions that add such products.">];
}

def CpuBufferize : CpuModulePass<"cpu-bufferize"> {
  let summary = "Tensors to buffers, and operations to loops but for sums of products";
  let description = "Constants become globals. Loops that threads cannot share become ordinary ones.";
  let options = [Option<"threads", "threads", "bool", "true",
                        "Keep the loops that threads can share; without it, all become ordinary ones.">];
}

def CpuTakeConstants : CpuModulePass<"cpu-take-constants"> {
  let summary = "Make large constants arguments of their kernels";
  let description = [{
    Those of more than 64 bytes, in front of the result. `cpu.constants` in a kernel says by which globals they are given.
  }];
}

def CpuAllocateScratch : CpuKernelPass<"cpu-allocate-scratch"> {
  let summary = "Make allocations parts of one further argument, or memory of a shared loop's iteration";
}

def CpuOutlineLoops : CpuModulePass<"cpu-outline-loops"> {
  let summary = "Put most of very many loops into functions of their own";
}

def CpuReturnStatus : CpuModulePass<"cpu-return-status"> {
  let summary = "Return whether what a kernel was compiled for holds";
  let description = "0, or 1 where a `cf.assert` does not hold, and 2 where one of indices does not.";
}

def CpuShareKernels : CpuModulePass<"cpu-share-kernels"> {
  let summary = "Take the kernels back to their steps, those that are the same as one function";
  let description = [{
    The inverse of cpu-take-kernels, with the functions and globals that they came to need. Kernels that differ in large
    constants alone are one function, and their steps name the constants.
  }];
}

// Lowered kernels, a module of them, to the LLVM dialect. `level` is one of the processor, such as x86-64-v3.

class CpuCodePass<string name> : Pass<name, "mlir::ModuleOp"> {
  let dependentDialects = [
    "daedalus::cpu::CpuDialect", "mlir::amx::AMXDialect", "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::math::MathDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect", "mlir::vector::VectorDialect"];
}
class CpuLevelPass<string name> : CpuCodePass<name> {
  let options = [Option<"level", "level", "std::string", "\"native\"", "Of the processor, as --cpu.">];
}

def CpuOutlineTasks : CpuCodePass<"cpu-outline-tasks"> {
  let summary = "Make the body of each shared loop a function, which `cpu.run` has the runtime's threads run";
}

def CpuLowerContractions : CpuLevelPass<"cpu-lower-contractions"> {
  let summary = "Sums of products to blocks that stay in the registers of a level";
}

def CpuEmulateTiles : CpuCodePass<"cpu-emulate-tiles"> {
  let summary = "Operations on tile registers as loops, for processors without them";
}

def CpuLowerToVectors : CpuLevelPass<"cpu-lower-to-vectors"> {
  let summary = "Operations element by element, and reductions, to vectors of a level";
}

def CpuExpandFloats : CpuLevelPass<"cpu-expand-floats"> {
  let summary = "Larger and smaller floats in three instructions, and a product and a sum where there is no FMA";
}

def CpuLowerToLoops : CpuCodePass<"cpu-lower-to-loops"> {
  let summary = "What is left of linalg to loops";
}

def CpuMoveHalves : CpuCodePass<"cpu-move-halves"> {
  let summary = "Move floats of 16 bits as integers";
}

def CpuConvertNarrow : CpuCodePass<"cpu-convert-narrow"> {
  let summary = "Convert to the LLVM dialect with indices of 32 bits, for processors whose pointers are as wide";
  let description = "What convert-vector-to-llvm to convert-func-to-llvm do with indices of 64 bits.";
}

def CpuAddEntries : CpuCodePass<"cpu-add-entries"> {
  let summary = "Give kernels in the LLVM dialect the entries of their ABI, and the runtime's threads their tasks";
}

def CpuCarryTiles : CpuCodePass<"cpu-carry-tiles"> {
  let summary = "Carry tile registers through memory and calls as vectors";
}

#endif
