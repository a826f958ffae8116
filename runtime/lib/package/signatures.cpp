// Signatures of kernels, and calls against them: machine code takes bare pointers, so whatever it relies on
// is compared here, before the first call.

#include "check.h"

namespace daedalus::package {
namespace {

using Access = KernelArgument::Access;

bool isPowerOfTwo(uint32_t value) {
  return value && !(value & (value - 1));
}

Result<void> checkArgument(const KernelArgument &argument, const std::string &where) {
  if (!countable(argument.type))
    return invalid(where + " has the shape " + toString(argument.type) + ", which is negative or too large");
  if (!isPowerOfTwo(argument.alignment) || argument.alignment > 4096)
    return invalid(where + " has the alignment " + number(argument.alignment) +
                   ", expected a power of two up to 4096");
  return {};
}

Result<void> checkSignature(const Kernel &kernel, uint64_t mostWorkerBytes) {
  const std::string where = "kernel '" + kernel.symbol + "'";
  if (kernel.workerBytes > mostWorkerBytes)
    return invalid(where + " wants " + number(kernel.workerBytes) +
                   " bytes of memory for each thread, expected at most " + number(mostWorkerBytes));
  if (kernel.arguments.empty() || kernel.arguments.back().access != Access::Write)
    return invalid(where + " writes nothing: expected an output as its last argument");
  bool written = false;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    if (auto ok = checkArgument(kernel.arguments[i], where + ", argument " + number(i) + ","); !ok)
      return ok;
    const bool writes = kernel.arguments[i].access == Access::Write;
    if (written && !writes)
      return invalid(where + " reads its argument " + number(i) + " behind one that it writes");
    written = writes;
  }
  return {};
}

Result<void> checkOperand(const Kernel &kernel, const KernelArgument &argument, const Ref &operand,
                          const std::string &where) {
  if (operand.type != argument.type)
    return invalid(where + " is " + toString(operand.type) + ", and the kernel '" + kernel.symbol +
                   "' was made for " + toString(argument.type));
  if (operand.offset % argument.alignment)
    return invalid(where + " lies at " + number(operand.offset) + ", and the kernel '" + kernel.symbol +
                   "' needs a multiple of " + number(argument.alignment));
  return {};
}

Result<void> checkApart(const Kernel &kernel, const Step &step, const std::string &where) {
  for (size_t out = 0; out < step.outputs.size(); ++out) {
    for (const Ref &input : step.inputs)
      if (overlap(step.outputs[out], input))
        return invalid(where + ", output " + number(out) +
                       ", shares memory with an input, which the kernel '" + kernel.symbol +
                       "' does not allow");
    for (size_t other = 0; other < out; ++other)
      if (overlap(step.outputs[out], step.outputs[other]))
        return invalid(where + ", output " + number(out) +
                       ", shares memory with another output, which the kernel '" + kernel.symbol +
                       "' does not allow");
  }
  return {};
}

Result<void> checkSignatures(const std::vector<Kernel> &kernels, const std::string &kind,
                             uint64_t mostWorkerBytes) {
  Names symbols(kind);
  for (const Kernel &kernel : kernels) {
    if (auto ok = symbols.add(kernel.symbol); !ok)
      return ok;
    if (auto ok = checkSignature(kernel, mostWorkerBytes); !ok)
      return ok;
  }
  return {};
}

} // namespace

Result<void> checkDevices(const Package &package) {
  if (package.devices.size() > mostDevices)
    return invalid("it has " + number(package.devices.size()) + " devices, expected at most " +
                   number(mostDevices));
  Names names("device");
  for (const Device &device : package.devices) {
    if (auto ok = names.add(device.name); !ok)
      return ok;
    const std::string name = "device '" + device.name + "'";
    if (device.memoryBytes > mostBytes)
      return invalid(name + " has a memory of " + number(device.memoryBytes) +
                     " bytes, which is more than can be addressed");
    if (auto ok = checkSignatures(device.kernels, name + ", kernel", 0); !ok)
      return ok;
  }
  return {};
}

Result<void> checkKernels(const Package &package) {
  if (auto ok = checkSignatures(package.kernels, "kernel", mostWorkerBytes); !ok)
    return ok;
  if (!package.kernels.empty() && package.objects.empty())
    return invalid("it names kernels for the CPU and has no code for them");
  if (package.kernels.empty() && !package.objects.empty())
    return invalid("it has code for the CPU and names no kernel in it");
  for (const ElfObject &object : package.objects)
    if (object.entries.size() != package.kernels.size())
      return invalid("its code for " + object.triple + " has " + number(object.entries.size()) +
                     " entries for " + number(package.kernels.size()) + " kernels");
  return {};
}

Result<void> checkCall(const Kernel &kernel, const Step &step, const std::string &where) {
  const size_t operands = step.inputs.size() + step.outputs.size();
  size_t reads = 0;
  while (reads < kernel.arguments.size() && kernel.arguments[reads].access == Access::Read)
    ++reads;
  if (step.inputs.size() != reads || operands != kernel.arguments.size())
    return invalid(where + " gives the kernel '" + kernel.symbol + "' " + number(step.inputs.size()) +
                   " inputs and " + number(step.outputs.size()) + " outputs, expected " + number(reads) +
                   " and " + number(kernel.arguments.size() - reads));
  for (size_t i = 0; i < operands; ++i) {
    const bool isInput = i < reads;
    const Ref &operand = isInput ? step.inputs[i] : step.outputs[i - reads];
    const std::string which = (isInput ? ", input " : ", output ") + number(isInput ? i : i - reads) + ",";
    if (auto ok = checkOperand(kernel, kernel.arguments[i], operand, where + which); !ok)
      return ok;
  }
  return checkApart(kernel, step, where);
}

} // namespace daedalus::package
