// Compilation with what searches kept.
#pragma once

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/machine.h"

namespace daedalus::plansearch {

/// The options with all that a database has for a model: plans for the machine, and schedules of kernels that
/// run elsewhere, on what this host has; `threads` share their tiles. Errors are those of TuneDatabase and
/// compileModel.
Result<CompileOptions> withTuned(const std::string &model, CompileOptions options,
                                 const std::string &database, const isa::Machine &machine, unsigned threads);

/// How many kernels took plans, or have schedules, of a database.
uint64_t tunedKernels(const Compiled &compiled, const CompileOptions &options);
/// Why a database had nothing for a model: one sentence.
Result<std::string> whyNothing(const std::string &database, const isa::Machine &machine, unsigned threads);

/// Of a model that was compiled with plans: that, or what the planner makes if it takes fewer cycles.
Result<Compiled> notWorseThanPlanned(Compiled tuned, const std::string &model, const CompileOptions &options,
                                     const isa::Machine &machine);

} // namespace daedalus::plansearch
