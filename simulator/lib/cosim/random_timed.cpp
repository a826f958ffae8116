// Modules are let go in one cycle by one token each, and what they then execute reports its fault so many
// cycles behind (R22, R28): the same number for all, or one more or less for some. Which fault is kept is
// R21's affair.
#include "cosim/random_timed.h"

#include "cosim/timed_program.h"
#include "daedalus/isa/encoding.h"

#include <algorithm>

namespace daedalus::cosim {
namespace {

using namespace isa;
using namespace timed;

/// The modules of a program and what lies before it.
class Generator : TimedProgram {
public:
  using TimedProgram::TimedProgram;

  void faultsInOneCycle() {
    test.what = "faults in one cycle";
    Faulty faulty(test, machine, random);
    const Module trigger = anyModule();
    const bool itself = (trigger == Module::Gemm || trigger == Module::Vector) && random.chance(20);
    const uint8_t others = drawOthers(trigger);
    const Module overflows = drawAmong(others);
    const bool overflow = random.chance(40);
    if (overflow)
      fillCounter(overflows);
    release(trigger, others);
    const int64_t delay = overflow ? faulty.drawEnd(overflows) : faulty.drawDelay();
    const bool exact = random.chance(85);
    std::vector<Module> order = {Module::Load, Module::Gemm, Module::Vector, Module::Store};
    if (random.chance(50)) // the index does not decide
      std::reverse(order.begin(), order.end());
    for (Module module : order) {
      if (!(others & bit(module)) && !(itself && module == trigger))
        continue;
      const uint8_t wait = module == trigger ? 0 : bit(trigger);
      if (overflow && module == overflows)
        list.push_back(faulty.ending(module, delay, wait, after(module)));
      else
        list.push_back(
            faulty.make(module, std::max<int64_t>(delay + (exact ? 0 : random.between(-1, 1)), 1), wait));
    }
    if (random.chance(30))
      faultOfFetch(order, others, delay);
    else
      list.push_back(Finish{});
  }

  /// Gives come to a counter that is full or nearly so, while one of its tokens is taken.
  void tokensAtTheTop() {
    test.what = "tokens at 255";
    const Module slow = random.chance(50) ? Module::Gemm : Module::Vector;
    const int64_t first = random.between(1, 3), second = 1 + (first - 1 + random.between(1, 2)) % 3;
    const Module producer = after(slow, first), consumer = after(slow, second);
    const auto waiting = static_cast<unsigned>(random.between(1, std::min<int64_t>(machine.queueDepth, 6)));
    for (unsigned i = 0; i < waiting; ++i)
      list.push_back(Nop{uint8_t(bit(producer) | (i ? 0 : bit(slow))), 0, consumer, 0});
    const int64_t spacing = InstructionBytes / machine.busBytes, behind = random.between(3, 6);
    const int64_t most = TokenCounterMax + random.between(-1, 1);
    give(producer, consumer, static_cast<size_t>(most - behind + 1));
    const int64_t ownEnd = producer == Module::Load    ? machine.loadIssueLatency + 1
                           : producer == Module::Store ? machine.storeIssueLatency + 1
                                                       : 1;
    const int64_t duration = std::max<int64_t>(spacing * behind + ownEnd - 1 + random.between(-2, 2), 1);
    Faulty faulty(test, machine, random);
    list.push_back(faulty.ending(slow, duration, 0, consumer));
    give(producer, consumer, static_cast<size_t>(behind + random.between(0, 3)));
    for (unsigned i = 0; random.chance(60) && i < 12; ++i)
      list.push_back(Nop{bit(producer), 0, consumer, 0});
    list.push_back(Finish{});
  }

  /// Runs of one LOAD or STORE: some where no memory is, some over the limit, some out of the scope.
  void faultsOfOneInstruction() {
    test.what = "faults of one instruction";
    if (random.chance(70)) { // so that the answer comes while the generator still shows runs
      test.memory.latencySpread = 0;
      test.readLatency = static_cast<uint32_t>(random.between(1, 12));
      test.writeLatency = static_cast<uint32_t>(random.between(1, 12));
    }
    list.push_back(Nop{0, 0, anyModule(), 0});
    if (random.chance(25))
      list.push_back(farAway());
    else if (random.chance(60))
      list.push_back(spoiled(Load(), &LoadLoop::dstStride));
    if (list.size() == 1 || random.chance(30))
      list.push_back(spoiled(Store(), &StoreLoop::srcStride));
    list.push_back(Finish{});
  }

private:
  /// Two modules, or any others.
  uint8_t drawOthers(Module trigger) {
    const int64_t first = random.between(1, 3), second = 1 + (first - 1 + random.between(1, 2)) % 3;
    const uint8_t any = static_cast<uint8_t>(random.bits() & 15 & ~bit(trigger));
    const uint8_t two = static_cast<uint8_t>(bit(after(trigger, first)) | bit(after(trigger, second)));
    return any && random.chance(25) ? any : two;
  }
  Module drawAmong(uint8_t modules) { return static_cast<Module>(random.oneOf(modules)); }

  /// A module's queue is full, so that FETCH goes on when it starts; then an illegal word comes, or the end.
  void faultOfFetch(const std::vector<Module> &order, uint8_t others, int64_t delay) {
    const auto blocking = std::find_if(order.begin(), order.end(), [&](Module m) { return others & bit(m); });
    list.insert(list.end(), machine.queueDepth, Nop{0, 0, *blocking, 0});
    const Module idle = after(*blocking, random.between(1, 3));
    for (int64_t i = 2; i < std::min<int64_t>(delay + random.between(-1, 1), 12); ++i)
      list.push_back(Nop{0, 0, idle, 0});
    if (random.chance(50))
      return;
    InstructionWord word = encode(Instruction(Nop{}));
    word[63] = 1;
    test.words.push_back({static_cast<uint32_t>(list.size()), word});
    list.push_back(Finish{});
  }

  template <class I, class Member> I spoiled(I transfer, Member scratchStride) {
    constexpr bool loads = std::is_same_v<I, Load>;
    transfer.base = random.chance(70) ? BadBase : 1;
    if constexpr (loads)
      transfer.unbounded = true;
    else
      transfer.scope = Scope::Out;
    auto &loop = transfer.loops[2];
    const int64_t error = loads ? readLatency() + 1 : 1 + machine.storeReadLatency + writeLatency();
    const int64_t most = loads ? machine.outstandingReads - 1 : machine.outstandingWrites;
    const bool meets = error <= most && random.chance(80); // the error of the first run, in its cycle
    const int64_t bad = meets ? std::max<int64_t>(error + (random.chance(60) ? 0 : random.between(-1, 1)), 1)
                              : random.between(1, 11);
    transfer.runBytes =
        static_cast<uint16_t>(meets ? random.between(1, 4) : random.between(1, 3 * machine.n));
    loop.count = static_cast<uint16_t>(bad + random.between(1, 3));
    const bool errorOnly = transfer.base == BadBase && random.chance(30);
    loop.dramStride = static_cast<int32_t>(!errorOnly && random.chance(75) ? (Limit + bad - 1) / bad
                                                                           : random.between(1, 30));
    if (!errorOnly && random.chance(20)) // before the base register
      loop.dramStride = -loop.dramStride;
    const int64_t units = loads ? machine.bytes(Scope::Inp) : machine.rows(Scope::Out);
    if (!errorOnly && random.chance(50))
      loop.*scratchStride = static_cast<std::decay_t<decltype(loop.*scratchStride)>>(
          random.chance(10) ? -1 : (units + bad - 1) / bad);
    return transfer;
  }

  /// A LOAD whose one row of data lies 2^32 bytes before its base register, or some behind.
  Load farAway() {
    Load load;
    load.runBytes = 8;
    load.loops[1].count = random.chance(70) ? 3 : 5;
    load.loops[1].dramStride = random.chance(70) ? INT32_MIN : INT32_MAX;
    load.originY = static_cast<int16_t>(1 - load.loops[1].count);
    load.extentY = 1;
    load.extentX = 65535;
    load.offset = static_cast<uint32_t>(random.between(0, 64));
    return load;
  }

  int64_t readLatency() const { return test.readLatency ? test.readLatency : machine.readLatency; }
  int64_t writeLatency() const { return test.writeLatency ? test.writeLatency : machine.writeLatency; }
};

} // namespace

std::optional<unsigned> drawTimed(Case &test, const Machine &machine, Random &random) {
  test.timed = true;
  test.memory.throttlePercent = 0;
  test.program = Program();
  test.program.machineName = machine.name;
  test.program.machineHash = machine.hash();
  for (unsigned base : {0u, 1u, BadBase})
    test.program.bases[base] = {Limit, false};
  Generator generator(test, machine, random);
  std::optional<unsigned> errorBase;
  const int64_t kind = random.between(0, 159);
  if (kind >= 100)
    errorBase = drawMeeting(test, machine, random);
  else if (kind < 55)
    generator.faultsInOneCycle();
  else if (kind < 70)
    generator.tokensAtTheTop();
  else
    generator.faultsOfOneInstruction();
  test.bases[BadBase] = Nowhere;
  return errorBase;
}

} // namespace daedalus::cosim
