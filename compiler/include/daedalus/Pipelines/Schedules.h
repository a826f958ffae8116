// The kernels of a model that targets schedule, and entries of such schedules: what a search for better ones
// works with (daedalus/Target/Schedule.h).

#ifndef DAEDALUS_PIPELINES_SCHEDULES_H
#define DAEDALUS_PIPELINES_SCHEDULES_H

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Schedule.h"
#include "daedalus/support/result.h"

namespace daedalus {

/// The kernels as `options` schedules them, compiled to level `dae`. `threads`: that share tiles.
Result<std::vector<ScheduledKernel>> scheduledKernels(const std::string &path, const CompileOptions &options,
                                                      unsigned threads);

/// Whether entries can be read, each as one of its section for kernels of its key. `file` has them; the error
/// names it and the kernels.
Result<void> checkEntries(const std::vector<ScheduleEntry> &entries, const std::string &file);

} // namespace daedalus

#endif
