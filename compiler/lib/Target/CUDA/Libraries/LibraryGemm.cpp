// See LibraryGemm.h. A convolution of windows of one pixel is a product of matrices, too.

#include "LibraryGemm.h"

#include "Transforms/Transforms.h"

#include "cuda_libraries.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

package::DType typeOf(Type type) {
  return type.isF16()        ? package::DType::F16
         : type.isBF16()     ? package::DType::BF16
         : type.isInteger(8) ? package::DType::I8
                             : package::DType::F32;
}

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

bool takes(const LibraryChoice &library, const Gemm &gemm) {
  if (gemm.type != package::DType::I8)
    return library.has("matmul");
  return library.has("matmul_i8") && isAligned(gemm) &&
         (library.name != "cublaslt" || areRowsByColumns(gemm));
}

/// Memory that a library can be given the address of, with elements of the same type; null of others.
Value wholeBufferOf(Value value) {
  Value buffer = bufferOf(value);
  Operation *op = buffer.getDefiningOp();
  const bool isMemory = !op || isa<memref::AllocOp, memref::GetGlobalOp>(op);
  return isMemory && getElementTypeOrSelf(buffer.getType()) == getElementTypeOrSelf(value.getType())
             ? buffer
             : Value();
}

} // namespace

void LibraryGemm::create(OpBuilder &b, Location loc, bool accumulates) const {
  const auto list = [&](ArrayRef<uint64_t> values) {
    return b.getDenseI64ArrayAttr(SmallVector<int64_t>(values.begin(), values.end()));
  };
  const auto strides = [&](const Strides &of) { return list({of.batch, of.row, of.column}); };
  b.create<GemmOp>(loc, b.getStringAttr(function), x, y, out, list({gemm.batch, gemm.m, gemm.n, gemm.k}),
                   strides(gemm.x), strides(gemm.y), strides(gemm.out),
                   accumulates ? b.getUnitAttr() : UnitAttr());
}

std::optional<LibraryGemm> libraryGemmOf(const Product &product, ArrayRef<LibraryChoice> libraries) {
  const std::optional<Gemm> gemm = libraries.empty() ? std::nullopt : gemmOf(product);
  const auto *library =
      gemm ? llvm::find_if(libraries, [&](const LibraryChoice &choice) { return takes(choice, *gemm); })
           : libraries.end();
  if (library == libraries.end())
    return std::nullopt;
  linalg::LinalgOp op = product.op;
  const Value x = wholeBufferOf(product.a.buffer()), y = wholeBufferOf(product.b.buffer()),
              out = wholeBufferOf(op.getDpsInits()[0]);
  if (!x || !y || !out || x == out || y == out)
    return std::nullopt;
  return LibraryGemm{library->name + (product.isInt8() ? ".matmul_i8" : ".matmul"), *gemm, x, y, out};
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
  if (!libraryOf(getFunction().str()))
    return emitOpError("calls '") << getFunction() << "', which no library has";
  if (getSizes().size() != 4 || getStridesX().size() != 3 || getStridesY().size() != 3 ||
      getStridesOut().size() != 3)
    return emitOpError(
        "has sizes that are not of the batch, of M, N and K, or strides that are not of the batch, "
        "of rows and of columns");
  const Gemm gemm = gemmOf(*this);
  const Type element = getElementTypeOrSelf(getX().getType()), sum = getElementTypeOrSelf(getOut().getType());
  if (element != getElementTypeOrSelf(getY().getType()) || sum.isInteger(32) != element.isInteger(8))
    return emitOpError("multiplies ")
           << getX().getType() << " by " << getY().getType() << " to " << getOut().getType()
           << "; expected factors of one type, and sums of float32, or int32 of int8";
  if (!isLegal(gemm))
    return emitOpError("has sizes and strides of no product of matrices whose rows or columns lie dense");
  const auto fits = [](Value buffer, uint64_t bytes) {
    auto type = cast<MemRefType>(buffer.getType());
    return type.hasStaticShape() && type.getLayout().isIdentity() &&
           bytes <= uint64_t(type.getNumElements()) * type.getElementTypeBitWidth() / 8;
  };
  if (!fits(getX(), gemm.bytesOfX()) || !fits(getY(), gemm.bytesOfY()) || !fits(getOut(), gemm.bytesOfOut()))
    return emitOpError("reads or writes beyond its buffers");
  return success();
}

} // namespace daedalus::cuda
