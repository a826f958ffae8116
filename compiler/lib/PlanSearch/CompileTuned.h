// Compilation with plans that a search kept.
#pragma once

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Tuned.h"
#include "daedalus/isa/machine.h"

#include <memory>

namespace daedalus::plansearch {

/// The plans that a database has for the machine. Errors are those of TuneDatabase.
Result<std::shared_ptr<const accelerator::Tuned>> tunedPlans(const std::string &database,
                                                             const isa::Machine &machine);

/// Settings with which kernels take these plans.
TargetSettings withPlans(TargetSettings settings, std::shared_ptr<const accelerator::Tuned> plans);

/// How many kernels took their schedules from tuned plans.
uint64_t tunedKernels(const Compiled &compiled);

/// Of a model that was compiled with plans: that, or what the planner makes if it takes fewer cycles.
Result<Compiled> notWorseThanPlanned(Compiled tuned, const std::string &model, const CompileOptions &options,
                                     const isa::Machine &machine);

} // namespace daedalus::plansearch
