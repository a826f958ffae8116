#include "inputs.h"

#include <algorithm>

namespace daedalus::runtime {

using package::Function;
using package::Value;

std::string quoted(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

Result<isa::Machine> chooseMachine(const package::Package &package,
                                   const std::optional<isa::Machine> &machine) {
  if (machine)
    return *machine;
  const std::vector<std::string> known = isa::builtinMachines();
  const std::string base = package.machineName.substr(0, package.machineName.find(','));
  if (std::find(known.begin(), known.end(), base) == known.end()) // behind a comma stand keys that differ
    return error("the package was made for the machine '" + package.machineName +
                 "', which is not one of the built-in ones (" + quoted(known) + "); name its machine file");
  return isa::loadMachine(package.machineName);
}

namespace {

Result<void> placeInput(const Value &value, const Tensor &tensor, uint8_t *arena) {
  if (tensor.type != value.type)
    return error("input '" + value.name + "': expected " + toString(value.type) + ", found " +
                 toString(tensor.type));
  if (tensor.data.size() != byteSize(value.type))
    return error("input '" + value.name + "': expected " + std::to_string(byteSize(value.type)) +
                 " bytes for " + toString(value.type) + ", found " + std::to_string(tensor.data.size()));
  std::copy(tensor.data.begin(), tensor.data.end(), arena + value.offset);
  return {};
}

} // namespace

Result<void> placeInputs(const Function &function, const std::vector<Tensor> &inputs, uint8_t *arena) {
  std::vector<bool> isSet(function.inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    size_t target = i;
    if (!inputs[i].name.empty())
      target = std::find_if(function.inputs.begin(), function.inputs.end(),
                            [&](const Value &value) { return value.name == inputs[i].name; }) -
               function.inputs.begin();
    if (target >= function.inputs.size())
      return error("the function '" + function.name + "' has no input " +
                   (inputs[i].name.empty() ? "number " + std::to_string(i) : "'" + inputs[i].name + "'") +
                   "; its inputs: " + quoted(namesOf(function.inputs)));
    if (isSet[target])
      return error("input '" + function.inputs[target].name + "' is given twice");
    isSet[target] = true;
    if (auto ok = placeInput(function.inputs[target], inputs[i], arena); !ok)
      return ok;
  }
  for (size_t i = 0; i < isSet.size(); ++i)
    if (!isSet[i])
      return error("input '" + function.inputs[i].name + "' is missing: expected " +
                   toString(function.inputs[i].type));
  return {};
}

Tensor takeOutput(const Value &value, const uint8_t *arena) {
  const uint8_t *data = arena + value.offset;
  return {value.name, value.type, {data, data + byteSize(value.type)}};
}

} // namespace daedalus::runtime
