// Who does the tasks of a sweep: the same tasks for any number of workers, in any order.
//
//   ForkedWorkers workers(4, [](uint64_t task) { return std::to_string(task * task); });
//   workers.run(next, done);              // and again, on the same processes
#pragma once

#include "daedalus/support/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace daedalus::explore {

/// In a worker: the answer to a task. It shares nothing with the process that gives the tasks.
using Work = std::function<std::string(uint64_t task)>;

class Workers {
public:
  /// The next task, or nothing behind the last one of a run.
  using Next = std::function<std::optional<uint64_t>()>;
  /// An answer, in the order in which they come; an error ends the run. `crashed`: each of the workers that
  /// got the task ended without an answer, which is then empty.
  using Done = std::function<Result<void>(uint64_t task, const std::string &answer, bool crashed)>;

  virtual ~Workers() = default;
  /// All tasks up to the last answer. May be called again after a run without an error: workers live as long
  /// as this. Errors are those of `done`, and a system that gives no more workers.
  virtual Result<void> run(const Next &next, const Done &done) = 0;
};

/// Workers that get a task that ends them all.
constexpr unsigned mostAttempts = 3;

} // namespace daedalus::explore
