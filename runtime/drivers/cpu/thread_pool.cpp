// The state of a pool is one word, so that a thread joins a job only while it is open, in one step.

#include "thread_pool.h"

#include <algorithm>
#include <string>
#include <system_error>

namespace daedalus::runtime::cpu {
namespace {

using package::KernelBody;
using package::KernelContext;

// Of ThreadPool::state: bit 0, bits 1 to 31, bits 32 to 63.
constexpr uint64_t isOpen = 1, oneJoined = 2, oneJob = uint64_t(1) << 32;

uint64_t numberOf(uint64_t state) {
  return state / oneJob;
}
bool isEmpty(uint64_t state) {
  return state % oneJob < oneJoined;
}

/// How long threads look for what they wait for.
std::chrono::microseconds lookingOf(unsigned threads) {
  const unsigned processors = std::thread::hardware_concurrency(); // that this process may use; 0: unknown
  return std::chrono::microseconds(threads <= processors ? 1000 : 0);
}

} // namespace

ThreadPool::ThreadPool(unsigned threads, uint64_t workerBytes)
    : kernelContext{nullptr, (workerBytes + 63) / 64 * 64, this}, forJobs(lookingOf(threads)),
      forTheLast(lookingOf(threads)) {
  kernelContext.parallelFor = [](const KernelContext *context, KernelBody *body, void *closure,
                                 int64_t tasks) {
    static_cast<ThreadPool *>(context->runtime)->run(body, closure, tasks);
  };
}

Result<std::unique_ptr<ThreadPool>> ThreadPool::create(unsigned threads, uint64_t workerBytes) {
  std::unique_ptr<ThreadPool> pool(new ThreadPool(threads, workerBytes));
  if (auto ok = pool->start(threads); !ok)
    return error(ok.error());
  return pool;
}

Result<void> ThreadPool::start(unsigned count) {
  const std::string wanted = std::to_string(count) + (count == 1 ? " thread" : " threads");
  const std::string advice = count == 1 ? "" : "; run the package on fewer threads";
  if (const uint64_t bytes = count * kernelContext.workerBytes) {
    scratch = std::make_unique<HostMemory>(bytes);
    if (!scratch->data())
      return error("the package's CPU kernels need " + std::to_string(bytes) + " bytes of memory on " +
                   wanted + ", which the system does not have" + advice);
  }
  try {
    for (unsigned worker = 1; worker < count; ++worker)
      threads.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error &failure) {
    return error("the system cannot start " + wanted + " for the package's CPU kernels: " + failure.what() +
                 advice);
  }
  return {};
}

ThreadPool::~ThreadPool() {
  ending = true;
  forJobs.wake(threads.size());
  for (std::thread &thread : threads)
    thread.join();
}

void ThreadPool::run(KernelBody *body, void *closure, int64_t tasks) {
  if (threads.empty() || tasks < 2) {
    for (int64_t task = 0; task < tasks; ++task)
      body(closure, task, scratchOf(0));
    return;
  }
  job = {body, closure, static_cast<uint64_t>(tasks)};
  next = 0;
  state += oneJob + isOpen;
  forJobs.wake(job.tasks - 1);
  work(0);
  state -= isOpen;
  forTheLast.wait([this] { return isEmpty(state); });
}

/// The life of a thread: it works on each job that it sees in time.
void ThreadPool::serve(unsigned worker) {
  for (uint64_t lastJob = 0; !ending;) {
    forJobs.wait([&] {
      const uint64_t now = state;
      return ending || ((now & isOpen) && numberOf(now) != lastJob);
    });
    if (!join(lastJob))
      continue;
    work(worker);
    leave();
  }
}

bool ThreadPool::join(uint64_t &lastJob) {
  uint64_t now = state;
  while ((now & isOpen) && numberOf(now) != lastJob)
    if (state.compare_exchange_weak(now, now + oneJoined)) {
      lastJob = numberOf(now);
      return true;
    }
  return false;
}

void ThreadPool::leave() {
  const uint64_t left = state -= oneJoined;
  if (isEmpty(left) && !(left & isOpen))
    forTheLast.wake(1);
}

void ThreadPool::work(unsigned worker) {
  const Job current = job;
  for (uint64_t task = next++; task < current.tasks; task = next++)
    current.body(current.closure, static_cast<int64_t>(task), scratchOf(worker));
}

void *ThreadPool::scratchOf(unsigned worker) const {
  return scratch ? scratch->data() + worker * kernelContext.workerBytes : nullptr;
}

} // namespace daedalus::runtime::cpu
