// Executes the device code of a gpu.module, in MLIR's dialects llvm and nvvm, on the host, and counts what it
// does. For tests: every access is checked (bounds, alignment, bytes that nobody wrote, races), every barrier
// has to be reached by all of its threads.
//
//   Result<std::unique_ptr<Emulator>> emulator = Emulator::create(module);
//   const uint64_t x = (*emulator)->allocate(4 * n);
//   (*emulator)->write(x, bytes);
//   Result<EmulationCounts> counts = (*emulator)->run({"saxpy", {blocks, 1, 1}, {128, 1, 1}, 0, {x, y}});
//
// Execution is deterministic: blocks one after the other, of a block the warps one after the other from
// barrier to barrier. Lanes of a warp run together while they are at the same instruction, of several groups
// the one that is furthest behind.
//
// Faults, in words: an access that is out of bounds, misaligned, of bytes that nobody wrote or that a
// cp.async is still to write; a race, which is what two threads do to a byte with no barrier between them, at
// least one of them writing and not both by atomic operations; a barrier or an operation of a warp that some
// of its threads do not reach; a division or a shift without a result; a launch that does not end. A cp.async
// copies when it is waited for, which is the last moment. A wgmma adds up when it is waited for; what a
// thread wrote to shared memory is no factor of one before a fence.proxy.async of that thread's.
//
// Not modelled: orders by atomic operations and fences (what another block wrote is a race, whatever it
// signals); `bar.warp.sync` of some lanes of a warp orders none of them; approximations are exact, denormal
// floats are kept.
#pragma once

#include "daedalus/support/result.h"
#include "daedalus/support/span.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mlir::gpu {
class GPUModuleOp;
}

namespace daedalus::cuda {

/// One launch of a kernel. Arguments are the bits of each parameter: a device address, an integer, a float.
struct EmulatedLaunch {
  std::string function;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t sharedBytes = 0; ///< of dynamic shared memory
  std::vector<uint64_t> arguments;
  uint64_t instructionLimit = uint64_t(1) << 34; ///< of all threads together; more is taken for a hang
  /// The blocks that run, by their numbers in the grid, x first, and which are counted; of none all do.
  std::vector<uint64_t> blocks = {};
};

/// What a launch did.
struct EmulationCounts {
  uint64_t instructions = 0; ///< of threads; a vector's elements are one each, constants and renamings none
  uint64_t globalBytesLoaded = 0, globalBytesStored = 0;
  uint64_t globalSectors = 0;      ///< of 32 bytes, distinct ones within one access of a warp
  uint64_t sharedAccesses = 0;     ///< wavefronts
  uint64_t bankConflicts = 0;      ///< wavefronts beyond those that the access's width needs
  uint64_t barriers = 0;           ///< of blocks, once each time that one is passed
  uint64_t asyncCopies = 0;        ///< cp.async of threads
  uint64_t tensorInstructions = 0; ///< mma of warps, wgmma of groups of four warps
};

class Emulator {
public:
  /// Decodes every kernel of the module, which is not needed afterwards. The error names the first operation
  /// that is not known.
  static Result<std::unique_ptr<Emulator>> create(mlir::gpu::GPUModuleOp module);
  /// The same of a module's text.
  static Result<std::unique_ptr<Emulator>> create(const std::string &text);
  ~Emulator();

  /// Device memory that nobody wrote yet. Behind each allocation is a gap, whose bytes are out of bounds.
  uint64_t allocate(uint64_t bytes);
  /// Zeros, of which nobody looks who reads and writes them: for large operands of which a few blocks need
  /// little. They take a byte each, those of allocate() 14.
  uint64_t allocateUnwatched(uint64_t bytes);
  /// The host's copies: the range has to lie in one allocation.
  Result<void> write(uint64_t address, Span<const uint8_t> bytes);
  Result<void> read(uint64_t address, Span<uint8_t> bytes) const; ///< bytes that nobody wrote are an error

  /// Runs to the end, or to the first fault: an error that says what, in which function, block and thread.
  Result<EmulationCounts> run(const EmulatedLaunch &launch);

private:
  struct State;
  explicit Emulator(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace daedalus::cuda
