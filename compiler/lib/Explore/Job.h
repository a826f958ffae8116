// The job of a process: alone, or one of several that mpirun or srun started, which rank 0 leads.
#pragma once

#include "Explore/Messages.h"
#include "daedalus/support/result.h"

#include <functional>
#include <memory>

namespace daedalus::explore {

/// What the launcher says of this process by its environment.
struct Launch {
  unsigned rank = 0, size = 1;
};

using Environment = std::function<const char *(const char *name)>;

/// Of Open MPI, of launchers that speak PMI, and of Slurm; 0 of 1 without a launcher.
Launch launchOf(const Environment &environment);

/// Of a process that is not the first of its launch, nothing is printed from here on.
void printOnlyOfFirst(const Launch &launch);

class Job {
public:
  /// MPI's shared object, beside the program's own.
  static constexpr const char *module = "libdaedalus_mpi.so";

  /// Joins the other processes of the launch, if there are any. Errors: no module, and an MPI that does not
  /// find the others.
  static Result<Job> join(const Launch &launch, const char *module = Job::module);
  Job(Job &&) = default;
  Job &operator=(Job &&) = delete;
  /// Ends the job: of rank 0 it tells the others.
  ~Job();

  bool isAlone() const { return !messages; }
  bool isLed() const { return messages && messages->rank() != 0; } ///< by rank 0, another process
  /// Not of a process that is alone.
  Messages &others() { return *messages; }
  /// Processes of the job on this machine, this one included.
  unsigned here() const { return messages ? messages->here() : 1; }

private:
  explicit Job(std::unique_ptr<Messages> messages) : messages(std::move(messages)) {}

  std::unique_ptr<Messages> messages;
};

} // namespace daedalus::explore
