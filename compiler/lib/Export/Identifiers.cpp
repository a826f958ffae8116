// Names of ONNX as names of C.

#include "Export.h"
#include "Plan.h"

#include <algorithm>
#include <cctype>

namespace daedalus::firmware {

std::string identifierOf(const std::string &text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  while (!name.empty() && name.back() == '_')
    name.pop_back();
  if (name.empty())
    return "model";
  return std::isdigit(static_cast<unsigned char>(name.front())) ? "model_" + name : name;
}

Result<void> checkName(const std::string &name) {
  if (identifierOf(name) != name)
    return error("--name: '" + name +
                 "' cannot begin the names of C code; expected lower case letters, digits and single "
                 "underscores, such as '" +
                 identifierOf(name) + "'");
  if (name == "dae" || name.rfind("dae_", 0) == 0)
    return error("--name: '" + name +
                 "' begins as the driver's names do; expected another beginning than 'dae'");
  return {};
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string Identifiers::add(const std::string &text) {
  const std::string name = upper(identifierOf(text));
  std::string unique = name;
  for (int number = 2; !taken.insert(unique).second; ++number)
    unique = name + "_" + std::to_string(number);
  return unique;
}

} // namespace daedalus::firmware
