// What --cpu-library says.

#include "Libraries.h"

#include "daedalus/package/libraries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace daedalus::cpu {
namespace {

using Names = std::vector<std::string>;

const Names &allPatterns() {
  static const Names names = {"matmul", "conv", "matmul_i8", "conv_i8"};
  return names;
}

std::string listOf(const Names &names, const std::string &between) {
  return llvm::join(names, between);
}

/// A word that may stand in the name of an external function.
bool isWord(llvm::StringRef text) {
  return !text.empty() && llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

Error unknown(const std::string &name) {
  std::string known;
  for (const package::Library &library : package::libraries())
    known += (known.empty() ? "" : " or ") + library.name;
  return error("--cpu-library names '" + name + "'; expected " + known +
               ", or functions of your own with the patterns that they compute, such as mine:matmul+conv");
}

/// A library's own functions for bytes, which are not exact on every processor.
bool needsVnni(const LibraryChoice &choice, llvm::StringRef pattern) {
  return package::findLibrary(choice.name) && pattern.ends_with("_i8");
}

Result<LibraryChoice> parseChoice(llvm::StringRef text) {
  const auto [name, patterns] = text.split(':');
  const package::Library *library = package::findLibrary(name.str());
  const bool isNamed = text.contains(':');
  if (!isWord(name) || (!library && !isNamed))
    return unknown(name.str());
  LibraryChoice choice{name.str(), {}, isNamed};
  const Names &possible = library ? library->functions : allPatterns();
  if (!isNamed)
    choice.patterns = possible;
  llvm::SmallVector<llvm::StringRef> parts;
  if (isNamed)
    patterns.split(parts, '+');
  for (llvm::StringRef part : parts) {
    if (!llvm::is_contained(possible, part))
      return error("--cpu-library gives '" + part.str() + "' to " + choice.name + "; expected " +
                   listOf(possible, " or "));
    choice.patterns.push_back(part.str());
  }
  return choice;
}

} // namespace

bool LibraryChoice::has(const std::string &pattern) const {
  return llvm::is_contained(patterns, pattern);
}

/// Its sums may pass through float32, which holds integers up to 2^24.
bool LibraryChoice::takes(const LibraryCall &call, bool hasVnni) const {
  constexpr int64_t mostOfFloat = int64_t(1) << 24;
  return has(call.pattern) &&
         (!needsVnni(*this, call.pattern) || (hasVnni && call.largestSum() <= mostOfFloat));
}

Result<std::vector<LibraryChoice>> parseLibraries(const std::string &text, bool hasVnni) {
  std::vector<LibraryChoice> choices;
  llvm::SmallVector<llvm::StringRef> parts;
  if (!text.empty())
    llvm::StringRef(text).split(parts, ',');
  for (llvm::StringRef part : parts) {
    Result<LibraryChoice> choice = parseChoice(part);
    if (!choice)
      return error(choice.error());
    for (const std::string &pattern : choice->patterns)
      if (choice->areNamed && needsVnni(*choice, pattern) && !hasVnni)
        return error(
            "--cpu-library gives " + pattern + " to " + choice->name +
            ", whose sums of bytes are exact from level x86-64-v4-vnni on; expected --cpu x86-64-v4-vnni");
    choices.push_back(std::move(*choice));
  }
  return choices;
}

} // namespace daedalus::cpu
