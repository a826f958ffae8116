// See Target.h: the states of all targets in one compilation.

#include "daedalus/Target/Target.h"

using namespace mlir;

namespace daedalus {

TargetStates::TargetStates(TargetSettings settings) : given(std::move(settings)) {}

const std::shared_ptr<TargetState> &TargetStates::of(const Target &target) {
  const auto [found, isNew] = states.try_emplace(&target);
  if (isNew)
    found->second = target.newState();
  return found->second;
}

PlanEffort TargetStates::effort() const {
  PlanEffort all;
  for (const auto &[target, state] : states) {
    all.kernels += state->effort.kernels, all.enumerated += state->effort.enumerated;
    all.tried += state->effort.tried, all.tiles += state->effort.tiles;
  }
  return all;
}

Result<void> TargetStates::check() const {
  for (const auto &target : targets())
    if (Result<void> possible = target->check(given); !possible)
      return possible;
  return {};
}

Result<void> TargetStates::open(ModuleOp module) {
  for (const auto &target : targets())
    if (Result<void> opened = of(*target)->open(given, module); !opened)
      return opened;
  return {};
}

DictionaryAttr TargetStates::record(MLIRContext *context) {
  NamedAttrList records;
  for (const auto &target : targets())
    if (Attribute record = target->record(*of(*target), context))
      records.append(target->name(), record);
  return records.getDictionary(context);
}

} // namespace daedalus
