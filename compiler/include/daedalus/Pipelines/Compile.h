// The compiler's phases in order: ONNX file -> graph, or tensor program -> linalg kernels -> placement ->
// targets -> package, and the text of each level.

#ifndef DAEDALUS_PIPELINES_COMPILE_H
#define DAEDALUS_PIPELINES_COMPILE_H

#include "daedalus/Import/ONNX/GivenInputs.h"
#include "daedalus/Target/CodeOptions.h"
#include "daedalus/Target/PlanEffort.h"
#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"
#include "daedalus/support/result.h"

#include <functional>
#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace daedalus {

struct CompileOptions {
  /// auto: the accelerator where it can, else the CPU. accelerator: an error where it cannot; only
  /// conversions and layout changes at the boundary of the graph go to the CPU. cpu: all on the CPU.
  std::string target = "auto";
  isa::Machine machine;
  CodeOptions code;   ///< for the host's processor
  GivenInputs inputs; ///< of an ONNX model; anything else is refused with them
  bool elide =
      false; ///< leave constants of more than 16 elements out of the levels graph and linalg, for reading
  bool verify = true; ///< prove the emitted streams with isa::verify
  /// The path of a schedule, as the level schedule prints it: a section a target (dae.plan, cpu.schedule).
  /// Kernels that it does not name are scheduled by the compiler.
  std::string schedule;
  /// The path of a file of more intrinsics that the accelerator may use; may be empty.
  std::string intrinsics;
  /// After about so many instructions another stream begins; 0: as many as a stream may have.
  uint64_t mostInstructions = 0;
  /// Called with the name of each part of the work as it begins, for who shows progress; may be empty.
  std::function<void(const std::string &)> phaseBegins;
  /// What MLIR's own options do to the passes before they run (mlir/Pass/PassManager.h); false: they cannot.
  /// May be empty.
  std::function<bool(mlir::PassManager &)> configure;
};

/// What the accelerator's layers need at least: cycles of GEMM, and bytes of DRAM when each tensor is read
/// and written once.
struct Demand {
  uint64_t macs = 0, tileCycles = 0, readBytes = 0, writtenBytes = 0;
  /// Indices of the package's layers that run on the CPU, conversions and layout changes aside.
  std::vector<uint32_t> cpuLayers;
  /// Whether anything of the model is quantized to 8 bits.
  bool isQuantized = false;
};

/// One part of a compilation, on the wall clock.
struct Phase {
  std::string name;
  double seconds = 0;
};

struct Compiled {
  package::Package package;
  Demand demand;
  uint64_t expectedCycles = 0; ///< of all streams, by the planner's model
  std::vector<Phase> phases;   ///< in order
  PlanEffort planEffort{};
};

/// Compiles an ONNX file or, by its name *.mlir, a tensor program (docs/tensor_programs.md). Errors are one
/// sentence with the name of the ONNX node, or with file and line.
Result<Compiled> compileModel(const std::string &path, const CompileOptions &options);

/// The names that emitLevel takes.
std::vector<std::string> emitLevels();

/// The model at a level: graph, linalg, schedule, dae, asm or llvm as text ("llvm" shows the kernels of the whole
/// graph for the CPU), "words" as the bytes of a program file.
Result<std::string> emitLevel(const std::string &path, const CompileOptions &options,
                              const std::string &level);

} // namespace daedalus

#endif
