// See State.h.

#include "State.h"

#include "daedalus/Dialect/Dae/Transforms/Machine.h"
#include "daedalus/Dialect/Host/IR/Host.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/package/prove.h"

namespace daedalus::accelerator {

Result<void> State::open(const TargetSettings &settings, mlir::ModuleOp module) {
  clockMhz = settings.of<Settings>().clockMhz;
  tuned = settings.of<Settings>().tuned;
  keepsSpaces = settings.of<Settings>().keepsSpaces;
  const std::optional<isa::Machine> &asked = settings.of<Settings>().machine;
  if (asked && !host::packageOf(module)) {
    machine = *asked;
    return {};
  }
  Result<isa::Machine> written = dae::machineOf(module, "");
  if (!written)
    return error(written.error());
  if (asked && asked->hash() != written->hash())
    return error("the module is for machine '" + written->name + "', which is not machine '" + asked->name +
                 "'; give its own with --machine");
  machine = asked ? *asked : *written;
  return {};
}

Figures figuresOf(mlir::ModuleOp module) {
  const mlir::DictionaryAttr record = host::recordOf(module, Settings::target);
  const auto number = [&](llvm::StringRef name) -> uint64_t {
    const auto value = record ? record.getAs<mlir::IntegerAttr>(name) : nullptr;
    return value ? value.getValue().getLimitedValue() : 0;
  };
  return {number("expected_cycles"), number("tile_cycles"), number("read_bytes"), number("written_bytes")};
}

static State &stateOf(TargetStates &states) {
  return static_cast<State &>(*states.of(*findTarget(Settings::target)));
}

Figures figuresOf(TargetStates &states) {
  return stateOf(states).figures;
}

const std::vector<StreamSpace> &spacesOf(TargetStates &states) {
  return stateOf(states).spaces;
}

uint64_t tunedKernelsOf(TargetStates &states) {
  return stateOf(states).tunedKernels;
}

Result<void> provePrograms(const package::Package &package, const State &state, const std::string &blame) {
  std::vector<isa::MemoryEffects> effects; // on the arena
  for (size_t i = 0; i < state.programs.size(); ++i) {
    isa::Proof proof = isa::prove(state.programs[i], state.machine, 1);
    if (!proof.findings.empty())
      return error("stream " + std::to_string(i) + " is not legal" + blame + proof.findings.front().message);
    effects.push_back(std::move(proof.effects[package::arenaBase]));
  }
  const auto findings = package::proveSteps(package, effects, 1);
  if (!findings.empty())
    return error("the package is not legal" + blame + findings.front().message);
  return {};
}

} // namespace daedalus::accelerator
