// cuBLASLt: a product is described, and an algorithm found for it, before the first run.
#include "gemm_numbers.h"
#include "library_file.h"
#include "opened_library.h"
#include "owned.h"

namespace daedalus::cuda {
namespace {

using Api = CublasLtApi;

void findAll(LibraryFile &file, Api &api) {
  file.find(api.create, "cublasLtCreate");
  file.find(api.destroy, "cublasLtDestroy");
  file.find(api.createProduct, "cublasLtMatmulDescCreate");
  file.find(api.destroyProduct, "cublasLtMatmulDescDestroy");
  file.find(api.setProduct, "cublasLtMatmulDescSetAttribute");
  file.find(api.createLayout, "cublasLtMatrixLayoutCreate");
  file.find(api.destroyLayout, "cublasLtMatrixLayoutDestroy");
  file.find(api.setLayout, "cublasLtMatrixLayoutSetAttribute");
  file.find(api.createPreference, "cublasLtMatmulPreferenceCreate");
  file.find(api.destroyPreference, "cublasLtMatmulPreferenceDestroy");
  file.find(api.setPreference, "cublasLtMatmulPreferenceSetAttribute");
  file.find(api.findAlgorithms, "cublasLtMatmulAlgoGetHeuristic");
  file.find(api.multiply, "cublasLtMatmul");
  file.find(api.statusName, "cublasLtGetStatusName");
  file.find(api.statusText, "cublasLtGetStatusString");
}

/// What all products of a session share.
struct Session {
  const Library &library;
  const Api api;
  const Stream stream;
  const Workspace workspace;
  Api::Handle handle = nullptr;

  Result<void> check(Api::Status status, const std::string &what) const {
    return status == 0 ? Result<void>()
                       : checkStatus(library, status, api.statusName(status), api.statusText(status), what);
  }
};

class Ready : public ReadyCall {
public:
  Ready(const Session &session, const Gemm &gemm)
      : session(session), api(session.api), gemm(gemm), what(describe(gemm) + " with cuBLASLt"),
        product(api.destroyProduct), a(api.destroyLayout), b(api.destroyLayout), c(api.destroyLayout) {}

  Result<void> prepare() {
    const auto scale = gemm.type == package::DType::I8 ? int32s : floats;
    const int ofA = operationOf(gemm.y), ofB = operationOf(gemm.x), type = typeOf(gemm.type);
    if (auto ok =
            check(product.make([&](void **made) { return api.createProduct(made, sumsOf(gemm), scale); }));
        !ok)
      return ok;
    for (auto [attribute, operation] : {std::pair(operationOfA, &ofA), std::pair(operationOfB, &ofB)})
      if (auto ok = check(api.setProduct(product, attribute, operation, sizeof *operation)); !ok)
        return ok;
    if (auto ok = describeMatrix(a, type, gemm.y, gemm.n, gemm.k); !ok)
      return ok;
    if (auto ok = describeMatrix(b, type, gemm.x, gemm.k, gemm.m); !ok)
      return ok;
    if (auto ok = describeMatrix(c, typeOf(gemm.sumType()), gemm.out, gemm.n, gemm.m); !ok)
      return ok;
    return findAlgorithm();
  }

  Result<void> run(Address x, Address y, Address out) override {
    const Scalar one(1), before(gemm.accumulates ? 1 : 0);
    return check(api.multiply(session.handle, product, one.of(gemm), asPointer(y), a, asPointer(x), b,
                              before.of(gemm), asPointer(out), c, asPointer(out), c, &algorithm,
                              asPointer(session.workspace.address), session.workspace.bytes, session.stream));
  }

private:
  Result<void> check(Api::Status status) const { return session.check(status, what); }

  /// `rows` and `columns`: of what is multiplied, by columns.
  Result<void> describeMatrix(Owned &layout, int type, const Strides &strides, uint64_t rows,
                              uint64_t columns) {
    if (strides.isTransposed())
      std::swap(rows, columns);
    const auto leading = static_cast<int64_t>(strides.leading()),
               stride = static_cast<int64_t>(strides.batch);
    const auto batch = static_cast<int32_t>(gemm.batch);
    if (auto ok = check(
            layout.make([&](void **made) { return api.createLayout(made, type, rows, columns, leading); }));
        !ok)
      return ok;
    if (auto ok = check(api.setLayout(layout, batchCount, &batch, sizeof batch)); !ok)
      return ok;
    return check(api.setLayout(layout, batchStride, &stride, sizeof stride));
  }

  Result<void> findAlgorithm() {
    Owned preference(api.destroyPreference);
    const uint64_t most = session.workspace.bytes;
    if (auto ok = check(preference.make(api.createPreference)); !ok)
      return ok;
    if (auto ok = check(api.setPreference(preference, mostWorkspace, &most, sizeof most)); !ok)
      return ok;
    Api::Found found{};
    int count = 0;
    const Api::Status status =
        api.findAlgorithms(session.handle, product, a, b, c, c, preference, 1, &found, &count);
    if (status == isNotSupported || (status == 0 && count == 0))
      return error(what +
                   " failed: it has no algorithm for them on this GPU; compile with --cuda-library cublas "
                   "or without a library");
    algorithm = found.algorithm;
    return check(status);
  }

  const Session &session;
  const Api &api;
  const Gemm gemm;
  const std::string what;
  Owned product, a, b, c;
  Api::Algorithm algorithm{};
};

class CublasLt : public OpenedLibrary {
public:
  CublasLt(const Library &library, const Api &api, Stream stream, Workspace workspace)
      : session{library, api, stream, workspace} {}
  ~CublasLt() override {
    if (session.handle)
      session.api.destroy(session.handle);
  }

  Result<void> start() {
    Result<void> ok = session.check(session.api.create(&session.handle), "starting cuBLASLt");
    if (!ok)
      session.handle = nullptr;
    return ok;
  }

  Result<std::unique_ptr<ReadyCall>> prepare(const Call &call) override {
    auto ready = std::make_unique<Ready>(session, std::get<Gemm>(call));
    if (auto ok = ready->prepare(); !ok)
      return error(ok.error());
    return std::unique_ptr<ReadyCall>(std::move(ready));
  }

private:
  Session session;
};

} // namespace

Result<std::unique_ptr<OpenedLibrary>> openCublasLt(const Library &library, Stream stream,
                                                    Workspace workspace) {
  const Result<Api> api = loadApi<Api>(library, findAll);
  if (!api)
    return error(api.error());
  auto made = std::make_unique<CublasLt>(library, *api, stream, workspace);
  if (auto ok = made->start(); !ok)
    return error(ok.error());
  return std::unique_ptr<OpenedLibrary>(std::move(made));
}

} // namespace daedalus::cuda
