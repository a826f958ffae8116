#include "externals.h"

#include "library_call.h"

#include "daedalus/package/libraries.h"

namespace daedalus::runtime {

using package::Step;

void Externals::bindLibraries(const uint8_t *constants, unsigned threads) {
  for (const package::Function &function : package.functions)
    for (const Step &step : function.steps) {
      if (step.kind != Step::Kind::CallExternal || !package::libraryOf(package.externals[step.index]))
        continue;
      libraries::LibraryCall call{package.externals[step.index], {}, {}, threads};
      for (const package::Ref &input : step.inputs)
        call.inputs.push_back(
            {&input.type, input.space == package::Space::Constants ? constants + input.offset : nullptr});
      for (const package::Ref &output : step.outputs)
        call.outputs.push_back(&output.type);
      ofLibraries.emplace(&step, libraries::makeReady(call));
    }
}

std::string Externals::describe(const Step &step) const {
  const std::string node =
      step.layer == package::noLayer ? "" : " (node '" + package.layers[step.layer].node + "')";
  return "the external function '" + package.externals[step.index] + "'" + node;
}

Result<const ExternalFunction *> Externals::of(const Step &step) const {
  const std::string &name = package.externals[step.index];
  if (const auto found = own.find(name); found != own.end())
    return &found->second;
  const auto found = ofLibraries.find(&step);
  if (found == ofLibraries.end())
    return error("the package calls " + describe(step) +
                 ", which is not registered; register it before the run");
  if (!found->second)
    return error("the package calls " + describe(step) + ": " + found->second.error());
  return &*found->second;
}

Result<void> Externals::check(const package::Function &function) const {
  for (const Step &step : function.steps)
    if (step.kind == Step::Kind::CallExternal)
      if (const auto found = of(step); !found)
        return error(found.error());
  return {};
}

} // namespace daedalus::runtime
