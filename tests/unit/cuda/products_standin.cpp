#include "products_standin.h"

#include "daedalus/support/float16.h"

#include <cstring>

namespace daedalus::test {
namespace {

// Of cudaDataType_t and cublasComputeType_t.
constexpr int floats = 0, float16s = 2, int8s = 3, int32s = 10, bfloat16s = 14;
constexpr int sumsOfFloats = 68, sumsOfIntegers = 72;

std::vector<float> result;

void compute(const MatrixProduct &product) {
  const Matrix &c = product.c;
  result.clear();
  for (int batch = 0; batch < product.batch; ++batch)
    for (int column = 0; column < c.columns; ++column)
      for (int row = 0; row < c.rows; ++row) {
        double sum = product.accumulates ? c.at(batch, row, column) : 0;
        for (int k = 0; k < product.a.columns; ++k)
          sum += product.a.at(batch, row, k) * product.b.at(batch, k, column);
        auto *place = static_cast<uint8_t *>(const_cast<void *>(c.data)) + 4 * c.place(batch, row, column);
        const auto whole = static_cast<int32_t>(sum);
        const auto number = static_cast<float>(sum);
        std::memcpy(place, c.type == int32s ? static_cast<const void *>(&whole) : &number, 4);
        result.push_back(number);
      }
}

/// What alpha or beta is, in the type of the sums.
double scalarAt(const void *number, int compute) {
  return compute == sumsOfIntegers ? *static_cast<const int32_t *>(number)
                                   : *static_cast<const float *>(number);
}

} // namespace

size_t Matrix::elementBytes() const {
  return type == int8s ? 1 : type == float16s || type == bfloat16s ? 2 : 4;
}
bool Matrix::isLegal() const {
  return (isTransposed == 0 || isTransposed == 1) && rows >= 1 && columns >= 1 &&
         leading >= (isTransposed ? columns : rows);
}
size_t Matrix::place(int batch, int row, int column) const {
  const size_t line = size_t(isTransposed ? row : column), at = size_t(isTransposed ? column : row);
  return size_t(batch) * size_t(stride) + line * size_t(leading) + at;
}
bool Matrix::isWithinMemoryOf(int batch) const {
  return isWithinMemory(data, (place(batch - 1, rows - 1, columns - 1) + 1) * elementBytes());
}
bool Matrix::isAligned() const {
  return leading % 4 == 0 && stride % 4 == 0 && reinterpret_cast<uintptr_t>(data) % 4 == 0;
}
double Matrix::at(int batch, int row, int column) const {
  const size_t i = place(batch, row, column);
  if (type == int8s)
    return static_cast<const int8_t *>(data)[i];
  if (type == float16s)
    return floatOfFloat16(static_cast<const uint16_t *>(data)[i]);
  if (type == bfloat16s)
    return floatOfBfloat16(static_cast<const uint16_t *>(data)[i]);
  return type == int32s ? double(static_cast<const int32_t *>(data)[i]) : static_cast<const float *>(data)[i];
}

int MatrixProduct::judge() const {
  const bool areIntegers = a.type == int8s;
  if (a.type != b.type || compute != (areIntegers ? sumsOfIntegers : sumsOfFloats) ||
      c.type != (areIntegers ? int32s : floats) || (areIntegers && (!a.isAligned() || !b.isAligned())))
    return isNotSupported;
  return a.isLegal() && b.isLegal() && c.isLegal() && batch >= 1 ? 0 : invalidOfBlas;
}

int submit(const char *name, MatrixProduct product, const void *alpha, const void *beta, void *stream) {
  if (const int status = product.judge())
    return status;
  const double before = scalarAt(beta, product.compute);
  if (scalarAt(alpha, product.compute) != 1 || (before != 0 && before != 1))
    return invalidOfBlas;
  for (const Matrix *matrix : {&product.a, &product.b, &product.c})
    if (!matrix->isWithinMemoryOf(product.batch))
      return mistake(std::string(name) + " beyond the memory", invalidOfBlas);
  product.accumulates = before == 1;
  Thing *thing = find(name, Kind::Stream, stream);
  if (!thing)
    return invalidOfBlas;
  give(*thing, {[product] { compute(product); }, {product.a.data, product.b.data, product.c.data}});
  return 0;
}

const std::vector<float> &lastProduct() {
  return result;
}

} // namespace daedalus::test
