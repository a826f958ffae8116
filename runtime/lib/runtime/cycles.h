// Which layer the cycles of a program belong to.
#pragma once

#include "accelerator.h"

#include "daedalus/package/package.h"
#include "daedalus/runtime/session.h"

#include <vector>

namespace daedalus::runtime {

/// One entry a layer of the package, without cycles.
std::vector<LayerCycles> layersOf(const package::Package &package);

/// Adds the cycles of a run of `program` to the layers by the rule of LayerCycles; those of no layer to an
/// entry for package::noLayer at the end.
void addCycles(const package::AcceleratorProgram &program, const sim::Profile &profile,
               std::vector<LayerCycles> &layers);

/// Adds when each module worked in a run.
void addActivity(const ProgramRun &run, std::array<Activity, 5> &activity);

} // namespace daedalus::runtime
