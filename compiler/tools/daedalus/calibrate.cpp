// daedalus bench --calibrate: what work costs on this host's CPU, or on its GPU, for placement by price.
#include "Tuning/Calibrate.h"
#include "Commands.h"
#include "Tuning/CalibrateGpu.h"
#include "cli/Choices.h"
#include "cli/Files.h"
#include "cli/Progress.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/Target/CUDA/Settings.h"
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
  std::string levels = "native", target = cpu::Settings::target, output;
};

/// The file of this host, in a folder that only its user can write.
std::string keptFile(const Result<std::string> &where) {
  const std::string file = orFail(where);
  orFail(makePrivateFolder(std::filesystem::path(file).parent_path()));
  return file;
}

void calibrateGpuOf(const Options &options) {
  GpuCalibrateOptions measured;
  measured.runs = options.repeats;
  cuda::Calibration calibration;
  {
    Progress progress(gpuCalibrationPrograms(), "programs");
    calibration = orFail(calibrateGpu(measured, [&](size_t done) { progress.done(done); }));
  }
  const std::string file = options.output.empty() ? keptFile(cuda::calibrationFile()) : options.output;
  write(file, cuda::calibrationText(calibration));
  if (file != "-")
    write("-", file + ": " + calibration.gpu + "\n");
}

void calibrateHost(const Options &options) {
  CalibrateOptions measured;
  measured.levels = options.levels;
  measured.threads = static_cast<unsigned>(options.threads);
  measured.runs = options.repeats;
  cpu::Calibration calibration;
  {
    Progress progress(calibrationModels(), "models");
    calibration = orFail(calibrate(measured, [&](size_t done) { progress.done(done); }));
  }
  const std::string file =
      options.output.empty() ? keptFile(cpu::calibrationFile(calibration.level)) : options.output;
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
  CLI::Option *calibrate =
      bench.add_flag("--calibrate", options->isAsked,
                     "Measure the cost of work on this host and keep it for --placement-policy cheapest");
  for (CLI::App *other : bench.get_subcommands({}))
    other->excludes(calibrate);
  bench.add_option("--target", options->target, "Device to measure: this host's CPU or its GPU")
      ->needs(calibrate)
      ->check(oneOf({cpu::Settings::target, cuda::Settings::target}))
      ->capture_default_str()
      ->type_name("T");
  addThreadsOption(bench, options->threads)->needs(calibrate)->group("Options");
  bench
      .add_option("--cpu", options->levels,
                  "Instruction set level of the measured code, as for compile --cpu")
      ->needs(calibrate)
      ->capture_default_str()
      ->type_name("LEVEL");
  addNumberOption(bench, "--repeats", options->repeats, 1, 1000, "Runs of each model; the median counts")
      ->needs(calibrate)
      ->type_name("N");
  addOutputOption(bench, options->output, "the calibration", "where compile finds it", "FILE")
      ->needs(calibrate);
  bench.callback([options, &bench] {
    if (!options->isAsked && bench.get_subcommands().empty())
      throw Usage{
          "bench needs 'targets' to measure a model, or --calibrate to measure this host; see bench --help"};
    if (!options->isAsked)
      return;
    checkOutput(options->output);
    options->target == cpu::Settings::target ? calibrateHost(*options) : calibrateGpuOf(*options);
  });
}

} // namespace daedalus::cli
