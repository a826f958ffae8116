// daedalus bench --calibrate: what work costs on this host's CPU, for placement by price.
#include "Tuning/Calibrate.h"
#include "Commands.h"
#include "cli/Files.h"
#include "cli/Progress.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/cache_folder.h"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace daedalus::cli {
namespace {

struct Options {
  bool isAsked = false;
  uint64_t threads = 1, repeats = 15;
  std::string levels = "native", output;
};

/// The file of this host, in a folder that only its user can write.
std::string keptFile(const std::string &level) {
  const std::string file = orFail(cpu::calibrationFile(level));
  orFail(makePrivateFolder(std::filesystem::path(file).parent_path()));
  return file;
}

void calibrateHost(const Options &options) {
  checkOutput(options.output);
  CalibrateOptions measured;
  measured.levels = options.levels;
  measured.threads = static_cast<unsigned>(options.threads);
  measured.runs = options.repeats;
  cpu::Calibration calibration;
  {
    Progress progress(calibrationModels(), "models");
    calibration = orFail(calibrate(measured, [&](size_t done) { progress.done(done); }));
  }
  const std::string file = options.output.empty() ? keptFile(calibration.level) : options.output;
  const std::string text = cpu::calibrationText(calibration);
  write(file, text);
  if (file == "-")
    return;
  char error[16];
  std::snprintf(error, sizeof error, "%.0f%%", 100 * calibration.error);
  write("-", file + ": " + calibration.level + " on " + calibration.processor +
                 ", threads: " + std::to_string(calibration.threads) +
                 "; half of the kernels that it was fitted to are within " + error + " of their time\n");
}

} // namespace

void addCalibrate(CLI::App &bench) {
  auto options = std::make_shared<Options>();
  CLI::Option *calibrate = bench.add_flag("--calibrate", options->isAsked,
                                          "Measure what work costs on this host's CPU, and keep it for "
                                          "--placement-policy cheapest");
  for (CLI::App *other : bench.get_subcommands({}))
    other->excludes(calibrate);
  addThreadsOption(bench, options->threads)->needs(calibrate);
  bench.add_option("--cpu", options->levels, "The level of the code that is measured, as compile's --cpu")
      ->needs(calibrate)
      ->capture_default_str()
      ->type_name("LEVEL");
  addNumberOption(bench, "--repeats", options->repeats, 1, 1000, "Runs of each model, whose median counts")
      ->needs(calibrate)
      ->type_name("N");
  bench
      .add_option("-o,--output", options->output,
                  "Where the calibration goes; - is stdout (default: where compile finds it)")
      ->needs(calibrate)
      ->type_name("FILE");
  bench.callback([options, &bench] {
    if (!options->isAsked && bench.get_subcommands().empty())
      throw Usage{"bench measures a model with targets, or with --calibrate this host; see bench --help"};
    if (options->isAsked)
      calibrateHost(*options);
  });
}

} // namespace daedalus::cli
