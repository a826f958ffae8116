// What `--json` prints.
#pragma once

#include "daedalus/package/package.h"

#include <nlohmann/json.hpp>
#include <string>

namespace daedalus::cli {

using Json = nlohmann::ordered_json;

/// Indented, with a newline at the end. Bytes that are no UTF-8 are replaced.
inline std::string dump(const Json &value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// {"layers": [{"node", "target", "reason", "macs"}]}
inline Json placementJson(const package::Package &package) {
  Json layers = Json::array();
  for (const package::Layer &layer : package.layers)
    layers.push_back(
        {{"node", layer.node}, {"target", layer.target}, {"reason", layer.reason}, {"macs", layer.macs}});
  return {{"layers", layers}};
}

} // namespace daedalus::cli
