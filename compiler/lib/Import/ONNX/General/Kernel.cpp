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

Value GeneralKernel::indexAt(size_t input, int64_t at) {
  if (const HostTensor *host = constant(input))
    return index(host->ints[at]);
  return toIndex(read(in(input), rank(input) ? Indices{index(at)} : Indices{}));
}

} // namespace daedalus::onnximport
