// A device that exists in the tests alone: a machine with a memory of its own that evaluates one expression
// for each point of an iteration space. It stands for every device that the project does not have: packages
// name it, the runtime copies tensors to it and back, and its driver trusts nothing of its code.
//
// The code of a kernel is numbers: how many, then extents, operands (inputs, then the output) and operations
// in postfix order, see vector_machine.cpp. Kernels stand one behind the other.
#pragma once

#include "daedalus/package/package.h"
#include "daedalus/runtime/device_driver.h"

#include <optional>
#include <vector>

namespace daedalus::test {

constexpr const char *vectorMachineName = "vector-machine";

/// Elements of an operand: integers of `bits` (8 or 32), at offset + sum of strides times the point, in
/// elements.
struct VectorOperand {
  int64_t bits = 8, offset = 0;
  std::vector<int64_t> strides; ///< one an extent
};

enum class VectorOperation : int64_t {
  Argument, ///< of operand `value`
  Constant, ///< `value`
  Add,      ///< of the two topmost
  Multiply,
  Max,
  Min,
  Wrap, ///< the topmost to `value` bits
};

struct VectorInstruction {
  VectorOperation operation;
  int64_t value = 0;
};

struct VectorKernel {
  std::vector<int64_t> extents;
  std::vector<VectorOperand> operands; ///< the output last
  std::vector<VectorInstruction> instructions;
};

std::vector<uint8_t> encodeVectorKernels(const std::vector<VectorKernel> &kernels);

/// What a machine did, for tests.
struct VectorMachineLog {
  size_t opened = 0, writes = 0, reads = 0, runs = 0;
};

/// Its driver. `log`, where there is one, outlives it.
runtime::DeviceDriverFactory vectorMachineDriver(VectorMachineLog *log = nullptr);

/// The ticks that a kernel takes: one for an operation of a point.
uint64_t vectorKernelTicks(const std::vector<uint8_t> &code, size_t kernel);

/// Runs a kernel of the code on a memory: what the driver does, and what a plain interpreter of packages
/// does.
Result<void> runVectorKernel(const std::vector<uint8_t> &code, size_t kernel, Span<const uint64_t> operands,
                             Span<uint8_t> memory);

} // namespace daedalus::test
