#include "cuda_driver.h"

#include "cuda_api.h"
#include "cuda_code.h"
#include "cuda_gpu.h"
#include "cuda_graph.h"
#include "opened_library.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace daedalus::cuda {
namespace {

constexpr uint64_t alignment = 256;
constexpr double ticksPerMicrosecond = 1000; ///< events say milliseconds as a float; ticks are nanoseconds

uint64_t aligned(uint64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

bool hasStatus(const Kernel &kernel) {
  return std::any_of(kernel.launches.begin(), kernel.launches.end(), [](const Launch &launch) {
    return std::any_of(launch.parameters.begin(), launch.parameters.end(),
                       [](const Parameter &parameter) { return parameter.kind == Parameter::Kind::Status; });
  });
}

bool callsLibrary(const std::vector<Kernel> &kernels) {
  return std::any_of(kernels.begin(), kernels.end(), [](const Kernel &kernel) {
    return std::any_of(kernel.launches.begin(), kernel.launches.end(),
                       [](const Launch &launch) { return launch.call.has_value(); });
  });
}

class Driver : public runtime::DeviceDriver {
public:
  /// With the image of the GPU's.
  Driver(const DriverApi &api, Gpu gpu, const Image &image)
      : api(api), gpu(std::move(gpu)), kernels(image.kernels) {}

  ~Driver() override {
    if (!context)
      return;
    api.contextSetCurrent(context);
    if (stream) // what was submitted reads and writes the memory
      api.streamSynchronize(stream);
    repetitions.reset();
    for (const Times &times : events)
      destroy(times);
    launched.clear();
    opened.clear();
    if (module)
      api.moduleUnload(module);
    if (memory)
      api.memoryFree(memory);
    if (stream)
      api.streamDestroy(stream);
    api.contextSetCurrent(nullptr);
    api.primaryContextRelease(gpu.number);
  }

  Result<void> load(const Code &code, const Image &image, uint64_t memoryBytes) {
    if (auto ok = api.check(api.primaryContextRetain(&context, gpu.number), "opening the " + gpu.title());
        !ok)
      return context = nullptr, ok;
    if (auto ok = select(); !ok)
      return ok;
    if (auto ok = allocate(code, memoryBytes); !ok)
      return ok;
    if (auto ok = api.check(api.streamCreate(&stream, streamNonBlocking), "making a stream"); !ok)
      return stream = nullptr, ok;
    repetitions.emplace(api, kernels, stream,
                        [this](const Submission &submission, size_t ticket, bool isCaptured) {
                          return give(submission, events[ticket], isCaptured);
                        });
    if (auto ok = write(constants, Span<const uint8_t>(code.constants.data(), code.constants.size())); !ok)
      return ok;
    const std::vector<uint8_t> good(kernels.size() * statusBytes, 0);
    if (auto ok = write(status, Span<const uint8_t>(good.data(), good.size())); !ok)
      return ok;
    return loadModule(image.bytes);
  }

  runtime::DeviceProperties properties() const override { return {gpu.title(), ticksPerMicrosecond}; }

  Result<void> write(uint64_t offset, Span<const uint8_t> bytes) override {
    if (bytes.empty())
      return {};
    return finished("copying " + std::to_string(bytes.size()) + " bytes to the GPU",
                    [&] { return api.copyToDevice(memory + offset, bytes.data(), bytes.size(), stream); });
  }

  Result<void> read(uint64_t offset, Span<uint8_t> bytes) override {
    return finished("copying " + std::to_string(bytes.size()) + " bytes from the GPU",
                    [&] { return api.copyToHost(bytes.data(), memory + offset, bytes.size(), stream); });
  }

  Result<uint64_t> submit(size_t kernel, Span<const uint64_t> operands) override {
    if (auto ok = select(); !ok)
      return error(ok.error());
    if (idle.size() == events.size())
      repetitions->begin();
    const Result<size_t> ticket = takeTicket();
    if (!ticket)
      return error(ticket.error());
    events[*ticket].kernel = kernel;
    const Result<void> ok = repetitions->submit({kernel, {operands.begin(), operands.end()}}, *ticket);
    if (ok)
      return *ticket;
    const Result<void> ended = giveBack(*ticket); // of what failed nothing is repeated
    return error(ended ? ok.error() : ended.error());
  }

  Result<uint64_t> wait(uint64_t ticket) override {
    Result<void> ok = select();
    if (ok)
      ok = repetitions->flush();
    const Result<uint64_t> ticks = ok ? ticksOf(events[ticket]) : error(ok.error());
    if (!ticks)
      api.streamSynchronize(stream); // nothing runs behind an error either
    const Result<void> ended = giveBack(ticket);
    return ticks && !ended ? error(ended.error()) : ticks;
  }

private:
  /// Before and behind a kernel.
  struct Times {
    Event begin = nullptr, end = nullptr;
    size_t kernel = 0;
  };

  /// What a launch runs: a function of the module, or a library's call.
  struct Launched {
    Function function = nullptr;
    std::unique_ptr<ReadyCall> call;
  };

  /// A session moves between threads, and each has a context of its own.
  Result<void> select() { return api.check(api.contextSetCurrent(context), "selecting the " + gpu.title()); }

  /// A copy on the stream, once it has ended.
  template <class Copy> Result<void> finished(const std::string &what, Copy copy) {
    if (auto ok = select(); !ok)
      return ok;
    if (auto ok = repetitions->flush(); !ok)
      return ok;
    if (auto ok = api.check(copy(), what); !ok)
      return ok;
    return api.check(api.streamSynchronize(stream), what);
  }

  Result<void> allocate(const Code &code, uint64_t memoryBytes) {
    scratch = aligned(memoryBytes);
    constants = scratch + aligned(code.scratchBytes);
    status = constants + aligned(code.constants.size());
    workspace = status + aligned(kernels.size() * statusBytes);
    const uint64_t bytes = workspace + (callsLibrary(kernels) ? workspaceBytes : 0);
    size_t free = 0, total = 0;
    if (auto ok = api.check(api.memoryGetInfo(&free, &total), "asking for the memory of the " + gpu.title());
        !ok)
      return ok;
    if (bytes > free)
      return error("the " + gpu.title() + " has " + std::to_string(free) +
                   " bytes of memory free, and the package needs " + std::to_string(bytes));
    Result<void> ok = api.check(api.memoryAllocate(&memory, bytes ? bytes : alignment),
                                "allocating " + std::to_string(bytes) + " bytes on the " + gpu.title());
    if (!ok)
      memory = 0;
    return ok;
  }

  /// The library of a launch, which is opened for the first one.
  Result<OpenedLibrary *> libraryFor(const Launch &launch) {
    const Library *library = libraryOf(launch.function); // readCode() knows it
    std::unique_ptr<OpenedLibrary> &known = opened[library];
    if (!known) {
      auto made = openLibrary(*library, stream, {memory + workspace, workspaceBytes});
      if (!made)
        return error(made.error());
      known = std::move(*made);
    }
    return known.get();
  }

  Result<void> loadModule(std::vector<uint8_t> bytes) {
    bytes.push_back(0); // PTX is text that ends so
    char log[4096] = {};
    int names[] = {jitErrorLog, jitErrorLogBytes};
    void *values[] = {log, asPointer(sizeof log - 1)};
    if (auto ok =
            api.check(api.moduleLoad(&module, bytes.data(), 2, names, values), "loading the package's code");
        !ok)
      return module = nullptr, *log ? Result<void>(error(ok.error() + ": " + log)) : ok;
    for (const Kernel &kernel : kernels) {
      launched.emplace_back();
      for (const Launch &launch : kernel.launches)
        if (auto ok = launch.call ? addCall(launch) : addFunction(launch); !ok)
          return ok;
    }
    return {};
  }

  Result<void> addFunction(const Launch &launch) {
    Function function = nullptr;
    if (auto ok = api.check(api.moduleGetFunction(&function, module, launch.function.c_str()),
                            "finding the function '" + launch.function + "'");
        !ok)
      return ok;
    launched.back().push_back({function, nullptr});
    constexpr uint32_t always = 48 << 10; // of shared memory, without asking
    if (launch.sharedBytes <= always)
      return {};
    return api.check(api.functionSetAttribute(function, functionDynamicSharedBytes, int(launch.sharedBytes)),
                     "giving the function '" + launch.function + "' " + std::to_string(launch.sharedBytes) +
                         " bytes of shared memory");
  }

  Result<void> addCall(const Launch &launch) {
    const Result<OpenedLibrary *> library = libraryFor(launch);
    if (!library)
      return error(library.error());
    auto ready = (*library)->prepare(*launch.call);
    if (!ready)
      return error(ready.error());
    launched.back().push_back({nullptr, std::move(*ready)});
    return {};
  }

  /// The least that is idle: where nothing is outstanding, tickets count what is submitted.
  Result<size_t> takeTicket() {
    if (idle.empty()) {
      Times made;
      for (Event *event : {&made.begin, &made.end})
        if (auto ok = api.check(api.eventCreate(event, 0), "making an event"); !ok) {
          *event = nullptr;
          destroy(made);
          return error(ok.error());
        }
      idle.insert(events.size());
      events.push_back(made);
    }
    return idle.extract(idle.begin()).value();
  }

  Result<void> giveBack(size_t ticket) {
    idle.insert(ticket);
    return idle.size() == events.size() ? repetitions->end() : Result<void>();
  }

  /// A kernel's launches, between its events.
  Result<void> give(const Submission &submission, const Times &times, bool isCaptured) {
    const size_t kernel = submission.kernel;
    const Places places = placesOf(kernel, submission.operands);
    Result<void> ok = record(times.begin, isCaptured);
    for (size_t i = 0; ok && i < kernels[kernel].launches.size(); ++i)
      ok = launch(kernels[kernel].launches[i], launched[kernel][i], places);
    return ok ? record(times.end, isCaptured) : ok;
  }

  Result<void> record(Event event, bool isCaptured) {
    const Status status = isCaptured ? api.eventRecordWithFlags(event, stream, eventRecordExternal)
                                     : api.eventRecord(event, stream);
    return api.check(status, "recording an event");
  }

  Result<uint64_t> ticksOf(const Times &times) {
    float milliseconds = 0;
    Result<void> ok = api.check(api.eventSynchronize(times.end), "waiting for the GPU");
    if (ok)
      ok = api.check(api.eventElapsedTime(&milliseconds, times.begin, times.end),
                     "asking for the time of a kernel");
    if (ok)
      ok = checkStatus(times.kernel);
    if (!ok)
      return error(ok.error());
    return static_cast<uint64_t>(double(milliseconds) * 1e6);
  }

  /// What a kernel stored in its words, which are 0 again then.
  Result<void> checkStatus(size_t kernel) {
    if (!hasStatus(kernels[kernel]))
      return {};
    StatusWords words{};
    const uint64_t place = status + kernel * statusBytes;
    auto *bytes = reinterpret_cast<uint8_t *>(words.data());
    if (auto ok = read(place, Span<uint8_t>(bytes, statusBytes)); !ok)
      return ok;
    const Result<void> said = outcomeOf(words);
    words = {};
    const Result<void> cleared = said ? said : write(place, Span<const uint8_t>(bytes, statusBytes));
    return cleared ? said : cleared;
  }

  Places placesOf(size_t kernel, const std::vector<uint64_t> &operands) const {
    Places places{{}, memory + scratch, memory + constants, memory + status + kernel * statusBytes};
    for (uint64_t operand : operands)
      places.operands.push_back(memory + operand);
    return places;
  }

  Result<void> launch(const Launch &launch, const Launched &ready, const Places &places) {
    const std::vector<uint64_t> arguments = argumentsOf(launch, places);
    if (ready.call)
      return ready.call->run(arguments[0], arguments[1], arguments[2]);
    std::vector<Address> addresses(arguments.begin(), arguments.end());
    std::vector<void *> pointers;
    for (Address &address : addresses)
      pointers.push_back(&address);
    const auto &[gx, gy, gz] = launch.grid;
    const auto &[bx, by, bz] = launch.block;
    return api.check(api.launch(ready.function, gx, gy, gz, bx, by, bz, launch.sharedBytes, stream,
                                pointers.data(), nullptr),
                     "launching '" + launch.function + "'");
  }

  void destroy(const Times &times) {
    for (Event event : {times.begin, times.end})
      if (event)
        api.eventDestroy(event);
  }

  const DriverApi api;
  const Gpu gpu;
  const std::vector<Kernel> kernels;
  Context context = nullptr;
  Stream stream = nullptr;
  Module module = nullptr;
  Address memory = 0; ///< the package's, scratch, constants, a status of each kernel, a library's workspace
  uint64_t scratch = 0, constants = 0, status = 0, workspace = 0; ///< where they begin
  std::map<const Library *, std::unique_ptr<OpenedLibrary>> opened;
  std::vector<std::vector<Launched>> launched; ///< by kernel and launch
  std::vector<Times> events;                   ///< by ticket
  std::set<size_t> idle;                       ///< tickets of nothing that was submitted
  std::optional<Repetitions> repetitions;      ///< once there is a stream
};

} // namespace

Result<std::unique_ptr<runtime::DeviceDriver>> openGpu(const package::Device &device) {
  Result<Code> code = readCode(device);
  if (!code)
    return error(code.error());
  const Result<DriverApi> api = loadDriverApi();
  if (!api)
    return error(api.error());
  Result<Gpu> gpu = findGpu(*api);
  if (!gpu)
    return error(gpu.error());
  const Image *image = imageFor(*code, gpu->capability);
  if (!image)
    return error("the package has code for GPUs of " + gpusOf(*code) + ", and none for the " + gpu->title() +
                 "; compile with another --cuda-arch");
  auto driver = std::make_unique<Driver>(*api, std::move(*gpu), *image);
  if (auto ok = driver->load(*code, *image, device.memoryBytes); !ok)
    return error(ok.error());
  return std::unique_ptr<runtime::DeviceDriver>(std::move(driver));
}

} // namespace daedalus::cuda
