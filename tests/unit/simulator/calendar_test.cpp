// Who runs in which cycle and phase, and what others may count on.
#include "systemc/calendar.h"

#include <gtest/gtest.h>

#include <functional>
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
