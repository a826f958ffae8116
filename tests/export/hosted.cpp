// An exported model on this host: its processor is the host's, and its accelerator a simulator behind dae_io.
//
//   hosted LIBRARY.so NAME ENGINE MACHINE INPUTS OUTPUTS [FAULT]
//
// The library is the folder's, as a shared object. INPUTS holds the inputs one behind the other, OUTPUTS
// receives the outputs. Processor and accelerator see memory through a cache that is not coherent: lines are
// written back and fetched at random moments, and else only where the hooks say so. The model runs three
// times. Prints the result's name, the fault's, and the accelerator's cycles. FAULT breaks one thing: a hook
// of the cache, whose outputs are wrong, or something else; then the result of one run is printed, and behind
// a fault of the accelerator that of a run with nothing broken any more.

#include "dae_firmware.h"

#include "daedalus/isa/machine.h"
#include "daedalus/simulator/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace daedalus;

constexpr size_t lineBytes = 64, page = 4096;

size_t aligned(size_t bytes) {
  return (bytes + page - 1) / page * page;
}

/// A processor's memory behind a cache of any size: what the processor sees, and what each line held when it
/// was fetched or written back.
class Cache {
public:
  explicit Cache(Span<uint8_t> memory)
      : memory(memory), room(memory.size() + page), held(memory.begin(), memory.end()) {
    const auto address = reinterpret_cast<uintptr_t>(room.data());
    seen = room.data() + (page - address % page) % page;
    std::copy(memory.begin(), memory.end(), seen);
  }

  uint8_t *data() { return seen; }
  size_t offsetOf(const void *address) const {
    return static_cast<size_t>(static_cast<const uint8_t *>(address) - seen);
  }

  void clean(const void *address, size_t bytes) {
    forLines(offsetOf(address), bytes, [&](size_t line) { writeBack(line); });
  }
  void invalidate(const void *address, size_t bytes) {
    forLines(offsetOf(address), bytes, [&](size_t line) { fetch(line); });
  }
  /// Any line may be written back or, where it has nothing new, fetched at any time.
  void disturb() {
    for (int i = 0; i < 2; ++i) {
      const size_t line = random() % (memory.size() / lineBytes);
      random() % 2 ? writeBack(line) : isDirty(line) ? void() : fetch(line);
    }
  }

private:
  template <class F> void forLines(size_t offset, size_t bytes, F f) {
    for (size_t line = offset / lineBytes; line * lineBytes < offset + bytes; ++line)
      f(line);
  }
  bool isDirty(size_t line) const {
    return std::memcmp(seen + line * lineBytes, held.data() + line * lineBytes, lineBytes) != 0;
  }
  void writeBack(size_t line) {
    if (isDirty(line))
      copy(seen, memory.data(), line);
    copy(seen, held.data(), line);
  }
  void fetch(size_t line) {
    copy(memory.data(), seen, line);
    copy(memory.data(), held.data(), line);
  }
  static void copy(const uint8_t *from, uint8_t *to, size_t line) {
    std::memcpy(to + line * lineBytes, from + line * lineBytes, lineBytes);
  }

  Span<uint8_t> memory;
  std::vector<uint8_t> room;
  uint8_t *seen;
  std::vector<uint8_t> held;
  std::mt19937 random{1};
};

struct System {
  std::unique_ptr<sim::Device> device;
  std::unique_ptr<Cache> cache;
  std::string fault;
  uint64_t origin = 0;
  unsigned waits = 0;
};

System &of(void *ctx) {
  return *static_cast<System *>(ctx);
}

uint32_t readRegister(void *ctx, uint32_t offset) {
  System &system = of(ctx);
  system.cache->disturb();
  const uint32_t value = system.device->readRegister(offset);
  return system.fault == "hash" && offset == DAEDALUS_REG_HASH_LO       ? value ^ 1
         : system.fault == "version" && offset == DAEDALUS_REG_VERSION  ? value + 1
         : system.fault == "silent" && offset == DAEDALUS_REG_INTERRUPT ? 0
                                                                        : value;
}

void writeRegister(void *ctx, uint32_t offset, uint32_t value) {
  of(ctx).cache->disturb();
  of(ctx).device->writeRegister(offset, value);
}

uint64_t physical(void *ctx, const void *address) {
  return of(ctx).origin + of(ctx).cache->offsetOf(address);
}

void clean(void *ctx, const void *address, size_t bytes) {
  if (of(ctx).fault != "no-clean")
    of(ctx).cache->clean(address, bytes);
}

void invalidate(void *ctx, void *address, size_t bytes) {
  if (of(ctx).fault != "no-invalidate")
    of(ctx).cache->invalidate(address, bytes);
}

int waitFor(void *ctx) {
  System &system = of(ctx);
  if (system.fault == "silent")
    return ++system.waits > 100;
  system.device->waitForInterrupt();
  system.cache->disturb();
  return 0;
}

std::vector<uint8_t> read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Run {
public:
  Run(const dae_model &model, const uint32_t *blob, System &system, std::vector<uint8_t> inputs)
      : model(model), system(system), inputs(std::move(inputs)) {
    platform.io = {readRegister, writeRegister, &system};
    platform.ctx = &system;
    platform.physical = physical;
    platform.clean = clean;
    platform.invalidate = invalidate;
    platform.wait = waitFor;
    blobAt = system.cache->data() + (system.fault == "unaligned" ? 8 : 0);
    std::memcpy(blobAt, blob, model.blob_bytes);
    if (system.fault == "damaged")
      blobAt[model.blob_bytes / 2] ^= 4;
    arena = system.cache->data() + aligned(model.blob_bytes + page);
  }

  dae_result open() {
    return dae_open(&session, &model, system.fault == "no-platform" ? nullptr : &platform, blobAt,
                    model.blob_bytes - (system.fault == "short-blob"), arena,
                    model.arena_bytes - (system.fault == "small"));
  }

  dae_result once() {
    const uint8_t *from = inputs.data();
    for (uint32_t i = 0; i < model.input_count; from += model.inputs[i++].bytes)
      std::memcpy(dae_input(&session, i), from, model.inputs[i].bytes);
    system.cache->disturb();
    const dae_result result = dae_run(&session);
    outputs.clear();
    for (uint32_t i = 0; i < model.output_count; ++i) {
      const auto *output = static_cast<const uint8_t *>(dae_output(&session, i));
      outputs.insert(outputs.end(), output, output + model.outputs[i].bytes);
    }
    return result;
  }

  void print(dae_result result) const {
    std::printf("%s %s %llu\n", dae_result_name(result), dae_fault_name(session.fault.cause),
                static_cast<unsigned long long>(session.cycles));
  }

  const dae_model &model;
  System &system;
  std::vector<uint8_t> inputs, outputs;
  dae_platform platform{};
  dae_session session{};
  uint8_t *blobAt = nullptr, *arena = nullptr;
};

int judge(Run &run, const std::string &path) {
  dae_result result = run.open();
  std::vector<uint8_t> first;
  for (int i = 0; result == DAE_OK && i < 3; ++i) {
    result = run.once();
    if (i == 0)
      first = run.outputs;
    else if (run.outputs != first)
      return std::puts("a later run gives other outputs"), 1;
  }
  run.print(result);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(first.data()), long(first.size()));
  return result == DAE_OK ? 0 : 1;
}

/// What a broken system gives, and the mended one behind it.
int judgeFault(Run &run) {
  dae_result result = run.open();
  if (result == DAE_OK)
    result = run.once();
  run.print(result);
  if (run.session.fault.cause != DAEDALUS_FAULT_NONE || result == DAE_TIMED_OUT) {
    run.system.fault.clear();
    run.print(run.once());
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 7)
    return std::fputs("hosted LIBRARY.so NAME ENGINE MACHINE INPUTS OUTPUTS [FAULT]\n", stderr), 2;
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return std::fprintf(stderr, "%s\n", dlerror()), 2;
  const std::string name = argv[2];
  const auto *model = static_cast<const dae_model *>(dlsym(library, (name + "_model").c_str()));
  const auto *blob = static_cast<const uint32_t *>(dlsym(library, (name + "_blob").c_str()));
  if (!model || !blob)
    return std::fprintf(stderr, "%s\n", dlerror()), 2;
  const auto machine = isa::loadMachine(argv[4]);
  System system;
  system.fault = argc > 7 ? argv[7] : "";
  system.origin = uint64_t(0x80000000);
  sim::DeviceOptions options;
  options.memory.origin = system.origin;
  options.dramBytes = aligned(model->blob_bytes + page) + aligned(model->arena_bytes) + page;
  if (system.fault == "bus-error") {
    options.memory.errorAddress = system.origin;
    options.memory.errorBytes = 4096;
  }
  auto device = sim::createDevice(argv[3], *machine, options);
  if (!device)
    return std::fprintf(stderr, "%s\n", device.error().c_str()), 2;
  system.device = std::move(*device);
  system.cache = std::make_unique<Cache>(system.device->dram());
  Run run(*model, blob, system, read(argv[5]));
  const bool isHook =
      system.fault == "no-clean" || system.fault == "no-invalidate"; // which shows in the outputs
  return system.fault.empty() || isHook ? judge(run, argv[6]) : judgeFault(run);
}
