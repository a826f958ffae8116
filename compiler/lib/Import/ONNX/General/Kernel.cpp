// See Kernel.h.

#include "Kernel.h"

using namespace mlir;

namespace daedalus::onnximport {
Value GeneralKernel::in(size_t input) {
  const Operand &operand = operands[input];
  if (operand.constant)
    return Body::constant(*operand.constant);
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

Value GeneralKernel::padded(Value x, const Window &window, Value value) {
  Shape before{0, 0}, behind{0, 0};
  before.append(window.padBegin.begin(), window.padBegin.end());
  behind.append(window.padEnd.begin(), window.padEnd.end());
  return pad(x, before, behind, value);
}

} // namespace daedalus::onnximport
