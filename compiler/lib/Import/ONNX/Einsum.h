// The equation of an Einsum: which loops it has, and which of them index each operand and the output.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_EINSUM_H
#define DAEDALUS_LIB_IMPORT_ONNX_EINSUM_H

#include "Node.h"

namespace daedalus::onnximport {

/// The loops: the output's dimensions first, then those that are summed over.
struct Einsum {
  std::vector<Shape> operands; ///< the loop of each dimension; -1 where it has size 1 and is broadcast
  Shape sizes;                 ///< of the loops
  size_t rank = 0;             ///< of the output
};

/// Of operands of these shapes.
Result<Einsum> readEinsum(const std::string &equation, llvm::ArrayRef<Shape> shapes);

} // namespace daedalus::onnximport

#endif
