// See LibraryChoice.h.

#include "LibraryChoice.h"

#include "cuda_libraries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace daedalus::cuda {
namespace {

std::string namesOfLibraries() {
  std::vector<std::string> names;
  for (const Library &library : libraries())
    names.push_back(library.name);
  return llvm::join(names, " or ");
}

Result<LibraryChoice> parseChoice(llvm::StringRef text) {
  const auto [name, patterns] = text.split(':');
  const Library *library = findLibrary(name.str());
  if (!library)
    return error("--cuda-library names '" + name.str() + "'; expected " + namesOfLibraries());
  LibraryChoice choice{library->name, {}};
  if (!text.contains(':')) {
    choice.patterns = library->functions;
    return choice;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  patterns.split(parts, '+');
  for (llvm::StringRef part : parts) {
    if (!llvm::is_contained(library->functions, part))
      return error("--cuda-library gives '" + part.str() + "' to " + choice.name + "; expected " +
                   llvm::join(library->functions, " or "));
    choice.patterns.push_back(part.str());
  }
  return choice;
}

} // namespace

bool LibraryChoice::has(const std::string &pattern) const {
  return llvm::is_contained(patterns, pattern);
}

Result<std::vector<LibraryChoice>> parseLibraries(const std::string &list) {
  std::vector<LibraryChoice> choices;
  llvm::SmallVector<llvm::StringRef> parts;
  if (!list.empty())
    llvm::StringRef(list).split(parts, ',');
  for (llvm::StringRef part : parts) {
    Result<LibraryChoice> choice = parseChoice(part);
    if (!choice)
      return error(choice.error());
    choices.push_back(std::move(*choice));
  }
  return choices;
}

} // namespace daedalus::cuda
