// One function for each kind of step. The package was validated, so operands lie inside their spaces and
// indices in their tables.

#include "executor.h"

#include "cycles.h"

#include <chrono>
#include <cstring>
#include <map>

namespace daedalus::runtime {
namespace {

using package::Ref;
using package::Step;

class Executor {
public:
  Executor(const ExecutionContext &context, RunResult &result)
      : context(context), result(result), submitted(context.devices.size()) {}

  Result<void> run(const Step &step) {
    switch (step.kind) {
    case Step::Kind::CallKernel:
      return callKernel(step);
    case Step::Kind::CallExternal:
      return callExternal(step);
    case Step::Kind::Copy:
      return copy(step);
    case Step::Kind::Start:
      return start(step);
    case Step::Kind::Wait:
      return wait(step);
    case Step::Kind::CallDevice:
      return callDevice(step);
    }
    return {};
  }

  /// Waits for what runs on devices; the first error.
  Result<void> finish() {
    Result<void> first;
    for (size_t device = 0; device < submitted.size(); ++device)
      if (auto ok = waitFor(device); !ok && first)
        first = ok;
    return first;
  }

private:
  /// A kernel that was begun on a device.
  struct Submitted {
    uint64_t event;
    const Step *step;
  };

  /// Of what lies in a shared space.
  uint8_t *pointer(const Ref &ref) const {
    return (ref.space == package::Space::Arena ? context.arena : context.constants) + ref.offset;
  }

  std::vector<TensorView> views(const std::vector<Ref> &refs) const {
    std::vector<TensorView> list;
    for (const Ref &ref : refs)
      list.push_back({&ref.type, pointer(ref)});
    return list;
  }

  /// What the call returns; its time is the layer's.
  template <class F>
  auto timed(const Step &step, F call, uint64_t LayerCycles::*time = &LayerCycles::hostNanoseconds) {
    const auto begin = std::chrono::steady_clock::now();
    auto returned = call();
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
    if (step.layer != package::noLayer)
      result.layers[step.layer].*time += static_cast<uint64_t>(took.count());
    return returned;
  }

  Result<void> callKernel(const Step &step) {
    std::vector<void *> args;
    for (const Ref &ref : step.inputs)
      args.push_back(pointer(ref));
    for (const Ref &ref : step.outputs)
      args.push_back(pointer(ref));
    const int32_t status = timed(step, [&] { return context.kernels.call(step.index, args.data()); });
    return status == 0 ? Result<void>() : kernelError(step, status);
  }

  /// Of a kernel's status that is not 0.
  Error kernelError(const Step &step, int32_t status) const {
    const std::string node =
        step.layer == package::noLayer ? "" : " '" + context.package.layers[step.layer].node + "'";
    if (status & package::kernelLacksScratch)
      return error("the kernel '" + context.package.kernels[step.index].symbol + "'" +
                   (node.empty() ? "" : " of node" + node) +
                   " needs more memory for each thread than the package says; compile the model again");
    if ((status & package::kernelHasOtherShape) == 0)
      return error(
          "node" + node +
          " selects by an index or label that is outside of the dimension; expected every one of its "
          "indices within it");
    return error("the inputs of node" + node +
                 " that say its output's shape (shape, axes, starts, pads, scales) do not give " +
                 package::toString(step.outputs[0].type) + ", for which the model was compiled");
  }

  Result<void> callExternal(const Step &step) {
    const Result<const ExternalFunction *> function = context.externals.of(step);
    if (!function)
      return error(function.error());
    const std::vector<TensorView> inputs = views(step.inputs), outputs = views(step.outputs);
    if (auto ok = timed(step, [&] { return (**function)(inputs, outputs); }); !ok)
      return error(context.externals.describe(step) + " failed: " + ok.error());
    return {};
  }

  /// From a device's memory to another's by way of the host.
  Result<void> copy(const Step &step) {
    const Ref &from = step.inputs[0], &to = step.outputs[0];
    if (isShared(from.space) && isShared(to.space)) {
      std::memcpy(pointer(to), pointer(from), from.bytes);
      return {};
    }
    std::vector<uint8_t> between(isShared(from.space) || isShared(to.space) ? 0 : from.bytes);
    uint8_t *host = isShared(from.space) ? pointer(from) : isShared(to.space) ? pointer(to) : between.data();
    if (!isShared(from.space))
      if (auto ok = copyFrom(step, {host, from.bytes}); !ok)
        return ok;
    return isShared(to.space) ? Result<void>() : copyTo(step, {host, to.bytes});
  }

  Result<void> copyFrom(const Step &step, Span<uint8_t> bytes) {
    const Ref &from = step.inputs[0];
    if (auto ok = waitFor(deviceOf(from.space)); !ok)
      return ok;
    auto read = timedCopy(
        step, [&] { return context.devices[deviceOf(from.space)]->read(from.offset, bytes); }, bytes.size());
    return read ? read
                : error("copying from " + describe(context.package, from.space) + " failed: " + read.error());
  }

  Result<void> copyTo(const Step &step, Span<const uint8_t> bytes) {
    const Ref &to = step.outputs[0];
    if (auto ok = waitFor(deviceOf(to.space)); !ok)
      return ok;
    auto written = timedCopy(
        step, [&] { return context.devices[deviceOf(to.space)]->write(to.offset, bytes); }, bytes.size());
    return written
               ? written
               : error("copying to " + describe(context.package, to.space) + " failed: " + written.error());
  }

  template <class F> Result<void> timedCopy(const Step &step, F copy, uint64_t bytes) {
    if (step.layer != package::noLayer)
      result.layers[step.layer].copiedBytes += bytes;
    return timed(step, copy, &LayerCycles::copyNanoseconds);
  }

  /// The device works while the host goes on.
  Result<void> callDevice(const Step &step) {
    std::vector<uint64_t> operands;
    for (const std::vector<Ref> *refs : {&step.inputs, &step.outputs})
      for (const Ref &ref : *refs)
        operands.push_back(ref.offset);
    const size_t device = deviceOf(step.outputs[0].space);
    auto event = context.devices[device]->submit(step.index, operands);
    if (!event)
      return deviceError(step, event.error());
    submitted[device].push_back({*event, &step});
    return {};
  }

  /// All that was begun on a device has ended, and was asked how, also behind one that failed.
  Result<void> waitFor(size_t device) {
    Result<void> first;
    for (const Submitted &kernel : submitted[device])
      if (auto ok = waitFor(device, kernel); !ok && first)
        first = ok;
    submitted[device].clear();
    return first;
  }

  Result<void> waitFor(size_t device, const Submitted &kernel) {
    auto ticks = context.devices[device]->wait(kernel.event);
    if (!ticks)
      return deviceError(*kernel.step, ticks.error());
    if (kernel.step->layer == package::noLayer)
      return {};
    LayerCycles &layer = result.layers[kernel.step->layer];
    layer.deviceTicks += *ticks;
    layer.ticksPerMicrosecond = context.devices[device]->properties().ticksPerMicrosecond;
    return {};
  }

  Error deviceError(const Step &step, const std::string &why) const {
    const package::Device &device = context.package.devices[deviceOf(step.outputs[0].space)];
    return error(
        "the kernel '" + device.kernels[step.index].symbol + "' on the device '" + device.name + "'" +
        (step.layer == package::noLayer ? "" : " (node '" + context.package.layers[step.layer].node + "')") +
        " failed: " + why);
  }

  /// The accelerator works on constants and arena while the host goes on.
  Result<void> start(const Step &step) {
    const uint64_t operands[] = {context.accelerator->constantsOffset(), context.accelerator->arenaOffset()};
    auto event = context.accelerator->submit(step.index, operands);
    if (!event)
      return error(event.error());
    started[step.index] = *event;
    return {};
  }

  Result<void> wait(const Step &step) {
    const auto cycles = context.accelerator->wait(started[step.index]);
    if (!cycles)
      return error(cycles.error());
    result.cycles += *cycles;
    const ProgramRun &run = context.accelerator->lastRun();
    if (run.profile)
      addCycles(context.package.programs[step.index], *run.profile, result.layers);
    addActivity(run, result.activity);
    if (run.profile && context.keepsProfiles)
      result.profiles.push_back({step.index, run.profile});
    for (size_t module = 0; module < result.counters.size(); ++module)
      for (size_t c = 0; c < result.counters[module].size(); ++c)
        result.counters[module][c] += run.counters[module][c];
    return {};
  }

  const ExecutionContext &context;
  RunResult &result;
  std::vector<std::vector<Submitted>> submitted; ///< by device
  std::map<uint32_t, uint64_t> started;          ///< events of the accelerator by programs
};

} // namespace

Result<void> execute(const ExecutionContext &context, const package::Function &function, RunResult &result) {
  Executor executor(context, result);
  Result<void> ok;
  for (size_t i = 0; ok && i < function.steps.size(); ++i)
    ok = executor.run(function.steps[i]);
  const Result<void> finished = executor.finish(); // also behind an error: the next run finds idle devices
  return ok ? finished : ok;
}

} // namespace daedalus::runtime
