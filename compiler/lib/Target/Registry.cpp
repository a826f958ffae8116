// See Target.h. The one place that lists the built-in targets.

#include "daedalus/Kernels/Names.h"
#include "daedalus/Target/Target.h"

using namespace mlir;

namespace daedalus {

namespace accelerator {
std::unique_ptr<Target> createTarget();
} // namespace accelerator
namespace cpu {
std::unique_ptr<Target> createTarget();
} // namespace cpu
namespace cuda {
std::unique_ptr<Target> createTarget();
} // namespace cuda

static std::vector<std::unique_ptr<Target>> &registry() {
  static std::vector<std::unique_ptr<Target>> all = [] {
    std::vector<std::unique_ptr<Target>> builtIn;
    builtIn.push_back(accelerator::createTarget());
    builtIn.push_back(cpu::createTarget());
    builtIn.push_back(cuda::createTarget());
    return builtIn;
  }();
  return all;
}

const std::vector<std::unique_ptr<Target>> &targets() {
  return registry();
}

/// Of small letters, digits and dashes, as it stands on a command line.
static bool isPlain(const std::string &name) {
  return !name.empty() && name.front() != '-' && llvm::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

static Result<void> checkNames(const Target &target) {
  const std::string name = target.name();
  if (!isPlain(name))
    return error("a target is called '" + name + "'; expected small letters, digits and dashes");
  if (name == "auto" || name == kernel::externalTarget || findTarget(name))
    return error("the name '" + name + "' is taken");
  for (const TargetOption &option : target.options()) {
    if (!isPlain(option.name))
      return error("an option of the target '" + name + "' is called '" + option.name +
                   "'; expected small letters, digits and dashes");
    for (const TargetOption &other : targetOptions())
      if (other.name == option.name)
        return error("the name of the option '" + option.name + "' of the target '" + name + "' is taken");
  }
  return {};
}

Result<void> registerTarget(std::unique_ptr<Target> target) {
  if (Result<void> plain = checkNames(*target); !plain)
    return plain;
  registry().push_back(std::move(target));
  return {};
}

const Target *findTarget(llvm::StringRef name) {
  for (const auto &target : targets())
    if (target->name() == name)
      return target.get();
  return nullptr;
}

const Target &fallbackTarget() {
  return **llvm::find_if(targets(), [](const auto &target) { return target->isFallback(); });
}

bool runsStreams(llvm::StringRef name) {
  const Target *target = findTarget(name);
  return target && target->maximumStepSize() != 0;
}

} // namespace daedalus
