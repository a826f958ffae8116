// dlopen; the object is never unloaded, for Verilator's run time keeps state of its own.
#include "soc/processor.h"

#include "daedalus/simulator/soc.h"
#include "rtl/places.h"

#include <dlfcn.h>
#include <mutex>

namespace daedalus::sim {
namespace soc {
namespace {

constexpr unsigned ResetCycles = 4;

Result<const DaedalusProcessorModel *> load() {
  const std::filesystem::path path = rtl::systemFile("processor.so");
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    return error(
        "there is no processor for the engines soc and soc-rtl: build the project with a network, so that "
        "scripts/fetch_picorv32.sh can fetch PicoRV32 from PyPI; '" +
        path.string() + "' is missing");
  void *object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object)
    return error(std::string("the Verilated processor cannot be loaded: ") + dlerror());
  using Entry = const DaedalusProcessorModel *(*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(object, "daedalus_processor_model"));
  if (!entry || entry()->abi != DAEDALUS_PROCESSOR_ABI)
    return error("'" + path.string() +
                 "' is not a Verilated processor of this version: build the project again");
  return entry();
}

/// Loaded once a process.
Result<const DaedalusProcessorModel *> loaded() {
  static std::mutex mutex;
  static const DaedalusProcessorModel *model = nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  if (model)
    return model;
  auto found = load();
  if (found)
    model = *found;
  return found;
}

} // namespace

Result<std::unique_ptr<Processor>> Processor::create() {
  const auto model = loaded();
  if (!model)
    return error(model.error());
  return std::unique_ptr<Processor>(new Processor(**model));
}

void Processor::reset() {
  inputs = {};
  for (unsigned i = 0; i < ResetCycles; ++i)
    cycle();
  inputs.rst_n = 1;
}

} // namespace soc

Result<void> checkSocProcessor() {
  const auto model = soc::loaded();
  return model ? Result<void>() : Result<void>(error(model.error()));
}

} // namespace daedalus::sim
