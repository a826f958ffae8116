// The ring against a std::deque.
#include "systemc/ring.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace daedalus::sim::systemc {
namespace {

TEST(Ring, DoesWhatADequeDoes) {
  std::mt19937 random(3);
  Ring<unsigned> ring;
  std::deque<unsigned> deque;
  for (unsigned step = 0; step < 100000; ++step) {
    const unsigned what = random() % 100, grows = step / 1000 % 2; // in turn it fills and empties
    if (what == 0 && step % 7 == 0) {
      ring.clear();
      deque.clear();
    } else if (what < (grows ? 60u : 40u)) {
      ring.push_back(step);
      deque.push_back(step);
    } else if (!deque.empty() && what < 95) {
      ring.pop_front();
      deque.pop_front();
    } else if (!deque.empty()) {
      ring.pop_back();
      deque.pop_back();
    }
    ASSERT_EQ(ring.size(), deque.size());
    ASSERT_EQ(ring.empty(), deque.empty());
    if (deque.empty())
      continue;
    ASSERT_EQ(ring.front(), deque.front());
    ASSERT_EQ(ring.back(), deque.back());
    const size_t at = random() % deque.size();
    ASSERT_EQ(ring[at], deque[at]);
  }
}

} // namespace
} // namespace daedalus::sim::systemc
