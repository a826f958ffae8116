// Where threads wait until a condition on atomics holds: they look at it for some time, for a change within
// that time costs no system call, and then sleep. Who is woken too late looks again before it sleeps: else it
// would be late for each of many short changes. They look without giving the processor away: Linux would give
// it to other work for milliseconds.
//
// Nobody sleeps through a change. Who waits adds itself to `asleep` and looks at the condition again before
// it sleeps; who makes it true does so first and looks at `asleep` then. All of these are sequentially
// consistent, so one of the two sees the other.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace daedalus::runtime::cpu {

class WaitingRoom {
public:
  /// `looking`: how long threads look. None where they share processors, for they would hinder each other.
  explicit WaitingRoom(std::chrono::microseconds looking) : looking(looking) {}

  /// Returns when holds() is true, which it is asked without a lock and under one.
  template <class Condition> void wait(Condition holds) {
    while (!looks(holds)) {
      std::unique_lock<std::mutex> lock(mutex);
      asleep.fetch_add(1);
      if (!holds())
        changed.wait(lock);
      asleep.fetch_sub(1);
    }
  }

  /// Behind each change that makes the condition true: for as many sleepers as have something to do.
  void wake(uint64_t most) {
    const uint32_t sleepers = asleep.load();
    if (!sleepers)
      return;
    { std::lock_guard<std::mutex> lock(mutex); } // who saw no change under it is asleep behind it
    if (most >= sleepers)
      return changed.notify_all();
    for (; most > 0; --most)
      changed.notify_one();
  }

private:
  static constexpr int looksBetweenClocks = 32;

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  template <class Condition> bool looks(Condition &holds) const {
    const auto end = std::chrono::steady_clock::now() + looking;
    do {
      for (int look = 0; look < looksBetweenClocks; ++look) {
        if (holds())
          return true;
        relax();
      }
    } while (std::chrono::steady_clock::now() < end);
    return false;
  }

  const std::chrono::microseconds looking;
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<uint32_t> asleep{0};
};

} // namespace daedalus::runtime::cpu
