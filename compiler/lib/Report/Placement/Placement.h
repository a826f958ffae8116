// Where each layer of a package runs, why and at what cost: compile --placement.
#pragma once

#include "Report/Json.h"
#include "Tuning/Costs.h"
#include "daedalus/Pipelines/Compile.h"

#include <string>

namespace daedalus::report {

/// A table of the layers (node | target | products | bytes | time | prices | reason), one of the regions
/// (runs of layers on one target, in the package's order), one of the reasons for which layers are on the
/// CPU, and where kernels were priced what all of it was to cost, and costs with cycles of `clockMhz`.
std::string placementText(const Compiled &compiled, const tuning::Costs &costs, uint64_t clockMhz);

/// {"layers": [{"node", "target", "reason", "macs", "bytes", "cycles", "host_us", "prices"}], "predicted_us",
/// "measured_us", "unmeasured"}; what was not measured or priced, or the layer has not, is null.
Json placementJson(const Compiled &compiled, const tuning::Costs &costs, uint64_t clockMhz);

} // namespace daedalus::report
