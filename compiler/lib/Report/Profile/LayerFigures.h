// Of each layer of a run on the accelerator: how far it is from its bound, what it moves, what limits it.
#pragma once

#include "Report/Energy/LayerEnergy.h"
#include "Report/Profile/ProfileReport.h"
#include "Tuning/Costs.h"

#include "daedalus/package/least_work.h"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::report {

struct LayerFigures {
  package::LeastWork least; ///< that its modules work at least, whatever the schedule (docs/bounds.md)
  uint64_t bound = 0;       ///< least cycles of the layer alone; 0 of a layer elsewhere
  tuning::DramBytes bytes;  ///< that LOAD and STORE move for it
  Energy energy;            ///< estimated where the run has a table for it
};

/// Of the package's layers, and one more for what belongs to none; zeros where there are no accelerator
/// programs.
std::vector<LayerFigures> layerFigures(const ProfiledRun &run);

/// Nothing where nothing moves.
std::optional<double> macsPerByte(uint64_t macs, const tuning::DramBytes &bytes);

/// The least cycles of the run on its machine, whatever the schedule; 0 without accelerator programs.
uint64_t boundOf(const ProfiledRun &run);

/// Which part of a machine most cycles of the critical path were spent on: "array", "VECTOR", "bus", "read
/// latency", "write latency", "FETCH", "tokens"; "-" of none.
std::string limitOf(const runtime::Counters &path);

} // namespace daedalus::report
