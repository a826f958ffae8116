// Ramp: nothing hides the loads of a stream's first tile. Block by block of its channels, GEMM starts with
// the weights of the first one.

#include "Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {

std::vector<Range> rampOf(const Range &blocks) {
  std::vector<Range> pieces;
  for (int64_t block = 0; block < blocks.count; ++block)
    pieces.push_back({blocks.begin + block, 1});
  return pieces;
}

} // namespace daedalus::accelerator
