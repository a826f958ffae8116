// What has to meet in one cycle: tokens for one module, a token too many and a fault of its own module, an
// error of the memory and a refused address, an error of FETCH and a fault of another module.
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
    const int64_t most = std::min<int64_t>(machine.queueDepth, 8),
                  each = random.between((most + 1) / 2, most);
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
    const bool loads = random.chance(50), fails = random.chance(50);
    const Module module = loads ? Module::Load : Module::Store;
    const int64_t issue = loads ? machine.loadIssueLatency : machine.storeIssueLatency;
    const int64_t apart = issue + 1; // the second one starts so much later
    setLatencies(1, 8);
    hold(module, TokenCounterMax);
    fillCounter(module);
    const int64_t near = random.chance(60) ? 0 : random.between(-2, 2);
    const int64_t beats = !fails  ? random.between(1, 12)
                          : loads ? apart + 1 - machine.receiveLatency + near
                                  : apart + random.between(0, 4);
    list.push_back(loads ? first(Load(), beats) : first(Store(), beats));
    if (fails) {
      list.push_back(loads ? Instruction(toNowhere(Load())) : Instruction(toNowhere(Store())));
    } else {
      const int64_t ends = issue + beats +
                           (loads ? test.readLatency + machine.receiveLatency
                                  : 1 + machine.storeReadLatency + test.writeLatency);
      Faulty faulty(test, machine, random);
      list.push_back(faulty.makeOutside(module, std::max(ends - apart + near, issue)));
    }
    list.push_back(Finish{});
  }

  /// VECTOR gives a token too many when the memory answers a LOAD or STORE with an error.
  void overflowBesideABusError() {
    test.what = "overflow beside a fault";
    const bool loads = random.chance(40);
    setLatencies(machine.vectorLatency, machine.vectorLatency + 12); // VECTOR can end then
    hold(Module::Vector, TokenCounterMax);
    setSignalMask(list.back(), bit(Module::Vector) | bit(loads ? Module::Load : Module::Store));
    fillCounter(Module::Vector);
    Faulty faulty(test, machine, random);
    const int64_t delay = (loads ? faulty.readError() : faulty.writeError()) + random.between(-1, 1);
    list.push_back(faulty.ending(Module::Vector, delay, bit(Module::Gemm), after(Module::Vector)));
    list.push_back(loads ? Instruction(toNowhere(Load())) : Instruction(toNowhere(Store())));
    setWaitMask(list.back(), bit(Module::Gemm));
    list.push_back(Finish{});
  }

  /// One beat is answered with an error, by a memory that refuses the addresses of others.
  void errorsOnARefusingBus() {
    test.what = "bus error and refused addresses";
    test.memory.throttlePercent = static_cast<uint32_t>(random.between(40, 85));
    setLatencies(1, 5);
    if (random.chance(30)) { // FETCH itself
      list.insert(list.end(), static_cast<size_t>(random.between(8, 40)), Nop{0, 0, anyModule(), 0});
      failAt = {random.between(0, beatsEach()), 1, {}};
    } else { // behind FETCH, whose beats would keep the others from asking
      const bool loads = random.chance(50);
      const int64_t runs = random.between(12, 24), at = random.between(0, 7);
      hold(loads ? Module::Load : Module::Store);
      list.push_back(loads ? Instruction(withOneError(Load(), 1, runs, at))
                           : Instruction(withOneError(Store(), 1, runs, at)));
      setWaitMask(list.back(), bit(Module::Gemm));
    }
    list.push_back(Finish{});
  }

  /// One beat of a longer burst has an error, the last one mostly.
  void errorInLongBurst() {
    test.what = "bus error in a long burst";
    const int64_t beats = random.between(4, 24), runs = random.between(1, 4);
    const int64_t at = random.between(0, runs - 1);
    list.push_back(random.chance(70) ? Instruction(withOneError(Load(), beats, runs, at))
                                     : Instruction(withOneError(Store(), beats, runs, at)));
    list.push_back(Finish{});
  }

  /// One beat of FETCH has an error: behind an illegal word, or while another module has a fault.
  void errorOfFetch() {
    test.what = "errors of FETCH and others";
    test.memory.latencySpread = 0;
    if (random.chance(30)) {
      const int64_t at = random.between(0, 6);
      list.insert(list.end(), static_cast<size_t>(at), Nop{0, 0, anyModule(), 0});
      InstructionWord word = encode(Instruction(Nop{}));
      word[63] = 1;
      test.words.push_back({static_cast<uint32_t>(at), word});
      list.insert(list.end(), 4, Nop{});
      failAt = {(at + 1) * beatsEach() + random.between(0, std::min<int64_t>(beatsEach() - 1, 3)), 1, {}};
    } else {
      streamBesideAFault();
    }
    list.push_back(Finish{});
  }

  /// Beats that are answered with errors, from the program on or from a base register on.
  struct Failure {
    int64_t beat = 0, beats = 0;
    std::optional<unsigned> base;
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
    const int64_t beat = random.between(0, 2 * beatsEach() - 1);
    list.push_back(faulty.makeOutside(other, test.readLatency + beat + random.between(2, 10)));
    setWaitMask(list.back(), bit(trigger));
    const auto first = static_cast<int64_t>(list.size());
    const int64_t held = machine.queueDepth + machine.fetchBuffer - 1;
    list.insert(list.end(), static_cast<size_t>(held + 6), Nop{0, 0, trigger, 0});
    failAt = {(first + held) * beatsEach() + beat, 1, {}};
  }

  /// The one whose token is too many.
  template <class I> Instruction first(I instruction, int64_t beats) {
    Instruction moving = transfer(instruction, std::clamp<int64_t>(beats, 1, 16));
    setSignalMask(moving, bit(after(*moduleOf(moving))));
    setWaitMask(moving, bit(Module::Gemm));
    return moving;
  }

  /// So many beats, in one burst mostly.
  template <class I> I transfer(I instruction, int64_t beats) {
    instruction.runBytes = static_cast<uint16_t>(beats * machine.busBytes);
    if constexpr (std::is_same_v<I, Load>)
      instruction.unbounded = true;
    else
      instruction.scope = Scope::Out;
    if constexpr (std::is_same_v<I, Store>)
      instruction.base = 1;
    return instruction;
  }

  template <class I> I toNowhere(I instruction) {
    instruction = transfer(instruction, 1);
    instruction.base = BadBase;
    if (random.chance(50))
      instruction.runBytes = 1;
    instruction.loops[2].count = static_cast<uint16_t>(random.between(1, 3));
    instruction.loops[2].dramStride = instruction.runBytes;
    return instruction;
  }

  /// Runs of which that one has an error, in its last beat mostly.
  template <class I> I withOneError(I instruction, int64_t beats, int64_t runs, int64_t at) {
    instruction = transfer(instruction, beats);
    instruction.loops[2].count = static_cast<uint16_t>(runs);
    instruction.loops[2].dramStride = instruction.runBytes;
    failAt = {at * beats + (random.chance(60) ? beats - 1 : random.between(0, beats - 1)), 1,
              instruction.base};
    return instruction;
  }
};

} // namespace

std::optional<unsigned> drawMeeting(Case &test, const Machine &machine, Random &random) {
  Meeting meeting(test, machine, random);
  const int64_t kind = random.between(0, 99);
  if (kind < 18)
    meeting.tokensInOneCycle();
  else if (kind < 36)
    meeting.overflowBesideAFault();
  else if (kind < 44)
    meeting.overflowBesideABusError();
  else if (kind < 68)
    meeting.errorsOnARefusingBus();
  else if (kind < 75)
    meeting.errorInLongBurst();
  else
    meeting.errorOfFetch();
  test.memory.errorAddress = static_cast<uint64_t>(meeting.failAt.beat) * machine.busBytes;
  test.memory.errorBytes = static_cast<uint64_t>(meeting.failAt.beats) * machine.busBytes;
  return meeting.failAt.base;
}

} // namespace daedalus::cosim
