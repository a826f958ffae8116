// The keys of machines: values, and conditions between them.
#pragma once

#include "daedalus/isa/dram.h"
#include "daedalus/isa/machine.h"
#include "daedalus/isa/machine_names.h"

#include <string>

namespace daedalus::isa {

/// The key of a name, those of a DRAM included; null where there is none.
const MachineKey *findKey(const std::string &name);

/// The error of a key that a user wrote as `written` and that has an unknown `name`.
Error unknownKey(const std::string &written, const std::string &name, const Suggest &suggest);

/// What `suggest` says; nothing without one.
std::string suggested(const Suggest &suggest, const std::string &name, const std::vector<std::string> &known);

/// As parseMachine of machine.h, with suggestions.
Result<Machine> parseMachine(const std::string &yaml, const std::string &sourceName, const Suggest &suggest);

/// What a user wrote, as far as a sentence has room for it.
std::string shown(const std::string &text);

/// "a power of two from 8 to 64".
std::string allowedRange(const MachineKey &key);

/// The value of a key, or why it is none.
Result<uint32_t> parseValue(const MachineKey &key, const std::string &text);

/// Whether the key is a latency that a DRAM replaces.
bool isLatency(const MachineKey &key);

/// That the machine may be given a number for the key: those of a DRAM belong beside a model, the latencies
/// beside none.
Result<void> checkBelongs(const MachineKey &key, const Machine &machine);

/// Gives a machine that states no clock that of `base`, if its core is the same: other hardware has another
/// one.
void inheritClock(Machine &machine, const Machine &base);

/// Sets what other keys decide about, once all are read, and checks that every key is within the bounds that
/// other keys are, and that the conditions of isa.yaml hold.
Result<void> completeMachine(Machine &machine);

} // namespace daedalus::isa
