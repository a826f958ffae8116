// cuBLAS: a product is one call with a handle of the session's.
#include "gemm_numbers.h"
#include "library_file.h"
#include "opened_library.h"

namespace daedalus::cuda {
namespace {

void findAll(LibraryFile &file, CublasApi &api) {
  file.find(api.create, "cublasCreate_v2");
  file.find(api.destroy, "cublasDestroy_v2");
  file.find(api.setStream, "cublasSetStream_v2");
  file.find(api.setWorkspace, "cublasSetWorkspace_v2");
  file.find(api.multiply, "cublasGemmStridedBatchedEx");
  file.find(api.statusName, "cublasGetStatusName");
  file.find(api.statusText, "cublasGetStatusString");
}

class Cublas : public OpenedLibrary {
public:
  Cublas(const Library &library, const CublasApi &api) : library(library), api(api) {}
  ~Cublas() override {
    if (handle)
      api.destroy(handle);
  }

  /// The stream first: it takes the workspace away.
  Result<void> start(Stream stream, Workspace workspace) {
    if (auto ok = check(api.create(&handle), "starting cuBLAS"); !ok)
      return handle = nullptr, ok;
    if (auto ok = check(api.setStream(handle, stream), "giving cuBLAS a stream"); !ok)
      return ok;
    return check(api.setWorkspace(handle, asPointer(workspace.address), workspace.bytes),
                 "giving cuBLAS its workspace of " + std::to_string(workspace.bytes) + " bytes");
  }

  Result<std::unique_ptr<ReadyCall>> prepare(const Call &call) override {
    return std::unique_ptr<ReadyCall>(std::make_unique<Ready>(*this, std::get<Gemm>(call)));
  }

private:
  struct Ready : ReadyCall {
    Ready(Cublas &cublas, const Gemm &gemm) : cublas(cublas), gemm(gemm) {}
    Result<void> run(Address x, Address y, Address out) override { return cublas.multiply(gemm, x, y, out); }

    Cublas &cublas;
    const Gemm gemm;
  };

  Result<void> multiply(const Gemm &gemm, Address x, Address y, Address out) {
    const auto size = [](uint64_t value) { return static_cast<int>(value); };
    const auto stride = [](uint64_t value) { return static_cast<long long>(value); };
    const int type = typeOf(gemm.type);
    const Scalar one(1), before(gemm.accumulates ? 1 : 0);
    const CublasApi::Status status = api.multiply(
        handle, operationOf(gemm.y), operationOf(gemm.x), size(gemm.n), size(gemm.m), size(gemm.k),
        one.of(gemm), asPointer(y), type, size(gemm.y.leading()), stride(gemm.y.batch), asPointer(x), type,
        size(gemm.x.leading()), stride(gemm.x.batch), before.of(gemm), asPointer(out), typeOf(gemm.sumType()),
        size(gemm.out.leading()), stride(gemm.out.batch), size(gemm.batch), sumsOf(gemm), anyAlgorithm);
    return check(status, describe(gemm) + " with cuBLAS");
  }

  Result<void> check(CublasApi::Status status, const std::string &what) const {
    return status == 0 ? Result<void>()
                       : checkStatus(library, status, api.statusName(status), api.statusText(status), what);
  }

  const Library &library;
  const CublasApi api;
  CublasApi::Handle handle = nullptr;
};

} // namespace

Result<std::unique_ptr<OpenedLibrary>> openCublas(const Library &library, Stream stream,
                                                  Workspace workspace) {
  const Result<CublasApi> api = loadApi<CublasApi>(library, findAll);
  if (!api)
    return error(api.error());
  auto made = std::make_unique<Cublas>(library, *api);
  if (auto ok = made->start(stream, workspace); !ok)
    return error(ok.error());
  return std::unique_ptr<OpenedLibrary>(std::move(made));
}

} // namespace daedalus::cuda
