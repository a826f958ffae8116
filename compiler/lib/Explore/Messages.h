// Messages between the processes of a job that mpirun or srun started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace daedalus::explore {

class Messages {
public:
  struct Message {
    unsigned from;
    std::string text;
  };

  virtual ~Messages() = default;
  virtual unsigned rank() const = 0; ///< of this process, below size()
  virtual unsigned size() const = 0; ///< processes of the job, at least 1
  virtual unsigned here() const = 0; ///< those of them on this machine, at least 1
  /// Returns before it is received. Messages from one process to another arrive in their order.
  virtual void send(unsigned to, std::string text) = 0;
  /// A message that has arrived, or nothing: does not wait.
  virtual std::optional<Message> receive() = 0;
};

} // namespace daedalus::explore
