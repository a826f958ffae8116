// What planning took.

#ifndef DAEDALUS_TARGET_PLANEFFORT_H
#define DAEDALUS_TARGET_PLANEFFORT_H

#include <cstdint>

namespace daedalus {

struct PlanEffort {
  uint64_t kernels = 0;    ///< calls planned
  uint64_t enumerated = 0; ///< kernels whose schedules were enumerated, those alike once
  uint64_t tried = 0;      ///< groups of schedules simulated
  uint64_t tiles = 0;      ///< simulated in all
};

} // namespace daedalus

#endif
