// Tasks for processes that are forked from this one, so that they share what it holds. One that ends by
// itself or is killed is replaced, and its task given again.
#pragma once

#include "daedalus/support/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace daedalus::explore {

struct WorkerJobs {
  /// In a worker: the answer to a task. It shares nothing with this process afterwards.
  std::function<std::string(uint64_t task)> work;
  /// The next task, or nothing behind the last one.
  std::function<std::optional<uint64_t>()> next;
  /// An answer, in the order in which they come; an error ends everything. `crashed`: each of the workers
  /// that got the task ended without an answer, which is then empty.
  std::function<Result<void>(uint64_t task, const std::string &answer, bool crashed)> done;
};

/// Workers that get a task that ends them all.
constexpr unsigned mostAttempts = 3;

/// Runs all tasks on so many workers. Errors are those of `done`, and a system without processes or pipes.
Result<void> runOnWorkers(unsigned workers, const WorkerJobs &jobs);

} // namespace daedalus::explore
