// A package made ready to run: its constants placed, its kernels loaded, its accelerator found.
//
//   auto session = Session::create(bytes, {"systemc"});
//   auto result = (*session)->run("main", {{"image", type, data}});
//
// The C API (daedalus/runtime.h) is the same for other languages. A session is used by one thread at a time.
#pragma once

#include "daedalus/isa/machine.h"
#include "daedalus/package/package.h"
#include "daedalus/runtime/device_driver.h"
#include "daedalus/runtime/tensor.h"
#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default) // what the library exports

namespace daedalus::sim {
struct Profile;
}

namespace daedalus::runtime {

/// Counters of isa.yaml: cycles by module (CounterModule) and class (CounterClass).
using Counters = std::array<std::array<uint64_t, 9>, 5>;

/// A dense row-major tensor in memory that somebody else owns, for the length of one call.
struct TensorView {
  const TensorType *type = nullptr;
  void *data = nullptr;
};

/// A function of the user's that a graph calls, in destination-passing style: it reads `inputs`, whose data
/// it must not change, and fills `outputs`. The error ends the run and is part of its message.
using ExternalFunction =
    std::function<Result<void>(Span<const TensorView> inputs, Span<const TensorView> outputs)>;

/// The most threads of a session.
constexpr unsigned mostThreads = 1024;
/// Whether a session takes so many; the error says what it takes.
Result<void> checkThreads(uint64_t threads);

struct SessionOptions {
  std::string engine = "functional";   ///< One of engineNames() (drivers.h).
  std::optional<isa::Machine> machine; ///< Without one: that of the package's name, which must be a built-in
                                       ///< one, with changed keys behind a comma or without.
  bool timingOnly = false;             ///< Cycles without results; outputs are then not meaningful.
  std::string waves;                   ///< FST file for the waves of the runs (engine rtl); empty: none.
  uint64_t wavesFrom = 0, wavesTo = ~uint64_t(0); ///< Cycles of a run that are in it, both included.
  bool nativeCode = true; ///< Accept machine code that the package carries; false: refuse such packages.
  DeviceDrivers drivers;  ///< Of devices with a memory of their own, before those of the process (drivers.h).
  unsigned threads = 1;   ///< That share the work of a CPU kernel, with the caller's: 1 to mostThreads.
  bool profile = false;   ///< Keep where every cycle of accelerator programs went (RunResult::profiles).
  bool verify = true;     ///< Prove programs and functions (package/prove.h) before anything runs.
};

/// The share of one layer in the cycles of a run: those of the critical path that are its instructions'
/// (docs/profile.md). The cycles of all layers, and of what belongs to none, add up to those of the run.
struct LayerCycles {
  uint32_t layer = package::noLayer; ///< Index into Package::layers.
  std::string node, target;          ///< Of that layer; empty for package::noLayer.
  uint64_t cycles = 0;
  uint64_t macs = 0;            ///< Multiply-accumulates.
  uint64_t vectorMacs = 0;      ///< Those of them that VECTOR does, by the rows of results of it and of GEMM.
  uint64_t gemmCycles = 0;      ///< That GEMM had for the layer, waits and idle ones included.
  uint64_t hostNanoseconds = 0; ///< That its kernel took on the host's CPU; 0 on other targets.
  uint64_t deviceTicks = 0;     ///< That its kernel took by the clock of a device with a memory of its own.
  double ticksPerMicrosecond = 0; ///< Of that clock, as of DeviceProperties.
  uint64_t copiedBytes = 0;       ///< Between the host's memory and a device's, for it.
  uint64_t copyNanoseconds = 0;   ///< That these copies took, by the host's clock.
};

/// When a module worked: the cycles before the start of its first instruction and behind the end of its last
/// one, summed over the programs that have any.
struct Activity {
  uint64_t before = 0, behind = 0, instructions = 0;
};

/// Where the cycles of one run of an accelerator program went (daedalus/simulator/profile.h).
struct ProgramProfile {
  uint32_t program = 0; ///< Index into Package::programs.
  std::shared_ptr<const sim::Profile> profile;
};

struct RunResult {
  std::vector<Tensor> outputs;  ///< In the order of the function's outputs.
  uint64_t cycles = 0;          ///< Of all accelerator programs; 0 where nothing counts cycles.
  uint64_t certifiedCycles = 0; ///< Session::certifiedCycles() of the function.
  std::vector<LayerCycles>
      layers;          ///< One entry a layer of the package, in its order; one more for cycles of none.
  Counters counters{}; ///< Sums over the programs.
  std::array<Activity, 5> activity{};   ///< By module, as counters.
  std::vector<ProgramProfile> profiles; ///< With SessionOptions::profile on engines that count cycles: of the
                                        ///< programs in the order in which they ran.
};

class Session {
public:
  /// Reads, validates and loads; threads and scratch of CPU kernels are taken here. Errors: a damaged
  /// package; a number of threads that is none; a machine other than the package's (names and hashes of
  /// both); native code where the options refuse it, or that this host cannot execute; a device without a
  /// driver; a program that cannot be proved.
  static Result<std::unique_ptr<Session>> create(Span<const uint8_t> package, const SessionOptions &options);
  static Result<std::unique_ptr<Session>> create(package::Package package, const SessionOptions &options);
  ~Session();

  /// Runs a function by its number in the package or by its name. Inputs with a name are matched by it,
  /// inputs without one by their position. Errors: unknown function or input, wrong type or shape, a missing
  /// input, an external function that is not registered, whose library this host lacks, or that fails, a
  /// fault of the accelerator.
  Result<RunResult> run(size_t function, const std::vector<Tensor> &inputs);
  Result<RunResult> run(const std::string &function, const std::vector<Tensor> &inputs);

  /// The file of SessionOptions::waves is complete, and gets no more: the error says where it could not be
  /// written. Without this call it is complete when the session is gone, and nobody hears of an error.
  Result<void> closeWaves();

  /// Registers, or replaces, a function that the package calls by this name; also one of a library's.
  Result<void> registerExternal(const std::string &name, ExternalFunction function);

  /// A function by its number, which is 0 for the one that `daedalus run` runs, or the number of a name.
  Result<const package::Function *> function(size_t index) const;
  Result<size_t> functionIndex(const std::string &name) const;

  /// The cycles that the package certifies for each call of the function, whatever its inputs hold: on its
  /// machine and, as this session's machine has it, its memory. 0: nothing is certified.
  uint64_t certifiedCycles(const package::Function &function) const;

  const package::Package &package() const;
  /// The machine the accelerator programs run on; null where the package has none.
  const isa::Machine *machine() const;
  /// Which of the package's objects its CPU kernels are run from; null where it has no such kernels.
  const package::ElfObject *code() const;

private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace daedalus::runtime
#pragma GCC visibility pop
