// The table and the JSON of rows that were never measured.

#include "sides.h"

#include "Report/Table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace daedalus::report {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::vector<TargetRow> rows() {
  return rowsOf(placedSide(), cpuSide());
}

TEST(Tables, ShortenTheFirstColumnToFit) {
  Table table({"name", ">n"});
  table.row({"abcdefghijklmnopqrstuvwxyz", "12"});
  table.row({"\u00e4\u00f6\u00fc\u00df\u00e4\u00f6\u00fc\u00df\u00e4\u00f6\u00fc\u00df\u00e4\u00f6\u00fc"
             "\u00df\u00e4\u00f6",
             "3"});
  EXPECT_EQ(table.text(20),
            "name               n\n"
            "abcdef...tuvwxyz  12\n"
            "\u00e4\u00f6\u00fc\u00df\u00e4\u00f6...\u00df\u00e4\u00f6\u00fc\u00df\u00e4\u00f6   3\n");
  EXPECT_THAT(table.text(), HasSubstr("\nabcdefghijklmnopqrstuvwxyz  12\n"));
  EXPECT_THAT(table.text(100), HasSubstr("\nabcdefghijklmnopqrstuvwxyz  12\n"));
  EXPECT_THAT(table.text(5), HasSubstr("\nabcd...vwxyz  12\n")) << "no name has fewer than a dozen";
}

TEST(Tables, NameTheMachineTheThreadsAndTheLevel) {
  EXPECT_THAT(textOf(header(), rows()),
              AllOf(HasSubstr("CPU: Processor X, 2 threads, code for x86-64-v3; microseconds of one run: "
                              "medians of 3 batches of at least 20 ms"),
                    HasSubstr("accelerator: machine default, simulated by systemc; cycles, and no "
                              "microseconds without a clock (--clock-mhz)\n"),
                    HasSubstr("\ntargets of this build: accelerator, cpu\n")));
}

TEST(Tables, HaveARowForEveryLayerAndSayWhatIsAbsent) {
  EXPECT_THAT(textOf(header(), rows()),
              AllOf(ContainsRegex("blocks +absent +0 +- +- +- +- +1.0 +10.0%\n"),
                    ContainsRegex("stem +accelerator +128,000 +1,000 +- +- +- +20.0 +10.0%"),
                    ContainsRegex("head +accelerator +64,000 +500 +50.0% +- +- +absent +-\n"),
                    ContainsRegex("softmax +cpu +0 +- +- +3.0 +10.0% +3.0 +10.0%\n"),
                    ContainsRegex("\\(none\\) +- +0 +34 +- +- +- +absent"),
                    HasSubstr("absent: the model compiled for this side has no such layer"),
                    Not(HasSubstr("below"))));
}

TEST(Tables, HaveAColumnOfADevice) {
  const std::vector<TargetRow> all = rowsOf(placedSide(), cpuSide(), {deviceSide()});
  ASSERT_EQ(all.size(), rows().size());
  TargetHeader measured = header();
  measured.devices = {{"gpu", ""}};
  EXPECT_THAT(textOf(measured, all), AllOf(ContainsRegex("blocks +absent .* 1.5 us +1.0 +10.0%\n"),
                                           ContainsRegex("stem +accelerator .* 3.0 us +20.0 +10.0%\n"),
                                           ContainsRegex("head +accelerator .* absent +absent +-\n"),
                                           ContainsRegex("sum of the layers .* 4.5 us +24.0\n"),
                                           HasSubstr("gpu: the model compiled for it alone")));
  EXPECT_EQ(jsonOf(measured, all)["layers"][0]["on_devices"]["gpu"]["seconds"], 1.5e-6);
  TargetHeader missing = header();
  missing.devices = {{"gpu", "there is no GPU"}};
  EXPECT_THAT(textOf(missing, rows()), AllOf(ContainsRegex("stem +accelerator .* - +20.0 +10.0%\n"),
                                             HasSubstr("gpu: not measured: there is no GPU\n")));
  EXPECT_EQ(jsonOf(missing, rows())["devices"]["gpu"]["unmeasured"], "there is no GPU");
}

TEST(Tables, SumWhatTheRowsSay) {
  const std::string text = textOf(header(), rows());
  EXPECT_THAT(text, ContainsRegex("sum of the layers +192,000 +1,534 +48.9% +3.0 +24.0\n"));
  EXPECT_THAT(text, ContainsRegex("whole run +1,534 +30.0 +10.0%\n"));
  EXPECT_THAT(text, HasSubstr("whole run of the CPU: by the wall clock; besides"));
}

TEST(Tables, HaveTimesOfTheAcceleratorAtAClockAlone) {
  TargetHeader clocked = header();
  clocked.clockMhz = 500;
  EXPECT_THAT(textOf(header(), rows()), Not(HasSubstr("MHz")));
  const std::string text = textOf(clocked, rows());
  EXPECT_THAT(text, AllOf(HasSubstr("microseconds at 500 MHz, which --clock-mhz says"),
                          ContainsRegex("stem +accelerator +128,000 +1,000 +- +2.0 "),
                          ContainsRegex("sum of the layers +192,000 +1,534 +48.9% +3.1 +3.0 +24.0\n"),
                          HasSubstr("with the accelerator's time 6.1 us\n")));
  clocked.statesClock = true;
  EXPECT_THAT(textOf(clocked, rows()), HasSubstr("microseconds at 500 MHz, which the machine states\n"));
}

TEST(Tables, SayWhatIsLeftToTheCpu) {
  EXPECT_THAT(textOf(header(), rows()),
              HasSubstr("left to the CPU, and not in the cycles: 1 of 4 layers, 3.0 us"));
  PlacedSide placed = placedSide();
  placed.left.clear();
  TargetHeader unmeasured = header();
  unmeasured.unmeasured = "an index is out of range";
  EXPECT_THAT(textOf(unmeasured, rowsOf(placed, cpuSide())),
              AllOf(HasSubstr("1 of 4 layers, not measured: an index is out of range\n"),
                    Not(HasSubstr("left to CPU us"))));
  placed.layers.erase(placed.layers.begin() + 2);
  placed.uses.erase(placed.uses.begin() + 2);
  EXPECT_THAT(textOf(header(), rowsOf(placed, cpuSide())), HasSubstr("left to the CPU: no layer\n"));
}

TEST(Tables, SayWhereNothingRunsOnTheAccelerator) {
  PlacedSide placed = placedSide();
  placed.layers = {placed.layers[2]};
  placed.uses.resize(1);
  placed.uses[0] = {};
  placed.left.clear();
  TargetHeader alone = header();
  alone.machine = "";
  alone.cycles = 0;
  alone.clockMhz = 500;
  EXPECT_THAT(textOf(alone, rowsOf(placed, cpuSide())),
              AllOf(HasSubstr("accelerator: no layer runs on it\n"), Not(HasSubstr("us at")),
                    Not(HasSubstr("left to"))));
}

TEST(Tables, SayWhereOtherWorkDisturbs) {
  TargetHeader disturbed = header();
  EXPECT_THAT(textOf(disturbed, rows()), Not(HasSubstr("less than 90%")));
  disturbed.whole.leastProcessors = 0.5;
  EXPECT_THAT(textOf(disturbed, rows()), HasSubstr("less than 90% of a processor"));
}

TEST(JsonOfTargets, HasTheKeysThatScriptsRead) {
  TargetHeader clocked = header();
  clocked.clockMhz = 500;
  const Json json = jsonOf(clocked, rows());
  EXPECT_EQ(json["processor"], "Processor X");
  EXPECT_EQ(json["level"], "x86-64-v3");
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["repeats"], 3);
  EXPECT_EQ(json["machine"], "default");
  EXPECT_EQ(json["clock_mhz"], 500);
  ASSERT_EQ(json["layers"].size(), 5u);
  const Json &stem = json["layers"][1];
  EXPECT_EQ(stem["node"], "stem");
  EXPECT_EQ(stem["target"], "accelerator");
  EXPECT_EQ(stem["macs"], 128000);
  EXPECT_EQ(stem["cycles"], 1000);
  EXPECT_TRUE(stem["utilisation"].is_null());
  EXPECT_DOUBLE_EQ(stem["accelerator_seconds"], 2e-6);
  EXPECT_DOUBLE_EQ(stem["on_cpu"]["seconds"], 20.04e-6);
  EXPECT_EQ(stem["on_cpu"]["samples"].size(), 3u);
  EXPECT_DOUBLE_EQ(json["layers"][2]["utilisation"], 0.5);
  EXPECT_DOUBLE_EQ(json["layers"][3]["left_to_cpu"]["seconds"], 3.04e-6);
  EXPECT_EQ(json["whole"]["cycles"], 1534);
  EXPECT_DOUBLE_EQ(json["whole"]["on_cpu"]["seconds"], 30e-6);
}

TEST(JsonOfTargets, SumsItsLayers) {
  const Json json = jsonOf(header(), rows());
  double seconds = 0;
  uint64_t cycles = 0;
  for (const Json &entry : json["layers"]) {
    seconds += entry["on_cpu"].is_null() ? 0 : entry["on_cpu"]["seconds"].get<double>();
    cycles += entry["cycles"].is_null() ? 0 : entry["cycles"].get<uint64_t>();
  }
  EXPECT_DOUBLE_EQ(json["sum"]["cpu_seconds"], seconds);
  EXPECT_EQ(json["sum"]["cycles"], cycles);
  EXPECT_EQ(json["sum"]["left_to_cpu_layers"], 1);
}

TEST(JsonOfTargets, HasNullsForWhatIsNotThere) {
  const Json json = jsonOf(header(), rows());
  for (const char *key : {"clock_mhz", "left_to_cpu_unmeasured"})
    EXPECT_TRUE(json.at(key).is_null()) << key;
  EXPECT_TRUE(json["sum"].at("accelerator_seconds").is_null());
  for (const char *key : {"target", "cycles", "accelerator_seconds", "left_to_cpu", "utilisation"})
    EXPECT_TRUE(json["layers"][0].at(key).is_null()) << key;
  EXPECT_TRUE(json["layers"][2].at("on_cpu").is_null());
}

} // namespace
} // namespace daedalus::report
