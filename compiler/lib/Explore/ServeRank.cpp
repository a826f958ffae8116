// A rank that rank 0 leads: see RankedWorkers.h.
#include "Explore/RankMessages.h"
#include "Explore/RankedWorkers.h"

#include <chrono>
#include <deque>
#include <thread>
#include <unistd.h>

namespace daedalus::explore {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto interval = std::chrono::milliseconds(1); ///< in which all answers are one message

std::string hostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

class LedRank {
public:
  explicit LedRank(Messages &messages) : messages(messages) {}

  /// Up to rank 0's Stop, or an error of the workers.
  Result<void> serve(ForkedWorkers &workers) {
    const Result<void> ended = workers.run([&] { return next(); },
                                           [&](uint64_t task, const std::string &answer, bool crashed) {
                                             answers.answers.push_back({task, crashed, answer});
                                             return Result<void>();
                                           },
                                           [&] { return talk(); });
    return isStopped ? Result<void>() : ended;
  }

  void awaitStop() {
    for (; !isStopped; std::this_thread::sleep_for(interval))
      receive();
  }

private:
  std::optional<uint64_t> next() {
    if (tasks.empty())
      return std::nullopt;
    const uint64_t task = tasks.front();
    tasks.pop_front();
    return task;
  }

  Result<bool> talk() {
    if (!answers.answers.empty() && Clock::now() - sent >= interval) {
      messages.send(0, encode(answers));
      answers.answers.clear();
      sent = Clock::now();
    }
    receive();
    return isStopped ? Result<bool>(error("rank 0 has ended the job")) : true;
  }

  void receive() {
    while (const auto received = messages.receive()) {
      const auto message = decode(received->text);
      if (!message)
        continue;
      if (const auto *more = std::get_if<Tasks>(&*message))
        tasks.insert(tasks.end(), more->numbers.begin(), more->numbers.end());
      isStopped = isStopped || std::holds_alternative<Stop>(*message);
    }
  }

  Messages &messages;
  std::deque<uint64_t> tasks;
  Answers answers; ///< not sent yet
  Clock::time_point sent;
  bool isStopped = false;
};

} // namespace

void serveRank(Messages &messages, const RankedWorkers::Description &description, unsigned own, Work work) {
  ForkedWorkers workers(own, std::move(work));
  LedRank rank(messages);
  messages.send(0, encode(Ready{own, hostName(), description}));
  if (const Result<void> served = rank.serve(workers); !served) {
    messages.send(0, encode(Failure{hostName(), served.error()}));
    rank.awaitStop();
  }
}

void failRank(Messages &messages, const std::string &why) {
  messages.send(0, encode(Failure{hostName(), why}));
  LedRank(messages).awaitStop();
}

} // namespace daedalus::explore
