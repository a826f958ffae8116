// Models on targets whose devices a host may lack, such as GPUs.
#pragma once

#include "daedalus/Target/Settings.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/result.h"

#include <string>
#include <vector>

namespace daedalus::tuning {

/// Whether this host runs what is compiled for a target: a small program does. The error says what it lacks.
Result<void> canRunOn(const std::string &target, const TargetSettings &settings);

/// The layers of a run, of so many the medians of what their kernels took by the device's clock; of one where
/// the device has no clock.
Result<std::vector<runtime::LayerCycles>>
layersOfRuns(runtime::Session &session, const std::vector<runtime::Tensor> &inputs, uint64_t runs);

} // namespace daedalus::tuning
