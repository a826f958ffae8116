// Which instructions and waits decided the end of a run.
#pragma once

#include "daedalus/simulator/profile.h"

namespace daedalus::sim {

/// From the starts and ends of all instructions, and the spans of all modules, of a run to its FINISH: the
/// segments in the order of cycles, without gap or overlap.
std::vector<PathSegment> criticalPath(Span<const isa::Instruction> instructions, const Profile &profile,
                                      const ModuleSpans &spans);

} // namespace daedalus::sim
