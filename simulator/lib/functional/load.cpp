// LOAD, byte by byte: runs from DRAM to a scratchpad, with padding around the tensor, tail fill and
// diagonal tiles.
#include "common/loop_nest.h"
#include "daedalus/isa/semantics.h"
#include "functional/instructions.h"

namespace daedalus::sim::functional {
namespace {

/// One run of a LOAD: the innermost body of its loops.
class Run {
public:
  Run(const isa::Load &load, const LoopNest<isa::LoadLoop, 3> &nest, CoreState &core)
      : load(load), core(core), scope(core.scratchpad(load.scope)), rowBytes(core.machine.n),
        dram(int64_t(load.offset) + nest.offset(&isa::LoadLoop::dramStride)),
        dst(int64_t(load.dst) + nest.offset(&isa::LoadLoop::dstStride)),
        y(load.originY + int64_t(nest.index(1))),
        x(load.originX + int64_t(nest.index(2)) * load.loops[2].dramStride) {}

  std::optional<Fault> execute() {
    for (int64_t k = 0; k < load.runBytes; ++k) {
      int8_t value = load.fill;
      if (isData(k)) {
        if (auto fault = checkDram(core, load.base, dram + k, dram + k + 1))
          return fault;
        const uint8_t byte = *core.dram.at(core.bases[load.base].address + uint64_t(dram + k));
        value = static_cast<int8_t>(load.unsignedData ? isa::flipSign(byte) : byte);
      }
      if (auto fault = load.diagonal ? writeDiagonal(k, value) : write(k, value))
        return fault;
    }
    return load.tailFill && !load.diagonal ? fillTail() : std::nullopt;
  }

private:
  bool isData(int64_t k) const {
    return load.unbounded || (y >= 0 && y < load.extentY && x + k >= 0 && x + k < load.extentX);
  }

  std::optional<Fault> write(int64_t k, int8_t value) {
    if (auto fault = checkScope(load.scope, "byte", dst + k, dst + k + 1, int64_t(scope.size())))
      return fault;
    scope[dst + k] = static_cast<uint8_t>(value);
    core.wrote(load.scope, dst + k, &scope[dst + k], 1);
    return std::nullopt;
  }

  /// Byte k goes to lane k of row k, and the other lanes of that row become zero.
  std::optional<Fault> writeDiagonal(int64_t k, int8_t value) {
    const int64_t row = dst + k * rowBytes;
    if (auto fault = checkScope(load.scope, "byte", row, row + rowBytes, int64_t(scope.size())))
      return fault;
    for (int64_t lane = 0; lane < rowBytes; ++lane)
      scope[row + lane] = lane == k ? static_cast<uint8_t>(value) : 0;
    core.wrote(load.scope, row, &scope[row], rowBytes);
    return std::nullopt;
  }

  /// The lanes behind the run, to the end of its last row, become fill.
  std::optional<Fault> fillTail() {
    for (int64_t k = load.runBytes; (dst + k) % rowBytes != 0; ++k)
      if (auto fault = write(k, load.fill))
        return fault;
    return std::nullopt;
  }

  const isa::Load &load;
  CoreState &core;
  std::vector<uint8_t> &scope;
  const int64_t rowBytes;
  const int64_t dram; ///< of the run's first byte, from the base register
  const int64_t dst;  ///< its byte address in the scope
  const int64_t y, x; ///< its place in the tensor
};

} // namespace

std::optional<Fault> execute(const isa::Load &load, CoreState &core) {
  LoopNest nest(load.loops);
  do {
    if (auto fault = Run(load, nest, core).execute())
      return fault;
  } while (nest.next());
  return std::nullopt;
}

} // namespace daedalus::sim::functional
