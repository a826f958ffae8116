// See ForkedWorkers.h.
#include "Explore/ForkedWorkers.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>

namespace daedalus::explore {
namespace {

/// Of a process: attributes of MLIR stay in its context, some 10 MB with each compilation of a network.
constexpr unsigned MostAnswers = 16;

} // namespace

Result<void> ForkedWorkers::run(const Next &next, const Done &done, const Elsewhere &elsewhere) {
  Result<void> result = runToTheEnd(next, done, elsewhere);
  if (!result)
    forgetTasks();
  return result;
}

Result<void> ForkedWorkers::runToTheEnd(const Next &next, const Done &done, const Elsewhere &elsewhere) {
  while (true) {
    if (Result<void> fed = feed(next, done); !fed)
      return fed;
    const Result<bool> goesOn = elsewhere ? elsewhere() : false;
    if (!goesOn)
      return error(goesOn.error());
    if (busy() == 0 && !*goesOn)
      return {};
    if (Result<void> answered = awaitAnswers(done, elsewhere ? 1 : -1); !answered)
      return answered;
  }
}

unsigned ForkedWorkers::busy() const {
  return static_cast<unsigned>(std::count_if(workers.begin(), workers.end(),
                                             [](const WorkerProcess &worker) { return bool(worker.task); }));
}

std::optional<ForkedWorkers::Task> ForkedWorkers::nextTask(const Next &next) {
  if (again.empty()) {
    const std::optional<uint64_t> number = next();
    return number ? std::optional(Task{*number}) : std::nullopt;
  }
  const Task task = again.back();
  again.pop_back();
  return task;
}

/// Forked where all others have a task, and anew behind so many answers.
Result<WorkerProcess *> ForkedWorkers::idleWorker() {
  for (WorkerProcess &worker : workers)
    if (!worker.task) {
      if (worker.answers() < MostAnswers)
        return &worker;
      if (Result<void> begun = worker.begin(work, workers); !begun)
        return error(begun.error());
      return &worker;
    }
  workers.emplace_back();
  if (Result<void> begun = workers.back().begin(work, workers); !begun) {
    workers.pop_back();
    return error(begun.error());
  }
  return &workers.back();
}

Result<void> ForkedWorkers::feed(const Next &next, const Done &done) {
  while (busy() < count) {
    const std::optional<Task> task = nextTask(next);
    if (!task)
      return {};
    const Result<WorkerProcess *> worker = idleWorker();
    if (!worker)
      return error(worker.error());
    if (!(*worker)->start(*task))
      if (Result<void> replaced = replace(**worker, done); !replaced)
        return replaced;
  }
  return {};
}

/// At most so long; -1 is for ever.
Result<void> ForkedWorkers::awaitAnswers(const Done &done, int milliseconds) {
  std::vector<pollfd> polled;
  for (const WorkerProcess &worker : workers)
    polled.push_back({worker.task ? worker.readable() : -1, POLLIN, 0});
  if (poll(polled.data(), polled.size(), milliseconds) < 0)
    return errno == EINTR ? Result<void>() : error(std::string("poll: ") + std::strerror(errno));
  size_t i = 0;
  for (WorkerProcess &worker : workers)
    if (polled[i++].revents)
      if (Result<void> taken = take(worker, done); !taken)
        return taken;
  return {};
}

Result<void> ForkedWorkers::take(WorkerProcess &worker, const Done &done) {
  const std::optional<std::string> answer = worker.answer();
  if (!answer)
    return replace(worker, done);
  const Task task = *worker.task;
  worker.task.reset();
  return done(task.number, *answer, false);
}

/// A worker that is gone.
Result<void> ForkedWorkers::replace(WorkerProcess &worker, const Done &done) {
  Task task = *worker.task;
  worker.task.reset();
  if (Result<void> begun = worker.begin(work, workers); !begun)
    return begun;
  if (++task.attempts == mostAttempts)
    return done(task.number, "", true);
  again.push_back(task);
  return {};
}

/// The answers of a run that failed are not those of the next one.
void ForkedWorkers::forgetTasks() {
  again.clear();
  workers.remove_if([](const WorkerProcess &worker) { return bool(worker.task); });
}

} // namespace daedalus::explore
