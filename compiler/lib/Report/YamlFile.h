// Tables and descriptions that users write in YAML. yaml-cpp's exceptions end here.
#pragma once

#include "daedalus/support/result.h"

#include <yaml-cpp/yaml.h>

#include <string>

namespace daedalus::report {

/// What `read` makes of the document; its errors, and text that is no YAML, behind the name of the file.
template <class Read>
auto parseYaml(const std::string &yaml, const std::string &name, Read &&read)
    -> decltype(read(YAML::Node())) {
  try {
    auto parsed = read(YAML::Load(yaml));
    if (parsed)
      return parsed;
    return error(name + ": " + parsed.error());
  } catch (const YAML::Exception &problem) {
    return error(name + ": not valid YAML: " + problem.msg);
  }
}

} // namespace daedalus::report
