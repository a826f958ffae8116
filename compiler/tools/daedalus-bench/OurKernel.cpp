#include "OurKernel.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/CPU/Settings.h"
#include "daedalus/Target/Target.h"
#include "daedalus/support/file.h"
#include "daedalus/support/stopwatch.h"
#include "daedalus/support/temporaries.h"

namespace daedalus::cli {
namespace {

using package::Step;

constexpr uint64_t shortRounds =
    2; // so many rounds or more: a round is short, and one goes before those that count

TargetSettings settingsFor(const std::string &levels) {
  TargetSettings settings;
  settings.of<cpu::Settings>().levels = levels;
  return settings;
}

Result<Compiled> compiled(const std::string &model, const std::string &levels) {
  const auto folder = ScratchFolder::create();
  if (!folder)
    return error(folder.error());
  const std::string path = (*folder)->path + "/case.onnx";
  if (Result<void> written = writeFileAtomically(path, model); !written)
    return error(written.error());
  CompileOptions options;
  options.target = fallbackTarget().name();
  options.settings = settingsFor(levels);
  return compileModel(path, options);
}

/// Whether it only moves elements, between the order of the graph and that of the kernel.
bool isConversion(const Step &step, const package::Package &package) {
  if (step.kind == Step::Kind::Copy)
    return true;
  if (step.layer == package::noLayer || step.inputs.size() != 1 || package.layers[step.layer].macs > 0)
    return false;
  const package::TensorType &from = step.inputs[0].type, &to = step.outputs[0].type;
  return from.dtype == to.dtype && from.shape != to.shape && elementCount(from) == elementCount(to);
}

/// The steps of the kernel `rounds` times in a row between those before it and those behind it; `uncounted`
/// rounds of them belong to no layer, so that the runtime counts no time for them.
std::vector<Step> repeated(const package::Package &package, uint64_t uncounted, uint64_t rounds) {
  const std::vector<Step> &once = package.functions[0].steps;
  std::vector<Step> steps, kernel;
  size_t next = 0;
  while (next < once.size() && isConversion(once[next], package))
    steps.push_back(once[next++]);
  size_t end = once.size();
  while (end > next && isConversion(once[end - 1], package))
    --end;
  kernel.assign(once.begin() + next, once.begin() + end);
  for (uint64_t round = 0; round < uncounted + rounds; ++round)
    for (const Step &step : kernel) {
      steps.push_back(step);
      if (round < uncounted)
        steps.back().layer = package::noLayer;
    }
  steps.insert(steps.end(), once.begin() + end, once.end());
  return steps;
}

/// What the runtime counted for all layers but those of conversions.
double kernelSeconds(const package::Package &package, const runtime::RunResult &run) {
  std::vector<bool> counts(run.layers.size());
  for (const Step &step : package.functions[0].steps)
    if (!isConversion(step, package) && step.layer < counts.size())
      counts[step.layer] = true;
  uint64_t nanoseconds = 0;
  for (size_t i = 0; i < run.layers.size(); ++i)
    nanoseconds += counts[i] ? run.layers[i].hostNanoseconds : 0;
  return static_cast<double>(nanoseconds) * 1e-9;
}

} // namespace

Result<void> checkLevels(const std::string &levels) {
  return fallbackTarget().check(settingsFor(levels));
}

Result<std::unique_ptr<OurKernel>> OurKernel::create(const CpuCase &c, const CaseData &data, unsigned threads,
                                                     const std::string &levels) {
  Stopwatch stopwatch;
  auto made = compiled(onnxModel(c, data), levels);
  if (!made)
    return error(made.error());
  std::unique_ptr<OurKernel> kernel(new OurKernel);
  kernel->threads = threads;
  kernel->compiling = stopwatch.lap();
  kernel->package = std::move(made->package);
  for (const Step &step : kernel->package.functions[0].steps)
    kernel->counted += !isConversion(step, kernel->package);
  kernel->inputs = {{"x", c.input(), data.input}};
  if (c.kind == CaseKind::Add)
    kernel->inputs.push_back({"z", c.input(), data.second});
  return Result<std::unique_ptr<OurKernel>>(std::move(kernel));
}

Result<void> OurKernel::prepare(uint64_t rounds) {
  if (session && prepared == rounds)
    return {};
  package::Package again = package;
  again.functions[0].steps = repeated(package, rounds >= shortRounds, rounds);
  session.reset(); // the memory of the former one first
  runtime::SessionOptions options;
  options.verify = false; // the compiler has just proved it
  options.threads = threads;
  auto created = runtime::Session::create(std::move(again), options);
  if (!created)
    return error(created.error());
  session = std::move(*created);
  prepared = rounds;
  return {};
}

Result<double> OurKernel::runSteps(uint64_t rounds) {
  if (auto ok = prepare(rounds); !ok)
    return error(ok.error());
  auto run = session->run(size_t(0), inputs);
  if (!run)
    return error(run.error());
  std::vector<uint8_t> &output = run->outputs[0].data;
  isRepeatable &= result.empty() || result == output;
  result = std::move(output);
  return kernelSeconds(package, *run);
}

Result<double> OurKernel::seconds(uint64_t rounds) {
  if (rounds > 1 && result.empty()) // a first round alone says what comes out
    if (auto first = runSteps(1); !first)
      return first;
  if (isRepeatable)
    if (auto all = runSteps(rounds); !all || isRepeatable)
      return all;
  double sum = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    auto one = runSteps(1);
    if (!one)
      return one;
    sum += *one;
  }
  return sum;
}

} // namespace daedalus::cli
