// The compiler's phases in order: ONNX file -> graph, or tensor program -> linalg kernels -> placement ->
// targets -> package, and the text of each level.

#ifndef DAEDALUS_PIPELINES_COMPILE_H
#define DAEDALUS_PIPELINES_COMPILE_H

#include "daedalus/Import/ONNX/GivenInputs.h"
#include "daedalus/Target/ScheduleEntry.h"
#include "daedalus/Target/Settings.h"
#include "daedalus/package/package.h"
#include "daedalus/support/result.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace daedalus {
class TargetStates;

struct CompileOptions {
  /// auto: the cheapest target that can, else the fallback. A target's name: an error where it cannot; only
  /// conversions and layout changes at the boundary of the graph go to the fallback.
  std::string target = "auto";
  /// accelerator-first: what a target takes runs there rather than on the fallback. cheapest: with target
  /// auto, where all kernels and the copies between memories cost the least together; each target has to be
  /// able to price kernels (Target::canPrice).
  std::string policy = "accelerator-first";
  bool prices = false;     ///< price kernels where targets can (Compiled::prices), whatever the policy
  TargetSettings settings; ///< of the targets: the accelerator's machine, the level of code for the CPU
  GivenInputs inputs;      ///< of an ONNX model; anything else is refused with them
  bool elide =
      false; ///< leave constants of more than 16 elements out of the levels graph and linalg, for reading
  bool verify = true; ///< prove that what targets made is legal
  /// Make the code of kernels. Without it and without `verify` the package has streams without constants,
  /// whose cycles can be counted, and cannot run.
  bool code = true;
  /// The path of a schedule, as the level schedule prints it: a section a target (dae.plan, cpu.schedule).
  /// Kernels that it does not name are scheduled by the compiler.
  std::string schedule;
  /// Schedules that a search found, for kernels that `schedule` does not name. Each can be read
  /// (Schedules.h); errors name `tunedFrom` as their file.
  std::vector<ScheduleEntry> tuned;
  std::string tunedFrom;
  /// From about this size on another step begins, in the unit of Target::maximumStepSize; 0: where its target
  /// says.
  uint64_t stepSize = 0;
  /// Called with the name of each part of the work as it begins, for who shows progress; may be empty.
  std::function<void(const std::string &)> phaseBegins;
  /// What MLIR's own options do to the passes before they run (mlir/Pass/PassManager.h); false: they cannot.
  /// May be empty.
  std::function<bool(mlir::PassManager &)> configure;
};

/// What the model's layers are to whoever looks at their placement.
struct Demand {
  uint64_t macs = 0; ///< multiply-accumulates of streams
  /// Indices of the package's layers that run on the fallback, conversions and layout changes aside.
  std::vector<uint32_t> cpuLayers;
  /// Whether anything of the model is quantized to 8 bits.
  bool isQuantized = false;
};

/// One part of a compilation, on the wall clock.
struct Phase {
  std::string name;
  double seconds = 0;
};

/// What a layer costs on each target that can run it, in microseconds, by the names of the targets; empty
/// where nobody asked.
using LayerPrices = std::map<std::string, double>;

struct Compiled {
  package::Package package;
  std::vector<LayerPrices> prices; ///< by layer of the package
  Demand demand;
  std::vector<Phase> phases;            ///< in order
  std::shared_ptr<TargetStates> states; ///< what the targets found out, each in its own form
};

/// Compiles an ONNX file or, by its name *.mlir, a tensor program (docs/tensor_programs.md). Errors are one
/// sentence with the name of the ONNX node, or with file and line.
Result<Compiled> compileModel(const std::string &path, const CompileOptions &options);

/// Kernel functions, and which of their calls in @main.
using KernelCalls = std::set<std::pair<std::string, int64_t>>;

/// A model brought to kernels once, to be compiled for several machines. Its options are those of
/// compileModel without a schedule; `settings` are those of each compilation.
class ModelKernels {
public:
  /// Errors are those of compileModel; a tensor program at level dae has no kernels any more.
  static Result<std::unique_ptr<ModelKernels>> of(const std::string &path, const CompileOptions &options);
  ~ModelKernels();

  /// The same package as compileModel makes with these settings.
  Result<Compiled> compile(const TargetSettings &settings);

  /// The package of these calls alone: what they read of others is an input, and what others read of them an
  /// output.
  Result<Compiled> compilePart(const KernelCalls &calls, const TargetSettings &settings);

private:
  struct State;
  explicit ModelKernels(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// The names that emitLevel takes.
std::vector<std::string> emitLevels();

/// The model at a level: graph, linalg, schedule, dae, asm or llvm as text ("llvm" shows the kernels of the
/// whole graph for the CPU), "words" as the bytes of a program file.
Result<std::string> emitLevel(const std::string &path, const CompileOptions &options,
                              const std::string &level);

} // namespace daedalus

#endif
