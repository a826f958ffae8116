// Machines from the table of keys in isa.yaml: most keys at one end of their range. What a condition between
// keys forbids is drawn again, one of the keys that the condition names at a time.
#include "cosim/random.h"
#include "daedalus/simulator/cosim.h"

#include <cstring>

namespace daedalus::cosim {
namespace {

using isa::MachineKey;

constexpr unsigned Attempts = 100'000;

uint32_t drawValue(const MachineKey &key, Random &random) {
  const int64_t kind = random.between(0, 99);
  if (kind < 40)
    return key.minimum;
  if (kind < 80)
    return key.maximum;
  if (!key.powerOfTwo)
    return static_cast<uint32_t>(random.between(key.minimum, key.maximum));
  const int64_t least = 31 - __builtin_clz(key.minimum), most = 31 - __builtin_clz(key.maximum);
  return 1u << random.between(least, most);
}

bool names(const char *text, const char *key) {
  const size_t length = std::strlen(key);
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (const char *at = std::strstr(text, key); at; at = std::strstr(at + 1, key))
    if ((at == text || !isWord(at[-1])) && !isWord(at[length]))
      return true;
  return false;
}

uint32_t valueOf(const isa::Machine &machine, const char *name) {
  for (const MachineKey &key : isa::MachineKeys)
    if (std::strcmp(key.name, name) == 0)
      return machine.*key.member;
  return 0;
}

/// The keys of a condition that does not hold; empty: all hold.
std::vector<const MachineKey *> keysInConflict(const isa::Machine &machine) {
  std::vector<const MachineKey *> found;
  const auto add = [&](const char *text) {
    for (const MachineKey &key : isa::MachineKeys)
      if (names(text, key.name))
        found.push_back(&key);
  };
  for (const MachineKey &key : isa::MachineKeys)
    for (const char *bound : {key.atMost, key.atLeast})
      if (found.empty() && bound &&
          (bound == key.atMost ? machine.*key.member > valueOf(machine, bound)
                               : machine.*key.member < valueOf(machine, bound))) {
        found.push_back(&key);
        add(bound);
      }
  for (const isa::MachineConstraint &constraint : isa::MachineConstraints)
    if (found.empty() && !constraint.holds(machine))
      add(constraint.text);
  return found;
}

} // namespace

isa::Machine randomMachine(uint64_t seed) {
  Random random(Random(seed).bits()); // steps of the state as seeds would give neighbours the same numbers
  isa::Machine machine;
  machine.name = "random" + std::to_string(seed);
  for (const MachineKey &key : isa::MachineKeys)
    machine.*key.member = drawValue(key, random);
  for (unsigned attempt = 0; attempt < Attempts; ++attempt) {
    const auto keys = keysInConflict(machine);
    if (keys.empty())
      return machine;
    const MachineKey &key = *keys[static_cast<size_t>(random.between(0, int64_t(keys.size()) - 1))];
    machine.*key.member = drawValue(key, random);
  }
  return randomMachine(seed + 1'000'003);
}

} // namespace daedalus::cosim
