// OpenBLAS: a product of matrices is one sgemm for each matrix of the batch. Its functions are declared here:
// their ABI is that of every CBLAS.
#include "host_library.h"
#include "products.h"

#include <algorithm>
#include <mutex>

namespace daedalus::runtime::libraries {
namespace {

struct OpenBlas {
  void (*sgemm)(int order, int transA, int transB, int m, int n, int k, float alpha, const float *a, int lda,
                const float *b, int ldb, float beta, float *c, int ldc) = nullptr;
  void (*setThreads)(int) = nullptr;
  char *(*config)() = nullptr;
};

/// Loaded once in a process.
const Result<OpenBlas> &openBlas() {
  static const Result<OpenBlas> library = []() -> Result<OpenBlas> {
    const package::Library &known = *package::findLibrary("openblas");
    auto file = HostLibrary::open(known);
    if (!file)
      return error(file.error());
    OpenBlas found;
    file->find(found.sgemm, "cblas_sgemm");
    file->find(found.setThreads, "openblas_set_num_threads");
    file->find(found.config, "openblas_get_config");
    if (found.sgemm && found.setThreads && found.config)
      return found;
    return error("the file of OpenBLAS lacks cblas_sgemm or openblas_set_num_threads: install Debian's " +
                 known.debian);
  }();
  return library;
}

class Sgemm {
public:
  Sgemm(const OpenBlas &library, const MatMul &product, unsigned threads)
      : library(library), product(product), threads(threads) {}

  Result<void> operator()(Span<const TensorView> inputs, Span<const TensorView> outputs) const {
    const auto *a = static_cast<const float *>(inputs[0].data),
               *b = static_cast<const float *>(inputs[1].data);
    auto *out = static_cast<float *>(outputs[0].data);
    const int64_t size = product.m * product.n;
    if (product.hasBias)
      fill(static_cast<const float *>(inputs[2].data), out);
    for (int64_t i = 0; i < product.batch; ++i)
      multiply(a + i * product.m * product.k, b + i * product.k * product.n, out + i * size);
    if (product.hasRelu)
      std::transform(out, out + product.batch * size, out, [](float value) { return value < 0 ? 0 : value; });
    return {};
  }

private:
  void fill(const float *bias, float *out) const {
    for (int64_t row = 0; row < product.batch * product.m; ++row)
      std::copy_n(bias, product.n, out + row * product.n);
  }

  /// The number of threads is the process's: one caller at a time.
  void multiply(const float *a, const float *b, float *out) const {
    constexpr int rowMajor = 101, asIs = 111, transposed = 112;
    const auto of = [](int64_t size) { return static_cast<int>(size); };
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    library.setThreads(of(threads));
    library.sgemm(
        rowMajor, product.transposesA ? transposed : asIs, product.transposesB ? transposed : asIs,
        of(product.m), of(product.n), of(product.k), 1, a, of(product.transposesA ? product.m : product.k), b,
        of(product.transposesB ? product.k : product.n), product.hasBias ? 1 : 0, out, of(product.n));
  }

  const OpenBlas &library;
  MatMul product;
  unsigned threads;
};

} // namespace

Result<ExternalFunction> openBlasCall(const LibraryCall &call) {
  const Result<MatMul> product = MatMul::of(call);
  if (!product)
    return error(product.error());
  const Result<OpenBlas> &library = openBlas();
  if (!library)
    return error(library.error() + withoutLibrary);
  return ExternalFunction(Sgemm(*library, *product, call.threads));
}

Result<std::string> describeOpenBlas() {
  const Result<OpenBlas> &library = openBlas();
  return library ? Result<std::string>(std::string(library->config())) : error(library.error());
}

} // namespace daedalus::runtime::libraries
