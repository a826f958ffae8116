// A loaded model (hw/tb/model.h) with its inputs and outputs.
#pragma once

#include "daedalus/support/result.h"
#include "daedalus/support/span.h"
#include "rtl/model_abi.h"

#include <memory>
#include <string>

namespace daedalus::sim::rtl {

class Model {
public:
  /// Loads the shared object, once a process, and makes an instance.
  /// `stateSeed`: registers and memories hold random values at first; 0: zeros.
  static Result<std::unique_ptr<Model>> load(const std::string &path, uint32_t stateSeed);
  static bool isLoaded(const std::string &path);
  ~Model() { functions.destroy(instance); }
  Model(const Model &) = delete;
  Model &operator=(const Model &) = delete;

  void settle() { functions.settle(instance, &inputs, &outputs); }
  void tick() { functions.tick(instance); }
  const DaedalusRtlDetails &look() {
    functions.details(instance, &details);
    return details;
  }
  const char *failure() const { return functions.failure(instance); }
  /// The bytes of a variable of a module below the core; none: it is not public.
  Span<uint8_t> variable(const std::string &module, const char *name) const {
    uint64_t bytes = 0;
    uint8_t *first = functions.variable(instance, module.c_str(), name, &bytes);
    return {first, static_cast<size_t>(first ? bytes : 0)};
  }
  /// The same of numbers that the hardware holds in Numbers of this size.
  template <class Number> Span<Number> numbers(const std::string &module, const char *name) const {
    const Span<uint8_t> bytes = variable(module, name);
    return {reinterpret_cast<Number *>(bytes.data()), bytes.size() / sizeof(Number)};
  }
  bool openWaves(const std::string &path) { return functions.open_waves(instance, path.c_str()); }
  void dumpWaves(uint64_t time) { functions.dump_waves(instance, time); }
  void closeWaves() { functions.close_waves(instance); }

  DaedalusRtlInputs inputs{};
  DaedalusRtlOutputs outputs{};
  DaedalusRtlDetails details{};

private:
  Model(const DaedalusRtlModel &functions, uint32_t stateSeed)
      : functions(functions), instance(functions.create(stateSeed)) {}

  const DaedalusRtlModel &functions;
  void *instance;
};

} // namespace daedalus::sim::rtl
