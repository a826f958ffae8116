// What `--json` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace daedalus::report {

using Json = nlohmann::ordered_json;

/// Indented, with a newline at the end. Bytes that are no UTF-8 are replaced.
inline std::string dump(const Json &value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace daedalus::report
