// Types and numbers are those of "cuBLAS Library", chapters 2.2 (data types) and 2.8 (cublasGemmEx).
#include "blas.h"

#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <tuple>
#include <vector>

namespace daedalus::test {
namespace {

using cuda::Address;
using package::DType;

constexpr int floats = 0, float16s = 2, int8s = 3, int32s = 10, bfloat16s = 14; // cudaDataType_t
constexpr int sumsOfFloats = 68, sumsOfIntegers = 72;                           // cublasComputeType_t
constexpr size_t rounds = 5;

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

int typeOf(DType dtype) {
  return dtype == DType::F16    ? float16s
         : dtype == DType::BF16 ? bfloat16s
         : dtype == DType::I8   ? int8s
                                : floats;
}

class CublasBlas : public Blas {
public:
  CublasBlas(Device &device, const Library &library) : device(device), library(library) {}
  ~CublasBlas() override {
    if (handle)
      library.destroy(handle);
  }

  Result<void> start() {
    if (library.create(&handle) || library.setStream(handle, device.stream()))
      return error("cuBLAS cannot be started");
    return {};
  }

  Result<double> multiply(const Tensor &a, const Tensor &b, bool isTransposed) override {
    std::vector<Product> products;
    do {
      Result<Product> product = productOf(a, b, isTransposed);
      if (!product)
        return device.release(), error(product.error());
      products.push_back(*product);
    } while (products.size() < turnsOf(products[0].bytes));
    const Result<double> time =
        device.median(products.size(), rounds, [&](size_t i) { return multiply(products[i]); });
    device.release();
    return time;
  }

private:
  struct Product {
    int m = 0, n = 0, k = 0, type = 0;
    bool isTransposed = false;
    Address a = 0, b = 0, c = 0;
    uint64_t bytes = 0;
  };

  Result<Product> productOf(const Tensor &a, const Tensor &b, bool isTransposed) {
    Product product;
    product.m = int(a.type.shape[0]);
    product.n = int(b.type.shape[isTransposed ? 0 : 1]);
    product.k = int(a.type.shape[1]);
    product.type = typeOf(a.type.dtype);
    product.isTransposed = isTransposed;
    const uint64_t ofResult = product.type == int8s ? 4 : package::byteSize(a.type.dtype);
    const std::array<std::tuple<Address *, uint64_t, const uint8_t *>, 3> operands{
        std::tuple(&product.a, a.data.size(), a.data.data()),
        std::tuple(&product.b, b.data.size(), b.data.data()),
        std::tuple(&product.c, uint64_t(product.m) * uint64_t(product.n) * ofResult, nullptr)};
    for (const auto &[address, size, contents] : operands) {
      const Result<Address> allocated = device.allocate(size, contents);
      if (!allocated)
        return error(allocated.error());
      *address = *allocated;
      product.bytes += size;
    }
    return product;
  }

  /// cuBLAS's matrices are stored by columns, so it computes the transposed product of transposed factors.
  Result<void> multiply(const Product &p) {
    const int result = p.type == int8s ? int32s : p.type;
    const float one = 1, zero = 0;
    const int32_t wholeOne = 1, wholeZero = 0;
    const void *alpha = p.type == int8s ? static_cast<const void *>(&wholeOne) : &one;
    const void *beta = p.type == int8s ? static_cast<const void *>(&wholeZero) : &zero;
    const auto at = [](Address address) { return reinterpret_cast<void *>(address); };
    if (const int status = library.multiply(handle, p.isTransposed, 0, p.n, p.m, p.k, alpha, at(p.b), p.type,
                                            p.isTransposed ? p.k : p.n, at(p.a), p.type, p.k, beta, at(p.c),
                                            result, p.n, p.type == int8s ? sumsOfIntegers : sumsOfFloats,
                                            /*algorithm=*/-1))
      return error("cublasGemmEx gives the status " + std::to_string(status));
    return {};
  }

  Device &device;
  const Library library;
  Library::Handle handle = nullptr;
};

} // namespace

Result<std::unique_ptr<Blas>> Blas::open(Device &device) {
  const Result<Library> library = loadLibrary();
  if (!library)
    return error(library.error());
  auto blas = std::make_unique<CublasBlas>(device, *library);
  if (auto ok = blas->start(); !ok)
    return error(ok.error());
  return std::unique_ptr<Blas>(std::move(blas));
}

} // namespace daedalus::test
