// What the four modules with tokens have in common: the queue before them, the start of the instruction at
// its head (R7, R9) and its end (R10), and the classes wait and idle (R25).
#pragma once

#include "systemc/core.h"
#include "systemc/ledger.h"
#include "systemc/queue.h"
#include "systemc/tokens.h"

#include "daedalus/isa/instruction_fields.h"
#include "kernels/kernels.h"

namespace daedalus::sim::systemc {

class Fetch;

/// Whether a module that executes `Own` leaves out no instruction: it gets those of its own, and those that
/// name their module, of which none but MARK and NOP is known here.
template <class Own, class I> constexpr bool isAccountedFor() {
  using Info = isa::InstructionInfo<I>;
  if constexpr (std::is_same_v<I, Own> || std::is_same_v<I, isa::Mark> || std::is_same_v<I, isa::Nop>)
    return true;
  return Info::module ? Info::module != isa::InstructionInfo<Own>::module : !Info::hasTokens;
}

/// The instruction as the one that its module executes, or nullptr: MARK and NOP do nothing in any module.
template <class Own> const Own *ownOf(const isa::Instruction &instruction) {
  return std::visit(
      [](const auto &fields) -> const Own * {
        using I = std::decay_t<decltype(fields)>;
        static_assert(isAccountedFor<Own, I>(), "an instruction of this module that it does not execute");
        if constexpr (std::is_same_v<I, Own>)
          return &fields;
        return nullptr;
      },
      instruction);
}

class Unit : public sc_core::sc_module {
public:
  Unit(sc_core::sc_module_name name, Run &run, Core &core, Tokens &tokens, isa::Module module);

  void connect(Fetch &fetch) { this->fetch = &fetch; }
  virtual void reset();

  /// FETCH dispatches an instruction (R6).
  void dispatch(const isa::Instruction &instruction, uint32_t index, Cycle now);
  /// Whether the count that cycle `now` sees is below the queue's depth.
  bool hasRoom(Cycle now) const { return queue.count(now) < run.machine->queueDepth; }
  bool isQueueEmpty(Cycle now) const { return queue.count(now) == 0; }
  /// Looks in cycle `at` what there is to do.
  void wakeAt(Cycle at) { run.clock.notifyAt(wake, at); }
  /// The classes of the cycles before `stop`, by R25.
  const Ledger::Counts &counts(Cycle stop) { return ledger.finish(stop); }

  struct Waiting {
    uint32_t index;
    isa::Module missing;
  };
  /// The head that waits for a token, if there is one.
  std::optional<Waiting> waiting(Cycle now) const;
  isa::Module which() const { return module; }

protected:
  /// Whether the head may start: seen, no fault set, and its tokens there. The module must be free.
  bool canStart(Cycle now) const;
  /// Takes the head with its tokens.
  Issued start(Cycle now);
  /// Ends an instruction: gives its tokens.
  void retire(const isa::Instruction &instruction, uint32_t index, Cycle start, Cycle end);
  /// The module does nothing from this cycle on: it waits for the first missing token of a seen head, or is
  /// idle.
  void rest(Cycle now);

  /// The instruction's results by the fast kernels; false where the readable semantics must give them: the
  /// kernels do not know its form, or somebody watches every write.
  template <class I> bool executeFast(const I &instruction) {
    return !run.core->log.observer && kernels::execute(instruction, *run.core);
  }

  Run &run;
  Core &core;
  Tokens &tokens;
  const isa::Module module;
  Queue queue;
  Ledger ledger;
  Event wake;

private:
  Fetch *fetch = nullptr;
};

} // namespace daedalus::sim::systemc
