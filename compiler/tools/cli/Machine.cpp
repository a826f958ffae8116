#include "cli/Machine.h"
#include "cli/Files.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/Target/DidYouMean.h"
#include "daedalus/isa/machine_names.h"

namespace daedalus::cli {

isa::Machine machineNamed(const std::string &nameOrFile) {
  return orFail(isa::loadMachine(nameOrFile.empty() ? "default" : nameOrFile, didYouMean));
}

std::optional<isa::Machine> machineAsked(const TargetSettings &settings) {
  return settings.of<accelerator::Settings>().machine;
}

isa::Machine machineOf(const TargetSettings &settings) {
  const std::optional<isa::Machine> asked = machineAsked(settings);
  return asked ? *asked : *isa::loadMachine("default");
}

void setMachine(TargetSettings &settings, const isa::Machine &machine) {
  settings.of<accelerator::Settings>().machine = machine;
}

uint64_t clockOf(const TargetSettings &settings) {
  return settings.of<accelerator::Settings>().clockMhz.value_or(machineOf(settings).clockMhz);
}

StreamFigures figuresOf(const Compiled &compiled) {
  return accelerator::figuresOf(*compiled.states);
}

} // namespace daedalus::cli
