#include "plain.h"

#include "dae_driver.h"

#include "../support/vector_machine.h"

#include "daedalus/isa/machine.h"
#include "daedalus/simulator/device.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

namespace daedalus::mutants {
namespace {

using namespace package;

constexpr uint64_t page = 4096;

/// Zeroed memory that costs nothing until it is touched.
class Pages {
public:
  explicit Pages(uint64_t bytes) : bytes(std::max<uint64_t>(bytes, 1)) {
    memory = mmap(nullptr, this->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                  -1, 0);
  }
  ~Pages() { munmap(memory, bytes); }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;
  uint8_t *data() const { return static_cast<uint8_t *>(memory); }

private:
  void *memory;
  uint64_t bytes;
};

/// An operand's bytes, flush with the end of their page; the page behind has no rights, and those before it
/// none to write where the operand is read.
class Guarded {
public:
  Guarded(const uint8_t *from, uint64_t bytes, bool writable)
      : bytes(bytes), room((bytes + page - 1) / page * page), memory(room + 2 * page) {
    std::memcpy(data(), from, bytes);
    mprotect(memory.data(), page, PROT_NONE);
    if (!writable && room)
      mprotect(memory.data() + page, room, PROT_READ);
    mprotect(memory.data() + page + room, page, PROT_NONE);
  }
  uint8_t *data() const { return memory.data() + page + room - bytes; }
  const uint64_t bytes;

private:
  const uint64_t room;
  Pages memory;
};

class Plain {
public:
  Plain(const Package &package, const TrustedKernels &kernels)
      : package(package), kernels(kernels), arena(package.arenaBytes) {
    for (const Kernel &kernel : package.kernels)
      scratchBytes = std::max(scratchBytes, (kernel.workerBytes + 63) / 64 * 64);
    for (const Device &device : package.devices)
      memories.push_back(std::make_unique<Pages>(device.memoryBytes));
  }

  uint8_t *at(const Ref &ref) {
    if (ref.space == Space::Constants)
      return const_cast<uint8_t *>(package.constants.data()) + ref.offset;
    return (ref.space == Space::Arena ? arena : *memories[deviceOf(ref.space)]).data() + ref.offset;
  }

  bool run(const Step &step) {
    switch (step.kind) {
    case Step::Kind::CallKernel:
      return call(step);
    case Step::Kind::CallExternal:
      for (size_t i = 0; i < step.outputs.size(); ++i)
        for (uint64_t byte = 0; byte < step.outputs[i].bytes; ++byte)
          at(step.outputs[i])[byte] = doubled(step, byte);
      return true;
    case Step::Kind::Copy:
      std::copy_n(at(step.inputs[0]), step.inputs[0].bytes, at(step.outputs[0]));
      return true;
    case Step::Kind::Start:
      return start(package.programs[step.index]);
    case Step::Kind::Wait:
      return true; // it ran when it was started
    case Step::Kind::CallDevice:
      return callDevice(step);
    }
    return false;
  }

  const Package &package;
  const TrustedKernels &kernels;
  const Pages arena;

private:
  std::vector<std::unique_ptr<Pages>> memories; // of the devices
  uint64_t scratchBytes = 0;                    // of the one worker

  static void oneAfterTheOther(const KernelContext *context, KernelBody *body, void *closure, int64_t tasks) {
    for (int64_t task = 0; task < tasks; ++task)
      body(closure, task, context->runtime);
  }

  bool callDevice(const Step &step) {
    const size_t device = deviceOf(step.outputs[0].space);
    std::vector<uint64_t> operands;
    for (const std::vector<Ref> *refs : {&step.inputs, &step.outputs})
      for (const Ref &ref : *refs)
        operands.push_back(ref.offset);
    return static_cast<bool>(
        test::runVectorKernel(package.devices[device].code, step.index, operands,
                              {memories[device]->data(), package.devices[device].memoryBytes}));
  }

  uint8_t doubled(const Step &step, uint64_t byte) {
    return step.inputs.empty() || byte >= step.inputs[0].bytes
               ? 0
               : static_cast<uint8_t>(2 * at(step.inputs[0])[byte]);
  }

  bool call(const Step &step) {
    const TrustedKernels::Entry entry = kernels.find(package.kernels[step.index].symbol);
    if (!entry)
      return false;
    std::vector<std::unique_ptr<Guarded>> operands;
    std::vector<void *> pointers;
    for (const Ref &ref : step.inputs)
      operands.push_back(std::make_unique<Guarded>(at(ref), ref.bytes, false));
    for (const Ref &ref : step.outputs)
      operands.push_back(std::make_unique<Guarded>(at(ref), ref.bytes, true));
    for (const auto &operand : operands)
      pointers.push_back(operand->data());
    const Pages scratch(scratchBytes);
    const KernelContext context = {&oneAfterTheOther, scratchBytes, scratch.data()};
    if (entry(pointers.data(), &context) != 0)
      return false;
    for (size_t i = 0; i < step.outputs.size(); ++i)
      std::copy_n(operands[step.inputs.size() + i]->data(), step.outputs[i].bytes, at(step.outputs[i]));
    return true;
  }

  /// On a device of its own: constants, arena, program.
  bool start(const AcceleratorProgram &program) {
    const auto up = [](uint64_t bytes) { return (bytes + page - 1) / page * page; };
    const uint64_t arenaAt = up(package.constants.size()), used = program.bases[1].limit;
    const uint64_t programAt = arenaAt + up(used);
    sim::DeviceOptions options;
    options.dramBytes = programAt + up(program.words.size());
    auto machine = isa::loadMachine(package.machineName);
    auto device = sim::createDevice("functional", *machine, options);
    if (!device)
      return false;
    uint8_t *dram = (*device)->dram().data();
    std::copy(package.constants.begin(), package.constants.end(), dram);
    std::copy_n(arena.data(), used, dram + arenaAt);
    std::copy(program.words.begin(), program.words.end(), dram + programAt);
    const dae_io io = {
        [](void *d, uint32_t r) { return static_cast<sim::Device *>(d)->readRegister(r); },
        [](void *d, uint32_t r, uint32_t v) { static_cast<sim::Device *>(d)->writeRegister(r, v); },
        device->get()};
    dae_job job{};
    job.bases[0] = {0, program.bases[0].limit, 1};
    job.bases[1] = {arenaAt, program.bases[1].limit, program.bases[1].readOnly};
    job.program = programAt;
    job.instructions = static_cast<uint32_t>(program.words.size() / 64);
    if (dae_configure(&io, &job, nullptr) != DAE_OK || dae_start(&io) != DAE_OK)
      return false;
    (*device)->waitForInterrupt();
    std::copy_n(dram + arenaAt, used, arena.data());
    return dae_finish(&io) == DAE_OK;
  }
};

} // namespace

TrustedKernels::TrustedKernels(const Package &package) {
  if (package.objects.empty())
    return;
  const std::vector<uint8_t> &bytes = package.objects[0].bytes;
  file = memfd_create("trusted-kernels", MFD_CLOEXEC);
  if (write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()))
    library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
}

TrustedKernels::~TrustedKernels() {
  if (library)
    dlclose(library);
  if (file >= 0)
    close(file);
}

TrustedKernels::Entry TrustedKernels::find(const std::string &symbol) const {
  return library ? reinterpret_cast<Entry>(dlsym(library, symbol.c_str())) : nullptr;
}

PlainRun runPlainly(const Package &package, const TrustedKernels &kernels, const Function &function,
                    const std::vector<Bytes> &inputs) {
  Plain plain(package, kernels);
  for (size_t i = 0; i < inputs.size(); ++i)
    std::copy(inputs[i].begin(), inputs[i].end(), plain.arena.data() + function.inputs[i].offset);
  for (const Step &step : function.steps)
    if (!plain.run(step))
      return {};
  PlainRun run{true, {}};
  for (const Value &value : function.outputs) {
    const uint8_t *from = plain.arena.data() + value.offset;
    run.outputs.emplace_back(from, from + byteSize(value.type));
  }
  return run;
}

} // namespace daedalus::mutants
