#include "Constants.h"

#include <cstring>

using namespace mlir;

namespace daedalus::cuda {
namespace {

uint64_t bitsOf(const APInt &value) {
  return value.getZExtValue();
}
uint64_t bitsOf(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

/// The bits of each scalar, nothing of a value that is not known.
std::vector<uint64_t> valuesOf(Attribute value) {
  std::vector<uint64_t> bits;
  if (auto integer = dyn_cast<IntegerAttr>(value))
    bits.push_back(bitsOf(integer.getValue()));
  else if (auto real = dyn_cast<FloatAttr>(value))
    bits.push_back(bitsOf(real.getValue()));
  else if (auto text = dyn_cast<StringAttr>(value))
    for (char character : text.getValue())
      bits.push_back(static_cast<uint8_t>(character));
  else if (auto integers = dyn_cast<DenseIntElementsAttr>(value))
    for (const APInt &element : integers.getValues<APInt>())
      bits.push_back(bitsOf(element));
  else if (auto floats = dyn_cast<DenseFPElementsAttr>(value))
    for (const APFloat &element : floats.getValues<APFloat>())
      bits.push_back(bitsOf(element));
  return bits;
}

/// Null is of a global that nobody gave a value.
Result<void> fill(Region &region, LLVM::GlobalOp global, Attribute value) {
  const std::vector<Scalar> scalars = scalarsOf(global.getType());
  const std::vector<uint64_t> values = valuesOf(value);
  if (values.size() != scalars.size())
    return error("the value of the global '" + global.getSymName().str() + "' is not known to the emulator");
  for (size_t index = 0; index < values.size(); ++index)
    std::memcpy(region.bytes.data() + scalars[index].offset, &values[index], scalars[index].bytes());
  std::fill(region.flags.begin(), region.flags.end(), uint8_t(isWritten));
  return {};
}

} // namespace

Result<void> placeGlobal(LLVM::GlobalOp global, GlobalMemory &memory, GlobalAddresses &addresses) {
  const std::string name = global.getSymName().str();
  if (global.getInitializerBlock())
    return error("the global '" + name + "' has a region as its value, which is not known to the emulator");
  if (global.getAddrSpace() == 3) {
    if (global.getValueAttr())
      return error("the global '" + name + "' is in shared memory and has a value; expected none");
    return {};
  }
  if (scalarsOf(global.getType()).empty())
    return error("the type of the global '" + name + "' is not known to the emulator");
  const uint64_t address = addresses[name] = memory.allocate(sizeOf(global.getType()));
  if (!global.getValueAttr())
    return {};
  Region &region = *memory.find(address, 1);
  region.isConstant = global.getConstant() || global.getAddrSpace() == 4;
  return fill(region, global, global.getValueAttr());
}

} // namespace daedalus::cuda
