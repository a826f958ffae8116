// What has to meet in one cycle: tokens for one module, a token too many and a fault of its own module, an error
// of the memory and a refused address, an error of FETCH and a fault of another module.
#include "cosim/random_timed.h"
#include "cosim/timed_program.h"

#include "daedalus/isa/encoding.h"

namespace daedalus::cosim {
namespace {

using namespace isa;
using namespace timed;

class Meeting : TimedProgram {
public:
  using TimedProgram::TimedProgram;

  /// Streams of tokens from some modules to some others, each of which takes one from every producer.
  void tokensInOneCycle() {
    test.what = "tokens in one cycle";
    const Module trigger = anyModule();
    const Module consumer = random.chance(60) ? trigger : after(trigger, random.between(1, 3));
    uint8_t consumers = bit(consumer);
    if (random.chance(25))
      consumers |= bit(after(consumer, random.between(1, 3)));
    const uint8_t producers = 15 & ~consumers;
    release(trigger, static_cast<uint8_t>(producers & ~bit(trigger)));
    const int64_t most = std::min<int64_t>(machine.queueDepth, 8), each = random.between((most + 1) / 2, most);
    for (int64_t i = 0; i < each; ++i)
      for (unsigned m = 0; m < ModuleCount; ++m)
        if (producers >> m & 1)
          list.push_back(Nop{uint8_t(i == 0 && bit(trigger) != 1u << m ? bit(trigger) : 0), consumers,
                             static_cast<Module>(m), 0});
    for (int64_t i = 0; i < each; ++i)
      for (unsigned m = 0; m < ModuleCount; ++m)
        if (consumers >> m & 1)
          list.push_back(Nop{producers, 0, static_cast<Module>(m), 0});
    list.push_back(Finish{});
  }

  /// A LOAD or STORE gives a token more than a counter holds while the next one of its module has a fault.
  void overflowBesideAFault() {
    test.what = "overflow beside a fault";
    const bool loads = random.chance(50);
    const Module module = loads ? Module::Load : Module::Store;
    setLatencies(1, loads ? 12 : 6);
    fillCounter(module);
    list.push_back(loads ? Instruction(transfer(Load())) : Instruction(transfer(Store())));
    setSignalMask(list.back(), bit(after(module)));
    if (random.chance(50))
      list.push_back(loads ? Instruction(toNowhere(Load())) : Instruction(toNowhere(Store())));
    else {
      Faulty faulty(test, machine, random);
      const int64_t shown = loads ? machine.loadIssueLatency : machine.storeIssueLatency;
      list.push_back(faulty.makeOutside(module, shown + random.between(0, loads ? 12 : 8)));
    }
    list.push_back(Finish{});
  }

  /// Bursts that are all answered with errors, by a memory that refuses the addresses of others.
  void errorsOnARefusingBus() {
    test.what = "bus error and refused addresses";
    test.memory.throttlePercent = static_cast<uint32_t>(random.between(40, 85));
    setLatencies(1, 8);
    if (random.chance(30)) { // FETCH itself
      list.insert(list.end(), static_cast<size_t>(random.between(8, 40)), Nop{0, 0, anyModule(), 0});
      failAt = {random.between(0, 6), random.between(0, beatsEach() - 1), 64};
    } else if (random.chance(50)) {
      list.push_back(toNowhere(Load()));
    } else {
      list.push_back(toNowhere(Store()));
    }
    list.push_back(Finish{});
  }

  /// One beat of FETCH has an error: behind an illegal word, or while another module has a fault.
  void errorOfFetch() {
    test.what = "errors of FETCH and others";
    test.memory.latencySpread = 0;
    if (random.chance(50)) {
      const int64_t at = random.between(0, 6);
      list.insert(list.end(), static_cast<size_t>(at), Nop{0, 0, anyModule(), 0});
      InstructionWord word = encode(Instruction(Nop{}));
      word[63] = 1;
      test.words.push_back({static_cast<uint32_t>(at), word});
      list.insert(list.end(), 4, Nop{});
      failAt = {at + 1, random.between(0, std::min<int64_t>(beatsEach() - 1, 3)), 1};
    } else {
      streamBesideAFault();
    }
    list.push_back(Finish{});
  }

  /// The instruction and the beat of it from which on so many beats are answered with errors.
  struct Failure {
    int64_t instruction = 0, beat = 0, beats = 0;
  };
  Failure failAt;

private:
  int64_t beatsEach() const { return InstructionBytes / machine.busBytes; }

  void setLatencies(int64_t least, int64_t most) {
    test.memory.latencySpread = 0;
    test.readLatency = static_cast<uint32_t>(random.between(least, most));
    test.writeLatency = static_cast<uint32_t>(random.between(least, most));
  }

  /// FETCH waits for the trigger's queue and runs on when it moves; a word behind has an error.
  void streamBesideAFault() {
    setLatencies(1, 12);
    Faulty faulty(test, machine, random);
    const Module trigger = anyModule(), other = after(trigger, random.between(1, 3));
    release(trigger, bit(other));
    list.push_back(faulty.makeOutside(other, random.between(3, 40)));
    setWaitMask(list.back(), bit(trigger));
    const auto first = static_cast<int64_t>(list.size());
    const int64_t held = machine.queueDepth + machine.fetchBuffer, behind = random.between(0, 6);
    list.insert(list.end(), static_cast<size_t>(held + behind + 4), Nop{0, 0, trigger, 0});
    failAt = {first + held - 1 + behind, random.between(0, beatsEach() - 1), 1};
  }

  /// A few beats, in one burst mostly.
  template <class I> I transfer(I instruction) {
    instruction.runBytes = static_cast<uint16_t>(random.between(1, 8) * machine.busBytes);
    if constexpr (std::is_same_v<I, Load>)
      instruction.unbounded = true;
    else
      instruction.scope = Scope::Out;
    return instruction;
  }

  template <class I> I toNowhere(I instruction) {
    instruction = transfer(instruction);
    instruction.base = BadBase;
    instruction.loops[2].count = static_cast<uint16_t>(random.between(1, 16));
    instruction.loops[2].dramStride = instruction.runBytes;
    return instruction;
  }
};

} // namespace

void drawMeeting(Case &test, const Machine &machine, Random &random) {
  Meeting meeting(test, machine, random);
  const int64_t kind = random.between(0, 99);
  if (kind < 30)
    meeting.tokensInOneCycle();
  else if (kind < 55)
    meeting.overflowBesideAFault();
  else if (kind < 75)
    meeting.errorsOnARefusingBus();
  else
    meeting.errorOfFetch();
  const auto &failAt = meeting.failAt; // from the program on, whose place is drawn later
  test.memory.errorAddress = static_cast<uint64_t>(failAt.instruction) * InstructionBytes +
                             static_cast<uint64_t>(failAt.beat) * machine.busBytes;
  test.memory.errorBytes = static_cast<uint64_t>(failAt.beats) * machine.busBytes;
}

} // namespace daedalus::cosim
