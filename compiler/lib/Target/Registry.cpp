// See Target.h. The one place that lists the built-in targets.

#include "daedalus/Target/Target.h"

using namespace mlir;

namespace daedalus {

namespace accelerator {
std::unique_ptr<Target> createTarget();
} // namespace accelerator
namespace cpu {
std::unique_ptr<Target> createTarget();
} // namespace cpu

static std::vector<std::unique_ptr<Target>> &registry() {
  static std::vector<std::unique_ptr<Target>> all = [] {
    std::vector<std::unique_ptr<Target>> builtIn;
    builtIn.push_back(accelerator::createTarget());
    builtIn.push_back(cpu::createTarget());
    return builtIn;
  }();
  return all;
}

const std::vector<std::unique_ptr<Target>> &targets() {
  return registry();
}

void registerTarget(std::unique_ptr<Target> target) {
  registry().push_back(std::move(target));
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
  return target && target->mostOfStep() != 0;
}

std::vector<std::string> targetChoices() {
  std::vector<std::string> names = {"auto"};
  for (const auto &target : targets())
    names.push_back(target->name());
  return names;
}

Result<void> checkTargetChoice(const std::string &choice) {
  const std::vector<std::string> all = targetChoices();
  std::string list;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] == choice)
      return {};
    list += (i == 0 ? "" : i + 1 < all.size() ? ", " : " or ") + all[i];
  }
  return error("target '" + choice + "' is unknown; expected " + list);
}

} // namespace daedalus
