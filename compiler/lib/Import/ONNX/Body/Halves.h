// Floats of 16 bits in kernels: they are computed in float32, extended where they are read and rounded to
// nearest even where they are stored. Kernels that only move elements, or convert them, take them as they
// are.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_BODY_HALVES_H
#define DAEDALUS_LIB_IMPORT_ONNX_BODY_HALVES_H

#include "Body/Kernel.h"

namespace daedalus::onnximport {

/// What the kernel of a node computes with, in place of its operands and outputs.
struct Widened {
  Widened(const Node &node, const std::vector<Operand> &operands, const std::vector<PlainType> &outputs);

  /// The arguments of the kernel's function, extended.
  std::vector<mlir::Value> arguments(Body &body, mlir::ValueRange all) const;
  /// What the kernel has computed, as its function returns it.
  mlir::Value result(Body &body, mlir::Value value, mlir::Type element) const;

  std::vector<Operand> operands;
  std::vector<PlainType> outputs;

private:
  const bool isWide;
};

} // namespace daedalus::onnximport

#endif
