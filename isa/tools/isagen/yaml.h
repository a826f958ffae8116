// Reading of nodes that both descriptions share. A problem is an exception with its line, which ends in
// loadSpec and loadSoc.
#pragma once

#include "spec.h"

#include <yaml-cpp/yaml.h>

#include <set>
#include <stdexcept>

namespace isagen {

[[noreturn]] inline void fail(const YAML::Node &node, const std::string &message) {
  throw std::runtime_error("line " + std::to_string(node.Mark().line + 1) + ": " + message);
}

inline void checkKeys(const YAML::Node &node, const std::set<std::string> &known) {
  for (const auto &entry : node)
    if (!known.count(entry.first.as<std::string>()))
      fail(entry.first, "unknown key '" + entry.first.as<std::string>() + "'");
}

template <class T> T need(const YAML::Node &node, const char *key) {
  if (!node[key])
    fail(node, std::string("the key '") + key + "' is missing");
  return node[key].as<T>();
}

template <class T> T get(const YAML::Node &node, const char *key, T otherwise) {
  return node[key] ? node[key].as<T>() : otherwise;
}

/// Names with codes that count up from 0.
std::vector<EnumValue> loadValues(const YAML::Node &list);
std::vector<Register> loadRegisters(const YAML::Node &list);

} // namespace isagen
