// Sessions: loading in the order machine, proofs, CPU code, device; then runs over the arena.

#include "daedalus/runtime/session.h"

#include "accelerator.h"
#include "cycles.h"
#include "executor.h"
#include "externals.h"
#include "host_memory.h"
#include "inputs.h"
#include "kernels.h"

#include "daedalus/isa/dram.h"
#include "daedalus/package/prove.h"
#include "daedalus/runtime/drivers.h"

#include <algorithm>

namespace daedalus::runtime {

using package::Function;
using package::Package;
using package::Value;

struct Session::State {
  explicit State(Package given) : package(std::move(given)), layers(layersOf(package)), externals(package) {}

  Result<void> load(const SessionOptions &options);
  Result<void> loadAccelerator(const SessionOptions &options);
  Result<void> useHostMemory();
  Result<void> openDevices(const SessionOptions &options);

  const Package package;
  const std::vector<LayerCycles> layers; // without cycles
  std::optional<isa::Machine> machine;
  std::unique_ptr<Accelerator> accelerator;
  std::unique_ptr<cpu::HostMemory> hostMemory; // constants and arena of a package without an accelerator
  std::unique_ptr<cpu::Kernels> kernels;
  std::vector<std::unique_ptr<DeviceDriver>> devices;
  Externals externals;
  uint8_t *constants = nullptr, *arena = nullptr;
  bool keepsProfiles = false; // in the results of runs
};

Result<void> Session::State::load(const SessionOptions &options) {
  keepsProfiles = options.profile;
  if (auto ok = checkThreads(options.threads); !ok)
    return ok;
  if (auto valid = validate(package); !valid)
    return valid;
  if (!options.nativeCode && hasNativeCode(package))
    return error("the package carries native code (" + describeNativeCode(package) +
                 "), which was not allowed; allow it if you trust its source like that of a program");
  if (auto ok = package.programs.empty() ? useHostMemory() : loadAccelerator(options); !ok)
    return ok;
  if (auto ok = options.verify ? prove(package, machine ? &*machine : nullptr) : Result<void>(); !ok)
    return ok;
  auto loaded = cpu::Kernels::load(package, options.threads);
  if (!loaded)
    return error(loaded.error());
  kernels = std::move(*loaded);
  externals.bindLibraries(constants, options.threads);
  return openDevices(options);
}

Result<void> Session::State::openDevices(const SessionOptions &options) {
  for (const package::Device &device : package.devices) {
    const auto own = options.drivers.find(device.name);
    const DeviceDriverFactory *factory =
        own == options.drivers.end() ? findDriver(device.name) : &own->second;
    if (!factory) {
      std::vector<std::string> known = driverNames();
      for (const auto &[name, its] : options.drivers)
        known.push_back(name);
      return error("the package runs on the device '" + device.name +
                   "', for which no driver is registered; registered: " + quoted(known));
    }
    auto opened = (*factory)(device);
    if (!opened)
      return error("the device '" + device.name + "' cannot be opened: " + opened.error());
    devices.push_back(std::move(*opened));
  }
  return {};
}

Result<void> Session::State::loadAccelerator(const SessionOptions &options) {
  auto chosen = chooseMachine(package, options.machine);
  if (!chosen)
    return error(chosen.error());
  machine = std::move(*chosen);
  auto created = Accelerator::create(package, *machine, options);
  if (!created)
    return error(created.error());
  accelerator = std::move(*created);
  constants = accelerator->map().data() + accelerator->constantsOffset();
  arena = accelerator->map().data() + accelerator->arenaOffset();
  return {};
}

Result<void> Session::State::useHostMemory() {
  const uint64_t arenaOffset = (package.constants.size() + 4095) / 4096 * 4096;
  const uint64_t bytes = std::max<uint64_t>(arenaOffset + package.arenaBytes, 1);
  hostMemory = std::make_unique<cpu::HostMemory>(bytes);
  constants = hostMemory->data();
  if (!constants)
    return error("the package needs " + std::to_string(bytes) +
                 " bytes of memory, which the system does not have");
  arena = constants + arenaOffset;
  std::copy(package.constants.begin(), package.constants.end(), constants);
  return {};
}

Result<void> checkThreads(uint64_t threads) {
  if (threads >= 1 && threads <= mostThreads)
    return {};
  return error("the number of threads is " + std::to_string(threads) + "; expected one from 1 to " +
               std::to_string(mostThreads));
}

Session::Session(std::unique_ptr<State> state) : state(std::move(state)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(Span<const uint8_t> bytes, const SessionOptions &options) {
  auto read = package::readPackage(bytes);
  if (!read)
    return error(read.error());
  return create(std::move(*read), options);
}

Result<std::unique_ptr<Session>> Session::create(Package package, const SessionOptions &options) {
  auto state = std::make_unique<State>(std::move(package));
  if (auto ok = state->load(options); !ok)
    return error(ok.error());
  return Result<std::unique_ptr<Session>>(std::unique_ptr<Session>(new Session(std::move(state))));
}

Result<const Function *> Session::function(size_t index) const {
  const std::vector<Function> &functions = state->package.functions;
  if (index < functions.size())
    return &functions[index];
  return error("the package has no function number " + std::to_string(index) +
               "; its functions: " + quoted(namesOf(functions)));
}

Result<size_t> Session::functionIndex(const std::string &name) const {
  const std::vector<Function> &functions = state->package.functions;
  for (size_t i = 0; i < functions.size(); ++i)
    if (functions[i].name == name)
      return i;
  return error("the package has no function '" + name + "'; its functions: " + quoted(namesOf(functions)));
}

Result<RunResult> Session::run(const std::string &name, const std::vector<Tensor> &inputs) {
  auto index = functionIndex(name);
  return index ? run(*index, inputs) : Result<RunResult>(error(index.error()));
}

Result<RunResult> Session::run(size_t index, const std::vector<Tensor> &inputs) {
  auto found = function(index);
  if (!found)
    return error(found.error());
  if (auto ok = placeInputs(**found, inputs, state->arena); !ok)
    return error(ok.error());
  if (auto ok = state->externals.check(**found); !ok)
    return error(ok.error());
  RunResult result;
  result.layers = state->layers;
  result.certifiedCycles = certifiedCycles(**found);
  const ExecutionContext context{state->package,   state->constants,         state->arena,
                                 *state->kernels,  state->accelerator.get(), state->devices,
                                 state->externals, state->keepsProfiles};
  if (auto ok = execute(context, **found, result); !ok)
    return error(ok.error());
  for (const Value &value : (*found)->outputs)
    result.outputs.push_back(takeOutput(value, state->arena));
  return result;
}

Result<void> Session::closeWaves() {
  return state->accelerator ? state->accelerator->closeWaves() : Result<void>();
}

Result<void> Session::registerExternal(const std::string &name, ExternalFunction function) {
  const std::vector<std::string> &known = state->package.externals;
  if (std::find(known.begin(), known.end(), name) == known.end())
    return error("the package calls no external function '" + name + "'; it calls: " + quoted(known));
  state->externals.registerFunction(name, std::move(function));
  return {};
}

uint64_t Session::certifiedCycles(const package::Function &function) const {
  const bool isItsMemory = state->machine && isa::memoryText(*state->machine) == state->package.memory;
  return isItsMemory ? function.certifiedCycles : 0;
}

const Package &Session::package() const {
  return state->package;
}
const isa::Machine *Session::machine() const {
  return state->machine ? &*state->machine : nullptr;
}
const package::ElfObject *Session::code() const {
  return state->kernels->object();
}

} // namespace daedalus::runtime
