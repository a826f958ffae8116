// Who runs in which cycle and phase, and what others may count on.
#include "systemc/calendar.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace daedalus::sim::systemc {
namespace {

/// Writes down its letter and the cycle, and does what it is told.
struct Module {
  void act() {
    text += letter + std::to_string(calendar.now()) + " ";
    if (then)
      then();
  }
  Calendar &calendar;
  std::string &text;
  char letter;
  std::function<void()> then = {};
};

struct Two {
  Two() {
    calendar.connect<&Module::act>(a, {&wakesA, &endsA});
    calendar.connect<&Module::act>(b, {&wakesB});
    calendar.connect<&Module::act>(late, behind);
    calendar.start();
  }
  Calendar calendar;
  std::string text;
  Module a{calendar, text, 'a'}, b{calendar, text, 'b'}, late{calendar, text, 'l'};
  Event wakesA, endsA, wakesB;
  LateEvent behind;
};

TEST(Calendar, TheEarlierOfTwoNotificationsStays) {
  Two two;
  two.calendar.notifyAt(two.wakesA, 7);
  two.calendar.notifyAt(two.wakesA, 5);
  two.calendar.notifyAt(two.wakesA, 9);
  two.calendar.runTo(Never);
  EXPECT_EQ(two.text, "a5 ");
}

TEST(Calendar, TheNextCycleIsEarlierThanAnyOther) {
  Two two;
  two.calendar.notifyAt(two.wakesA, 7);
  two.calendar.notifyAt(two.wakesA, 1);
  two.calendar.notifyAt(two.wakesA, 9);
  two.calendar.notifyAt(two.endsA, 1);
  two.calendar.cancel(two.endsA);
  two.calendar.notifyAt(two.wakesB, 8);
  two.calendar.runTo(Never);
  EXPECT_EQ(two.text, "a1 b8 ");
}

/// Against the definition: random notifications and cancellations, each cycle looked at.
TEST(Calendar, AgreesWithAListOfNotifications) {
  std::mt19937 random(3);
  for (unsigned round = 0; round < 300; ++round) {
    Two two;
    Event *const events[] = {&two.wakesA, &two.endsA, &two.wakesB};
    std::array<Cycle, 3> expected = {Never, Never, Never};
    std::string text;
    const auto change = [&] {
      const unsigned which = random() % 3;
      const Cycle at = two.calendar.now() + 1 + (random() % 2 ? 0 : random() % 5);
      if (random() % 5 == 0) {
        two.calendar.cancel(*events[which]);
        expected[which] = Never;
      } else {
        two.calendar.notifyAt(*events[which], at);
        expected[which] = std::min(expected[which], at);
      }
    };
    two.a.then = two.b.then = change;
    change();
    for (Cycle now = 1; now < 40; ++now) {
      const size_t before = two.text.size();
      const bool a = expected[0] == now || expected[1] == now, b = expected[2] == now;
      for (Cycle &at : expected)
        at = at == now ? Never : at;
      two.calendar.runTo(now);
      const std::string cycle = std::to_string(now) + " ";
      ASSERT_EQ(two.text.substr(before), (a ? "a" + cycle : "") + (b ? "b" + cycle : ""));
      change();
    }
  }
}

TEST(Calendar, AProcessRunsOnceInACycleForAllItsEvents) {
  Two two;
  two.calendar.notifyAt(two.wakesB, 5);
  two.calendar.notifyAt(two.wakesA, 5);
  two.calendar.notifyAt(two.endsA, 5);
  two.calendar.notify(two.behind);
  two.calendar.runTo(Never);
  EXPECT_EQ(two.text, "a5 b5 l5 ") << "in the order of connect(), then what is late";
}

TEST(Calendar, AProcessThatIsStillToRunCanBeNotifiedAnew) {
  Two two;
  two.a.then = [&] { two.calendar.notifyAt(two.wakesB, two.calendar.now() + 1); };
  two.calendar.notifyAt(two.wakesA, 5);
  two.calendar.notifyAt(two.wakesB, 5);
  two.calendar.runTo(Never);
  EXPECT_EQ(two.text, "a5 b5 b6 ");
}

TEST(Calendar, WhatIsCancelledOrBehindTheLastCycleDoesNotRun) {
  Two two;
  two.calendar.notifyAt(two.wakesA, 5);
  two.calendar.notifyAt(two.endsA, 10);
  two.calendar.notifyAt(two.wakesB, 11);
  two.calendar.cancel(two.wakesA);
  two.calendar.runTo(10);
  EXPECT_EQ(two.text, "a10 ") << "the last cycle counts";
  EXPECT_EQ(two.calendar.now(), 10u);
  two.calendar.runTo(20);
  EXPECT_EQ(two.text, "a10 b11 ");
  EXPECT_EQ(two.calendar.now(), 20u);
}

TEST(Calendar, StopsInTheCycleOfTheStop) {
  Two two;
  two.a.then = [&] { two.calendar.stop(); };
  two.calendar.notifyAt(two.wakesA, 5);
  two.calendar.notifyAt(two.wakesB, 6);
  two.calendar.runTo(20);
  EXPECT_EQ(two.text, "a5 ");
  EXPECT_EQ(two.calendar.now(), 5u);
  two.calendar.start();
  two.calendar.runTo(20);
  EXPECT_EQ(two.text, "a5 ") << "a new run has none of the old one's notifications";
}

TEST(Calendar, TheNextActivityIsNowWhileOthersHaveToRunInThisCycle) {
  Two two;
  std::vector<Cycle> seen;
  const auto look = [&] { seen.push_back(two.calendar.nextActivity()); };
  two.a.then = [&] {
    look();
    two.calendar.notify(two.behind);
  };
  two.b.then = two.late.then = look;
  two.calendar.notifyAt(two.wakesA, 5);
  two.calendar.notifyAt(two.wakesB, 5);
  two.calendar.notifyAt(two.endsA, 9);
  two.calendar.runTo(8);
  EXPECT_EQ(seen, (std::vector<Cycle>{5, 5, 8})) << "b's turn, the late one's, the last cycle";
  two.calendar.runTo(Never);
  EXPECT_EQ(seen[3], Never);
}

} // namespace
} // namespace daedalus::sim::systemc
