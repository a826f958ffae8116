// See Compare.h.
#include "Report/Profile/Compare.h"
#include "Report/Profile/ProfileReport.h"
#include "Report/Table.h"

#include <algorithm>

namespace daedalus::report {
namespace {

bool isCount(const Json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned();
}

bool isText(const Json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string();
}

/// Counts of classes by module.
bool areModules(const Json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() &&
         std::all_of(found->begin(), found->end(), [](const Json &classes) {
           return classes.is_object() && std::all_of(classes.begin(), classes.end(), [](const Json &cycles) {
                    return cycles.is_number_unsigned();
                  });
         });
}

bool isPart(const Json &part) {
  return part.is_object() && isCount(part, "path_cycles") && areModules(part, "path") &&
         areModules(part, "modules");
}

/// What a profile lacks; empty: nothing.
std::string faultOf(const Json &json) {
  if (!json.is_object() || !json.contains("schema"))
    return "it has no \"schema\"";
  if (json["schema"] != profileSchema)
    return "its \"schema\" is not " + std::to_string(profileSchema);
  for (const char *key : {"model", "engine"})
    if (!isText(json, key))
      return std::string("it has no text \"") + key + "\"";
  if (!isCount(json, "cycles"))
    return "it has no count of \"cycles\"";
  if (!json.contains("none") || !isPart(json["none"]))
    return "its \"none\" is incomplete";
  if (!json.contains("layers") || !json["layers"].is_array())
    return "it has no \"layers\"";
  for (size_t i = 0; i < json["layers"].size(); ++i)
    if (const Json &layer = json["layers"][i];
        !isPart(layer) || !isText(layer, "node") || !isText(layer, "target") || !isCount(layer, "macs"))
      return "its layer " + std::to_string(i) + " is incomplete";
  return "";
}

std::vector<std::string> nodesOf(const SavedProfile &profile) {
  std::vector<std::string> nodes;
  for (const Json &layer : profile.json["layers"])
    nodes.push_back(layer["node"].get<std::string>());
  return nodes;
}

uint64_t pathCycles(const Json &part) {
  return part["path_cycles"].get<uint64_t>();
}

/// "+1,234", "-5" or "0".
std::string difference(uint64_t before, uint64_t after) {
  if (before == after)
    return "0";
  return after > before ? "+" + grouped(after - before) : "-" + grouped(before - after);
}

class ComparedTable {
public:
  void add(const std::string &node, std::optional<uint64_t> before, std::optional<uint64_t> after) {
    const auto cell = [](const std::optional<uint64_t> &cycles) {
      return cycles ? grouped(*cycles) : "absent";
    };
    const bool both = before && after;
    table.row({node, cell(before), cell(after), difference(before.value_or(0), after.value_or(0)),
               both ? percent(static_cast<double>(*after), static_cast<double>(*before)) : "-"});
  }
  std::string text() const { return table.text(); }

private:
  Table table{{"ONNX node", ">before", ">after", ">difference", ">after / before"}};
};

std::string lineOf(const char *name, const SavedProfile &profile) {
  const auto machine = profile.json.find("machine");
  const bool known = machine != profile.json.end() && machine->is_string();
  return std::string(name) + profile.path + ": " + profile.json["model"].get<std::string>() +
         (known ? " on machine " + machine->get<std::string>() : "") + "\n";
}

} // namespace

Result<SavedProfile> readProfile(const std::string &path, const std::vector<uint8_t> &bytes) {
  SavedProfile profile{path, Json::parse(bytes.begin(), bytes.end(), nullptr, /*allow_exceptions=*/false)};
  const std::string fault = profile.json.is_discarded() ? "it is not JSON" : faultOf(profile.json);
  if (!fault.empty())
    return error("'" + path + "' is not a profile: " + fault + "; expected what daedalus profile -o wrote");
  return profile;
}

std::vector<LayerPair> pairsOf(const SavedProfile &before, const SavedProfile &after) {
  return pairLayers(nodesOf(before), nodesOf(after));
}

std::string compareText(const SavedProfile &before, const SavedProfile &after) {
  ComparedTable table;
  for (const auto &[first, second] : pairsOf(before, after)) {
    const Json *a = first ? &before.json["layers"][*first] : nullptr;
    const Json *b = second ? &after.json["layers"][*second] : nullptr;
    table.add((a ? *a : *b)["node"].get<std::string>(), a ? std::optional(pathCycles(*a)) : std::nullopt,
              b ? std::optional(pathCycles(*b)) : std::nullopt);
  }
  table.add("(no layer)", pathCycles(before.json["none"]), pathCycles(after.json["none"]));
  table.add("total", before.json["cycles"].get<uint64_t>(), after.json["cycles"].get<uint64_t>());
  return lineOf("before: ", before) + lineOf("after:  ", after) + "\n" + table.text();
}

} // namespace daedalus::report
