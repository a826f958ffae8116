// The C API over Session. Nothing here decides anything: arguments are checked, results are converted.

#include "daedalus/runtime.h"

#include "dlpack.h"

#include "daedalus/isa/machine.h"
#include "daedalus/runtime/session.h"
#include "daedalus/simulator/device.h"
#include "daedalus/support/file.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

using namespace daedalus;
using namespace daedalus::runtime;
using package::TensorType;
using package::Value;

struct daedalus_device {
  SessionOptions options;
};

struct daedalus_function {
  daedalus_package *owner;
  const package::Function *function;
};

struct daedalus_package {
  std::unique_ptr<Session> session;
  std::vector<daedalus_function> functions;
  RunResult last;
};

namespace {

thread_local std::string lastError;

daedalus_status fail(daedalus_status status, const std::string &sentence) {
  lastError = sentence;
  return status;
}

daedalus_status missing(const char *argument) {
  return fail(DAEDALUS_INVALID_ARGUMENT, std::string("the argument '") + argument + "' is null");
}

daedalus_status load(const daedalus_device &device, Span<const uint8_t> bytes, daedalus_package **result) {
  auto session = Session::create(bytes, device.options);
  if (!session)
    return fail(DAEDALUS_BAD_PACKAGE, session.error());
  auto loaded = std::make_unique<daedalus_package>();
  loaded->session = std::move(*session);
  for (const package::Function &function : loaded->session->package().functions)
    loaded->functions.push_back({loaded.get(), &function});
  loaded->last.layers.resize(loaded->session->package().layers.size());
  *result = loaded.release();
  return DAEDALUS_OK;
}

daedalus_status describe(const std::vector<Value> &values, const char *kind, size_t index,
                         daedalus_tensor_info *info) {
  if (!info)
    return missing("info");
  if (index >= values.size())
    return fail(DAEDALUS_NOT_FOUND, std::string("the function has ") + std::to_string(values.size()) + " " +
                                        kind + "s, there is no number " + std::to_string(index));
  const Value &value = values[index];
  *info = {value.name.c_str(), toDl(value.type.dtype), static_cast<int32_t>(value.type.shape.size()),
           value.type.shape.data()};
  return DAEDALUS_OK;
}

/// Tensors of a call against the function's values; the sentence of the first that does not fit, else "".
std::string mismatch(const std::vector<Value> &values, const DLTensor *tensors, size_t count,
                     const char *kind) {
  if (count != values.size() || (count && !tensors))
    return std::string("expected ") + std::to_string(values.size()) + " " + kind + "s, found " +
           std::to_string(tensors ? count : 0);
  for (size_t i = 0; i < count; ++i) {
    const std::string where = std::string(kind) + " '" + values[i].name + "'";
    auto type = typeOf(tensors[i]);
    if (!type)
      return where + " " + type.error();
    if (*type != values[i].type)
      return where + ": expected " + toString(values[i].type) + ", found " + toString(*type);
    if (!tensors[i].data && byteSize(*type))
      return where + " has no data";
  }
  return "";
}

ExternalFunction wrap(daedalus_external_function function, void *userData) {
  return [=](Span<const TensorView> inputs, Span<const TensorView> outputs) -> Result<void> {
    std::vector<DLTensor> in, out;
    for (const TensorView &view : inputs)
      in.push_back(toDl(view));
    for (const TensorView &view : outputs)
      out.push_back(toDl(view));
    if (int code = function(in.data(), in.size(), out.data(), out.size(), userData))
      return error("it returned " + std::to_string(code));
    return {};
  };
}

/// A tensor and what it points to.
struct OwnedTensor {
  DLTensor tensor{};
  TensorType type;
  std::unique_ptr<uint8_t[]> data;
};

} // namespace

const char *daedalus_last_error(void) {
  return lastError.c_str();
}

daedalus_status daedalus_device_open(const char *engine, const char *machine, daedalus_device **device) {
  if (!engine || !device)
    return missing(engine ? "device" : "engine");
  const std::vector<std::string> engines = sim::engineNames();
  if (std::find(engines.begin(), engines.end(), engine) == engines.end()) {
    std::string known;
    for (const std::string &name : engines)
      known += (known.empty() ? "'" : ", '") + name + "'";
    return fail(DAEDALUS_NOT_FOUND,
                std::string("there is no engine '") + engine + "'; the engines: " + known);
  }
  auto opened = std::make_unique<daedalus_device>();
  opened->options.engine = engine;
  if (machine) {
    auto loaded = isa::loadMachine(machine);
    if (!loaded)
      return fail(DAEDALUS_NOT_FOUND, loaded.error());
    opened->options.machine = *loaded;
  }
  *device = opened.release();
  return DAEDALUS_OK;
}

void daedalus_device_close(daedalus_device *device) {
  delete device;
}

daedalus_status daedalus_package_load_file(const daedalus_device *device, const char *path,
                                           daedalus_package **package) {
  if (!device || !path || !package)
    return missing(!device ? "device" : !path ? "path" : "package");
  auto bytes = readFile(path);
  if (!bytes)
    return fail(DAEDALUS_NOT_FOUND, bytes.error());
  return load(*device, *bytes, package);
}

daedalus_status daedalus_package_load_memory(const daedalus_device *device, const void *data, size_t size,
                                             daedalus_package **package) {
  if (!device || !data || !package)
    return missing(!device ? "device" : !data ? "data" : "package");
  return load(*device, {static_cast<const uint8_t *>(data), size}, package);
}

void daedalus_package_close(daedalus_package *package) {
  delete package;
}

size_t daedalus_package_function_count(const daedalus_package *package) {
  return package->functions.size();
}

daedalus_status daedalus_package_function(daedalus_package *package, const char *name,
                                          daedalus_function **function) {
  if (!package || !function)
    return missing(package ? "function" : "package");
  auto found = package->session->function(name ? name : "");
  if (!found)
    return fail(DAEDALUS_NOT_FOUND, found.error());
  return daedalus_package_function_at(package, *found - package->session->package().functions.data(),
                                      function);
}

daedalus_status daedalus_package_function_at(daedalus_package *package, size_t index,
                                             daedalus_function **function) {
  if (!package || !function)
    return missing(package ? "function" : "package");
  if (index >= package->functions.size())
    return fail(DAEDALUS_NOT_FOUND, "the package has " + std::to_string(package->functions.size()) +
                                        " functions, there is no number " + std::to_string(index));
  *function = &package->functions[index];
  return DAEDALUS_OK;
}

const char *daedalus_function_name(const daedalus_function *function) {
  return function->function->name.c_str();
}

size_t daedalus_function_input_count(const daedalus_function *function) {
  return function->function->inputs.size();
}

size_t daedalus_function_output_count(const daedalus_function *function) {
  return function->function->outputs.size();
}

daedalus_status daedalus_function_input(const daedalus_function *function, size_t index,
                                        daedalus_tensor_info *info) {
  return function ? describe(function->function->inputs, "input", index, info) : missing("function");
}

daedalus_status daedalus_function_output(const daedalus_function *function, size_t index,
                                         daedalus_tensor_info *info) {
  return function ? describe(function->function->outputs, "output", index, info) : missing("function");
}

daedalus_status daedalus_function_invoke(daedalus_function *function, const DLTensor *inputs,
                                         size_t input_count, DLTensor *outputs, size_t output_count) {
  if (!function)
    return missing("function");
  const package::Function &callee = *function->function;
  std::string wrong = mismatch(callee.inputs, inputs, input_count, "input");
  if (wrong.empty())
    wrong = mismatch(callee.outputs, outputs, output_count, "output");
  if (!wrong.empty())
    return fail(DAEDALUS_INVALID_ARGUMENT, "function '" + callee.name + "': " + wrong);
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < input_count; ++i) {
    const uint8_t *data = dataOf(inputs[i]);
    tensors.push_back({"", callee.inputs[i].type, {data, data + byteSize(callee.inputs[i].type)}});
  }
  auto result = function->owner->session->run(callee.name, tensors);
  if (!result)
    return fail(DAEDALUS_FAILED, result.error());
  for (size_t i = 0; i < output_count; ++i)
    std::copy(result->outputs[i].data.begin(), result->outputs[i].data.end(), dataOf(outputs[i]));
  function->owner->last = std::move(*result);
  return DAEDALUS_OK;
}

daedalus_status daedalus_tensor_create(DLDataType dtype, int32_t ndim, const int64_t *shape,
                                       DLTensor **tensor) {
  if (!tensor)
    return missing("tensor");
  DLTensor description{};
  description.device = {kDLCPU, 0};
  description.dtype = dtype;
  description.ndim = ndim;
  description.shape = const_cast<int64_t *>(shape); // read only
  auto type = typeOf(description);
  if (!type)
    return fail(DAEDALUS_INVALID_ARGUMENT, "the tensor " + type.error());
  auto owned = std::make_unique<OwnedTensor>();
  owned->type = *type;
  owned->data.reset(new (std::nothrow) uint8_t[byteSize(*type)]());
  if (!owned->data)
    return fail(DAEDALUS_FAILED, "the system has no memory for a tensor " + toString(*type));
  owned->tensor = toDl(TensorView{&owned->type, owned->data.get()});
  *tensor = &owned.release()->tensor;
  return DAEDALUS_OK;
}

void daedalus_tensor_destroy(DLTensor *tensor) {
  delete reinterpret_cast<OwnedTensor *>(tensor); // the tensor is its first member
}

daedalus_status daedalus_package_register_external(daedalus_package *package, const char *name,
                                                   daedalus_external_function function, void *user_data) {
  if (!package || !name || !function)
    return missing(!package ? "package" : !name ? "name" : "function");
  auto registered = package->session->registerExternal(name, wrap(function, user_data));
  return registered ? DAEDALUS_OK : fail(DAEDALUS_NOT_FOUND, registered.error());
}

uint64_t daedalus_package_cycles(const daedalus_package *package) {
  return package->last.cycles;
}

uint64_t daedalus_package_counter(const daedalus_package *package, uint32_t module, uint32_t counter_class) {
  const Counters &counters = package->last.counters;
  return module < counters.size() && counter_class < counters[0].size() ? counters[module][counter_class] : 0;
}

size_t daedalus_package_layer_count(const daedalus_package *package) {
  return package->last.layers.size();
}

daedalus_status daedalus_package_layer(const daedalus_package *package, size_t index,
                                       daedalus_layer_info *info) {
  if (!package || !info)
    return missing(package ? "info" : "package");
  if (index >= package->last.layers.size())
    return fail(DAEDALUS_NOT_FOUND, "the package has " + std::to_string(package->last.layers.size()) +
                                        " layers, there is no number " + std::to_string(index));
  const LayerCycles &layer = package->last.layers[index];
  *info = {layer.node.c_str(), layer.target.c_str(), layer.cycles, layer.macs};
  return DAEDALUS_OK;
}
