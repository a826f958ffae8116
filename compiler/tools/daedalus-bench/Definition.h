// What a case gives by definition.
#pragma once

#include "Tuning/CaseData.h"
#include "cli/Names.h"

namespace daedalus::cli {

/// Element `index` of the output, row-major, by the definition of its operator and before it is rounded.
double expectedAt(const CpuCase &c, const CaseData &data, uint64_t index);

} // namespace daedalus::cli
