// One worker: a process that is forked from this one and shares what it holds.
#pragma once

#include "Explore/Workers.h"

#include <list>
#include <sys/types.h>

namespace daedalus::explore {

class WorkerProcess {
public:
  struct Task {
    uint64_t number;
    unsigned attempts = 0; ///< workers that ended on it
  };

  WorkerProcess() = default;
  WorkerProcess(const WorkerProcess &) = delete;
  ~WorkerProcess() { end(); }

  /// Forks, in place of a process that was begun before. The new one closes the sockets of the others.
  /// Errors: no socket or no process.
  Result<void> begin(const Work &work, const std::list<WorkerProcess> &others);
  /// Kills the process, whatever it does.
  void end();

  /// False: the process is gone. `task` is set all the same.
  bool start(Task given);
  /// Waits for the answer to `task`; nothing where the process is gone.
  std::optional<std::string> answer();

  int readable() const { return socket; } ///< a descriptor that is readable once there is an answer or an end
  unsigned answers() const { return answered; } ///< of this process
  std::optional<Task> task;                     ///< given and not answered

private:
  int socket = -1;
  pid_t process = -1;
  unsigned answered = 0;
};

} // namespace daedalus::explore
