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
  uint8_t *scratchpad(const char *scope, unsigned ram, uint64_t &bytes) const {
    return functions.scratchpad(instance, scope, ram, &bytes);
  }
  /// The values of a register of a module of the core, each in 64 bits; none: it is not public.
  Span<uint64_t> preset(const char *module, const char *name) const {
    uint64_t bytes = 0;
    uint8_t *values = functions.preset(instance, module, name, &bytes);
    return {reinterpret_cast<uint64_t *>(values), static_cast<size_t>(values ? bytes / sizeof(uint64_t) : 0)};
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
