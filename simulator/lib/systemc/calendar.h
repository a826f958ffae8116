// The cycles of a run and what happens in them. A platform has few events, most of them in the next cycle:
// those are the bits of a number. The others are an array of cycles, which is looked through in the least of
// them. quantum.h tells how SystemC's time goes along.
//
// As in SystemC, an event holds one notification, the earlier of two; a process runs once in a cycle, however
// many of its events are due; and a second phase of the cycle, SystemC's delta cycle, follows when all have.
#pragma once

#include "systemc/cycle.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace daedalus::sim::systemc {

/// What runs a process in a cycle to come; its slot in the calendar is given by connect().
struct Event {
  unsigned slot = 0;
};
/// What runs a process in the present cycle, behind all that is due in it.
struct LateEvent {
  unsigned slot = 0;
};

class Calendar {
public:
  Calendar() { times.fill(Never); }

  /// Has `process` of the module run by these events. Processes of one cycle run in the order of these calls.
  template <auto process, class Module> void connect(Module &module, std::initializer_list<Event *> events) {
    connect(processOf<process>(module), events);
  }
  template <auto process, class Module> void connect(Module &module, LateEvent &event) {
    connect(processOf<process>(module), event);
  }

  /// Makes the present time cycle 0 and forgets all notifications.
  void start();
  Cycle now() const { return present; }
  /// Notifies the event in cycle `at`, which lies in the future.
  void notifyAt(Event event, Cycle at) {
    const uint32_t bit = uint32_t(1) << event.slot;
    if (at == present + 1) {
      soon |= bit;
      times[event.slot] = Never;
    } else if (!(soon & bit) && at < times[event.slot]) {
      times[event.slot] = at;
      timed |= bit;
      least = std::min(least, at);
    }
  }
  void notify(LateEvent event) { late |= uint32_t(1) << event.slot; }
  void cancel(Event event) {
    soon &= ~(uint32_t(1) << event.slot);
    times[event.slot] = Never;
  }

  /// Does what is due up to and including that cycle, or to the stop. Behind it now() is the cycle of the
  /// stop or the last one; where that is Never, the last in which something was due.
  void runTo(Cycle last);
  /// The present cycle is the run's last one.
  void stop() { stopped = true; }
  /// A cycle, of runTo() at most, before which no other process acts: nothing happens in those before but
  /// what the caller does.
  Cycle nextActivity() const { return late | running ? present : std::min(next(), horizon); }

  /// Behind runTo(): the next cycle in which anything is due, or Never.
  Cycle nextDue() const { return next(); }

private:
  struct Process {
    void *module;
    void (*act)(void *module);
  };
  static constexpr unsigned SlotCount = 16, LateCount = 3;

  template <auto process, class Module> static Process processOf(Module &module) {
    return {&module, [](void *of) { (static_cast<Module *>(of)->*process)(); }};
  }
  void connect(Process process, std::initializer_list<Event *> events);
  void connect(Process process, LateEvent &event);
  Cycle next() const { return soon ? present + 1 : least; }
  void takeDue();
  void runDue();
  void runLate();

  std::array<Cycle, SlotCount> times;         ///< of the slots' notifications, but for those that are soon
  std::array<Process, SlotCount> processes{}; ///< of the slots
  std::array<uint32_t, SlotCount> siblings{}; ///< the slots of the same process
  std::array<Process, LateCount> lateProcesses{};
  unsigned used = 0, lateUsed = 0; ///< slots
  Cycle least = Never;             ///< none of `times` is less
  uint32_t timed = 0;              ///< slots whose time may not be Never
  uint32_t soon = 0;               ///< slots that are notified for the next cycle
  uint32_t late = 0;               ///< slots of the late events that are notified
  uint32_t running = 0;            ///< and of all that have still to run in this phase of the cycle
  bool stopped = false;
  Cycle present = 0, horizon = Never;
};

} // namespace daedalus::sim::systemc
