// The search for a better plan of a model on a machine: span by span of neighbouring kernels, whose
// trials are exact cycles of the span between its neighbours; what is better there is kept if the whole
// model is faster.
#pragma once

#include "PlanSearch/SpanSpace.h"
#include "daedalus/Pipelines/Compile.h"
#include "daedalus/isa/machine.h"

namespace daedalus::plansearch {

struct TuneOptions {
  Strategy strategy = Strategy::Learned;
  uint64_t trials = 1000; ///< in all; 0: as many as fit the time
  double seconds = 0;     ///< no trial begins later; 0: any time
  uint64_t seed = 1;
};

/// A span for which something better was found.
struct Improvement {
  std::string first, last;        ///< functions of its kernels
  uint64_t before = 0, after = 0; ///< cycles of the model
};

struct Tuning {
  std::vector<TunedStream> streams; ///< the best plan, of each stream
  uint64_t planned = 0, tuned = 0;  ///< cycles of the model: by the planner, and with this plan
  uint64_t bound = 0;               ///< the least cycles of any plan (docs/bounds.md)
  uint64_t trials = 0;
  std::vector<Improvement> improvements;
};

/// What is told while the search goes on.
struct TuneEvents {
  std::function<void(uint64_t trials)> tried;           ///< so many so far
  std::function<Result<void>(const Tuning &)> improved; ///< a better plan is found; an error ends the search
};

/// `starts`: plans known from elsewhere, tried first. The same for the same arguments, unless it ends by
/// time. A model without streams has no plan, and no trials. Errors are those of compileModel and of
/// `events`.
Result<Tuning> tunePlans(ModelKernels &kernels, const TargetSettings &settings, const isa::Machine &machine,
                         const accelerator::Tuned &starts, const TuneOptions &options,
                         const TuneEvents &events);

} // namespace daedalus::plansearch
