#include "Control.h"

#include "Warp.h"

namespace daedalus::cuda {

void branch(Warp &warp, const Instruction &instruction) {
  warp.jump(instruction.extra);
}

void branchIf(Warp &warp, const Instruction &instruction) {
  const uint64_t *condition = warp.slot(instruction.operands[0]);
  std::array<uint32_t, warpSize> edges = {};
  warp.lanes([&](unsigned lane) { edges[lane] = condition[lane] ? instruction.extra : instruction.width; });
  warp.jumpEach(edges);
}

void branchOn(Warp &warp, const Instruction &instruction) {
  const Switch &cases = warp.launch.kernel.switches[instruction.extra];
  const uint64_t *value = warp.slot(instruction.operands[0]);
  std::array<uint32_t, warpSize> edges = {};
  warp.lanes([&](unsigned lane) {
    edges[lane] = cases.otherwise;
    for (const auto &[number, edge] : cases.cases)
      if (number == value[lane])
        edges[lane] = edge;
  });
  warp.jumpEach(edges);
}

void endThread(Warp &warp, const Instruction &) {
  warp.endLanes();
}

void failUnreachable(Warp &warp, const Instruction &instruction) {
  warp.fail(static_cast<unsigned>(__builtin_ctz(warp.activeLanes())), instruction, "is reached");
}

void failUnlessTrue(Warp &warp, const Instruction &instruction) {
  const uint64_t *condition = warp.slot(instruction.operands[0]);
  warp.lanes([&](unsigned lane) {
    if (!condition[lane])
      warp.fail(lane, instruction, "does not hold");
  });
}

void doNothing(Warp &, const Instruction &) {}

void blockBarrier(Warp &warp, const Instruction &instruction) {
  if (!warp.gather(instruction, warp.allThreads()))
    return;
  const uint64_t *id = warp.slot(instruction.operands[0]), *threads = warp.slot(instruction.operands[1]);
  warp.lanes([&](unsigned lane) {
    if (id[lane] != id[0] || threads[lane] != threads[0])
      warp.fail(lane, instruction,
                "is at another barrier than thread " + warp.threadName(0) + " of its warp");
  });
  const uint32_t all = warp.launch.threads();
  warp.waitAt(
      {static_cast<uint32_t>(id[0]), threads[0] ? static_cast<uint32_t>(threads[0]) : all, &instruction});
}

void warpBarrier(Warp &warp, const Instruction &instruction) {
  const unsigned first = static_cast<unsigned>(__builtin_ctz(warp.activeLanes()));
  const auto mask = static_cast<uint32_t>(warp.slot(instruction.operands[0])[first]) & warp.allThreads();
  if (warp.gather(instruction, mask) && mask == warp.allThreads())
    warp.launch.order.synchronizeWarp(warp.number());
}

void readSpecialRegister(Warp &warp, const Instruction &instruction) {
  const EmulatedLaunch &request = warp.launch.request;
  const auto number = static_cast<unsigned>(instruction.immediate), axis = number % 3;
  uint64_t *result = warp.slot(instruction.result);
  warp.lanes([&](unsigned lane) {
    const std::array<uint32_t, 3> thread = warp.launch.threadIndex(warp.number() * warpSize + lane);
    const std::array<uint32_t, 3> *const parts[] = {&thread, &request.block, &warp.launch.block,
                                                    &request.grid};
    const bool isLane = number == static_cast<unsigned>(SpecialRegister::Lane);
    result[lane] = number < 12 ? (*parts[number / 3])[axis] : isLane ? lane : warpSize;
  });
}

} // namespace daedalus::cuda
