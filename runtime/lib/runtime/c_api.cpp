// The C API over Session: devices, packages and calls. Nothing here decides anything: arguments are checked,
// results are converted.

#include "c_api.h"

#include "dlpack.h"

#include "daedalus/isa/machine.h"
#include "daedalus/runtime/drivers.h"
#include "daedalus/simulator/device.h"
#include "daedalus/support/input_file.h"

#include <algorithm>

using namespace daedalus;
using namespace daedalus::runtime;
using namespace daedalus::runtime::c_api;
using package::Value;

namespace {

thread_local std::string lastError;

daedalus_status load(const daedalus_device &device, Span<const uint8_t> bytes, daedalus_package **result) {
  auto session = Session::create(bytes, device.options);
  if (!session)
    return fail(DAEDALUS_BAD_PACKAGE, session.error());
  auto loaded = std::make_unique<daedalus_package>();
  loaded->session = std::move(*session);
  const std::vector<package::Function> &functions = loaded->session->package().functions;
  for (size_t i = 0; i < functions.size(); ++i)
    loaded->functions.push_back({loaded.get(), i, &functions[i]});
  loaded->last.layers.resize(loaded->session->package().layers.size());
  *result = loaded.release();
  return DAEDALUS_OK;
}

/// Tensors of a call against the function's values; the sentence of the first that does not fit, else "".
std::string mismatch(const std::vector<Value> &values, const DLTensor *tensors, size_t count,
                     const char *kind) {
  if (count != values.size())
    return std::string("expected ") + std::to_string(values.size()) + " " + kind + "s, found " +
           std::to_string(count);
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

daedalus_status open(const char *engine, const char *machine, daedalus_device **device) {
  const std::vector<std::string> engines = engineNames();
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

daedalus_status invoke(const daedalus_function &called, const DLTensor *inputs, size_t inputCount,
                       DLTensor *outputs, size_t outputCount) {
  const package::Function &callee = *called.function;
  std::string wrong = mismatch(callee.inputs, inputs, inputCount, "input");
  if (wrong.empty())
    wrong = mismatch(callee.outputs, outputs, outputCount, "output");
  if (!wrong.empty())
    return fail(DAEDALUS_INVALID_ARGUMENT, "function '" + callee.name + "': " + wrong);
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < inputCount; ++i) {
    const uint8_t *data = dataOf(inputs[i]);
    tensors.push_back({"", callee.inputs[i].type, {data, data + byteSize(callee.inputs[i].type)}});
  }
  auto result = called.owner->session->run(called.index, tensors);
  if (!result)
    return fail(DAEDALUS_FAILED, result.error());
  for (size_t i = 0; i < outputCount; ++i)
    std::copy(result->outputs[i].data.begin(), result->outputs[i].data.end(), dataOf(outputs[i]));
  called.owner->last = std::move(*result);
  return DAEDALUS_OK;
}

} // namespace

daedalus_status c_api::fail(daedalus_status status, const std::string &sentence) {
  lastError = sentence;
  return status;
}

daedalus_status c_api::notNull(std::initializer_list<Argument> arguments) {
  for (const Argument &argument : arguments)
    if (!argument.pointer)
      return fail(DAEDALUS_INVALID_ARGUMENT, std::string("the argument '") + argument.name + "' is null");
  return DAEDALUS_OK;
}

const char *daedalus_last_error(void) {
  return lastError.c_str();
}

daedalus_status daedalus_device_open(const char *engine, const char *machine, daedalus_device **device) {
  if (auto null = notNull({{"engine", engine}, {"device", device}}))
    return null;
  return guarded([&] { return open(engine, machine, device); });
}

daedalus_status daedalus_device_allow_native_code(daedalus_device *device, int allowed) {
  if (auto null = notNull({{"device", device}}))
    return null;
  device->options.nativeCode = allowed != 0;
  return DAEDALUS_OK;
}

daedalus_status daedalus_device_set_threads(daedalus_device *device, uint32_t threads) {
  if (auto null = notNull({{"device", device}}))
    return null;
  return guarded([&] {
    if (auto ok = checkThreads(threads); !ok)
      return fail(DAEDALUS_INVALID_ARGUMENT, ok.error());
    device->options.threads = threads;
    return DAEDALUS_OK;
  });
}

void daedalus_device_close(daedalus_device *device) {
  delete device;
}

daedalus_status daedalus_driver_load(const char *path, const char **name) {
  if (auto null = notNull({{"path", path}}))
    return null;
  return guarded([&] {
    const Result<const char *> loaded = loadDriver(path);
    if (!loaded)
      return fail(DAEDALUS_NOT_FOUND, loaded.error());
    if (name)
      *name = *loaded;
    return DAEDALUS_OK;
  });
}

daedalus_status daedalus_package_load_file(const daedalus_device *device, const char *path,
                                           daedalus_package **package) {
  if (auto null = notNull({{"device", device}, {"path", path}, {"package", package}}))
    return null;
  return guarded([&] {
    auto bytes = readFile(path, input::Package);
    return bytes ? load(*device, *bytes, package) : fail(DAEDALUS_NOT_FOUND, bytes.error());
  });
}

daedalus_status daedalus_package_load_memory(const daedalus_device *device, const void *data, size_t size,
                                             daedalus_package **package) {
  if (auto null = notNull({{"device", device}, {"data", data}, {"package", package}}))
    return null;
  return guarded([&] { return load(*device, {static_cast<const uint8_t *>(data), size}, package); });
}

void daedalus_package_close(daedalus_package *package) {
  delete package;
}

daedalus_status daedalus_package_function(daedalus_package *package, const char *name,
                                          daedalus_function **function) {
  if (auto null = notNull({{"package", package}, {"function", function}}))
    return null;
  if (!name)
    return daedalus_package_function_at(package, 0, function);
  return guarded([&] {
    auto index = package->session->functionIndex(name);
    return index ? daedalus_package_function_at(package, *index, function)
                 : fail(DAEDALUS_NOT_FOUND, index.error());
  });
}

daedalus_status daedalus_package_function_at(daedalus_package *package, size_t index,
                                             daedalus_function **function) {
  if (auto null = notNull({{"package", package}, {"function", function}}))
    return null;
  if (index >= package->functions.size())
    return fail(DAEDALUS_NOT_FOUND, "the package has " + std::to_string(package->functions.size()) +
                                        " functions, there is no number " + std::to_string(index));
  *function = &package->functions[index];
  return DAEDALUS_OK;
}

daedalus_status daedalus_function_invoke(daedalus_function *function, const DLTensor *inputs,
                                         size_t input_count, DLTensor *outputs, size_t output_count) {
  if (auto null = notNull({{"function", function}}))
    return null;
  if (auto null = input_count ? notNull({{"inputs", inputs}}) : DAEDALUS_OK)
    return null;
  if (auto null = output_count ? notNull({{"outputs", outputs}}) : DAEDALUS_OK)
    return null;
  return guarded([&] { return invoke(*function, inputs, input_count, outputs, output_count); });
}
