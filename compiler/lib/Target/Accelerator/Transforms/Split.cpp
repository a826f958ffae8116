// Split over modules: of a product lane by lane, VECTOR computes some of the tiles while GEMM, with diagonal
// weights, computes the others. Sixteenths of the tiles, spread evenly.

#include "Transforms/Transforms.h"

namespace daedalus::accelerator {

bool isOnVector(const Kernel &kernel, const Schedule &schedule, int64_t tile) {
  return kernel.diagonal && (tile + 1) * schedule.vector / 16 > tile * schedule.vector / 16;
}

} // namespace daedalus::accelerator
