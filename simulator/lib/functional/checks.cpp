// The two checks of every access, and their sentences.
#include "functional/instructions.h"

namespace daedalus::sim::functional {

std::optional<Fault> checkDram(const CoreState &core, unsigned base, int64_t begin, int64_t end) {
  const BaseRegister &reg = core.bases[base];
  const bool inLimit = begin >= 0 && end <= int64_t(reg.limit);
  if (inLimit && core.dram.holds(reg.address + uint64_t(begin), uint64_t(end - begin)))
    return std::nullopt;
  const std::string bytes = "DRAM bytes [" + std::to_string(begin) + ", " + std::to_string(end) +
                            ") of base register " + std::to_string(base);
  Fault fault;
  fault.cause = inLimit ? isa::FaultCause::BusError : isa::FaultCause::AddressLimit;
  fault.detail = !inLimit ? bytes + ", whose limit is " + std::to_string(reg.limit) + " bytes"
                 : core.dram.contains(reg.address + uint64_t(begin), uint64_t(end - begin))
                     ? bytes + ", which starts at address " + std::to_string(reg.address) +
                           ": the memory answers with an error"
                     : bytes + ", which starts at address " + std::to_string(reg.address) +
                           ", in a memory of " + std::to_string(core.dram.size()) + " bytes";
  return fault;
}

std::optional<Fault> checkScope(isa::Scope scope, const char *unit, int64_t begin, int64_t end,
                                int64_t size) {
  if (begin >= 0 && end <= size)
    return std::nullopt;
  Fault fault;
  fault.cause = isa::FaultCause::ScratchpadRange;
  const bool one = end == begin + 1;
  fault.detail = std::string(unit) + (one ? " " : "s [") + std::to_string(begin) +
                 (one ? "" : ", " + std::to_string(end) + ")") + " of " + isa::name(scope) + ", which has " +
                 std::to_string(size) + " " + unit + "s";
  return fault;
}

} // namespace daedalus::sim::functional
