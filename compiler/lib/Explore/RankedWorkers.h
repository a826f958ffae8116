// Workers of all ranks of a job. Rank 0 hands out and takes answers; every rank, rank 0 too, has workers of
// its own, which it forks.
#pragma once

#include "Explore/ForkedWorkers.h"
#include "Explore/Messages.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace daedalus::explore {

/// Of rank 0.
class RankedWorkers : public Workers {
public:
  using Description = std::map<std::string, std::string>;

  /// Waits until the other ranks are ready to work on the sweep that is described. Errors: one that failed,
  /// or that describes another sweep.
  static Result<RankedWorkers> gather(Messages &messages, const Description &description, unsigned own,
                                      Work work);

  /// Errors are also those of other ranks. After an error there is no other run.
  Result<void> run(const Next &next, const Done &done) override;

private:
  struct Rank {
    unsigned number, workers;
    std::set<uint64_t> given; ///< tasks without an answer
  };

  RankedWorkers(Messages &messages, unsigned own, Work work)
      : messages(messages), own(std::make_unique<ForkedWorkers>(own, std::move(work))) {}
  Result<bool> talk(const Next &next, const Done &done);
  void feed(Rank &rank, const Next &next);

  Messages &messages;
  std::unique_ptr<ForkedWorkers> own;
  std::map<unsigned, Rank> others;
};

/// Of the other ranks: answers tasks until rank 0 ends the job.
void serveRank(Messages &messages, const RankedWorkers::Description &description, unsigned own, Work work);
/// Tells rank 0 why this rank cannot, and waits until it ends the job.
void failRank(Messages &messages, const std::string &why);

} // namespace daedalus::explore
