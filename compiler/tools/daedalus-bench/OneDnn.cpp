// A case as primitives of oneDNN 2, through its C API; without its headers when this is built, there are
// none.
#include "OneDnnLibrary.h"
#include "Peer.h"
#include "daedalus/support/stopwatch.h"

#include <algorithm>
#include <cstring>

namespace daedalus::cli {

#ifdef DAEDALUS_ONEDNN_HEADERS
namespace {

/// A tensor of oneDNN's: its memory, and the bytes in it where it owns them.
class Memory {
public:
  Memory(const OneDnn &library, const dnnl_memory_desc_t &description)
      : library(library), bytes(library.memory_desc_get_size(&description) + alignment) {
    const size_t offset = -reinterpret_cast<uintptr_t>(bytes.data()) % alignment;
    library.memory_create(&memory, &description, library.engine, bytes.data() + offset);
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  ~Memory() { library.memory_destroy(memory); }

  uint8_t *data() const {
    void *handle = nullptr;
    library.memory_get_data_handle(memory, &handle);
    return static_cast<uint8_t *>(handle);
  }
  dnnl_memory_t get() const { return memory; }

private:
  static constexpr size_t alignment = 64;
  const OneDnn &library;
  std::vector<uint8_t> bytes;
  dnnl_memory_t memory = nullptr;
};

/// Which primitive, of those that compute a case.
enum class Form { Convolution, MatMul, InnerProduct };

using Dimensions = std::vector<dnnl_dim_t>;

/// The four tensors, as they are before the library chooses the order of the weights.
struct Tensors {
  dnnl_memory_desc_t source{}, weights{}, bias{}, result{};
  dnnl_memory_desc_t given{}; ///< the weights as ONNX has them
};

dnnl_memory_desc_t describe(const OneDnn &library, const Dimensions &dimensions, dnnl_data_type_t type,
                            dnnl_format_tag_t order) {
  dnnl_memory_desc_t description{};
  library.memory_desc_init_by_tag(&description, static_cast<int>(dimensions.size()), dimensions.data(), type,
                                  order);
  return description;
}

Tensors tensorsOf(const OneDnn &library, const CpuCase &c, Form form) {
  const dnnl_data_type_t u = c.isInt8 ? dnnl_u8 : dnnl_f32, s = c.isInt8 ? dnnl_s8 : dnnl_f32;
  Tensors t;
  if (form == Form::Convolution) {
    Dimensions kernel = {c.outputs, c.channels / c.groups, c.kernel, c.kernel};
    if (c.groups > 1)
      kernel = {c.groups, c.outputs / c.groups, c.channels / c.groups, c.kernel, c.kernel};
    t.source = describe(library, {c.batch, c.channels, c.height, c.width}, u, dnnl_nhwc);
    t.weights = describe(library, kernel, s, dnnl_format_tag_any);
    t.given = describe(library, kernel, s, c.groups > 1 ? dnnl_goihw : dnnl_oihw);
    t.bias = describe(library, {c.outputs}, c.isInt8 ? dnnl_s32 : dnnl_f32, dnnl_a);
    t.result = describe(library, {c.batch, c.outputs, c.outHeight(), c.outWidth()}, s, dnnl_nhwc);
    return t;
  }
  const bool isInner = form == Form::InnerProduct; // whose weights are [N, K]
  const Dimensions weights = isInner ? Dimensions{c.n, c.k} : Dimensions{c.k, c.n};
  t.source = describe(library, {c.m, c.k}, u, dnnl_ab);
  t.weights = describe(library, weights, s, dnnl_format_tag_any);
  t.given = describe(library, weights, s, isInner ? dnnl_ba : dnnl_ab);
  t.result = describe(library, {c.m, c.n}, s, dnnl_ab);
  return t;
}

class OneDnnPeer : public Peer {
public:
  OneDnnPeer(const OneDnn &library, const CpuCase &c, Form form, unsigned threads)
      : library(library), c(c), form(form), threads(threads), tensors(tensorsOf(library, c, form)) {}
  ~OneDnnPeer() override {
    library.primitive_destroy(primitive);
    library.primitive_desc_destroy(description);
  }

  /// Everything before the first run: the primitive, its tensors, and the weights in its order.
  Result<void> create(const CaseData &data) {
    library.setThreads(static_cast<int>(threads));
    if (!describeOperation(data) || library.primitive_create(&primitive, description) != dnnl_success)
      return error("oneDNN has no primitive for " + c.label());
    source = std::make_unique<Memory>(library, tensors.source);
    destination = std::make_unique<Memory>(library, tensors.result);
    setSource(data);
    arguments = {{DNNL_ARG_SRC, source->get()}, {DNNL_ARG_DST, destination->get()}};
    if (form == Form::Convolution)
      setBias(data);
    return setWeights(data);
  }

  std::string name() const override { return "oneDNN"; }

  std::string implementation() const override {
    const char *text = "";
    library.primitive_desc_query(description, dnnl_query_impl_info_str, 0, &text);
    const std::string kind = form == Form::MatMul         ? "matmul "
                             : form == Form::InnerProduct ? "inner product "
                                                          : "";
    return kind + text;
  }

  Result<double> seconds(uint64_t runs) override {
    library.setThreads(static_cast<int>(threads));
    Stopwatch stopwatch;
    for (uint64_t run = 0; run < runs; ++run)
      if (library.primitive_execute(primitive, library.stream, static_cast<int>(arguments.size()),
                                    arguments.data()) != dnnl_success)
        return error("oneDNN fails to run " + c.label());
    library.stream_wait(library.stream);
    return stopwatch.lap();
  }

  std::vector<float> result() const override {
    const package::TensorType type = c.output();
    std::vector<float> values(elementCount(type));
    const uint8_t *data = destination->data();
    for (size_t i = 0; i < values.size(); ++i)
      values[onnxIndex(i)] = c.isInt8 ? static_cast<int8_t>(data[i]) : floatAt(data, i);
    return values;
  }

private:
  static float floatAt(const uint8_t *data, size_t index) {
    float value;
    std::memcpy(&value, data + index * sizeof value, sizeof value);
    return value;
  }

  /// Of element `index` of the result, channels last.
  size_t onnxIndex(size_t index) const {
    if (form != Form::Convolution)
      return index;
    const size_t pixels = c.outHeight() * c.outWidth(), channel = index % c.outputs,
                 pixel = index / c.outputs;
    return (pixel / pixels * c.outputs + channel) * pixels + pixel % pixels;
  }

  bool describeOperation(const CaseData &data) {
    dnnl_primitive_attr_t attributes = nullptr;
    library.primitive_attr_create(&attributes);
    if (c.isInt8)
      library.primitive_attr_set_output_scales(attributes, static_cast<dnnl_dim_t>(data.factors.size()),
                                               data.factors.size() > 1 ? 1 << 1 : 0, data.factors.data());
    const bool made = create(attributes) == dnnl_success;
    library.primitive_attr_destroy(attributes);
    return made;
  }

  dnnl_status_t create(dnnl_primitive_attr_t attributes) {
    Tensors &t = tensors;
    if (form == Form::Convolution) {
      const dnnl_dims_t strides = {c.stride, c.stride}, pads = {c.pad, c.pad};
      dnnl_convolution_desc_t operation{};
      library.convolution_forward_desc_init(&operation, dnnl_forward_inference, dnnl_convolution_direct,
                                            &t.source, &t.weights, &t.bias, &t.result, strides, pads, pads);
      return library.primitive_desc_create(&description, &operation, attributes, library.engine, nullptr);
    }
    if (form == Form::InnerProduct) {
      dnnl_inner_product_desc_t operation{};
      library.inner_product_forward_desc_init(&operation, dnnl_forward_inference, &t.source, &t.weights,
                                              nullptr, &t.result);
      return library.primitive_desc_create(&description, &operation, attributes, library.engine, nullptr);
    }
    dnnl_matmul_desc_t operation{};
    library.matmul_desc_init(&operation, &t.source, &t.weights, nullptr, &t.result);
    return library.primitive_desc_create(&description, &operation, attributes, library.engine, nullptr);
  }

  void setSource(const CaseData &data) {
    const size_t size = c.isInt8 ? 1 : sizeof(float), pixels = c.height * c.width;
    uint8_t *to = source->data();
    for (size_t i = 0, count = elementCount(c.input()); i < count; ++i) {
      size_t place = i;
      if (form == Form::Convolution) {
        const size_t plane = i / pixels;
        place = (plane / c.channels * pixels + i % pixels) * c.channels + plane % c.channels;
      }
      std::memcpy(to + place * size, &data.input[i * size], size);
      to[place * size] ^= c.isInt8 ? 0x80 : 0; // what it stands for: 128 more
    }
  }

  void setBias(const CaseData &data) {
    bias = std::make_unique<Memory>(library, tensors.bias);
    for (size_t i = 0; i < data.bias.size(); ++i) {
      const int32_t whole = static_cast<int32_t>(data.bias[i]);
      std::memcpy(bias->data() + i * 4, c.isInt8 ? static_cast<const void *>(&whole) : &data.bias[i], 4);
    }
    arguments.push_back({DNNL_ARG_BIAS, bias->get()});
  }

  /// In the order that the primitive chose.
  Result<void> setWeights(const CaseData &data) {
    const dnnl_memory_desc_t *chosen = library.primitive_desc_query_md(description, dnnl_query_weights_md, 0);
    weights = std::make_unique<Memory>(library, *chosen);
    const Memory given(library, tensors.given);
    std::copy(data.weights.begin(), data.weights.end(), given.data());
    dnnl_primitive_desc_t reordering = nullptr;
    dnnl_primitive_t reorder = nullptr;
    const dnnl_exec_arg_t operands[] = {{DNNL_ARG_FROM, given.get()}, {DNNL_ARG_TO, weights->get()}};
    const bool isDone =
        library.reorder_primitive_desc_create(&reordering, &tensors.given, library.engine, chosen,
                                              library.engine, nullptr) == dnnl_success &&
        library.primitive_create(&reorder, reordering) == dnnl_success &&
        library.primitive_execute(reorder, library.stream, 2, operands) == dnnl_success &&
        library.stream_wait(library.stream) == dnnl_success;
    library.primitive_destroy(reorder);
    library.primitive_desc_destroy(reordering);
    if (!isDone)
      return error("oneDNN does not bring the weights of " + c.label() + " into its order");
    arguments.push_back({DNNL_ARG_WEIGHTS, weights->get()});
    return {};
  }

  const OneDnn &library;
  CpuCase c;
  Form form;
  unsigned threads;
  Tensors tensors;
  dnnl_primitive_desc_t description = nullptr;
  dnnl_primitive_t primitive = nullptr;
  std::unique_ptr<Memory> source, weights, bias, destination;
  std::vector<dnnl_exec_arg_t> arguments;
};

} // namespace

Result<std::vector<std::unique_ptr<Peer>>> oneDnnPeers(const CpuCase &c, const CaseData &data,
                                                       const PeerOptions &options) {
  const Result<OneDnn> &library = oneDnn(options);
  if (!library)
    return error(library.error());
  std::vector<Form> forms = {Form::Convolution};
  if (c.kind == CaseKind::MatMul)
    forms = {Form::MatMul, Form::InnerProduct};
  std::vector<std::unique_ptr<Peer>> peers;
  std::string problem;
  for (Form form : forms) {
    auto peer = std::make_unique<OneDnnPeer>(*library, c, form, options.threads);
    if (auto ok = peer->create(data))
      peers.push_back(std::move(peer));
    else
      problem = ok.error();
  }
  if (peers.empty())
    return error(problem);
  return Result<std::vector<std::unique_ptr<Peer>>>(std::move(peers));
}

#else

Result<std::vector<std::unique_ptr<Peer>>> oneDnnPeers(const CpuCase &, const CaseData &,
                                                       const PeerOptions &options) {
  return error(describeOneDnn(options).error());
}

#endif

} // namespace daedalus::cli
