// Types and numbers are those of "cuBLAS Library", chapters 2.2 (data types) and 2.8 (cublasGemmEx).
#include "blas.h"

#include "cuda_api.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

namespace daedalus::test {
namespace {

using cuda::Address;
using cuda::DriverApi;
using package::DType;

constexpr int floats = 0, float16s = 2, int8s = 3, int32s = 10, bfloat16s = 14; // cudaDataType_t
constexpr int sumsOfFloats = 68, sumsOfIntegers = 72;                           // cublasComputeType_t
constexpr int runs = 11;

struct Library {
  using Handle = void *;
  int (*create)(Handle *);
  int (*destroy)(Handle);
  int (*setStream)(Handle, cuda::Stream);
  int (*multiply)(Handle, int transposeA, int transposeB, int m, int n, int k, const void *alpha,
                  const void *a, int typeA, int strideA, const void *b, int typeB, int strideB,
                  const void *beta, void *c, int typeC, int strideC, int compute, int algorithm);
};

Result<Library> loadLibrary() {
  const char *named = std::getenv("DAEDALUS_CUBLAS");
  void *handle = nullptr;
  for (const char *file : {named && *named ? named : "libcublas.so.12", "libcublas.so.13"})
    handle = handle ? handle : dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return error("no cuBLAS: " + std::string(dlerror()));
  Library library{};
  library.create = reinterpret_cast<decltype(library.create)>(dlsym(handle, "cublasCreate_v2"));
  library.destroy = reinterpret_cast<decltype(library.destroy)>(dlsym(handle, "cublasDestroy_v2"));
  library.setStream = reinterpret_cast<decltype(library.setStream)>(dlsym(handle, "cublasSetStream_v2"));
  library.multiply = reinterpret_cast<decltype(library.multiply)>(dlsym(handle, "cublasGemmEx"));
  if (!library.create || !library.destroy || !library.setStream || !library.multiply)
    return error("cuBLAS lacks a function");
  return library;
}

/// The one of the GPU, which the thread has then, and which stays open.
Result<cuda::Context> openContext(const DriverApi &api) {
  cuda::DeviceNumber device = 0;
  cuda::Context context = nullptr;
  const char *number = std::getenv("DAEDALUS_CUDA_DEVICE");
  if (auto ok = api.check(api.init(0), "starting the CUDA driver"); !ok)
    return error(ok.error());
  if (auto ok = api.check(api.deviceGet(&device, number ? std::atoi(number) : 0), "finding the GPU"); !ok)
    return error(ok.error());
  if (auto ok = api.check(api.primaryContextRetain(&context, device), "opening the GPU"); !ok)
    return error(ok.error());
  if (auto ok = api.check(api.contextSetCurrent(context), "selecting the GPU"); !ok)
    return error(ok.error());
  return context;
}

int typeOf(DType dtype) {
  return dtype == DType::F16    ? float16s
         : dtype == DType::BF16 ? bfloat16s
         : dtype == DType::I8   ? int8s
                                : floats;
}

class CublasBlas : public Blas {
public:
  CublasBlas(const DriverApi &api, const Library &library, cuda::Context context)
      : api(api), library(library), context(context) {}
  ~CublasBlas() override {
    api.contextSetCurrent(context);
    if (handle)
      library.destroy(handle);
    for (cuda::Event event : {begin, end})
      if (event)
        api.eventDestroy(event);
    if (stream)
      api.streamDestroy(stream);
  }

  Result<void> start() {
    for (const cuda::Status status : {api.streamCreate(&stream, cuda::streamNonBlocking),
                                      api.eventCreate(&begin, 0), api.eventCreate(&end, 0)})
      if (auto ok = api.check(status, "making a stream and events"); !ok)
        return ok;
    if (library.create(&handle) || library.setStream(handle, stream))
      return error("cuBLAS cannot be started");
    return {};
  }

  Result<double> multiply(const Tensor &a, const Tensor &b) override {
    if (auto ok = api.check(api.contextSetCurrent(context), "selecting the GPU"); !ok)
      return error(ok.error());
    const bool isInt8 = a.type.dtype == DType::I8;
    const uint64_t elements = uint64_t(a.type.shape[0]) * uint64_t(b.type.shape[1]);
    const std::vector<uint64_t> sizes{a.data.size(), b.data.size(),
                                      elements * (isInt8 ? 4 : package::byteSize(a.type.dtype))};
    std::vector<Address> memory;
    Result<double> result = error("");
    Result<void> ok = allocate(sizes, memory);
    for (size_t i = 0; ok && i < 2; ++i) {
      const std::vector<uint8_t> &bytes = (i ? b : a).data;
      ok = api.check(api.copyToDevice(memory[i], bytes.data(), bytes.size(), stream), "copying to the GPU");
    }
    result = ok ? median(a, b, memory) : error(ok.error());
    for (Address address : memory)
      api.memoryFree(address);
    return result;
  }

private:
  Result<void> allocate(const std::vector<uint64_t> &sizes, std::vector<Address> &memory) {
    for (uint64_t bytes : sizes) {
      Address address = 0;
      if (auto ok = api.check(api.memoryAllocate(&address, bytes), "allocating memory of the GPU"); !ok)
        return ok;
      memory.push_back(address);
    }
    return {};
  }

  Result<double> median(const Tensor &a, const Tensor &b, const std::vector<Address> &memory) {
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
      const Result<double> time = once(a, b, memory);
      if (!time)
        return time;
      times.push_back(*time);
    }
    std::sort(times.begin() + 1, times.end()); // the first one warms up
    return times[1 + (times.size() - 1) / 2];
  }

  /// cuBLAS's matrices are stored by columns, so it computes the transposed product of transposed factors.
  Result<double> once(const Tensor &a, const Tensor &b, const std::vector<Address> &memory) {
    const int m = int(a.type.shape[0]), k = int(a.type.shape[1]), n = int(b.type.shape[1]);
    const int type = typeOf(a.type.dtype), result = type == int8s ? int32s : type;
    const float one = 1, zero = 0;
    const int32_t wholeOne = 1, wholeZero = 0;
    const void *alpha = type == int8s ? static_cast<const void *>(&wholeOne) : &one;
    const void *beta = type == int8s ? static_cast<const void *>(&wholeZero) : &zero;
    const auto at = [&](size_t i) { return reinterpret_cast<void *>(memory[i]); };
    if (auto ok = api.check(api.eventRecord(begin, stream), "recording an event"); !ok)
      return error(ok.error());
    if (const int status =
            library.multiply(handle, 0, 0, n, m, k, alpha, at(1), type, n, at(0), type, k, beta, at(2),
                             result, n, type == int8s ? sumsOfIntegers : sumsOfFloats, /*algorithm=*/-1))
      return error("cublasGemmEx gives the status " + std::to_string(status));
    float milliseconds = 0;
    for (const cuda::Status status : {api.eventRecord(end, stream), api.eventSynchronize(end),
                                      api.eventElapsedTime(&milliseconds, begin, end)})
      if (auto ok = api.check(status, "waiting for cuBLAS"); !ok)
        return error(ok.error());
    return double(milliseconds);
  }

  const DriverApi api;
  const Library library;
  const cuda::Context context;
  cuda::Stream stream = nullptr;
  cuda::Event begin = nullptr, end = nullptr;
  Library::Handle handle = nullptr;
};

} // namespace

Result<void> keepContext() {
  const Result<DriverApi> api = cuda::loadDriverApi();
  if (!api)
    return error(api.error());
  const Result<cuda::Context> context = openContext(*api);
  return context ? Result<void>() : error(context.error());
}

Result<std::unique_ptr<Blas>> Blas::open() {
  const Result<DriverApi> api = cuda::loadDriverApi();
  if (!api)
    return error(api.error());
  const Result<Library> library = loadLibrary();
  if (!library)
    return error(library.error());
  const Result<cuda::Context> context = openContext(*api);
  if (!context)
    return error(context.error());
  auto blas = std::make_unique<CublasBlas>(*api, *library, *context);
  if (auto ok = blas->start(); !ok)
    return error(ok.error());
  return std::unique_ptr<Blas>(std::move(blas));
}

} // namespace daedalus::test
