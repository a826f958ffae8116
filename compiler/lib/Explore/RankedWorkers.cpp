// See RankedWorkers.h. A rank has some tasks more than workers, so that none of them waits for a message.
#include "Explore/RankedWorkers.h"

#include "Explore/RankMessages.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace daedalus::explore {
namespace {

RankMessage awaitMessage(Messages &messages, unsigned &from) {
  while (true) {
    if (const auto message = messages.receive())
      if (auto decoded = decode(message->text)) {
        from = message->from;
        return *decoded;
      }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Error failureOf(unsigned rank, const Failure &failure) {
  return error("rank " + std::to_string(rank) + " on " + failure.host + ": " + failure.why);
}

/// Of a rank that works on the same; empty.
std::string difference(const RankedWorkers::Description &mine, const RankedWorkers::Description &theirs) {
  for (const auto &[name, value] : mine)
    if (const auto same = theirs.find(name); same == theirs.end() || same->second != value)
      return name;
  return "";
}

} // namespace

Result<RankedWorkers> RankedWorkers::gather(Messages &messages, const Description &description, unsigned own,
                                            Work work) {
  RankedWorkers workers(messages, own, std::move(work));
  while (workers.others.size() + 1 < messages.size()) {
    unsigned from = 0;
    const RankMessage message = awaitMessage(messages, from);
    if (const auto *failure = std::get_if<Failure>(&message))
      return failureOf(from, *failure);
    const auto *ready = std::get_if<Ready>(&message);
    if (!ready)
      continue;
    if (const std::string name = difference(description, ready->description); !name.empty())
      return error("rank " + std::to_string(from) + " on " + ready->host + " has another " + name +
                   " than rank 0; give all machines the same files and the same daedalus");
    workers.others.emplace(from, Rank{from, ready->workers, {}});
  }
  return workers;
}

Result<void> RankedWorkers::run(const Next &next, const Done &done) {
  return own->run(next, done, [&] { return talk(next, done); });
}

/// True: another rank has tasks without an answer.
Result<bool> RankedWorkers::talk(const Next &next, const Done &done) {
  while (const auto received = messages.receive()) {
    const auto message = decode(received->text);
    if (const auto *failure = message ? std::get_if<Failure>(&*message) : nullptr)
      return failureOf(received->from, *failure);
    const auto *answers = message ? std::get_if<Answers>(&*message) : nullptr;
    if (!answers)
      continue;
    for (const Answer &answer : answers->answers)
      if (others.at(received->from).given.erase(answer.task))
        if (Result<void> taken = done(answer.task, answer.text, answer.crashed); !taken)
          return error(taken.error());
  }
  bool areBusy = false;
  for (auto &[number, rank] : others) {
    feed(rank, next);
    areBusy = areBusy || !rank.given.empty();
  }
  return areBusy;
}

void RankedWorkers::feed(Rank &rank, const Next &next) {
  Tasks tasks;
  for (const unsigned most = rank.workers + rank.workers / 4 + 1; rank.given.size() < most;) {
    const std::optional<uint64_t> task = next();
    if (!task)
      break;
    tasks.numbers.push_back(*task);
    rank.given.insert(*task);
  }
  if (!tasks.numbers.empty())
    messages.send(rank.number, encode(tasks));
}

} // namespace daedalus::explore
