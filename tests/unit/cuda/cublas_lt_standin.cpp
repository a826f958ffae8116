// A stand-in for cuBLASLt, as cublas_standin.cpp is one for cuBLAS.
#include "products_standin.h"

#include <cstring>

using namespace daedalus::test;

extern "C" const char *cublasGetStatusName(int status);
extern "C" const char *cublasGetStatusString(int status);

namespace {

/// A product, a matrix or a preference, with its attributes.
struct Description {
  int type = 0; ///< of a product cublasComputeType_t
  uint64_t rows = 0, columns = 0;
  int64_t leading = 0;
  std::map<int, int64_t> attributes;
};

std::map<void *, Description> descriptions;

struct Found {
  uint64_t algorithm[8];
  size_t workspaceBytes;
  int status;
  float waves;
  int reserved[4];
};

constexpr uint64_t theAlgorithm = 17;

int makeDescription(const char *name, void **made, const Description &description) {
  const int status = make(name, Kind::Description, 1, made);
  if (!status)
    descriptions[*made] = description;
  return statusOfBlas(status);
}

int destroyDescription(const char *name, void *description) {
  descriptions.erase(description);
  return statusOfBlas(destroy(name, Kind::Description, description));
}

int setAttribute(const char *name, void *description, int attribute, const void *value, size_t bytes,
                 size_t expected) {
  if (const int status = calledInContext(name))
    return statusOfBlas(status);
  if (!find(name, Kind::Description, description) || bytes != expected)
    return invalidOfBlas;
  int64_t number = 0;
  std::memcpy(&number, value, bytes);
  descriptions[description].attributes[attribute] = number;
  return 0;
}

/// The matrix that a description says, transposed or not.
Matrix matrixOf(const Description &layout, const void *data, int64_t isTransposed) {
  const uint64_t rows = isTransposed ? layout.columns : layout.rows,
                 columns = isTransposed ? layout.rows : layout.columns;
  const auto stride = layout.attributes.count(6) ? layout.attributes.at(6) : 0;
  return {data, layout.type, int(isTransposed), int(rows), int(columns), int(layout.leading), stride};
}

MatrixProduct productOf(void *product, void *a, void *b, void *c, const void *dataA = nullptr,
                        const void *dataB = nullptr, const void *dataC = nullptr) {
  Description &description = descriptions[product];
  Description &layout = descriptions[c];
  return {matrixOf(descriptions[a], dataA, description.attributes[3]),
          matrixOf(descriptions[b], dataB, description.attributes[4]), matrixOf(layout, dataC, 0),
          int(layout.attributes[5]), description.type};
}

bool areAlive(const char *name, std::initializer_list<void *> all) {
  bool areAlive = true;
  for (void *description : all)
    areAlive &= find(name, Kind::Description, description) != nullptr;
  return areAlive;
}

/// Tensor cores multiply bytes of rows by columns alone.
bool isSupported(const MatrixProduct &product) {
  constexpr int int8s = 3;
  return product.a.type != int8s || (product.a.isTransposed == 1 && product.b.isTransposed == 0 &&
                                     product.a.rows % 4 == 0 && product.a.columns % 4 == 0);
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

const char *cublasLtGetStatusName(int status) {
  return cublasGetStatusName(status);
}
const char *cublasLtGetStatusString(int status) {
  return cublasGetStatusString(status);
}
int cublasLtCreate(void **handle) {
  return statusOfBlas(make("cublasLtCreate", Kind::Blas, 1, handle));
}
int cublasLtDestroy(void *handle) {
  return statusOfBlas(destroy("cublasLtDestroy", Kind::Blas, handle));
}
int cublasLtMatmulDescCreate(void **made, int compute, int) {
  return makeDescription("cublasLtMatmulDescCreate", made, {compute, 0, 0, 0, {}});
}
int cublasLtMatmulDescDestroy(void *product) {
  return destroyDescription("cublasLtMatmulDescDestroy", product);
}
int cublasLtMatmulDescSetAttribute(void *product, int attribute, const void *value, size_t bytes) {
  return setAttribute("cublasLtMatmulDescSetAttribute", product, attribute, value, bytes, sizeof(int));
}
int cublasLtMatrixLayoutCreate(void **made, int type, uint64_t rows, uint64_t columns, int64_t leading) {
  return makeDescription("cublasLtMatrixLayoutCreate", made, {type, rows, columns, leading, {}});
}
int cublasLtMatrixLayoutDestroy(void *layout) {
  return destroyDescription("cublasLtMatrixLayoutDestroy", layout);
}
int cublasLtMatrixLayoutSetAttribute(void *layout, int attribute, const void *value, size_t bytes) {
  return setAttribute("cublasLtMatrixLayoutSetAttribute", layout, attribute, value, bytes,
                      attribute == 5 ? sizeof(int32_t) : sizeof(int64_t));
}
int cublasLtMatmulPreferenceCreate(void **made) {
  return makeDescription("cublasLtMatmulPreferenceCreate", made, {});
}
int cublasLtMatmulPreferenceDestroy(void *preference) {
  return destroyDescription("cublasLtMatmulPreferenceDestroy", preference);
}
int cublasLtMatmulPreferenceSetAttribute(void *preference, int attribute, const void *value, size_t bytes) {
  return setAttribute("cublasLtMatmulPreferenceSetAttribute", preference, attribute, value, bytes,
                      sizeof(uint64_t));
}
int cublasLtMatmulAlgoGetHeuristic(void *handle, void *product, void *a, void *b, void *c, void *d,
                                   void *preference, int most, Found *found, int *count) {
  constexpr const char *name = "cublasLtMatmulAlgoGetHeuristic";
  *count = 0;
  if (const int status = calledInContext(name))
    return statusOfBlas(status);
  if (!find(name, Kind::Blas, handle) || !areAlive(name, {product, a, b, c, d, preference}) || most < 1)
    return invalidOfBlas;
  const MatrixProduct asked = productOf(product, a, b, c);
  if (const int status = asked.judge())
    return status;
  if (!isSupported(asked))
    return isNotSupported;
  found->algorithm[0] = theAlgorithm;
  found->workspaceBytes = size_t(descriptions[preference].attributes[1]);
  *count = 1;
  return 0;
}
int cublasLtMatmul(void *handle, void *product, const void *alpha, const void *a, void *layoutA,
                   const void *b, void *layoutB, const void *beta, const void *c, void *layoutC, void *d,
                   void *layoutD, const uint64_t *algorithm, void *workspace, size_t workspaceBytes,
                   void *stream) {
  constexpr const char *name = "cublasLtMatmul";
  if (const int status = calledInContext(name))
    return statusOfBlas(status);
  if (!find(name, Kind::Blas, handle) || !areAlive(name, {product, layoutA, layoutB, layoutC, layoutD}) ||
      c != d || layoutC != layoutD || algorithm[0] != theAlgorithm)
    return invalidOfBlas;
  if (!isWithinMemory(workspace, workspaceBytes) || reinterpret_cast<uintptr_t>(workspace) % 256)
    mistake("cublasLtMatmul with a workspace beyond the memory or not at a multiple of 256", invalidOfBlas);
  return submit(name, productOf(product, layoutA, layoutB, layoutC, a, b, c), alpha, beta, stream);
}

} // extern "C"
#pragma GCC visibility pop
