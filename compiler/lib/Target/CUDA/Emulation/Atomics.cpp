// Atomic operations: of a warp's lanes one after the other.
#include "Atomics.h"
#include "Accesses.h"
#include "Arithmetic.h"
#include "Numbers.h"

#include <algorithm>

namespace daedalus::cuda {
namespace {

template <class Format> uint64_t updatedFloat(AtomicOperation operation, uint64_t old, uint64_t value) {
  const auto a = Format::get(old), b = Format::get(value);
  switch (operation) {
  case AtomicOperation::FAdd:
    return Format::put(a + b);
  case AtomicOperation::FSub:
    return Format::put(a - b);
  case AtomicOperation::FMax:
    return Format::put(std::fmax(a, b));
  case AtomicOperation::FMin:
    return Format::put(std::fmin(a, b));
  default: // the integers'
    return value;
  }
}

uint64_t updatedInteger(AtomicOperation operation, uint64_t a, uint64_t b, unsigned width) {
  const bool less = signedOf(a, width) < signedOf(b, width);
  switch (operation) {
  case AtomicOperation::Add:
    return a + b;
  case AtomicOperation::Sub:
    return a - b;
  case AtomicOperation::And:
    return a & b;
  case AtomicOperation::Nand:
    return ~(a & b);
  case AtomicOperation::Or:
    return a | b;
  case AtomicOperation::Xor:
    return a ^ b;
  case AtomicOperation::Max:
    return less ? b : a;
  case AtomicOperation::Min:
    return less ? a : b;
  case AtomicOperation::UMax:
    return std::max(a, b);
  case AtomicOperation::UMin:
    return std::min(a, b);
  default: // exchange
    return b;
  }
}

uint64_t updated(AtomicOperation operation, Number number, uint64_t old, uint64_t value, unsigned width) {
  switch (number) {
  case Number::Integer:
    return lowBits(updatedInteger(operation, old, value, width), width);
  case Number::Half:
    return updatedFloat<HalfFormat>(operation, old, value);
  case Number::BFloat:
    return updatedFloat<BFloatFormat>(operation, old, value);
  case Number::Single:
    return updatedFloat<SingleFormat>(operation, old, value);
  case Number::Double:
    return updatedFloat<DoubleFormat>(operation, old, value);
  }
  return value;
}

/// Reads the value of each lane and writes what a function makes of it.
template <class Function> void update(Warp &warp, const Instruction &instruction, Function function) {
  const Access &access = warp.launch.kernel.accesses[instruction.extra];
  const uint64_t *addresses = warp.slot(instruction.operands[0]);
  countAccess(warp, access, addresses, Direction::Load);
  warp.lanes([&](unsigned lane) {
    const Attempt attempt{instruction, lane, access.space, addresses[lane], access.bytes, access.bytes, true};
    const uint8_t *read = readable(warp, attempt);
    uint8_t *bytes = read ? writable(warp, attempt) : nullptr;
    if (!bytes)
      return;
    uint64_t old = 0;
    std::memcpy(&old, bytes, access.bytes);
    const uint64_t value = function(lane, old);
    warp.slot(instruction.result)[lane] = old;
    std::memcpy(bytes, &value, access.bytes);
  });
}

} // namespace

void atomicUpdate(Warp &warp, const Instruction &instruction) {
  const auto operation = static_cast<AtomicOperation>(instruction.immediate & 0xff);
  const auto number = static_cast<Number>(instruction.immediate >> 8);
  const uint64_t *values = warp.slot(instruction.operands[1]);
  update(warp, instruction, [&](unsigned lane, uint64_t old) {
    return updated(operation, number, old, values[lane], instruction.width);
  });
}

void atomicCompareExchange(Warp &warp, const Instruction &instruction) {
  const uint64_t *expected = warp.slot(instruction.operands[1]), *values = warp.slot(instruction.operands[2]);
  uint64_t *success = warp.slot(static_cast<uint32_t>(instruction.immediate));
  update(warp, instruction, [&](unsigned lane, uint64_t old) {
    success[lane] = old == expected[lane];
    return success[lane] ? values[lane] : old;
  });
}

} // namespace daedalus::cuda
