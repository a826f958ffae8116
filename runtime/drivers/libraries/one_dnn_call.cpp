// oneDNN: a call is a primitive with its weights in the order that it chose. Both are made once, when the
// package is loaded, and so is the scratch memory: the library's own would belong to one thread.
#include "one_dnn_memory.h"
#include "products.h"

#include "daedalus/package/libraries.h"

#include <array>
#include <memory>

namespace daedalus::runtime::libraries {

#ifdef DAEDALUS_ONEDNN_HEADERS
namespace {

/// Loaded once in a process.
const Result<OneDnn> &oneDnn() {
  static const Result<OneDnn> library = []() -> Result<OneDnn> {
    auto found = OneDnnFunctions::load();
    if (!found)
      return error(found.error());
    OneDnn loaded{*found};
    if (loaded.engine_create(&loaded.engine, dnnl_cpu, 0) != dnnl_success)
      return error("oneDNN gives no engine for this processor");
    return loaded;
  }();
  return library;
}

using Dimensions = std::vector<dnnl_dim_t>;

/// What a primitive computes, and its tensors as the call has them.
struct Description {
  dnnl_memory_desc_t source{}, weights{}, bias{}, result{};
  dnnl_memory_desc_t chosenWeights{}; // in whatever order the primitive likes
  bool isOfBytes = false, hasBias = false, hasRelu = false;

  dnnl_data_type_t factors() const { return isOfBytes ? dnnl_s8 : dnnl_f32; }
  dnnl_data_type_t sums() const { return isOfBytes ? dnnl_s32 : dnnl_f32; }
};

class Call {
public:
  Call(const OneDnn &library, unsigned threads)
      : library(library), threads(threads), source(library), weights(library), bias(library), result(library),
        scratch(library) {}
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  ~Call() {
    if (primitive)
      library.primitive_destroy(primitive);
    if (description)
      library.primitive_desc_destroy(description);
    if (stream)
      library.stream_destroy(stream);
  }

  bool create(const MatMul &product, const LibraryCall &call) {
    const Threads scope(library, threads);
    Description d;
    const auto matrix = [&](dnnl_memory_desc_t &to, int64_t rows, int64_t columns, bool isTransposed,
                            dnnl_data_type_t type) {
      if (product.isBatched)
        return describe(to, {product.batch, rows, columns}, isTransposed ? dnnl_acb : dnnl_abc, type);
      return describe(to, {rows, columns}, isTransposed ? dnnl_ba : dnnl_ab, type);
    };
    d.isOfBytes = product.isOfBytes, d.hasBias = product.hasBias, d.hasRelu = product.hasRelu;
    const Dimensions columns = product.isBatched ? Dimensions{1, 1, product.n} : Dimensions{1, product.n};
    if (!matrix(d.source, product.m, product.k, product.transposesA, d.factors()) ||
        !matrix(d.weights, product.k, product.n, product.transposesB, d.factors()) ||
        !matrix(d.result, product.m, product.n, false, d.sums()) ||
        !describe(d.bias, columns, product.isBatched ? dnnl_abc : dnnl_ab, dnnl_f32))
      return false;
    choose(d, call);
    dnnl_matmul_desc_t operation{};
    return library.matmul_desc_init(&operation, &d.source, &d.chosenWeights, d.hasBias ? &d.bias : nullptr,
                                    &d.result) == dnnl_success &&
           finish(d, &operation, call);
  }

  bool create(const Convolution &c, const LibraryCall &call) {
    const Threads scope(library, threads);
    Description d;
    d.isOfBytes = c.isOfBytes, d.hasBias = c.hasBias, d.hasRelu = c.hasRelu;
    Dimensions kernel = {c.groups, c.outputs / c.groups, c.channels / c.groups, c.kernel[0], c.kernel[1]};
    if (c.groups == 1)
      kernel.erase(kernel.begin());
    if (!describe(d.source, {c.images, c.channels, c.size[0], c.size[1]}, dnnl_nhwc, d.factors()) ||
        !describe(d.weights, kernel, c.groups == 1 ? dnnl_ohwi : dnnl_gohwi, d.factors()) ||
        !describe(d.result, {c.images, c.outputs, c.outSize[0], c.outSize[1]}, dnnl_nhwc, d.sums()) ||
        !describe(d.bias, {c.outputs}, dnnl_a, dnnl_f32))
      return false;
    choose(d, call);
    const std::array<int64_t, 2> dilations = {c.dilations[0] - 1, c.dilations[1] - 1};
    dnnl_convolution_desc_t operation{};
    return library.dilated_convolution_forward_desc_init(
               &operation, dnnl_forward_inference, dnnl_convolution_direct, &d.source, &d.chosenWeights,
               d.hasBias ? &d.bias : nullptr, &d.result, c.strides.data(), dilations.data(),
               c.padsBefore.data(), c.padsBehind.data()) == dnnl_success &&
           finish(d, &operation, call);
  }

  Result<void> run(Span<const TensorView> inputs, Span<const TensorView> outputs) const {
    const Threads scope(library, threads);
    const bool isDone = source.set(inputs[0].data) && (hasOwnWeights || weights.set(inputs[1].data)) &&
                        (!hasBias || bias.set(inputs[2].data)) && result.set(outputs[0].data) &&
                        library.primitive_execute(primitive, stream, static_cast<int>(arguments.size()),
                                                  arguments.data()) == dnnl_success &&
                        library.stream_wait(stream) == dnnl_success;
    return isDone ? Result<void>() : error("oneDNN fails to run it");
  }

private:
  bool describe(dnnl_memory_desc_t &to, const Dimensions &dimensions, dnnl_format_tag_t order,
                dnnl_data_type_t type) const {
    return library.memory_desc_init_by_tag(&to, static_cast<int>(dimensions.size()), dimensions.data(), type,
                                           order) == dnnl_success;
  }

  /// Constant weights may get another order.
  void choose(Description &d, const LibraryCall &call) {
    d.chosenWeights = d.weights;
    hasOwnWeights = call.inputs[1].constant != nullptr;
    if (hasOwnWeights)
      library.memory_desc_init_by_tag(&d.chosenWeights, d.weights.ndims, d.weights.dims, d.factors(),
                                      dnnl_format_tag_any);
  }

  dnnl_status_t describeOperation(const Description &d, const void *operation) {
    dnnl_primitive_attr_t attributes = nullptr;
    dnnl_post_ops_t behind = nullptr;
    library.primitive_attr_create(&attributes);
    library.primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user);
    library.post_ops_create(&behind);
    if (d.hasRelu && library.post_ops_append_eltwise(behind, 1, dnnl_eltwise_relu, 0, 0) == dnnl_success)
      library.primitive_attr_set_post_ops(attributes, behind);
    const dnnl_status_t status =
        library.primitive_desc_create(&description, operation, attributes, library.engine, nullptr);
    library.post_ops_destroy(behind);
    library.primitive_attr_destroy(attributes);
    return status;
  }

  /// The primitive of an operation, and its arguments.
  bool finish(const Description &d, const void *operation, const LibraryCall &call) {
    if (describeOperation(d, operation) != dnnl_success ||
        library.primitive_create(&primitive, description) != dnnl_success ||
        library.stream_create(&stream, library.engine, dnnl_stream_default_flags) != dnnl_success ||
        !source.create(d.source, DNNL_MEMORY_NONE) || !result.create(d.result, DNNL_MEMORY_NONE) ||
        !scratch.createOwn(*library.primitive_desc_query_md(description, dnnl_query_scratchpad_md, 0)))
      return false;
    arguments = {
        {DNNL_ARG_SRC, source.get()}, {DNNL_ARG_DST, result.get()}, {DNNL_ARG_SCRATCHPAD, scratch.get()}};
    hasBias = d.hasBias;
    if (hasBias && !bias.create(d.bias, DNNL_MEMORY_NONE))
      return false;
    if (hasBias)
      arguments.push_back({DNNL_ARG_BIAS, bias.get()});
    if (!(hasOwnWeights ? orderWeights(d, call.inputs[1].constant)
                        : weights.create(d.weights, DNNL_MEMORY_NONE)))
      return false;
    arguments.push_back({DNNL_ARG_WEIGHTS, weights.get()});
    return true;
  }

  bool orderWeights(const Description &d, const void *elements) {
    const dnnl_memory_desc_t &chosen =
        *library.primitive_desc_query_md(description, dnnl_query_weights_md, 0);
    Memory given(library);
    if (!given.create(d.weights, elements) || !weights.createOwn(chosen))
      return false;
    dnnl_primitive_desc_t reordering = nullptr;
    dnnl_primitive_t reorder = nullptr;
    const dnnl_exec_arg_t operands[] = {{DNNL_ARG_FROM, given.get()}, {DNNL_ARG_TO, weights.get()}};
    const bool isDone =
        library.reorder_primitive_desc_create(&reordering, &d.weights, library.engine, &chosen,
                                              library.engine, nullptr) == dnnl_success &&
        library.primitive_create(&reorder, reordering) == dnnl_success &&
        library.primitive_execute(reorder, stream, 2, operands) == dnnl_success &&
        library.stream_wait(stream) == dnnl_success;
    if (reorder)
      library.primitive_destroy(reorder);
    if (reordering)
      library.primitive_desc_destroy(reordering);
    return isDone;
  }

  const OneDnn &library;
  unsigned threads;
  bool hasOwnWeights = false, hasBias = false;
  dnnl_primitive_desc_t description = nullptr;
  dnnl_primitive_t primitive = nullptr;
  dnnl_stream_t stream = nullptr;
  Memory source, weights, bias, result, scratch;
  std::vector<dnnl_exec_arg_t> arguments;
};

/// Without VNNI products of bytes are added up in 16 bits, which saturate.
bool addsBytesExactly(const OneDnn &library) {
  const dnnl_cpu_isa_t isa = library.get_effective_cpu_isa();
  return isa == dnnl_cpu_isa_avx512_core_vnni || isa == dnnl_cpu_isa_avx512_core_bf16 ||
         isa == dnnl_cpu_isa_avx512_core_amx;
}

template <class Product> Result<ExternalFunction> callOf(const LibraryCall &call) {
  const Result<Product> product = Product::of(call);
  if (!product)
    return error(product.error());
  const Result<OneDnn> &library = oneDnn();
  if (!library)
    return error(library.error() + withoutLibrary);
  if (product->isOfBytes && !addsBytesExactly(*library))
    return error("oneDNN adds products of int8 exactly only with AVX-512 VNNI, which this host lacks or "
                 "DNNL_MAX_CPU_ISA hides: run it on a host that has it" +
                 std::string(withoutLibrary));
  auto made = std::make_shared<Call>(*library, call.threads);
  if (!made->create(*product, call))
    return error("oneDNN has no primitive for its tensors: register a function of your own" +
                 std::string(withoutLibrary));
  return ExternalFunction([made](Span<const TensorView> inputs, Span<const TensorView> outputs) {
    return made->run(inputs, outputs);
  });
}

} // namespace

Result<std::string> describeOneDnn() {
  const Result<OneDnn> &library = oneDnn();
  if (!library)
    return error(library.error());
  const dnnl_version_t &version = *library->version();
  return "oneDNN " + std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

#else

Result<std::string> describeOneDnn() {
  return error("oneDNN is absent: this was built without the headers of oneDNN 2 (Debian's libdnnl-dev)");
}

/// What does not fit is refused as where the library is.
template <class Product> static Result<ExternalFunction> callOf(const LibraryCall &call) {
  const Result<Product> product = Product::of(call);
  return error(product ? describeOneDnn().error() + withoutLibrary : product.error());
}

#endif

Result<ExternalFunction> oneDnnCall(const LibraryCall &call) {
  const bool isMatMul = call.function.rfind("onednn.matmul", 0) == 0;
  return isMatMul ? callOf<MatMul>(call) : callOf<Convolution>(call);
}

} // namespace daedalus::runtime::libraries
