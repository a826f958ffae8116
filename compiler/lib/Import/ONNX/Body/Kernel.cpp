// See Kernel.h.

#include "Body/Kernel.h"

using namespace mlir;

namespace daedalus::onnximport {

TypedAttr GeneralKernel::numberOf(const HostTensor &host) {
  Type type = onnximport::elementType(b, host.dtype);
  if (isFloatType(host.dtype))
    return b.getFloatAttr(type, host.isFloat() ? host.floats[0] : host.doubles[0]);
  return b.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), uint64_t(host.ints[0]), true));
}

Value GeneralKernel::tensorOf(const HostTensor &host) {
  auto type = RankedTensorType::get(host.shape, onnximport::elementType(b, host.dtype));
  return b.create<arith::ConstantOp>(loc, onnximport::elementsOf(host, type));
}

Value GeneralKernel::in(size_t input) {
  const Operand &operand = operands[input];
  if (operand.constant)
    return tensorOf(*operand.constant);
  size_t argument = 0;
  for (size_t before = 0; before < input; ++before)
    argument += !operands[before].isAbsent() && !operands[before].constant;
  return arguments[argument];
}

Read GeneralKernel::read(size_t input) {
  const HostTensor *host = constant(input);
  return host && host->size() == 1 ? Read{{}, {}, numberOf(*host)} : broadcast(in(input), output.shape);
}

Read GeneralKernel::read(size_t input, AffineMap map) {
  const HostTensor *host = constant(input);
  return host && host->size() == 1 ? Read{{}, {}, numberOf(*host)} : Read{in(input), map};
}

Read GeneralKernel::readScalar(size_t input) {
  const SmallVector<AffineExpr> zeros(rank(input), b.getAffineConstantExpr(0));
  return read(input, AffineMap::get(output.shape.size(), 0, zeros, b.getContext()));
}

Value GeneralKernel::indexAt(size_t input, int64_t at) {
  if (const HostTensor *host = constant(input))
    return index(host->ints[at]);
  return toIndex(element(in(input), rank(input) ? Indices{index(at)} : Indices{}));
}

} // namespace daedalus::onnximport
