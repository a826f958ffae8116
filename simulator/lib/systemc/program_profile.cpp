// See program_profile.h.
#include "daedalus/simulator/program_profile.h"

#include "systemc/runner.h"

namespace daedalus::sim {

Result<Profile> profileOf(const isa::Machine &machine, const PlacedProgram &program) {
  if (const auto decoded = isa::decodeWords(program.words); !decoded)
    return error(decoded.error());
  return systemc::Runner(machine, program).profile();
}

} // namespace daedalus::sim
