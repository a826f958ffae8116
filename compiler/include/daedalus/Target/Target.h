// What runs kernels: the interface of a target, and the registry of those that there are. The rest of the
// compiler knows no target by name: placement, memory plan, pipeline, assembly and the command line ask here
// (docs/targets.md).

#ifndef DAEDALUS_TARGET_TARGET_H
#define DAEDALUS_TARGET_TARGET_H

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/CodeOptions.h"
#include "daedalus/Target/PlanEffort.h"
#include "daedalus/isa/machine.h"
#include "daedalus/isa/program.h"
#include "daedalus/package/package.h"
#include "daedalus/support/result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus {

/// Where a tensor lies in the arena: the byte of its first element and, where it is a part of a wider tensor,
/// the bytes from pixel to pixel and its first channel there; a pitch of 0 means dense.
struct Slot {
  int64_t offset = 0, pitch = 0, channel = 0;

  /// Of the wider tensor, or of this one: what tells tensors apart.
  int64_t root() const { return offset - channel; }
};

/// Whether a target takes a kernel.
struct Support {
  bool isTaken = false;
  std::string reason; ///< why, or why not, such as "it has no reduction"
  uint64_t size = 0;  ///< of what becomes of it, in the unit of Target::mostOfStep
};

/// What a kernel costs, by an estimate that takes no planning.
struct Cost {
  double microseconds = 0;
  std::string
      note; ///< what makes it dear and could be changed, such as "loads by single bytes"; may be empty
};

/// What a target asks of the memory that a kernel's tensors lie in. Where a kernel has channels, a tensor may
/// be a part of a wider one (Slot) if they are its last dimension for all that touch it.
struct MemoryNeeds {
  uint64_t paddingBefore = 0;                   ///< bytes that must lie before every input
  bool putsInPlace = false;                     ///< its operands may lie in its result from the start
  int64_t resultChannels = 0;                   ///< of a pixel; 0: the result is no part of another tensor
  std::vector<std::optional<int64_t>> channels; ///< of a pixel of each argument that it reads; 0: none
  std::vector<std::optional<int64_t>>
      firsts; ///< where an argument that it puts in place begins in the result
};

/// What a target keeps through one compilation, from placement to its passes.
struct TargetState {
  virtual ~TargetState() = default;
  PlanEffort effort; ///< so far
};

/// What passes are told besides the module.
struct TargetPassOptions {
  bool recordPlan = false;                      ///< leave what was decided in the module
  std::string intrinsics;                       ///< file of more intrinsics; empty: none
  std::shared_ptr<TargetState> state = nullptr; ///< of the target; null: the passes have none in common
};

/// The package while it is made; steps are added in order.
class PackageBuilder {
public:
  virtual ~PackageBuilder() = default;
  virtual const isa::Machine &machine() const = 0;
  virtual mlir::ModuleOp module() const = 0;
  virtual const CodeOptions &code() const = 0;
  /// The function that a step calls.
  virtual mlir::func::FuncOp callee(host::StepOp step) const = 0;
  /// Where an operand or result of a step lies in the arena.
  virtual package::Ref ref(mlir::Value value) const = 0;
  /// Where the elements of a constant lie, row by row, at a multiple of constantAlignment; equal ones lie
  /// there once. A truth value takes a byte.
  virtual package::Ref constant(mlir::DenseElementsAttr value) = 0;
  static constexpr uint32_t constantAlignment = 64;
  /// The work that begins, for who shows progress.
  virtual void enter(const std::string &phase) = 0;

  std::vector<package::Step> &steps() { return package.functions.front().steps; }

  package::Package package;
  std::vector<isa::Program> programs;                  ///< of the package, to be proved
  llvm::DenseMap<mlir::Operation *, uint32_t> kernels; ///< of the package, by their functions
};

/// A level below `dae` that a target prints.
struct TargetLevel {
  std::string name;
  bool isOfWholeModel = false; ///< shows all kernels for this target, wherever they would run
  bool isOfPackage = false;    ///< printed of the package
};

/// What a level is printed of.
struct EmitSource {
  mlir::ModuleOp module;                     ///< at level dae
  const package::Package *package = nullptr; ///< where the level is of the package
  const std::vector<isa::Program> *programs = nullptr;
  CodeOptions code = {};
};

class Target {
public:
  virtual ~Target() = default;

  /// What the user calls it; one word.
  virtual std::string name() const = 0;
  /// As it stands in sentences: "cannot run on the accelerator of machine 'tiny'".
  virtual std::string title(const isa::Machine &machine) const = 0;
  /// Whether it takes whatever nobody else takes.
  virtual bool isFallback() const { return false; }

  /// Null: it keeps nothing through a compilation.
  virtual std::shared_ptr<TargetState> newState() const { return nullptr; }

  /// `state`: of the compilation, which supports may fill; null outside of one.
  virtual Support supports(mlir::func::FuncOp kernel, const isa::Machine &machine,
                           TargetState *state) const = 0;
  /// Of a kernel that it supports. Among several targets that do, placement takes the cheapest; of a fallback
  /// it is not asked.
  virtual Cost cost(mlir::func::FuncOp, const isa::Machine &) const { return {}; }

  virtual MemoryNeeds memoryNeeds(mlir::func::FuncOp kernel) const { return {}; }
  /// Whether its kernels reach a memory of their own alone: then the package has copies there and back, and
  /// compileDevice makes its part of the package.
  virtual bool hasOwnMemory() const { return false; }
  /// Consecutive kernels join one step, a stream, up to this size; 0: each is a step of its own.
  virtual uint64_t mostOfStep() const { return 0; }

  /// Whether it can make the code that is asked for; the error says which it can.
  virtual Result<void> check(const CodeOptions &) const { return {}; }

  /// Its dialects and passes, for tools that read and run them by name.
  virtual void registerDialects(mlir::DialectRegistry &) const {}
  virtual void registerPasses() const {}
  /// Its part of the pipeline: on kernels before memory is planned, and on streams behind.
  virtual void addKernelPasses(mlir::OpPassManager &, const CodeOptions &) const {}
  virtual void addStreamPasses(mlir::OpPassManager &, const TargetPassOptions &) const {}

  /// Whether a function of a module at level `dae`, which its steps run, is one that its passes make; a
  /// diagnostic says what is not. Of a target with a memory of its own it is a kernel on tensors, and
  /// compileDevice says what is wrong with it.
  virtual mlir::LogicalResult checkFunction(mlir::func::FuncOp) const { return mlir::success(); }
  /// Adds a step of its own to the package; a diagnostic says what is wrong with it.
  virtual mlir::LogicalResult addStep(host::StepOp step, PackageBuilder &) const;
  /// Adds the code of all its steps, once these are there.
  virtual mlir::LogicalResult finish(PackageBuilder &) const { return mlir::success(); }
  /// Of a target with a memory of its own: the code of `kernels`, functions of tensors. Name, memory and
  /// signatures are filled in already, one a kernel, in order.
  virtual mlir::LogicalResult compileDevice(llvm::ArrayRef<mlir::func::FuncOp> kernels,
                                            package::Device &device) const;

  /// What was decided about its kernels, as a section of a file of schedules (Schedule.h), of a module as the
  /// passes leave it with TargetPassOptions::recordPlan; empty where it has no kernel.
  virtual Result<std::string> schedule(const EmitSource &) const { return std::string(); }

  virtual std::vector<TargetLevel> levels() const { return {}; }
  /// The text of one of its levels. A diagnostic or the error says why there is none.
  virtual Result<std::string> emit(const std::string &level, const EmitSource &source) const;
};

/// All targets, the built-in ones first, in the order in which they were registered.
const std::vector<std::unique_ptr<Target>> &targets();
/// Adds a target; its name is a new one. For programs that bring targets of their own, before they compile.
void registerTarget(std::unique_ptr<Target> target);
/// Null where there is none of this name.
const Target *findTarget(llvm::StringRef name);
/// The one that takes whatever nobody else takes.
const Target &fallbackTarget();
/// Whether a layer's target runs streams, whose cycles are counted.
bool runsStreams(llvm::StringRef target);

/// The states of all targets in one compilation.
class TargetStates {
public:
  const std::shared_ptr<TargetState> &of(const Target &target);
  PlanEffort effort() const; ///< of all of them

private:
  std::map<const Target *, std::shared_ptr<TargetState>> states;
};

/// What a user may ask for: "auto" and the names of targets.
std::vector<std::string> targetChoices();
/// Whether it is one of them; the error lists them.
Result<void> checkTargetChoice(const std::string &choice);

} // namespace daedalus

#endif
