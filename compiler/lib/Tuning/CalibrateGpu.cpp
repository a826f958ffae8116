#include "Tuning/CalibrateGpu.h"
#include "Tuning/Calibrate.h"
#include "Tuning/GpuPrograms.h"
#include "Tuning/Inputs.h"
#include "Tuning/Timing.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/Target/CUDA/Settings.h"
#include "daedalus/runtime/drivers.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/file.h"
#include "daedalus/support/stopwatch.h"
#include "daedalus/support/temporaries.h"

#include <algorithm>

namespace daedalus::tuning {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

class Calibrating {
public:
  Calibrating(const GpuCalibrateOptions &options, std::string folder)
      : options(options), folder(std::move(folder)) {
    compileOptions.target = cuda::Settings::target;
    compileOptions.prices = true;
    compileOptions.settings = options.settings;
  }

  /// What work is counted with: each kernel is priced, at whatever.
  Result<void> prepare() {
    const Result<std::string> ofCpu =
        blankCalibration(folder, cpu::parseLevels(cpu::Settings().levels)->front().name);
    if (!ofCpu)
      return error(ofCpu.error());
    cuda::Calibration any;
    any.gpu = any.date = "-";
    const std::string ofGpu = folder + "/any.json";
    compileOptions.settings.of<cpu::Settings>().calibration = *ofCpu;
    compileOptions.settings.of<cuda::Settings>().calibration = ofGpu;
    return writeFileAtomically(ofGpu, cuda::calibrationText(any));
  }

  /// Whether there is a device with a clock, before much is compiled: its name is the calibration's.
  Result<void> check(const package::Device &device) {
    const Result<Driver> driver = open(device);
    if (!driver)
      return error(driver.error());
    const runtime::DeviceProperties properties = (*driver)->properties();
    if (properties.ticksPerMicrosecond <= 0)
      return error("the device '" + device.name + "' (" + properties.title +
                   ") has no clock to measure costs with; expected a GPU");
    calibration.gpu = properties.title;
    return {};
  }

  Result<void> measure(const GpuProgram &program, bool isFirst) {
    Result<Compiled> compiled = compile(program);
    if (!compiled)
      return error(compiled.error());
    if (compiled->package.devices.empty())
      return error("the program of " + program.name + " has no kernel for the GPU");
    if (Result<void> there = isFirst ? check(compiled->package.devices.front()) : Result<void>(); !there)
      return there;
    std::vector<cuda::LaunchWork> launches;
    for (const auto &[kernel, works] : cuda::worksOfKernels(*compiled->states))
      launches.insert(launches.end(), works.begin(), works.end());
    const Result<double> nanoseconds = run(std::move(compiled->package));
    if (!nanoseconds)
      return error(nanoseconds.error());
    calibration.*program.factor = factorOf(program, launches, *nanoseconds, calibration.launch);
    return {};
  }

  /// Copies to the device, as a session makes them: small ones show the price of each, large ones of bytes.
  Result<void> measureCopies(const GpuProgram &ofMemory) {
    Result<Compiled> compiled = compile(ofMemory);
    if (!compiled)
      return error(compiled.error());
    const Result<Driver> driver = open(compiled->package.devices.front());
    if (!driver)
      return error(driver.error());
    const Result<double> small = copy(**driver, 64), large = copy(**driver, 64 << 20);
    if (!small || !large)
      return error((small ? large : small).error());
    calibration.copy = *small;
    calibration.copiedBytes = double(64 << 20) / std::max(*large - *small, 0.01 * *large);
    return {};
  }

  cuda::Calibration calibration;

private:
  using Driver = std::unique_ptr<runtime::DeviceDriver>;

  Result<Driver> open(const package::Device &device) const {
    const auto own = options.drivers.find(device.name);
    const runtime::DeviceDriverFactory *factory =
        own != options.drivers.end() ? &own->second : runtime::findDriver(device.name);
    if (!factory)
      return error("no driver is registered for the device '" + device.name + "'");
    Result<Driver> driver = (*factory)(device);
    return driver ? std::move(driver)
                  : error("the device '" + device.name + "' cannot be opened: " + driver.error());
  }

  Result<Compiled> compile(const GpuProgram &program) {
    const std::string path =
        folder + "/program" + std::to_string(count++) + ".mlir"; // inputs stay as they are
    if (Result<void> written = writeFileAtomically(path, program.text); !written)
      return error(written.error());
    return compileModel(path, compileOptions);
  }

  /// The median of runs, by the device's clock.
  Result<double> run(package::Package package) {
    runtime::SessionOptions sessionOptions;
    sessionOptions.drivers = options.drivers;
    sessionOptions.verify = false; // the compiler has just proved it
    auto session = runtime::Session::create(std::move(package), sessionOptions);
    if (!session)
      return error(session.error());
    const std::vector<runtime::Tensor> inputs = zeroInputs(**(*session)->function(0));
    std::vector<double> times;
    for (uint64_t run = 0; run <= options.runs; ++run) {
      const auto result = (*session)->run(size_t(0), inputs);
      if (!result)
        return error(result.error());
      double nanoseconds = 0;
      for (const runtime::LayerCycles &layer : result->layers)
        if (layer.deviceTicks)
          nanoseconds += static_cast<double>(layer.deviceTicks) / layer.ticksPerMicrosecond * 1000;
      if (run) // the first one loads the code
        times.push_back(nanoseconds);
    }
    return median(std::move(times));
  }

  /// The median nanoseconds.
  Result<double> copy(runtime::DeviceDriver &driver, size_t bytes) {
    const std::vector<uint8_t> data(bytes);
    std::vector<double> times;
    for (uint64_t run = 0; run <= options.runs; ++run) {
      Stopwatch stopwatch;
      if (Result<void> written = driver.write(0, {data.data(), data.size()}); !written)
        return error(written.error());
      if (run)
        times.push_back(stopwatch.lap() * 1e9);
    }
    return median(std::move(times));
  }

  const GpuCalibrateOptions &options;
  const std::string folder;
  CompileOptions compileOptions;
  unsigned count = 0; ///< of programs
};

} // namespace

size_t gpuCalibrationPrograms() {
  return gpuPrograms().size() + 1;
}

Result<cuda::Calibration> calibrateGpu(const GpuCalibrateOptions &options,
                                       const std::function<void(size_t)> &done) {
  const auto folder = ScratchFolder::create();
  if (!folder)
    return error(folder.error());
  Calibrating calibrating(options, (*folder)->path);
  if (Result<void> prepared = calibrating.prepare(); !prepared)
    return error(prepared.error());
  size_t count = 0;
  const std::vector<GpuProgram> programs = gpuPrograms();
  for (const GpuProgram &program : programs) {
    if (Result<void> measured = calibrating.measure(program, count == 0); !measured)
      return error(measured.error());
    done(++count);
  }
  if (Result<void> measured = calibrating.measureCopies(programs[1]); !measured)
    return error(measured.error());
  done(++count);
  calibrating.calibration.date = today();
  return calibrating.calibration;
}

} // namespace daedalus::tuning
