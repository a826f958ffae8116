// The threads that run the tasks of a package's CPU kernels.
//
// A job is one call of run(). The caller publishes it, works on it itself and closes it when no task is left;
// a thread that comes in between joins, works and leaves. The caller waits for those that joined alone, so a
// small job never waits for a thread that is still waking up.
#pragma once

#include "host_memory.h"
#include "waiting_room.h"

#include "daedalus/package/kernel_abi.h"
#include "daedalus/support/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace daedalus::runtime::cpu {

class ThreadPool {
public:
  /// `threads`, from 1 on, counts the caller's; `workerBytes` of scratch for each, all of it taken now. The
  /// error: the system has no memory or no threads left.
  static Result<std::unique_ptr<ThreadPool>> create(unsigned threads, uint64_t workerBytes);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// What kernels are called with: parallelFor is run(), for one caller at a time.
  const package::KernelContext &context() const { return kernelContext; }

private:
  ThreadPool(unsigned threads, uint64_t workerBytes);
  Result<void> start(unsigned threads);

  void run(package::KernelBody *body, void *closure, int64_t tasks);
  void serve(unsigned worker);
  bool join(uint64_t &lastJob);
  void leave();
  void work(unsigned worker);
  void *scratchOf(unsigned worker) const;

  /// What the open job is; it is written while the pool is closed and empty.
  struct Job {
    package::KernelBody *body = nullptr;
    void *closure = nullptr;
    uint64_t tasks = 0;
  };

  package::KernelContext kernelContext;
  std::unique_ptr<HostMemory> scratch; // of all workers, one behind the other; null where they need none
  std::vector<std::thread> threads;    // without the caller's

  alignas(64) Job job;
  std::atomic<bool> ending{false};
  WaitingRoom forJobs, forTheLast;
  alignas(64) std::atomic<uint64_t> state{0}; // number of the job, threads that joined it, whether it is open
  alignas(64) std::atomic<uint64_t> next{0};  // task of the job
};

} // namespace daedalus::runtime::cpu
