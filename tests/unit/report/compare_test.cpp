// Profiles that are read again, and two beside each other.

#include "Report/Profile/Compare.h"
#include "Report/Profile/ProfileReport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::report {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr std::nullopt_t none = std::nullopt;

Json layer(const std::string &node, uint64_t cycles) {
  return {{"node", node},
          {"target", "accelerator"},
          {"macs", 1},
          {"path_cycles", cycles},
          {"path", {{"gemm", {{"busy", cycles}}}}},
          {"modules", Json::object()}};
}

Json profile(const std::vector<std::pair<std::string, uint64_t>> &layers) {
  Json json = {{"schema", profileSchema},
               {"model", "m.onnx"},
               {"engine", "systemc"},
               {"machine", "default"},
               {"cycles", 1}};
  json["layers"] = Json::array();
  for (const auto &[node, cycles] : layers) {
    json["layers"].push_back(layer(node, cycles));
    json["cycles"] = json["cycles"].get<uint64_t>() + cycles;
  }
  json["none"] = {{"path_cycles", 1}, {"path", {{"fetch", {{"idle", 1}}}}}, {"modules", Json::object()}};
  return json;
}

Result<SavedProfile> readText(const std::string &text) {
  return readProfile("a.json", {text.begin(), text.end()});
}

Result<SavedProfile> readJson(const Json &json) {
  return readText(json.dump());
}

TEST(SavedProfiles, AreReadAgain) {
  const auto read = readJson(profile({{"stem", 7}}));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->json, profile({{"stem", 7}}));
}

TEST(SavedProfiles, SayWhatIsMissing) {
  const std::string expected = "; expected what daedalus profile -o wrote";
  EXPECT_EQ(readText("{").error(), "'a.json' is not a profile: it is not JSON" + expected);
  EXPECT_EQ(readText("").error(), "'a.json' is not a profile: it is not JSON" + expected);
  EXPECT_EQ(readText("[]").error(), "'a.json' is not a profile: it has no \"schema\"" + expected);
  Json other = profile({});
  other["schema"] = profileSchema + 1;
  EXPECT_THAT(readJson(other).error(), HasSubstr("its \"schema\" is not " + std::to_string(profileSchema)));
  for (const char *key : {"model", "engine", "cycles", "none", "layers"}) {
    Json without = profile({});
    without.erase(key);
    EXPECT_THAT(readJson(without).error(), HasSubstr(std::string("\"") + key + "\"")) << key;
  }
}

TEST(SavedProfiles, HaveCompleteLayers) {
  const Json whole = profile({{"stem", 7}, {"head", 3}});
  for (const char *key : {"node", "target", "macs", "path_cycles", "path", "modules"}) {
    Json without = whole;
    without["layers"][1].erase(key);
    EXPECT_THAT(readJson(without).error(), HasSubstr("its layer 1 is incomplete")) << key;
  }
  Json other = whole;
  other["layers"][0]["path"] = {{"gemm", {{"busy", -1}}}};
  EXPECT_THAT(readJson(other).error(), HasSubstr("its layer 0 is incomplete"));
}

TEST(SavedProfiles, MayBeDeep) {
  EXPECT_THAT(readText(std::string(1000000, '[')).error(), HasSubstr("it is not JSON"));
}

TEST(Comparisons, PairLayersByTheirNodes) {
  const SavedProfile before{"a", profile({{"stem", 7}, {"old", 1}, {"head", 3}})};
  const SavedProfile after{"b", profile({{"stem", 7}, {"head", 4}, {"new", 9}})};
  EXPECT_THAT(pairsOf(before, after), ElementsAre(Pair(0, 0), Pair(1, none), Pair(2, 1), Pair(none, 2)));
}

TEST(Comparisons, SayWhatBecameOfEachLayer) {
  const SavedProfile before{"a.json", profile({{"stem", 7000}, {"old", 1}, {"head", 4}})};
  const SavedProfile after{"b.json", profile({{"stem", 7000}, {"head", 3}, {"new", 9}})};
  EXPECT_THAT(compareText(before, after),
              AllOf(HasSubstr("before: a.json: m.onnx on machine default\n"),
                    HasSubstr("after:  b.json: m.onnx"), ContainsRegex("stem +7,000 +7,000 +0 +100.0%\n"),
                    ContainsRegex("old +1 +absent +-1 +-\n"), ContainsRegex("head +4 +3 +-1 +75.0%\n"),
                    ContainsRegex("new +absent +9 +[+]9 +-\n"),
                    ContainsRegex("total +7,006 +7,013 +[+]7 +100.1%\n")));
}

} // namespace
} // namespace daedalus::report
