#include "Tuning/Calibrate.h"
#include "Tuning/CaseData.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/CPU/Levels.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/Target/Target.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/file.h"
#include "daedalus/support/temporaries.h"

#include <algorithm>

namespace daedalus::tuning {
namespace {

using package::Step;

CpuCase product(int64_t m, int64_t k, int64_t n) {
  CpuCase c;
  c.m = m, c.k = k, c.n = n;
  return c;
}

CpuCase image(CaseKind kind, int64_t channels, int64_t size, int64_t kernel = 1, int64_t stride = 1) {
  CpuCase c;
  c.kind = kind;
  c.channels = c.outputs = channels, c.height = c.width = size;
  c.kernel = kernel, c.stride = stride,
  c.pad = kind == CaseKind::Conv || kind == CaseKind::MaxPool ? kernel / 2 : 0;
  return c;
}

CpuCase convolution(int64_t channels, int64_t size, int64_t outputs, int64_t kernel, int64_t stride = 1) {
  CpuCase c = image(CaseKind::Conv, channels, size, kernel, stride);
  c.outputs = outputs;
  return c;
}

CpuCase depthwise(int64_t channels, int64_t size, int64_t stride = 1, int64_t kernel = 3) {
  CpuCase c = convolution(channels, size, channels, kernel, stride);
  c.groups = channels;
  return c;
}

CpuCase rows(CaseKind kind, int64_t m, int64_t n) {
  CpuCase c;
  c.kind = kind;
  c.m = m, c.n = n;
  return c;
}

/// Of the sizes that networks have, from such whose calls count to such whose memory does.
std::vector<CpuCase> calibrationCases() {
  std::vector<CpuCase> all;
  const std::vector<CpuCase> ofBothTypes = {product(1, 256, 10),
                                            product(1, 1280, 1000),
                                            product(16, 128, 128),
                                            product(1, 1024, 1024),
                                            product(1, 784, 1024),
                                            product(1, 64, 32),
                                            convolution(8, 14, 16, 3),
                                            product(128, 768, 768),
                                            product(196, 64, 384),
                                            product(1024, 96, 24),
                                            convolution(3, 112, 32, 3, 2),
                                            convolution(3, 64, 64, 7, 2),
                                            convolution(16, 56, 96, 1),
                                            convolution(64, 28, 64, 3),
                                            convolution(128, 14, 128, 3),
                                            convolution(256, 14, 64, 1),
                                            convolution(256, 7, 256, 3),
                                            convolution(64, 56, 128, 3, 2),
                                            convolution(128, 28, 32, 3),
                                            convolution(512, 14, 128, 1),
                                            convolution(512, 7, 512, 3),
                                            convolution(24, 56, 144, 1),
                                            depthwise(32, 56),
                                            depthwise(96, 56, 2),
                                            depthwise(384, 14),
                                            depthwise(96, 112, 2),
                                            depthwise(128, 56, 1, 1),
                                            depthwise(512, 14, 1, 1),
                                            convolution(16, 112, 96, 1),
                                            convolution(3, 224, 32, 3, 2),
                                            convolution(64, 112, 64, 1),
                                            depthwise(144, 56),
                                            depthwise(960, 7),
                                            image(CaseKind::Add, 64, 28),
                                            image(CaseKind::Add, 256, 56),
                                            image(CaseKind::MaxPool, 64, 56, 3, 2),
                                            image(CaseKind::AveragePool, 64, 28, 2, 2),
                                            image(CaseKind::GlobalAveragePool, 512, 8, 8, 8)};
  for (CpuCase c : ofBothTypes)
    for (bool isInt8 : {false, true}) {
      c.isInt8 = isInt8;
      c.outputScale = all.size() % 3 ? 0.9f : 1; // as of networks, and one whose multipliers are short
      all.push_back(c);
    }
  for (CaseKind kind : {CaseKind::Softmax, CaseKind::LayerNorm})
    for (const auto &[m, n] : {std::pair(1, 1000), {64, 64}, {768, 197}})
      all.push_back(rows(kind, m, n));
  return all;
}

class Calibrating {
public:
  Calibrating(const CalibrateOptions &options, const std::string &level, const ScratchFolder &folder,
              const std::string &blank)
      : options(options), folder(folder.path) {
    compileOptions.target = fallbackTarget().name();
    compileOptions.prices = true;
    compileOptions.settings.of<cpu::Settings>().levels = level;
    compileOptions.settings.of<cpu::Settings>().calibration = blank;
  }

  Result<void> measure(const CpuCase &c) {
    const std::string model = folder + "/" + std::to_string(count++) + ".onnx"; // no input is written again
    if (Result<void> written = writeFileAtomically(model, onnxModel(c, caseData(c))); !written)
      return written;
    Result<Compiled> compiled = compileModel(model, compileOptions);
    if (!compiled)
      return error(compiled.error());
    const std::map<std::string, cpu::Amounts> amounts = cpu::amountsOfKernels(*compiled->states);
    const package::Package package = compiled->package;
    runtime::SessionOptions sessionOptions;
    sessionOptions.threads = options.threads;
    sessionOptions.verify = false; // the compiler has just proved it
    auto session = runtime::Session::create(std::move(compiled->package), sessionOptions);
    if (!session)
      return error(session.error());
    return add(package, amounts, inputsOf(c), **session);
  }

  std::vector<cpu::Sample> samples;

private:
  static std::vector<runtime::Tensor> inputsOf(const CpuCase &c) {
    const CaseData data = caseData(c);
    std::vector<runtime::Tensor> inputs = {{"x", c.input(), data.input}};
    if (c.kind == CaseKind::Add)
      inputs.push_back({"z", c.input(), data.second});
    return inputs;
  }

  /// A sample for each layer, by the runtime's clock around its kernel: the median of runs. Before each the
  /// caches hold something else, as in a network those of weights do.
  Result<void> add(const package::Package &package, const std::map<std::string, cpu::Amounts> &amounts,
                   const std::vector<runtime::Tensor> &inputs, runtime::Session &session) {
    const bool isSmall = package.arenaBytes + package.constants.size() < 64 << 10;
    std::vector<std::vector<double>> times(package.layers.size());
    for (uint64_t run = 0; run <= options.runs; ++run) {
      if (!isSmall)
        std::fill(others.begin(), others.end(), static_cast<uint8_t>(run));
      const auto result = session.run(size_t(0), inputs);
      if (!result)
        return error(result.error());
      for (size_t layer = 0; run && layer < times.size(); ++layer) // the first one touches memory and code
        times[layer].push_back(static_cast<double>(result->layers[layer].hostNanoseconds) / 1000);
    }
    for (std::vector<double> &samples : times)
      std::sort(samples.begin(), samples.end());
    for (const Step &step : package.functions.front().steps)
      if (step.kind == Step::Kind::CallKernel && step.layer < times.size())
        if (const auto found = amounts.find(package.kernels[step.index].symbol); found != amounts.end())
          samples.push_back({found->second, quantile(times[step.layer], 0.5)});
    return {};
  }

  std::vector<uint8_t> others = std::vector<uint8_t>(16 << 20);
  const CalibrateOptions &options;
  const std::string folder;
  size_t count = 0;
  CompileOptions compileOptions;
};

} // namespace

size_t calibrationModels() {
  return calibrationCases().size();
}

Result<std::string> blankCalibration(const std::string &folder, const std::string &level) {
  cpu::Calibration blank;
  blank.processor = cpu::processorName(), blank.level = level, blank.date = "-";
  const std::string path = folder + "/blank.json";
  const Result<void> written = writeFileAtomically(path, cpu::calibrationText(blank));
  return written ? Result<std::string>(path) : error(written.error());
}

Result<cpu::Calibration> calibrate(const CalibrateOptions &options, const std::function<void(size_t)> &done) {
  const auto levels = cpu::parseLevels(options.levels);
  if (!levels)
    return error(levels.error());
  const std::string level = levels->front().name;
  const auto folder = ScratchFolder::create();
  if (!folder)
    return error(folder.error());
  const Result<std::string> blank = blankCalibration((*folder)->path, level);
  if (!blank)
    return error(blank.error());
  Calibrating calibrating(options, level, **folder, *blank);
  size_t count = 0;
  for (const CpuCase &c : calibrationCases()) {
    if (Result<void> measured = calibrating.measure(c); !measured)
      return error(measured.error());
    done(++count);
  }
  cpu::Calibration calibration = cpu::fit(calibrating.samples);
  calibration.processor = cpu::processorName(), calibration.level = level;
  calibration.date = today(), calibration.threads = options.threads;
  return calibration;
}

} // namespace daedalus::tuning
