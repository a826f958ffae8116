#include "InputFiles.h"
#include "cli/Files.h"
#include "daedalus/Import/ONNX/Describe.h"
#include "daedalus/runtime/npy.h"
#include "daedalus/support/decimal.h"

#include <algorithm>

namespace daedalus::cli {
namespace {

using Sizes = std::vector<int64_t>;

std::string textOf(const std::vector<std::string> &sizes) {
  std::string text;
  for (const std::string &size : sizes)
    text += (text.empty() ? "[" : ",") + size;
  return text.empty() ? "[]" : text + "]";
}

std::string textOf(const Sizes &sizes) {
  std::vector<std::string> texts;
  for (int64_t size : sizes)
    texts.push_back(std::to_string(size));
  return textOf(texts);
}

/// A size that the model says.
bool isNumber(const std::string &size) {
  return parseDecimal(size).has_value();
}

/// A size that is the same wherever its name stands.
bool isSymbol(const std::string &size) {
  return !isNumber(size) && size != "?" && size[0] != '-';
}

bool isOpen(const OnnxValueInfo &input) {
  return !input.shape || !std::all_of(input.shape->begin(), input.shape->end(), isNumber);
}

/// The sizes of a model's symbols, and what gave them.
class Symbols {
public:
  explicit Symbols(const std::string &model) : model(model) {}

  /// What --shape says of an input, which the compiler checks.
  void take(const OnnxValueInfo &input, const Sizes &sizes) {
    for (size_t i = 0; input.shape && i < std::min(sizes.size(), input.shape->size()); ++i)
      if (isSymbol((*input.shape)[i]))
        known.insert({(*input.shape)[i], {sizes[i], ""}});
  }

  /// The sizes of an input whose data have these: those that are said, and for the others the data's.
  Sizes fit(const OnnxValueInfo &input, const std::string &path, Sizes sizes) {
    if (!input.shape)
      return sizes;
    const auto fail = [&](const std::string &expected) {
      throw Failed{"'" + path + "' is " + textOf(sizes) + ", but the input '" + input.name + "' of '" +
                   model + "' is " + textOf(*input.shape) + "; expected " + expected};
    };
    if (sizes.size() != input.shape->size())
      fail("as many sizes");
    for (size_t i = 0; i < sizes.size(); ++i) {
      const std::string &symbol = (*input.shape)[i];
      if (isNumber(symbol) && std::to_string(sizes[i]) != symbol)
        fail(symbol + " for dimension " + std::to_string(i));
      if (!isSymbol(symbol))
        continue;
      const auto &[size, giver] = known.insert({symbol, {sizes[i], path}}).first->second;
      if (!giver.empty() && size != sizes[i])
        fail("the size " + std::to_string(size) + " for '" + symbol + "', as in '" + giver + "'");
      sizes[i] = size;
    }
    return sizes;
  }

private:
  const std::string model;
  std::map<std::string, std::pair<int64_t, std::string>> known; ///< with the file; "": --shape
};

} // namespace

std::optional<std::string> InputFiles::fileOf(const std::string &input, bool isOnly) const {
  for (const std::string &option : options) {
    const size_t equals = option.find('=');
    if (equals == std::string::npos ? isOnly : option.substr(0, equals) == input)
      return option.substr(equals + 1); // all of it where there is none
  }
  return std::nullopt;
}

Sizes InputFiles::sizesOf(const std::string &path) {
  if (!read.count(path))
    read.emplace(path, orFail(runtime::readNpy(path)));
  Sizes sizes = read.at(path).type.shape;
  if (samples && !sizes.empty())
    sizes[0] = 1;
  return sizes;
}

void InputFiles::giveSizes(const std::string &model, GivenInputs &given) {
  if (options.empty())
    return;
  const Result<OnnxDescription> described = describeOnnx(model);
  if (!described)
    return; // the compiler says why
  std::vector<OnnxValueInfo> inputs;
  for (const OnnxValueInfo &input : described->inputs)
    if (!given.constants.count(input.name))
      inputs.push_back(input);
  Symbols symbols(model);
  const bool isOnly = inputs.size() == 1;
  const auto saidOf = [&](const OnnxValueInfo &input) {
    const auto found = given.shapes.find(input.name);
    return found == given.shapes.end() && isOnly ? given.shapes.find("") : found;
  };
  for (const OnnxValueInfo &input : inputs)
    if (const auto said = saidOf(input); said != given.shapes.end())
      symbols.take(input, said->second);
  for (const OnnxValueInfo &input : inputs)
    if (const auto file = fileOf(input.name, isOnly);
        file && isOpen(input) && saidOf(input) == given.shapes.end())
      given.shapes[input.name] = symbols.fit(input, *file, sizesOf(*file));
}

runtime::Tensor InputFiles::take(const std::string &path) {
  const auto found = read.find(path);
  if (found == read.end())
    return orFail(runtime::readNpy(path));
  runtime::Tensor tensor = std::move(found->second);
  read.erase(found);
  return tensor;
}

} // namespace daedalus::cli
