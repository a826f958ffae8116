// Schedules of the CPU's and of GPUs' kernels in the database: by their kernels, and the device on which they
// were measured.
#pragma once

#include "PlanSearch/TuneDatabase.h"
#include "Tuning/ScheduleSearch.h"
#include "daedalus/Target/Schedule.h"

namespace daedalus::plansearch {

/// Whether any are there.
Result<bool> hasSchedules(const TuneDatabase &database);
/// Of these kernels on their devices, by this compiler. The error may be that a schedule cannot be read.
Result<std::vector<ScheduleEntry>> readSchedules(const TuneDatabase &database,
                                                 const std::vector<ScheduledKernel> &kernels);
/// Of these kernels on other devices and by other versions, the most similar devices first; without those
/// that cannot be read.
Result<std::vector<ScheduleEntry>> readOtherSchedules(const TuneDatabase &database,
                                                      const std::vector<ScheduledKernel> &kernels);
/// What is kept of a kernel.
TunedRow rowOf(const tuning::SearchedKernel &kernel);

} // namespace daedalus::plansearch
