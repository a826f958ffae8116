// mma.sync: products of tensor cores. Products are exact; sums of floats are float32's, in the order of k.
#include "Factors.h"
#include "Warp.h"
#include "WarpOperations.h"

#include <algorithm>
#include <limits>

namespace daedalus::cuda {
namespace {

/// Matrices of the largest shape: A of m by k, B of k by n, C of m by n.
template <class Factor, class Sum> struct Matrices {
  Factor a[16][32] = {}, b[32][8] = {};
  Sum c[16][8] = {};
};

/// Calls a function with each element's bits and place.
template <class Function, class Place>
void eachFactor(Warp &warp, const TensorProduct &product, const std::vector<uint32_t> &slots, Place place,
                Function function) {
  const unsigned each = product.shape.elementsPerRegister(), bits = product.shape.bits;
  const size_t registers = slots.size() / (product.isPacked ? 1 : each);
  for (unsigned number = 0; number < registers; ++number)
    for (unsigned element = 0; element < each; ++element) {
      const uint64_t *values = warp.slot(slots[product.isPacked ? number : number * each + element]);
      const unsigned shift = product.isPacked ? element * bits : 0;
      for (unsigned lane = 0; lane < warpSize; ++lane)
        function(place(product.shape, lane, number, element),
                 static_cast<uint32_t>(lowBits(values[lane] >> shift, bits)));
    }
}

/// Calls a function with each element of C or D: its place and its register.
template <class Function>
void eachSum(Warp &warp, const TensorProduct &product, const std::vector<uint32_t> &slots,
             Function function) {
  for (unsigned element = 0; element < product.shape.elementsOfC(); ++element)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      function(positionInC(product.shape, lane, element), warp.slot(slots[element])[lane]);
}

template <class Factors, class Sum> void multiply(Matrices<Factors, Sum> &matrices, const MmaShape &shape) {
  for (unsigned row = 0; row < shape.m; ++row)
    for (unsigned k = 0; k < shape.k; ++k)
      for (unsigned column = 0; column < 8; ++column)
        matrices.c[row][column] += matrices.a[row][k] * matrices.b[k][column];
}

void multiplyFloats(Warp &warp, const TensorProduct &product) {
  Matrices<float, float> matrices;
  eachFactor(warp, product, product.a, positionInA, [&](Position at, uint32_t bits) {
    matrices.a[at.row][at.column] = factorOfFloat(product.factorA, bits);
  });
  eachFactor(warp, product, product.b, positionInB, [&](Position at, uint32_t bits) {
    matrices.b[at.row][at.column] = factorOfFloat(product.factorB, bits);
  });
  eachSum(warp, product, product.c, [&](Position at, uint64_t &value) {
    matrices.c[at.row][at.column] = product.sumsAreHalf ? HalfFormat::get(value) : SingleFormat::get(value);
  });
  multiply(matrices, product.shape);
  eachSum(warp, product, product.d, [&](Position at, uint64_t &value) {
    const float sum = matrices.c[at.row][at.column];
    value = product.sumsAreHalf ? HalfFormat::put(sum) : SingleFormat::put(sum);
  });
}

void multiplyIntegers(Warp &warp, const TensorProduct &product) {
  Matrices<int64_t, int64_t> matrices;
  eachFactor(warp, product, product.a, positionInA, [&](Position at, uint32_t bits) {
    matrices.a[at.row][at.column] = factorOfInteger(product.factorA, bits);
  });
  eachFactor(warp, product, product.b, positionInB, [&](Position at, uint32_t bits) {
    matrices.b[at.row][at.column] = factorOfInteger(product.factorB, bits);
  });
  eachSum(warp, product, product.c,
          [&](Position at, uint64_t &value) { matrices.c[at.row][at.column] = signedOf(value, 32); });
  multiply(matrices, product.shape);
  eachSum(warp, product, product.d, [&](Position at, uint64_t &value) {
    int64_t sum = matrices.c[at.row][at.column];
    if (product.saturates)
      sum =
          std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
    value = lowBits(static_cast<uint64_t>(sum), 32);
  });
}

} // namespace

void multiplyMatrices(Warp &warp, const Instruction &instruction) {
  if (!warp.gather(instruction, allLanes))
    return;
  const TensorProduct &product = warp.launch.kernel.products[instruction.extra];
  ++warp.launch.counts.tensorInstructions;
  isInteger(product.factorA) ? multiplyIntegers(warp, product) : multiplyFloats(warp, product);
}

} // namespace daedalus::cuda
