// See Job.h.
#include "Explore/Job.h"

#include "Explore/RankMessages.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <utility>

namespace daedalus::explore {

Launch launchOf(const Environment &environment) {
  // PMIx says no size: Slurm does, whose step is the job
  constexpr std::pair<const char *, const char *> known[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                             {"PMI_RANK", "PMI_SIZE"},
                                                             {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (const auto &[rankName, sizeName] : known) {
    const char *rank = environment(rankName), *size = environment(sizeName);
    if (rank && size)
      return {static_cast<unsigned>(std::atoi(rank)), static_cast<unsigned>(std::max(1, std::atoi(size)))};
  }
  return {};
}

void printOnlyOfFirst(const Launch &launch) {
  for (std::FILE *stream : {stdout, stderr})
    if (launch.rank > 0 && !std::freopen("/dev/null", "w", stream))
      std::fclose(stream);
}

Result<Job> Job::join(const Launch &launch, const char *module) {
  if (launch.size <= 1)
    return Job(nullptr);
  const std::string said = "a launcher started " + std::to_string(launch.size) + " processes";
  void *handle = dlopen(module, RTLD_NOW | RTLD_GLOBAL); // global: MPI loads parts of its own that need it
  if (!handle)
    return error(said + ", which need MPI, and there is none (" + dlerror() +
                 "); build daedalus with MPI, or start one process");
  const auto begin = reinterpret_cast<Messages *(*)()>(dlsym(handle, "daedalusJoinMpi"));
  if (!begin)
    return error(std::string(module) + " is not the MPI part of daedalus: " + dlerror());
  std::unique_ptr<Messages> messages(begin());
  if (messages->size() != launch.size)
    return error(
        said + ", but MPI finds " + std::to_string(messages->size()) +
        "; use the launcher of the MPI that daedalus was built with, such as mpirun, or srun --mpi=pmix");
  return Job(std::move(messages));
}

Job::~Job() {
  for (unsigned rank = 1; messages && !isLed() && rank < messages->size(); ++rank)
    messages->send(rank, encode(Stop{}));
}

} // namespace daedalus::explore
