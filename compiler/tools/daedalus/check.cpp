// daedalus check: models in ONNX's test form, compiled, run and compared.
#include "Commands.h"
#include "Models/ModelCheck.h"
#include "Report/Json.h"
#include "cli/Files.h"
#include "cli/Plugins.h"
#include "cli/Progress.h"

#include <array>
#include <iostream>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  std::vector<std::string> folders;
  std::string engine = "functional", target = "auto";
  uint64_t steps = 0, threads = 1;
  TargetTexts texts;
  const CLI::Option *stepsOption = nullptr;
  bool json = false;
};

using Counts = std::array<uint64_t, verdicts>;

uint64_t &countOf(Counts &counts, Verdict verdict) {
  return counts[static_cast<size_t>(verdict)];
}

struct Row {
  std::string test;
  CheckOutcome outcome;
};

std::vector<Row> checkAll(const Options &options) {
  CheckOptions checkOptions;
  checkOptions.engine = options.engine;
  if (options.stepsOption->count())
    checkOptions.steps = static_cast<double>(options.steps);
  checkOptions.threads = static_cast<unsigned>(options.threads);
  checkOptions.compile.target = options.target;
  checkOptions.compile.settings = settingsOf(options.texts);
  std::vector<Row> rows;
  for (const std::string &folder : options.folders)
    for (const std::string &test : findTests(folder))
      rows.push_back({test, {}});
  Progress progress(rows.size(), "tests");
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].outcome = checkTest(rows[i].test, checkOptions);
    progress.done(i + 1);
  }
  return rows;
}

void printJson(const std::vector<Row> &rows, Counts &counts) {
  Json tests = Json::array();
  for (const Row &row : rows)
    tests.push_back({{"test", row.test},
                     {"verdict", name(row.outcome.verdict)},
                     {"detail", row.outcome.detail},
                     {"targets", row.outcome.targets}});
  std::cout << dump({{"tests", tests},
                     {"passed", countOf(counts, Verdict::Passed)},
                     {"differ_by_1_step", countOf(counts, Verdict::Differs)},
                     {"refused", countOf(counts, Verdict::Refused)},
                     {"wrong", countOf(counts, Verdict::Wrong)}});
}

void printText(const std::vector<Row> &rows, Counts &counts) {
  for (const Row &row : rows)
    std::cout << name(row.outcome.verdict) << " " << row.test << (row.outcome.detail.empty() ? "" : ": ")
              << row.outcome.detail << "\n";
  std::cout << "passed " << countOf(counts, Verdict::Passed);
  if (const uint64_t differ = countOf(counts, Verdict::Differs))
    std::cout << ", differ by 1 step " << differ;
  std::cout << ", refused " << countOf(counts, Verdict::Refused) << ", wrong "
            << countOf(counts, Verdict::Wrong) << "\n";
}

void check(const Options &options) {
  const std::vector<Row> rows = checkAll(options);
  Counts counts{};
  for (const Row &row : rows)
    ++countOf(counts, row.outcome.verdict);
  options.json ? printJson(rows, counts) : printText(rows, counts);
  if (countOf(counts, Verdict::Wrong))
    throw Negative{};
}

} // namespace

void addCheck(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      app.add_subcommand("check", "Compile and run models in ONNX's test format and compare the results");
  command
      ->add_option(
          "folders", options->folders,
          "Folders that contain model.onnx or model.mlir and test_data_set_*, or folders of such folders")
      ->required()
      ->type_name("DIR");
  addEngineOption(*command, options->engine)->capture_default_str();
  addTargetOption(*command, options->target)->capture_default_str();
  addTargetOptions(*command, options->texts);
  addDriverOption(*command);
  options->stepsOption =
      addNumberOption(*command, "--tolerance", options->steps, 0, 255,
                      "Quantization steps by which outputs may differ: outputs of type int8 and uint8, and "
                      "floats from a DequantizeLinear. 0: every difference is wrong. Without this option, "
                      "differences of one step are reported and counted separately")
          ->default_str("");
  addThreadsOption(*command, options->threads);
  addJsonOption(*command, options->json);
  command->footer(
      "Integers must be equal. Floats must be within 1e-7 plus 1e-3 of the expected value, or within "
      "the tolerances rtol and atol that a data.json beside the model gives. Compilation never sees "
      "the data.\n\n"
      "Each test gets one verdict: passed; refused, with the reason, if the model cannot be compiled; "
      "wrong; or 'differs by 1 step', if an output of a quantized model differs by at most one "
      "quantization step, as the outputs of different runtimes do. --tolerance sets how many steps "
      "count as correct instead. The exit status is 1 if a result is wrong, and 0 otherwise.\n\n"
      "Examples:\n"
      "  daedalus check my-test\n"
      "  daedalus check /usr/share/libonnx-testdata/data/node --engine systemc");
  command->callback([options] { check(*options); });
}

} // namespace daedalus::cli
