// The token counters of a program, simulated in program order; each token knows who signalled it and what was
// known then.
#pragma once

#include "vector_clock.h"

#include "daedalus/isa/machine.h"

#include <deque>

namespace daedalus::isa {

class TokenQueues {
public:
  struct Token {
    size_t producer; ///< index of the instruction that signals it
    VectorClock clock;
  };

  explicit TokenQueues(const Machine &machine) : most(TokenCounterMax - machine.queueDepth) {}

  /// Tokens of one pair that may be under way in program order: the consumer's queue may hold back as many
  /// waits as it is deep while producers run ahead (R7).
  size_t mostTokens() const { return most; }

  /// Takes the oldest token; null when there is none. Valid until the next call.
  const Token *take(unsigned producer, unsigned consumer) {
    std::deque<Token> &queue = queues[producer][consumer];
    if (queue.empty())
      return nullptr;
    taken = queue.front();
    queue.pop_front();
    return &taken;
  }

  /// False where this is the first token above the limit.
  bool give(unsigned producer, unsigned consumer, const Token &token) {
    queues[producer][consumer].push_back(token);
    return queues[producer][consumer].size() != most + 1;
  }

  /// The oldest token that is left; null when there is none.
  const Token *front(unsigned producer, unsigned consumer) const {
    const std::deque<Token> &queue = queues[producer][consumer];
    return queue.empty() ? nullptr : &queue.front();
  }

private:
  const size_t most;
  Token taken{};
  std::array<std::array<std::deque<Token>, Modules>, Modules> queues;
};

} // namespace daedalus::isa
