#include "Launch.h"

#include "Warp.h"

namespace daedalus::cuda {

std::string nameOf(const std::array<uint32_t, 3> &index) {
  return "(" + std::to_string(index[0]) + ", " + std::to_string(index[1]) + ", " + std::to_string(index[2]) +
         ")";
}

std::string RunningLaunch::threadName(uint32_t thread) const {
  return nameOf(threadIndex(thread));
}

void RunningLaunch::fail(uint32_t thread, const Instruction &instruction, const std::string &what) {
  if (fault)
    return;
  const Origin &origin = kernel.origins[instruction.origin];
  fault = "kernel '" + kernel.name + "', block " + nameOf(block) + ", thread " + threadName(thread) + ": " +
          origin.operation + origin.location + ": " + what;
}

namespace {

using Warps = std::vector<std::unique_ptr<Warp>>;

/// The warps at the first barrier that all of the threads have reached that it waits for.
std::vector<Warp *> warpsToRelease(const RunningLaunch &launch, const Warps &warps) {
  for (const auto &first : warps) {
    if (!first->barrier())
      continue;
    std::vector<Warp *> waiting;
    uint32_t threads = 0;
    for (const auto &warp : warps)
      if (warp->barrier() && warp->barrier()->id == first->barrier()->id) {
        waiting.push_back(warp.get());
        threads += static_cast<unsigned>(__builtin_popcount(warp->allThreads()));
      }
    if (threads >= first->barrier()->threads)
      return waiting;
  }
  return {};
}

/// Some wait at a barrier that nobody else will reach.
void failAtBarrier(RunningLaunch &launch, const Warps &warps) {
  const Warp *waiting = nullptr, *other = nullptr;
  for (const auto &warp : warps)
    if (!waiting && warp->barrier())
      waiting = warp.get();
  for (const auto &warp : warps)
    if (!other && (!warp->barrier() || warp->barrier()->id != waiting->barrier()->id))
      other = warp.get();
  const Barrier &barrier = *waiting->barrier();
  std::string why = "too few threads of the block reach it";
  if (other) {
    why = "thread " + other->threadName(0) + " of the block ";
    why += other->barrier() ? "waits at barrier " + std::to_string(other->barrier()->id) + " instead"
                            : "has ended";
  }
  launch.fail(waiting->number() * warpSize, *barrier.instruction,
              "waits at barrier " + std::to_string(barrier.id) + " for " + std::to_string(barrier.threads) +
                  " threads, but " + why);
}

/// All of them up to the next barrier of each; false when the block has ended.
bool runToBarriers(RunningLaunch &launch, const Warps &warps) {
  bool ended = true;
  for (const auto &warp : warps) {
    if (!warp->barrier() && !warp->hasEnded())
      warp->run();
    if (launch.fault)
      return false;
    ended = ended && warp->hasEnded();
  }
  return !ended;
}

void passBarrier(RunningLaunch &launch, const std::vector<Warp *> &warps) {
  uint32_t numbers = 0;
  for (const Warp *warp : warps)
    numbers |= uint32_t(1) << warp->number();
  launch.order.synchronizeWarps(numbers);
  ++launch.counts.barriers;
  if (launch.order.isExhausted())
    launch.fail(0, *warps.front()->barrier()->instruction,
                "the launch passes more barriers than can be numbered");
  for (Warp *warp : warps)
    warp->passBarrier();
}

void runBlock(RunningLaunch &launch, const Warps &warps) {
  launch.order.beginBlock(launch.block, static_cast<unsigned>(warps.size()));
  std::fill(launch.shared.flags.begin(), launch.shared.flags.end(), 0);
  std::fill(launch.shared.cells.begin(), launch.shared.cells.end(), Cell());
  for (const auto &warp : warps)
    warp->start();
  for (auto &log : launch.warpgroupLogs)
    log.clear();
  while (runToBarriers(launch, warps)) {
    const std::vector<Warp *> released = warpsToRelease(launch, warps);
    if (released.empty())
      return failAtBarrier(launch, warps);
    passBarrier(launch, released);
  }
  checkWarpgroups(launch, warps);
}

} // namespace

bool runBlocks(RunningLaunch &launch) {
  Warps warps;
  for (uint32_t first = 0; first < launch.threads(); first += warpSize)
    warps.push_back(std::make_unique<Warp>(launch, static_cast<unsigned>(warps.size()),
                                           std::min(launch.threads() - first, warpSize)));
  const EmulatedLaunch &request = launch.request;
  const uint64_t x = request.grid[0], y = request.grid[1];
  const uint64_t count = request.blocks.empty() ? x * y * request.grid[2] : request.blocks.size();
  for (uint64_t i = 0; i < count && !launch.fault; ++i) {
    const uint64_t number = request.blocks.empty() ? i : request.blocks[i];
    launch.block = {static_cast<uint32_t>(number % x), static_cast<uint32_t>(number / x % y),
                    static_cast<uint32_t>(number / x / y)};
    runBlock(launch, warps);
  }
  return !launch.fault;
}

} // namespace daedalus::cuda
