// Where machines break: keys at the ends of their ranges, and conditions between keys that hold without room
// to spare. And all machines, as far as they differ in that: given N, the keys fall into groups that no
// condition connects, so that a machine is an N and a point of each group, in any combination.
#pragma once

#include "daedalus/isa/machine.h"

#include <string>
#include <vector>

namespace daedalus::cosim {

/// A key at its least or its greatest; or a condition between keys that is tight: a step of any of its keys
/// towards the other side breaks it.
struct MachineEnd {
  std::string text;                          ///< "n = 8", "inp_bytes >= inp_banks * n is tight"
  std::vector<const isa::MachineKey *> keys; ///< that it is about
  const isa::MachineKey *key = nullptr;      ///< null: a condition
  uint32_t value = 0;
  size_t condition = 0; ///< its place in machineConditions()
};

/// A condition between keys: those of isa.yaml, and the keys that bound another one.
struct MachineCondition {
  std::string text;
  std::vector<const isa::MachineKey *> keys;
  bool (*holds)(const isa::MachineParameters &) =
      nullptr; ///< null: of two keys the first is at most the second
};

const std::vector<MachineCondition> &machineConditions();
const std::vector<MachineEnd> &machineEnds();

bool holds(const MachineCondition &condition, const isa::MachineParameters &machine);
bool isAt(const MachineEnd &end, const isa::MachineParameters &machine);

/// Ends, as places in machineEnds(), and all values of a group's keys that are at these and at no others.
struct MachinePoint {
  std::vector<size_t> ends;
  std::vector<std::vector<uint32_t>> values;
};

struct MachineGroup {
  std::vector<const isa::MachineKey *> keys;
  std::vector<MachinePoint> points;
};

/// All points of all groups for an N, the group of N alone among them: powers of two take every value of
/// theirs, other numbers their least, their greatest, the least that the conditions allow, and one in between
/// by the seed. `ignored`: a condition that does not have to hold.
std::vector<MachineGroup> machineGroups(uint32_t n, uint64_t seed, const MachineCondition *ignored = nullptr);

} // namespace daedalus::cosim
