// See Choice.h.

#include "daedalus/Target/Choice.h"
#include "daedalus/Target/DidYouMean.h"

namespace daedalus {
namespace {

constexpr const char *all = "auto";

Error unknown(llvm::StringRef name) {
  const std::vector<std::string> choices = targetChoices();
  return error("target '" + name.str() + "' is unknown" + didYouMean(name, choices) + "; expected " +
               listOf(choices));
}

} // namespace

Result<TargetChoice> TargetChoice::parse(const std::string &text) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(text).split(names, ',');
  TargetChoice choice;
  for (const auto [index, name] : llvm::enumerate(names)) {
    if (llvm::is_contained(llvm::ArrayRef(names).take_front(index), name))
      return error("target '" + name.str() + "' occurs twice in '" + text + "'; expected each once");
    const Target *found = findTarget(name);
    if (!found && name != all)
      return unknown(name);
    if (found && names.size() == 1)
      choice.single = found;
    for (const auto &target : targets())
      if (found ? target.get() == found : !target->isAskedByName())
        choice.chosen.insert(target.get());
  }
  return choice;
}

std::vector<std::string> targetChoices() {
  std::vector<std::string> names = {all};
  for (const auto &target : targets())
    names.push_back(target->name());
  return names;
}

Result<void> checkTargetChoice(const std::string &choice) {
  const Result<TargetChoice> parsed = TargetChoice::parse(choice);
  return parsed ? Result<void>() : Result<void>(error(parsed.error()));
}

} // namespace daedalus
