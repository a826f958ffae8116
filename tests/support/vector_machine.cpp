// See vector_machine.h. A kernel is: kernels behind it in numbers | rank, extents | operands, each bits,
// offset and strides | instructions, each operation and value; every list begins with its length.

#include "vector_machine.h"

#include <algorithm>
#include <cstring>

namespace daedalus::test {
namespace {

constexpr int64_t mostIterations = 1 << 24;

class Numbers {
public:
  explicit Numbers(const std::vector<uint8_t> &code) : code(code) {}

  int64_t next() {
    int64_t value = 0;
    if (code.size() - at < sizeof value)
      return failed = true, 0;
    std::memcpy(&value, code.data() + at, sizeof value);
    at += sizeof value;
    return value;
  }
  size_t length() {
    const int64_t value = next();
    if (value < 0 || value > static_cast<int64_t>((code.size() - at) / 8))
      return failed = true, 0;
    return static_cast<size_t>(value);
  }
  void skip(size_t numbers) { at += 8 * numbers; }
  bool failed = false;

private:
  const std::vector<uint8_t> &code;
  size_t at = 0;
};

std::optional<VectorKernel> decode(const std::vector<uint8_t> &code, size_t kernel) {
  Numbers in(code);
  for (size_t k = 0; k < kernel && !in.failed; ++k)
    in.skip(in.length());
  in.length();
  VectorKernel result;
  result.extents.resize(in.length());
  for (int64_t &extent : result.extents)
    extent = in.next();
  result.operands.resize(in.length());
  for (VectorOperand &operand : result.operands) {
    operand.bits = in.next(), operand.offset = in.next();
    operand.strides.resize(result.extents.size());
    for (int64_t &stride : operand.strides)
      stride = in.next();
  }
  result.instructions.resize(in.length());
  for (VectorInstruction &instruction : result.instructions)
    instruction = {static_cast<VectorOperation>(in.next()), in.next()};
  return in.failed ? std::nullopt : std::optional(result);
}

int64_t wrapped(int64_t value, int64_t bits) {
  return static_cast<int64_t>(static_cast<uint64_t>(value) << (64 - bits)) >> (64 - bits);
}

/// One point of a kernel's iteration space.
class Machine {
public:
  Machine(const VectorKernel &kernel, Span<const uint64_t> bases, Span<uint8_t> memory)
      : kernel(kernel), bases(bases), memory(memory) {}

  Result<void> run() {
    int64_t points = 1;
    for (int64_t extent : kernel.extents) {
      if (extent < 1 || extent > mostIterations / points)
        return error("its code has an iteration space that it does not run");
      points *= extent;
    }
    if (bases.size() != kernel.operands.size() || bases.size() == 0)
      return error("its code is for " + std::to_string(kernel.operands.size()) + " operands");
    point.assign(kernel.extents.size(), 0);
    for (int64_t k = 0; k < points; ++k, advance()) {
      const auto value = evaluate();
      uint8_t *to = value ? address(kernel.operands.size() - 1) : nullptr;
      if (!to)
        return error("its code is wrong");
      std::memcpy(to, &*value, static_cast<size_t>(kernel.operands.back().bits / 8));
    }
    return {};
  }

private:
  void advance() {
    for (size_t d = point.size(); d-- > 0;) {
      if (++point[d] < kernel.extents[d])
        return;
      point[d] = 0;
    }
  }

  /// Null where it lies outside of the memory.
  uint8_t *address(size_t k) {
    const VectorOperand &operand = kernel.operands[k];
    if (operand.bits != 8 && operand.bits != 32)
      return nullptr;
    __int128 at = operand.offset;
    for (size_t d = 0; d < point.size(); ++d)
      at += static_cast<__int128>(operand.strides[d]) * point[d];
    at = at * (operand.bits / 8) + bases[k];
    const bool inside = at >= 0 && at + operand.bits / 8 <= static_cast<__int128>(memory.size());
    return inside ? memory.data() + static_cast<size_t>(at) : nullptr;
  }

  std::optional<int64_t> load(int64_t k) {
    const uint8_t *from = k >= 0 && k < static_cast<int64_t>(kernel.operands.size())
                              ? address(static_cast<size_t>(k))
                              : nullptr;
    if (!from)
      return std::nullopt;
    int32_t wide = 0;
    std::memcpy(&wide, from, static_cast<size_t>(kernel.operands[static_cast<size_t>(k)].bits / 8));
    return kernel.operands[static_cast<size_t>(k)].bits == 8 ? static_cast<int8_t>(wide) : wide;
  }

  std::optional<int64_t> evaluate() {
    stack.clear();
    for (const VectorInstruction &instruction : kernel.instructions)
      if (!step(instruction))
        return std::nullopt;
    return stack.size() == 1 ? std::optional(stack[0]) : std::nullopt;
  }

  bool step(const VectorInstruction &instruction) {
    const auto pop = [&] {
      const int64_t value = stack.back();
      stack.pop_back();
      return value;
    };
    switch (instruction.operation) {
    case VectorOperation::Argument: {
      const auto value = load(instruction.value);
      stack.push_back(value.value_or(0));
      return value.has_value();
    }
    case VectorOperation::Constant:
      stack.push_back(instruction.value);
      return true;
    case VectorOperation::Wrap:
      if (stack.empty() || instruction.value < 1 || instruction.value > 64)
        return false;
      stack.back() = wrapped(stack.back(), instruction.value);
      return true;
    case VectorOperation::Add:
    case VectorOperation::Multiply:
    case VectorOperation::Max:
    case VectorOperation::Min: {
      if (stack.size() < 2)
        return false;
      const int64_t b = pop(), a = pop();
      stack.push_back(combined(instruction.operation, a, b));
      return true;
    }
    }
    return false;
  }

  static int64_t combined(VectorOperation operation, int64_t a, int64_t b) {
    if (operation == VectorOperation::Max || operation == VectorOperation::Min)
      return operation == VectorOperation::Max ? std::max(a, b) : std::min(a, b);
    const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<int64_t>(operation == VectorOperation::Add ? x + y : x * y);
  }

  const VectorKernel &kernel;
  const Span<const uint64_t> bases;
  const Span<uint8_t> memory;
  std::vector<int64_t> point, stack;
};

class Driver : public runtime::DeviceDriver {
public:
  Driver(const package::Device &device, VectorMachineLog *log)
      : device(device), log(log), memory(device.memoryBytes, 0xA5) {}

  runtime::DeviceProperties properties() const override { return {"vector machine of the tests", 0}; }

  Result<void> write(uint64_t offset, Span<const uint8_t> bytes) override {
    std::copy(bytes.begin(), bytes.end(), memory.begin() + static_cast<int64_t>(offset));
    log->writes++;
    return {};
  }
  Result<void> read(uint64_t offset, Span<uint8_t> bytes) override {
    std::copy_n(memory.begin() + static_cast<int64_t>(offset), bytes.size(), bytes.begin());
    log->reads++;
    return {};
  }
  /// Runs it when somebody waits for it, as late as a device may.
  Result<uint64_t> submit(size_t kernel, Span<const uint64_t> operands) override {
    queue.push_back({kernel, {operands.begin(), operands.end()}});
    return queue.size() - 1;
  }
  Result<uint64_t> wait(uint64_t event) override {
    log->runs++;
    const auto &[kernel, operands] = queue[event];
    const Result<void> ran = runVectorKernel(device.code, kernel, operands, memory);
    return ran ? Result<uint64_t>(vectorKernelTicks(device.code, kernel)) : error(ran.error());
  }

private:
  const package::Device &device;
  VectorMachineLog *log;
  std::vector<uint8_t> memory;
  std::vector<std::pair<size_t, std::vector<uint64_t>>> queue; ///< kernels and operands, by events
};

void append(std::vector<int64_t> &to, const std::vector<int64_t> &list) {
  to.insert(to.end(), list.begin(), list.end());
}

} // namespace

std::vector<uint8_t> encodeVectorKernels(const std::vector<VectorKernel> &kernels) {
  std::vector<int64_t> all;
  for (const VectorKernel &kernel : kernels) {
    std::vector<int64_t> numbers = {static_cast<int64_t>(kernel.extents.size())};
    append(numbers, kernel.extents);
    numbers.push_back(static_cast<int64_t>(kernel.operands.size()));
    for (const VectorOperand &operand : kernel.operands) {
      append(numbers, {operand.bits, operand.offset});
      append(numbers, operand.strides);
    }
    numbers.push_back(static_cast<int64_t>(kernel.instructions.size()));
    for (const VectorInstruction &instruction : kernel.instructions)
      append(numbers, {static_cast<int64_t>(instruction.operation), instruction.value});
    all.push_back(static_cast<int64_t>(numbers.size()));
    append(all, numbers);
  }
  std::vector<uint8_t> code(8 * all.size());
  if (!all.empty())
    std::memcpy(code.data(), all.data(), code.size());
  return code;
}

Result<void> runVectorKernel(const std::vector<uint8_t> &code, size_t kernel, Span<const uint64_t> operands,
                             Span<uint8_t> memory) {
  const std::optional<VectorKernel> decoded = decode(code, kernel);
  if (!decoded)
    return error("its code cannot be decoded");
  return Machine(*decoded, operands, memory).run();
}

uint64_t vectorKernelTicks(const std::vector<uint8_t> &code, size_t kernel) {
  const std::optional<VectorKernel> decoded = decode(code, kernel);
  uint64_t ticks = decoded ? decoded->instructions.size() : 0;
  for (size_t i = 0; decoded && i < decoded->extents.size(); ++i)
    ticks *= static_cast<uint64_t>(decoded->extents[i]);
  return ticks;
}

runtime::DeviceDriverFactory vectorMachineDriver(VectorMachineLog *log) {
  static thread_local VectorMachineLog nobody;
  return [log = log ? log : &nobody](
             const package::Device &device) -> Result<std::unique_ptr<runtime::DeviceDriver>> {
    constexpr uint64_t most = uint64_t(1) << 28;
    if (device.memoryBytes > most)
      return error("it has " + std::to_string(most) + " bytes of memory, and the package needs " +
                   std::to_string(device.memoryBytes));
    log->opened++;
    return std::unique_ptr<runtime::DeviceDriver>(std::make_unique<Driver>(device, log));
  };
}

} // namespace daedalus::test
