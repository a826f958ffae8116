// OpenBLAS's sgemm. Its three functions are declared here: their ABI is that of every CBLAS.
#include "Peer.h"
#include "daedalus/support/stopwatch.h"
#include "host_library.h"

#include <cstdlib>
#include <cstring>

namespace daedalus::cli {
namespace {

struct OpenBlas {
  void (*sgemm)(int order, int transA, int transB, int m, int n, int k, float alpha, const float *a, int lda,
                const float *b, int ldb, float beta, float *c, int ldc) = nullptr;
  void (*setThreads)(int) = nullptr;
  char *(*core)() = nullptr;
  char *(*config)() = nullptr;
};

/// OpenBLAS's core that has the instruction set and no more; empty: it may choose.
const char *coreOf(const std::string &isa) {
  if (isa.empty() || isa == "all")
    return "";
  if (isa == "sse41")
    return "Nehalem";
  if (isa == "avx")
    return "Sandybridge";
  return isa.rfind("avx2", 0) == 0                           ? "Haswell"
         : isa == "avx512_core" || isa == "avx512_core_vnni" ? "SkylakeX"
                                                             : "";
}

/// Loaded once; it reads the environment then.
const Result<OpenBlas> &openBlas(const PeerOptions &options) {
  static const Result<OpenBlas> library = [&]() -> Result<OpenBlas> {
    if (*coreOf(options.isa))
      setenv("OPENBLAS_CORETYPE", coreOf(options.isa), 1);
    setenv("OPENBLAS_THREAD_TIMEOUT", "20", 0); // 2^20 cycles, else 2^26: threads that wait run meanwhile
    auto file = runtime::libraries::HostLibrary::open(*package::findLibrary("openblas"));
    if (!file)
      return error(file.error());
    OpenBlas found;
    file->find(found.sgemm, "cblas_sgemm");
    file->find(found.setThreads, "openblas_set_num_threads");
    file->find(found.core, "openblas_get_corename");
    file->find(found.config, "openblas_get_config");
    if (found.sgemm && found.setThreads && found.core && found.config)
      return found;
    return error(
        "libopenblas.so.0 lacks cblas_sgemm or openblas_set_num_threads: install Debian's libopenblas0");
  }();
  return library;
}

class SgemmPeer : public Peer {
public:
  SgemmPeer(const OpenBlas &library, const CpuCase &c, const CaseData &data, unsigned threads)
      : library(library), c(c), a(floatsOf(data.input)), b(floatsOf(data.weights)), product(c.m * c.n),
        threads(threads) {}

  std::string name() const override { return "OpenBLAS"; }
  std::string implementation() const override { return std::string("sgemm ") + library.core(); }
  std::vector<float> result() const override { return product; }

  Result<double> seconds(uint64_t runs) override {
    constexpr int rowMajor = 101, asIs = 111;
    const int m = static_cast<int>(c.m), n = static_cast<int>(c.n), k = static_cast<int>(c.k);
    library.setThreads(static_cast<int>(threads));
    Stopwatch stopwatch;
    for (uint64_t run = 0; run < runs; ++run)
      library.sgemm(rowMajor, asIs, asIs, m, n, k, 1, a.data(), k, b.data(), n, 0, product.data(), n);
    return stopwatch.lap();
  }

private:
  static std::vector<float> floatsOf(const std::vector<uint8_t> &bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  const OpenBlas &library;
  CpuCase c;
  std::vector<float> a, b, product;
  unsigned threads;
};

} // namespace

MadePeer openBlasPeer(const CpuCase &c, const CaseData &data, const PeerOptions &options) {
  const Result<OpenBlas> &library = openBlas(options);
  if (!library)
    return error(library.error());
  return MadePeer(std::make_unique<SgemmPeer>(*library, c, data, options.threads));
}

Result<std::string> describeOpenBlas(const PeerOptions &options) {
  const Result<OpenBlas> &library = openBlas(options);
  if (!library)
    return error(library.error());
  return std::string(library->config()) + ", core " + library->core();
}

} // namespace daedalus::cli
