// The accelerator backend: kernels at level linalg in, one instruction stream out.

#ifndef DAEDALUS_TARGET_ACCELERATOR_ACCELERATOR_H
#define DAEDALUS_TARGET_ACCELERATOR_ACCELERATOR_H

#include "daedalus/Target/Target.h"
#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine.h"
#include "daedalus/package/least_work.h"
#include "daedalus/support/result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace daedalus::accelerator {

/// Where tensors of @main lie in DRAM: operands and results of calls, and views of them.
struct DramPlacement {
  std::function<Slot(mlir::Value)> slot;
  /// Which of its kernel's calls a call is; without it they are numbered as they stand.
  std::function<int64_t(mlir::func::CallOp)> number = nullptr;
};

class Planning;

/// Of a layer, whatever the schedule: what each module works, and cycles of the layer alone, no fewer than
/// the work's (docs/bounds.md).
struct LayerBound {
  package::LeastWork work;
  uint64_t cycles = 0;
};

struct AcceleratorStream {
  mlir::OwningOpRef<mlir::ModuleOp> dae;      ///< the stream at level dae, tokens and rows included
  std::vector<isa::Instruction> instructions; ///< ends with FINISH
  uint64_t expectedCycles = 0;                ///< that the plan was chosen by
  /// Results of calls that no STORE writes: of contractions that another call took in, and of those
  /// whose parts lie in place.
  std::vector<mlir::Value> unstored;
  std::vector<uint32_t> layerOfInstruction; ///< as instructions; FINISH counts to the last layer
  std::map<uint32_t, LayerBound> bounds;    ///< by layers: what any schedule needs
};

/// Compiles consecutive calls of accelerator kernels into one stream. `layerIds` has one entry a call.
/// Weights and parameters are appended to `constants` (base register 0), each at a multiple of 64 bytes.
/// Errors are diagnostics at the location of the kernel's ONNX node, or at a line of the plan that `planning`
/// was given.
mlir::FailureOr<AcceleratorStream>
compileStream(mlir::ModuleOp module, llvm::ArrayRef<mlir::func::CallOp> calls,
              llvm::ArrayRef<uint32_t> layerIds, const isa::Machine &machine, const DramPlacement &placement,
              std::vector<uint8_t> &constants, Planning *planning = nullptr);

/// The most instructions of a stream: 16 MiB of DRAM that FETCH reads once. A kernel that needs more alone is
/// not the accelerator's; kernels that need more together become several streams.
constexpr uint64_t MostInstructions = uint64_t(1) << 18;

/// What a kernel that the accelerator takes is to it.
struct Supported {
  uint64_t instructions; ///< about how many
  std::string expense;   ///< what makes it expensive and could be changed, or nothing
};
/// Whether the accelerator of this machine takes a kernel function, or why not.
Result<Supported> acceleratorSupports(mlir::func::FuncOp kernel, const isa::Machine &machine,
                                      Planning *planning = nullptr);

/// Cycles that the cheapest schedule of a kernel takes alone, by the closed form that ranks schedules; of one
/// that the accelerator takes.
double estimatedCycles(mlir::func::FuncOp kernel, const isa::Machine &machine, Planning &planning);

/// What a kernel needs of a machine at least.
struct Work {
  uint64_t tileCycles = 0;         ///< N x N tile products of a contraction, each a cycle of GEMM
  uint64_t constantBytes = 0;      ///< weights, and what an output channel has of parameters and rows
  std::vector<uint64_t> readBytes; ///< of each argument of the function, each byte that it uses once
};
Work workOf(mlir::func::FuncOp kernel, const isa::Machine &machine);

/// What it asks of memory for the tensors of a kernel that the accelerator takes.
MemoryNeeds memoryNeeds(mlir::func::FuncOp kernel);

/// Whether a kernel that the accelerator takes only puts its inputs one behind the other in each pixel: the
/// inputs may then lie there from the start.
bool concatenatesInPlace(mlir::func::FuncOp kernel);

/// The first channel of a kernel that only takes some channels of each pixel of its one argument, one behind
/// the other: its result may then lie in the argument. Nothing of other kernels.
std::optional<int64_t> slicesFrom(mlir::func::FuncOp kernel);

/// Bytes by which the first padded element of a kernel's input lies before the input. LOAD never reads there,
/// but the offset in its instruction, which is not negative, counts from there: so many bytes of the arena
/// must lie before every input.
uint64_t paddingBefore(mlir::func::FuncOp kernel);

} // namespace daedalus::accelerator

#endif
