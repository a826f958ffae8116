// See Choices.h.
#include "cli/Choices.h"

#include "daedalus/Target/DidYouMean.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace daedalus::cli {

CLI::Validator choiceOf(const std::vector<std::string> &choices,
                        std::function<std::string(std::string &)> check) {
  return {std::move(check), "{" + llvm::join(choices, ",") + "}", "choices"};
}

CLI::Validator oneOf(std::vector<std::string> choices) {
  return choiceOf(choices, [choices](const std::string &value) -> std::string {
    if (llvm::is_contained(choices, value))
      return "";
    return "'" + value + "' is unknown" + didYouMean(value, choices) + "; expected " + listOf(choices);
  });
}

} // namespace daedalus::cli
