#include "Warp.h"

namespace daedalus::cuda {

Warp::Warp(RunningLaunch &launch, unsigned index, uint32_t lanes)
    : launch(launch), index(index), all(lanes == warpSize ? allLanes : (uint32_t(1) << lanes) - 1),
      registers(size_t(launch.kernel.slots) * warpSize) {
  const auto fill = [&](uint32_t number, uint64_t value) { std::fill_n(slot(number), warpSize, value); };
  for (const auto &[number, value] : launch.kernel.constants)
    fill(number, value);
  for (size_t parameter = 0; parameter < launch.kernel.parameters.size(); ++parameter)
    fill(launch.kernel.parameters[parameter], launch.request.arguments[parameter]);
}

void Warp::start() {
  ended = waiting = 0;
  active = 0;
  places.fill(0);
  atBarrier = {};
  for (auto &groups : copies)
    groups.assign(1, {});
  products.start();
  for (auto &bytes : unfenced)
    bytes.clear();
}

void Warp::run() {
  const Instruction *code = launch.kernel.code.data();
  while (chooseLanes())
    for (leaves = false; !leaves;) {
      const Instruction &instruction = code[at++];
      launch.counts.instructions += static_cast<unsigned>(__builtin_popcount(active));
      instruction.execute(*this, instruction);
    }
}

/// Of the lanes that can run, those at the lowest instruction: who is behind catches up with the others.
bool Warp::chooseLanes() {
  const uint32_t ready = all & ~ended & ~waiting;
  active = 0;
  if (launch.fault)
    return false;
  if (!ready && waiting && !atBarrier.instruction)
    failStuck();
  at = ~uint32_t(0);
  for (uint32_t rest = ready; rest; rest &= rest - 1) {
    const unsigned lane = __builtin_ctz(rest);
    if (places[lane] < at) {
      at = places[lane];
      active = 0;
    }
    if (places[lane] == at)
      active |= uint32_t(1) << lane;
  }
  return active != 0;
}

void Warp::fail(unsigned lane, const Instruction &instruction, const std::string &what) {
  launch.fail(index * warpSize + lane, instruction, what);
  leaves = true;
}

void Warp::failStuck() {
  const unsigned lane = __builtin_ctz(waiting);
  const Instruction &instruction = launch.kernel.code[places[lane]];
  if (waitsFor[lane] & ended)
    return failMissing(lane, instruction, waitsFor[lane] & ended);
  for (unsigned other = 0; other < warpSize; ++other)
    if ((waiting >> other & 1) && places[other] != places[lane]) {
      const Origin &origin = launch.kernel.origins[launch.kernel.code[places[other]].origin];
      return fail(lane, instruction,
                  "waits for thread " + threadName(other) + " of its warp, which waits at another " +
                      origin.operation + origin.location);
    }
  fail(lane, instruction, "waits for lanes of its warp that it names and that wait with another mask");
}

void Warp::failMissing(unsigned lane, const Instruction &instruction, uint32_t missing) {
  const unsigned other = __builtin_ctz(missing);
  const bool isThread = all >> other & 1;
  fail(lane, instruction,
       isThread ? "needs thread " + threadName(other) + " of its warp, which has ended"
                : "needs lane " + std::to_string(other) + ", which its warp does not have");
}

void Warp::checkLimit(unsigned lane) {
  if (launch.counts.instructions > launch.request.instructionLimit)
    fail(lane, launch.kernel.code[at - 1],
         "the launch executed more than " + std::to_string(launch.request.instructionLimit) +
             " instructions; does it end?");
}

void Warp::takeEdge(uint32_t number, uint32_t taking) {
  const uint32_t before = active;
  active = taking;
  for (const auto &[from, to] : launch.kernel.edges[number].copies) {
    const uint64_t *source = slot(from);
    uint64_t *target = slot(to);
    lanes([&](unsigned lane) { target[lane] = source[lane]; });
  }
  active = before;
}

void Warp::jump(uint32_t edge) {
  checkLimit(__builtin_ctz(active));
  takeEdge(edge, active);
  const uint32_t target = launch.kernel.edges[edge].target;
  if ((active | ended | waiting) == all) { // nobody else can run
    at = target;
    return;
  }
  lanes([&](unsigned lane) { places[lane] = target; });
  leaves = true;
}

void Warp::jumpEach(const std::array<uint32_t, warpSize> &edges) {
  const uint32_t first = edges[__builtin_ctz(active)];
  uint32_t same = 0;
  lanes([&](unsigned lane) { same |= uint32_t(edges[lane] == first) << lane; });
  if (same == active)
    return jump(first);
  checkLimit(__builtin_ctz(active));
  leaves = true;
  for (uint32_t rest = active; rest; rest &= ~same) {
    const uint32_t edge = edges[__builtin_ctz(rest)];
    same = 0;
    for (uint32_t left = rest; left; left &= left - 1)
      same |= uint32_t(edges[__builtin_ctz(left)] == edge) << __builtin_ctz(left);
    takeEdge(edge, same);
    for (uint32_t left = same; left; left &= left - 1)
      places[__builtin_ctz(left)] = launch.kernel.edges[edge].target;
  }
}

void Warp::endLanes() {
  ended |= active;
  leaves = true;
}

bool Warp::gather(const Instruction &instruction, uint32_t required) {
  const uint32_t place = at - 1;
  const unsigned lane = __builtin_ctz(active);
  if (const uint32_t missing = required & (ended | ~all))
    return failMissing(lane, instruction, missing), false;
  uint32_t here = active;
  for (uint32_t rest = waiting & required; rest; rest &= rest - 1)
    here |= uint32_t(places[__builtin_ctz(rest)] == place) << __builtin_ctz(rest);
  if (here == required) {
    waiting &= ~here;
    active = here;
    return true;
  }
  lanes([&](unsigned waiter) {
    places[waiter] = place;
    waitsFor[waiter] = required;
  });
  waiting |= active;
  leaves = true;
  return false;
}

void Warp::postpone(uint32_t later) {
  for (uint32_t rest = later; rest; rest &= rest - 1)
    places[__builtin_ctz(rest)] = at - 1;
  active &= ~later;
  launch.counts.instructions -= static_cast<unsigned>(__builtin_popcount(later));
}

void Warp::waitAt(const Barrier &barrier) {
  atBarrier = barrier;
  lanes([&](unsigned lane) { places[lane] = at; });
  waiting |= active;
  leaves = true;
}

void Warp::passBarrier() {
  waiting = 0;
  atBarrier = {};
}

} // namespace daedalus::cuda
