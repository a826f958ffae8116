// A machine: the numbers of one accelerator and its memory, read from a machine file. Keys, ranges and
// defaults come from isa.yaml (machine_parameters.h, docs/isa.md).
#pragma once

#include "daedalus/isa/instructions.h"
#include "daedalus/isa/machine_parameters.h"
#include "daedalus/support/result.h"

#include <string>
#include <vector>

namespace daedalus::isa {

struct Machine : MachineParameters {
  std::string name; ///< a built-in name, or the file's name without its folder and extension

  /// FNV-1a, 64 bits, over the ISA's version and every core key with its value, in the order of isa.yaml;
  /// keys that came later are left out at their defaults, so that machines of before keep their hashes.
  /// Programs and packages carry it: they fit every machine of this hash.
  uint64_t hash() const;

  /// Bytes of the unit in which instructions address the scope; 0 of scopes without memory.
  uint32_t rowBytes(Scope scope) const { return scopeRowBytes(*this, scope); }
  /// Size in bytes, in rows of rowBytes(scope), and number of banks.
  uint32_t bytes(Scope scope) const { return scopeBytes(*this, scope); }
  uint32_t rows(Scope scope) const { return rowBytes(scope) ? bytes(scope) / rowBytes(scope) : 0; }
  uint32_t banks(Scope scope) const { return scopeBanks(*this, scope); }

  /// The unit in which accesses are told apart: n bytes, but 4 n (a row) in ACC. LOAD writes slices.
  uint32_t sliceBytes(Scope scope) const { return scope == Scope::Acc ? 4 * n : n; }
  uint32_t slices(Scope scope) const { return bytes(scope) / sliceBytes(scope); }
  /// Slices of one row: n in WGT, 16 in PARAM, 256 / n in LUT, else 1.
  uint32_t slicesPerRow(Scope scope) const { return rowBytes(scope) / sliceBytes(scope); }
};

/// The machine of a built-in name, or of a machine file; behind a comma, keys that differ:
/// "vta,n=8,bus_bytes=8", which is then the machine's name.
Result<Machine> loadMachine(const std::string &nameOrFile);

/// The machine that `yaml` describes; errors begin with `sourceName`, and the machine gets `sourceName`
/// without its folder and extension as its name. Errors name the key, the value and what is allowed.
Result<Machine> parseMachine(const std::string &yaml, const std::string &sourceName);

/// The machine as a machine file, every key written out.
std::string writeMachine(const Machine &machine);

/// The names of the built-in machines, sorted.
std::vector<std::string> builtinMachines();

} // namespace daedalus::isa
