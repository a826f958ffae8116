// Where each layer of a package runs, why and at what cost: compile --placement.
#pragma once

#include "Costs.h"
#include "Json.h"

#include <string>

namespace daedalus::cli {

/// A table of the layers (node | target | products | bytes | time | reason), one of the regions (runs of
/// layers on one target, in the package's order), and one of the reasons for which layers are on the CPU.
std::string placementText(const package::Package &package, const Costs &costs);

/// {"layers": [{"node", "target", "reason", "macs", "bytes", "cycles", "host_us"}], "unmeasured"}; cycles and
/// host_us are null where they were not measured or the layer has none.
Json placementJson(const package::Package &package, const Costs &costs);

} // namespace daedalus::cli
