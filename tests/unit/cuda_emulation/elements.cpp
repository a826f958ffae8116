#include "elements.h"

#include <random>

namespace daedalus::cuda {

std::string elementKernel(const std::string &from, const std::string &to, const std::string &body) {
  const auto loaded = [&](const std::string &name) {
    return "%p" + name + " = llvm.getelementptr %" + name + "s[%i] : (!llvm.ptr, i32) -> !llvm.ptr, " + from +
           "\n%" + name + " = llvm.load %p" + name + " : !llvm.ptr -> " + from + "\n";
  };
  return "llvm.func @each(%as: !llvm.ptr, %bs: !llvm.ptr, %cs: !llvm.ptr, %rs: !llvm.ptr) attributes "
         "{gpu.kernel, "
         "nvvm.kernel} {\n%i = nvvm.read.ptx.sreg.tid.x : i32\n" +
         loaded("a") + loaded("b") + loaded("c") + body +
         "\n%pr = llvm.getelementptr %rs[%i] : (!llvm.ptr, i32) -> !llvm.ptr, " + to +
         "\nllvm.store %r, %pr : " + to + ", !llvm.ptr\nllvm.return\n}";
}

namespace {

/// Of so many bits, one behind the other in memory.
std::vector<uint8_t> bytesOf(const Values &values, unsigned bits) {
  std::vector<uint8_t> bytes;
  for (uint64_t value : values)
    for (unsigned byte = 0; byte < (bits + 7) / 8; ++byte)
      bytes.push_back(static_cast<uint8_t>(value >> 8 * byte));
  return bytes;
}

} // namespace

Values run(const std::string &text, unsigned from, unsigned to, const Values &a, const Values &b,
           const Values &c) {
  Emulated gpu(text);
  EXPECT_TRUE(gpu.isKnown()) << gpu.refusal() << text;
  if (!gpu.isKnown())
    return Values(count);
  const unsigned size = (to + 7) / 8;
  const uint64_t result = gpu.allocate(count * size);
  gpu.run({"each",
           {1, 1, 1},
           {count, 1, 1},
           0,
           {gpu.allocate(bytesOf(a, from)), gpu.allocate(bytesOf(b, from)), gpu.allocate(bytesOf(c, from)),
            result}});
  const std::vector<uint8_t> bytes = gpu.values<uint8_t>(result, count * size);
  Values values(count);
  for (unsigned index = 0; index < count; ++index)
    std::memcpy(&values[index], bytes.data() + index * size, size);
  return values;
}

Values random(unsigned bits, unsigned seed) {
  std::mt19937_64 bitsOf(seed);
  Values values(count);
  for (uint64_t &value : values)
    value = bitsOf() >> (64 - bits);
  return values;
}

} // namespace daedalus::cuda
