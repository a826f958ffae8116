// A plain interpreter of tensor programs, for comparison: functions of tensors of up to 64-bit integers,
// index, float32 and float64 with linalg, tensor, scf, arith, math and dae scalars in them, point by point as
// the dialects' documents say. It shares nothing with the compiler.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <vector>

namespace daedalus::testing {

/// Row-major elements: integers with their sign, floats by their bits.
struct TensorValue {
  mlir::RankedTensorType type;
  std::vector<int64_t> elements;
};

/// The results of a function of its module. What no test should meet ends the process with a message.
std::vector<TensorValue> interpret(mlir::func::FuncOp function, const std::vector<TensorValue> &arguments);

/// Whether the dialects say what the results are: they depend neither on what tensor.empty holds nor on an
/// operation outside of its domain.
bool isDefined(mlir::func::FuncOp function, const std::vector<TensorValue> &arguments);

/// An int8 tensor.
TensorValue tensorOf(mlir::RankedTensorType type, const std::vector<int8_t> &bytes);

} // namespace daedalus::testing
