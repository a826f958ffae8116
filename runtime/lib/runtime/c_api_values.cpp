// The rest of the C API: what functions take and give, tensors, external functions, the profile.

#include "c_api.h"

#include "dlpack.h"

#include <cstring>
#include <deque>

using namespace daedalus;
using namespace daedalus::runtime;
using namespace daedalus::runtime::c_api;
using package::TensorType;
using package::Value;

namespace {

daedalus_status describe(const std::vector<Value> &values, const char *kind, size_t index,
                         daedalus_tensor_info *info) {
  if (index >= values.size())
    return fail(DAEDALUS_NOT_FOUND, std::string("the function has ") + std::to_string(values.size()) + " " +
                                        kind + "s, there is no number " + std::to_string(index));
  const Value &value = values[index];
  *info = {value.name.c_str(), toDl(value.type.dtype), static_cast<int32_t>(value.type.shape.size()),
           value.type.shape.data()};
  return DAEDALUS_OK;
}

/// Tensors that are lent to a function of the user's, with shapes of their own, for it may write to them.
class LentTensors {
public:
  explicit LentTensors(Span<const TensorView> views) : views(views) {
    for (const TensorView &view : views) {
      shapes.push_back(view.type->shape);
      tensors.push_back(toDl(view));
      tensors.back().shape = shapes.back().data();
    }
  }
  LentTensors(const LentTensors &) = delete;
  LentTensors &operator=(const LentTensors &) = delete;

  DLTensor *data() { return tensors.data(); }
  size_t size() const { return tensors.size(); }

  /// Whether the function left them where and what they were: it fills them, it does not replace them.
  Result<void> check() const {
    for (size_t i = 0; i < tensors.size(); ++i) {
      const DLTensor &tensor = tensors[i], given = toDl(views[i]);
      const std::string output = "output " + std::to_string(i);
      if (tensor.ndim != given.ndim || tensor.shape != shapes[i].data() ||
          shapes[i] != views[i].type->shape ||
          std::memcmp(&tensor.dtype, &given.dtype, sizeof given.dtype) != 0)
        return error("it changed the type or shape of " + output + "; expected it to fill " +
                     toString(*views[i].type));
      if (tensor.data != given.data || tensor.byte_offset || tensor.strides)
        return error("it put other memory into " + output +
                     "; expected it to fill the memory that it is given");
    }
    return {};
  }

private:
  Span<const TensorView> views;
  std::deque<std::vector<int64_t>> shapes; // which stay where they are
  std::vector<DLTensor> tensors;
};

ExternalFunction wrap(daedalus_external_function function, void *userData) {
  return [=](Span<const TensorView> inputs, Span<const TensorView> outputs) -> Result<void> {
    LentTensors in(inputs), out(outputs);
    if (int code = function(in.data(), in.size(), out.data(), out.size(), userData))
      return error("it returned " + std::to_string(code));
    return out.check();
  };
}

/// A tensor and what it points to.
struct OwnedTensor {
  DLTensor tensor{};
  TensorType type;
  std::unique_ptr<uint8_t[]> data;
};

daedalus_status create(DLDataType dtype, int32_t ndim, const int64_t *shape, DLTensor **tensor) {
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

} // namespace

size_t daedalus_package_function_count(const daedalus_package *package) {
  return notNull({{"package", package}}) ? 0 : package->functions.size();
}

const char *daedalus_function_name(const daedalus_function *function) {
  return notNull({{"function", function}}) ? "" : function->function->name.c_str();
}

uint64_t daedalus_function_certified_cycles(const daedalus_function *function) {
  if (notNull({{"function", function}}))
    return 0;
  return function->owner->session->certifiedCycles(*function->function);
}

size_t daedalus_function_input_count(const daedalus_function *function) {
  return notNull({{"function", function}}) ? 0 : function->function->inputs.size();
}

size_t daedalus_function_output_count(const daedalus_function *function) {
  return notNull({{"function", function}}) ? 0 : function->function->outputs.size();
}

daedalus_status daedalus_function_input(const daedalus_function *function, size_t index,
                                        daedalus_tensor_info *info) {
  if (auto null = notNull({{"function", function}, {"info", info}}))
    return null;
  return describe(function->function->inputs, "input", index, info);
}

daedalus_status daedalus_function_output(const daedalus_function *function, size_t index,
                                         daedalus_tensor_info *info) {
  if (auto null = notNull({{"function", function}, {"info", info}}))
    return null;
  return describe(function->function->outputs, "output", index, info);
}

daedalus_status daedalus_tensor_create(DLDataType dtype, int32_t ndim, const int64_t *shape,
                                       DLTensor **tensor) {
  if (auto null = notNull({{"tensor", tensor}}))
    return null;
  if (auto null = ndim > 0 ? notNull({{"shape", shape}}) : DAEDALUS_OK)
    return null;
  return guarded([&] { return create(dtype, ndim, shape, tensor); });
}

void daedalus_tensor_destroy(DLTensor *tensor) {
  delete reinterpret_cast<OwnedTensor *>(tensor); // the tensor is its first member
}

daedalus_status daedalus_package_register_external(daedalus_package *package, const char *name,
                                                   daedalus_external_function function, void *user_data) {
  if (auto null = notNull(
          {{"package", package}, {"name", name}, {"function", reinterpret_cast<const void *>(function)}}))
    return null;
  return guarded([&] {
    auto registered = package->session->registerExternal(name, wrap(function, user_data));
    return registered ? DAEDALUS_OK : fail(DAEDALUS_NOT_FOUND, registered.error());
  });
}

uint64_t daedalus_package_cycles(const daedalus_package *package) {
  return notNull({{"package", package}}) ? 0 : package->last.cycles;
}

uint64_t daedalus_package_counter(const daedalus_package *package, uint32_t module, uint32_t counter_class) {
  if (notNull({{"package", package}}))
    return 0;
  const Counters &counters = package->last.counters;
  return module < counters.size() && counter_class < counters[0].size() ? counters[module][counter_class] : 0;
}

size_t daedalus_package_layer_count(const daedalus_package *package) {
  return notNull({{"package", package}}) ? 0 : package->last.layers.size();
}

daedalus_status daedalus_package_layer(const daedalus_package *package, size_t index,
                                       daedalus_layer_info *info) {
  if (auto null = notNull({{"package", package}, {"info", info}}))
    return null;
  if (index >= package->last.layers.size())
    return fail(DAEDALUS_NOT_FOUND, "the package has " + std::to_string(package->last.layers.size()) +
                                        " layers, there is no number " + std::to_string(index));
  const LayerCycles &layer = package->last.layers[index];
  *info = {layer.node.c_str(), layer.target.c_str(), layer.cycles,
           layer.macs,         layer.deviceTicks,    layer.ticksPerMicrosecond};
  return DAEDALUS_OK;
}
