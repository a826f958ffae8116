// See LibraryGemm.h. A convolution of windows of one pixel is a product of matrices, too.

#include "LibraryGemm.h"

#include "CallOperands.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// Of all of a dimension's loops as one; nothing where they are no steps of the same size. 1 of a dimension
/// of one element.
std::optional<int64_t> strideAlong(const Dimension &dimension, const Product &product,
                                   ArrayRef<int64_t> strides) {
  std::optional<int64_t> stride;
  int64_t next = 0; // of the loop around those that were seen
  for (unsigned loop : llvm::reverse(dimension.loops)) {
    if (product.sizes[loop] == 1)
      continue;
    if (stride && strides[loop] != next)
      return std::nullopt;
    if (!stride)
      stride = strides[loop];
    next = strides[loop] * product.sizes[loop];
  }
  return stride.value_or(1);
}

/// Of a matrix with such rows and columns, once for each of the batch.
std::optional<Strides> matrixOf(const Product &product, ArrayRef<int64_t> strides, const Dimension &rows,
                                const Dimension &columns) {
  const auto batch = strideAlong(product.batch, product, strides), row = strideAlong(rows, product, strides),
             column = strideAlong(columns, product, strides);
  if (!batch || !row || !column || *batch < 0 || *row < 0 || *column < 0)
    return std::nullopt;
  Strides made{product.batch.size == 1 ? 0 : uint64_t(*batch), uint64_t(*row), uint64_t(*column)};
  if (rows.size == 1) // a line, of which no stride says where the next one would be
    made.row = made.column == 1 ? uint64_t(columns.size) : 1;
  return made;
}

} // namespace

std::optional<Gemm> gemmOf(const Product &product) {
  linalg::LinalgOp op = product.op;
  const auto ofOut =
      stridesOf(op.getIndexingMapsArray().back(), dyn_cast<MemRefType>(op.getDpsInits()[0].getType()));
  if (product.a.border || product.b.border || product.a.first || product.b.first || !ofOut)
    return std::nullopt;
  const auto x = matrixOf(product, product.a.strides, product.m, product.k),
             y = matrixOf(product, product.b.strides, product.k, product.n),
             out = matrixOf(product, *ofOut, product.m, product.n);
  if (!x || !y || !out)
    return std::nullopt;
  Gemm gemm{typeOf(product.a.type()),
            false,
            uint64_t(product.batch.size),
            uint64_t(product.m.size),
            uint64_t(product.n.size),
            uint64_t(product.k.size),
            *x,
            *y,
            *out};
  return isLegal(gemm) ? std::optional<Gemm>(gemm) : std::nullopt;
}

namespace {

/// Whether lines of bytes begin where cuBLAS reads four at once ("cuBLAS Library", chapter 2.8.13).
bool isAligned(const Gemm &gemm) {
  const auto has = [](const Strides &strides) {
    return strides.leading() % 4 == 0 && strides.batch % 4 == 0;
  };
  return has(gemm.x) && has(gemm.y);
}

/// cuBLASLt multiplies bytes by tensor cores alone, of rows by columns, in multiples of 4 ("cuBLAS Library",
/// chapter 3.4.17).
bool areRowsByColumns(const Gemm &gemm) {
  return !gemm.x.isTransposed() && gemm.y.isTransposed() && gemm.n % 4 == 0 && gemm.k % 4 == 0;
}

} // namespace

bool takes(const LibraryChoice &library, const Gemm &gemm) {
  if (gemm.type != package::DType::I8)
    return library.has("matmul");
  return library.has("matmul_i8") && isAligned(gemm) &&
         (library.name != "cublaslt" || areRowsByColumns(gemm));
}

void createGemm(OpBuilder &b, Location loc, const Gemm &gemm, StringAttr function,
                const std::array<Value, 3> &buffers, UnitAttr accumulates) {
  const auto list = [&](ArrayRef<uint64_t> values) {
    return b.getDenseI64ArrayAttr(SmallVector<int64_t>(values.begin(), values.end()));
  };
  const auto strides = [&](const Strides &of) { return list({of.batch, of.row, of.column}); };
  b.create<GemmOp>(loc, function, buffers[0], buffers[1], buffers[2],
                   list({gemm.batch, gemm.m, gemm.n, gemm.k}), strides(gemm.x), strides(gemm.y),
                   strides(gemm.out), accumulates);
}

Gemm gemmOf(GemmOp op) {
  const auto strides = [](ArrayRef<int64_t> of) {
    return Strides{uint64_t(of[0]), uint64_t(of[1]), uint64_t(of[2])};
  };
  const ArrayRef<int64_t> sizes = op.getSizes();
  return {typeOf(getElementTypeOrSelf(op.getX().getType())),
          op.getAccumulates(),
          uint64_t(sizes[0]),
          uint64_t(sizes[1]),
          uint64_t(sizes[2]),
          uint64_t(sizes[3]),
          strides(op.getStridesX()),
          strides(op.getStridesY()),
          strides(op.getStridesOut())};
}

LogicalResult GemmOp::verify() {
  if (getSizes().size() != 4 || getStridesX().size() != 3 || getStridesY().size() != 3 ||
      getStridesOut().size() != 3)
    return emitOpError(
        "has sizes that are not of the batch, of M, N and K, or strides that are not of the batch, "
        "of rows and of columns");
  const Type element = getElementTypeOrSelf(getX().getType()), sum = getElementTypeOrSelf(getOut().getType());
  if (element != getElementTypeOrSelf(getY().getType()) || sum.isInteger(32) != element.isInteger(8))
    return emitOpError("multiplies ")
           << getX().getType() << " by " << getY().getType() << " to " << getOut().getType()
           << "; expected factors of one type, and sums of float32, or int32 of int8";
  return verifyCall(*this, gemmOf(*this),
                    "has sizes and strides of no product of matrices whose rows or columns lie dense");
}

} // namespace daedalus::cuda
