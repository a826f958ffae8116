// The kernels of a model that targets schedule, and the files of such schedules: what a search for better
// ones works with (daedalus/Target/Schedule.h).

#ifndef DAEDALUS_PIPELINES_SCHEDULES_H
#define DAEDALUS_PIPELINES_SCHEDULES_H

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Schedule.h"
#include "daedalus/support/result.h"

namespace daedalus {

/// The kernels as `options` schedules them, compiled to level `dae`. `threads`: that share tiles.
Result<std::vector<ScheduledKernel>> scheduledKernels(const std::string &path, const CompileOptions &options,
                                                      unsigned threads);

/// The text of a file with the entries of another one, which may be empty for none, and `entries` in the
/// place of those for the same kernels, or behind them, in the sections that they name. The error is what is
/// wrong with the file.
Result<std::string> scheduleWith(const std::string &file, const std::vector<ScheduleEntry> &entries);

} // namespace daedalus

#endif
