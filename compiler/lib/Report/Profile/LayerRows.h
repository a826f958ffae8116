// The rows of a profile's table: layers, sorted and cut as asked, what belongs to none, and the total.
#pragma once

#include "Report/Energy/LayerEnergy.h"
#include "Report/Profile/ProfileReport.h"
#include "Report/Profile/Utilisation.h"
#include "Tuning/Costs.h"

#include <string>
#include <vector>

namespace daedalus::report {

struct LayerRow {
  std::string node, target;
  ProfileSums sums;
  uint64_t bound = 0; ///< least cycles; 0: none is known
  LayerUse use;
  uint64_t macs = 0; ///< on the accelerator
  tuning::DramBytes bytes;
  Energy energy;
  uint64_t nanoseconds = 0, deviceTicks = 0, copiedBytes = 0, copyNanoseconds = 0;
  double ticksPerMicrosecond = 0;
};

/// The layers in the order asked for, "(others)" for those left out, "(none)" where something belongs to no
/// layer, "total".
std::vector<LayerRow> layerRows(const ProfiledRun &run, const TableOptions &options);

/// "gemm busy 80.0%, load memory 15.0%": the two largest parts of cycles of the critical path.
std::string mostOf(const ProfileSums &sums);

} // namespace daedalus::report
