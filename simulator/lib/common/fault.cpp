#include "common/fault.h"

namespace daedalus::sim {

std::string overflowSentence(unsigned signalMask) {
  std::string consumers;
  for (unsigned m = 0; m < isa::ModuleCount; ++m)
    if (signalMask >> m & 1)
      consumers += (consumers.empty() ? "" : " or ") + std::string(isa::name(static_cast<isa::Module>(m)));
  return "its token to " + consumers + " takes the counter past " + std::to_string(isa::TokenCounterMax);
}

} // namespace daedalus::sim
