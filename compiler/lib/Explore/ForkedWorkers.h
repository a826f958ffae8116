// Workers that are processes of this machine. One that ends by itself or is killed is replaced, and its task
// given again. One that has given some answers is replaced too: what compilations leave in memory ends with
// it.
#pragma once

#include "Explore/WorkerProcess.h"

#include <vector>

namespace daedalus::explore {

class ForkedWorkers : public Workers {
public:
  /// At most `count` processes, at least 1. Each is forked when there is the first task for it, and holds
  /// what this process holds then.
  ForkedWorkers(unsigned count, Work work) : count(count), work(std::move(work)) {}

  /// May be called again after an error.
  Result<void> run(const Next &next, const Done &done) override { return run(next, done, nullptr); }

  /// What else is to do in a run, at least once a millisecond, such as messages; true: more tasks or answers
  /// may come of it, and the run goes on. An error ends it.
  using Elsewhere = std::function<Result<bool>()>;
  Result<void> run(const Next &next, const Done &done, const Elsewhere &elsewhere);

private:
  using Task = WorkerProcess::Task;

  Result<void> runToTheEnd(const Next &next, const Done &done, const Elsewhere &elsewhere);
  Result<void> feed(const Next &next, const Done &done);
  Result<void> awaitAnswers(const Done &done, int milliseconds);
  Result<void> take(WorkerProcess &worker, const Done &done);
  Result<void> replace(WorkerProcess &worker, const Done &done);
  Result<WorkerProcess *> idleWorker();
  std::optional<Task> nextTask(const Next &next);
  unsigned busy() const;
  void forgetTasks();

  const unsigned count;
  const Work work;
  std::list<WorkerProcess> workers;
  std::vector<Task> again; ///< tasks of workers that are gone
};

} // namespace daedalus::explore
