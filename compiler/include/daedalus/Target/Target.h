// What runs kernels: the interface of a target, and the registry of those that there are. The rest of the
// compiler knows no target by name: placement, memory plan, pipeline, assembly and the command line ask here
// (docs/targets.md).

#ifndef DAEDALUS_TARGET_TARGET_H
#define DAEDALUS_TARGET_TARGET_H

#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/PlanEffort.h"
#include "daedalus/Target/Settings.h"
#include "daedalus/Target/States.h"
#include "daedalus/package/package.h"
#include "daedalus/support/result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus {

/// Where a tensor lies in the arena: the byte of its first element and, where it is a part of a wider tensor,
/// the bytes from pixel to pixel and its first channel there; a pitch of 0 means dense. Of a padded tensor,
/// the bytes between its channels and the next pixel are its own: they may be written, and hold anything.
struct Slot {
  int64_t offset = 0, pitch = 0, channel = 0;
  bool isPadded = false;

  /// Of the wider tensor, or of this one: what tells tensors apart.
  int64_t root() const { return offset - channel; }
};

/// Whether a target takes a kernel.
struct Support {
  bool isTaken = false;
  std::string reason; ///< why, or why not, such as "it has no reduction"
  uint64_t size = 0;  ///< of what becomes of it, in the unit of Target::maximumStepSize
};

/// What a kernel costs, by an estimate that takes no planning.
struct Cost {
  double microseconds = 0;
  std::string
      note; ///< what makes it expensive and could be changed, such as "loads by single bytes"; may be empty
};

/// What a target asks of the memory that a kernel's tensors lie in. Where a kernel has channels, a tensor may
/// be a part of a wider one (Slot) if they are its last dimension for all that touch it.
struct MemoryNeeds {
  uint64_t paddingBefore = 0;                   ///< bytes that must lie before every input
  bool concatenatesInPlace = false;             ///< its operands may lie in its result from the start
  std::optional<int64_t> slicesFrom;            ///< its result may lie in its operand, from this channel on
  int64_t resultChannels = 0;                   ///< of a pixel; 0: the result is no part of another tensor
  std::vector<std::optional<int64_t>> channels; ///< of a pixel of each argument that it reads; 0: none
  std::vector<std::optional<int64_t>>
      firsts; ///< where an argument that it puts in place begins in the result
  /// Bytes from pixel to pixel at which the result, and each argument, moves faster than dense, padded; 0:
  /// none.
  int64_t resultPitch = 0;
  std::vector<int64_t> pitches;
};

/// What a target knows and keeps through one compilation; each target has its own kind.
class TargetState {
public:
  virtual ~TargetState() = default;

  /// Takes what was asked for, which Target::check took, and what the module says of the target. Called
  /// before the target is asked of the module's kernels or adds its steps, and again whenever the module is
  /// another one. The error goes on behind the module's name: "is for machine 'tiny', ...".
  virtual Result<void> open(const TargetSettings &, mlir::ModuleOp) { return {}; }

  PlanEffort effort; ///< so far
};

/// What a target's passes are told besides the module.
struct TargetPassOptions {
  const TargetSettings &settings;
  std::shared_ptr<TargetState> state; ///< of the target; passes open it themselves. Null: each has its own
  bool recordPlan = false;            ///< leave what was decided in the module
  bool constants = true; ///< make the bytes that streams read; without them their cycles can be counted
};

/// The package while it is made; steps are added in order.
class PackageBuilder {
public:
  virtual ~PackageBuilder() = default;
  virtual mlir::ModuleOp module() const = 0;
  /// Where the target may keep what it may need again (TargetSettings::cache).
  virtual const std::string &cache() const = 0;
  /// The function that a step calls.
  virtual mlir::func::FuncOp callee(host::StepOp step) const = 0;
  /// Where an operand or result of a step lies in the arena.
  virtual package::Ref ref(mlir::Value value) const = 0;
  /// Where the elements of a constant lie, row by row, at a multiple of constantAlignment; equal ones lie
  /// there once. A truth value takes a byte.
  virtual package::Ref constant(mlir::DenseElementsAttr value) = 0;
  static constexpr uint32_t constantAlignment = 64;
  /// What MLIR's own options do to passes that the target runs by itself; a diagnostic says why they cannot.
  virtual mlir::LogicalResult configure(mlir::PassManager &) const = 0;
  /// The work that begins, for who shows progress.
  virtual void enter(const std::string &phase) = 0;

  std::vector<package::Step> &steps() { return package.functions.front().steps; }

  package::Package package;
  uint64_t constantBytes = 0; ///< that streams read, whether or not the package has them
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
};

class Target {
public:
  virtual ~Target() = default;

  /// What the user calls it; one word.
  virtual std::string name() const = 0;
  /// As it stands in sentences: "cannot run on the accelerator of machine 'tiny'".
  virtual std::string title(const TargetState &state) const = 0;
  /// Whether it takes whatever nobody else takes.
  virtual bool isFallback() const { return false; }
  /// Whether it gets kernels where a user asks for it by its name alone: placement by itself leaves it out.
  virtual bool isAskedByName() const { return false; }

  /// The options by which users give it its settings.
  virtual std::vector<TargetOption> options() const { return {}; }
  /// Whether it can do what is asked for; the error says what it can.
  virtual Result<void> check(const TargetSettings &) const { return {}; }
  virtual std::shared_ptr<TargetState> newState() const { return std::make_shared<TargetState>(); }
  /// What its passes need to know of its state, as an attribute that they find in the module
  /// (host::PlacementOp); null: nothing.
  virtual mlir::Attribute record(const TargetState &, mlir::MLIRContext *) const { return nullptr; }

  virtual Support supports(mlir::func::FuncOp kernel, TargetState &state) const = 0;
  /// Whether its prices are microseconds that a device takes; the error says what it lacks for that, and by
  /// which option it gets it. Placement by price asks all targets.
  virtual Result<void> canPrice(TargetState &) const { return {}; }
  /// Of a kernel that it supports. Among several targets that do, placement takes the cheapest, and by price
  /// the fallback too.
  virtual Cost cost(mlir::func::FuncOp, TargetState &) const { return {}; }
  /// Of a target with a memory of its own: the microseconds of a copy of so many bytes, there or back.
  virtual double copyCost(uint64_t /*bytes*/, const TargetState &) const { return 0; }

  virtual MemoryNeeds memoryNeeds(mlir::func::FuncOp kernel) const { return {}; }
  /// Whether its kernels reach a memory of their own alone: then the package has copies there and back, and
  /// compileDevice makes its part of the package.
  virtual bool hasOwnMemory() const { return false; }
  /// Consecutive kernels join one step, a stream, up to this size; 0: each is a step of its own.
  virtual uint64_t maximumStepSize() const { return 0; }

  /// Its dialects and passes, for tools that read and run them by name.
  virtual void registerDialects(mlir::DialectRegistry &) const {}
  virtual void registerPasses() const {}
  /// Its part of the pipeline: on kernels before memory is planned, and on streams behind.
  virtual void addKernelPasses(mlir::OpPassManager &, const TargetPassOptions &) const {}
  virtual void addStreamPasses(mlir::OpPassManager &, const TargetPassOptions &) const {}

  /// Whether a function of a module at level `dae`, which its steps run, is one that its passes make; a
  /// diagnostic says what is not. Of a target with a memory of its own it is a kernel on tensors, and
  /// compileDevice says what is wrong with it.
  virtual mlir::LogicalResult checkFunction(mlir::func::FuncOp) const { return mlir::success(); }
  /// Adds a step of its own to the package; a diagnostic says what is wrong with it.
  virtual mlir::LogicalResult addStep(host::StepOp step, PackageBuilder &, TargetState &) const;
  /// Adds the code of all its steps, once these are there, and what the package says of the target where it
  /// has none.
  virtual mlir::LogicalResult finish(PackageBuilder &, TargetState &) const { return mlir::success(); }
  /// Whether what it added is legal, by proof. `blame` says whose mistake it is where it is not, in the
  /// middle of the error's sentence.
  virtual Result<void> prove(const package::Package &, const TargetState &,
                             const std::string & /*blame*/) const {
    return {};
  }
  /// Of a target with a memory of its own: the code of `kernels`, functions of tensors. Name, memory and
  /// signatures are filled in already, one a kernel, in order.
  virtual mlir::LogicalResult compileDevice(llvm::ArrayRef<mlir::func::FuncOp> kernels,
                                            package::Device &device, TargetState &state) const;

  /// What was decided about its kernels, as a section of a file of schedules (Schedule.h), of a module as the
  /// passes leave it with TargetPassOptions::recordPlan; empty where it has no kernel.
  virtual Result<std::string> schedule(const EmitSource &, const TargetState &) const {
    return std::string();
  }

  virtual std::vector<TargetLevel> levels() const { return {}; }
  /// The text of one of its levels. A diagnostic or the error says why there is none.
  virtual Result<std::string> emit(const std::string &level, const EmitSource &source,
                                   const TargetState &state) const;
};

/// All targets, the built-in ones first, in the order in which they were registered.
const std::vector<std::unique_ptr<Target>> &targets();
/// Adds a target. For programs that bring targets of their own, before they compile. The error says that its
/// name or that of an option of its is no plain word or is taken.
Result<void> registerTarget(std::unique_ptr<Target> target);
/// Null where there is none of this name.
const Target *findTarget(llvm::StringRef name);
/// The one that takes whatever nobody else takes.
const Target &fallbackTarget();
/// Whether a layer's target runs streams, whose cycles are counted.
bool runsStreams(llvm::StringRef target);

/// What a user may ask for: "auto" and the names of targets.
std::vector<std::string> targetChoices();
/// Whether it is one of them, or several with commas between them (Choice.h); the error lists them.
Result<void> checkTargetChoice(const std::string &choice);

} // namespace daedalus

#endif
