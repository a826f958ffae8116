// Backwards from FINISH: every cycle in which something started or ended has, one cycle before, what it
// waited for (docs/timing.md R2): an end that gave a token, a module that became free, a dispatch.
#include "profile/critical_path.h"

#include "daedalus/simulator/token_givers.h"

#include <algorithm>

namespace daedalus::sim {
namespace {

using isa::CounterClass;
using isa::CounterModule;

class Walk {
public:
  Walk(Span<const isa::Instruction> instructions, const Profile &profile, const ModuleSpans &spans)
      : profile(profile), fetch(spans[size_t(CounterModule::Fetch)]),
        load(spans[size_t(CounterModule::Load)]), store(spans[size_t(CounterModule::Store)]),
        givers(tokenGivers(instructions)), before(profile.instructions.size(), NoInstruction),
        cursor(profile.cycles) {
    std::array<uint32_t, isa::CounterModuleCount> last;
    last.fill(NoInstruction);
    for (uint32_t i = 0; i < profile.instructions.size(); ++i) {
      uint32_t &previous = last[static_cast<size_t>(profile.instructions[i].module)];
      before[i] = previous;
      previous = i;
    }
  }

  std::vector<PathSegment> run() {
    fromFinish();
    while (cursor > 0)
      (this->*next)();
    std::reverse(path.begin(), path.end());
    return std::move(path);
  }

private:
  using Step = void (Walk::*)();

  const InstructionCycles &of(uint32_t instruction) const { return profile.instructions[instruction]; }

  /// The cycles from `first` up to the cursor, which moves there.
  void add(uint64_t first, CounterModule module, CounterClass what, uint32_t instruction) {
    if (first >= cursor)
      return;
    if (!path.empty() && path.back().module == module && path.back().what == what &&
        path.back().instruction == instruction)
      path.back().first = first;
    else
      path.push_back({first, cursor, module, what, instruction});
    cursor = first;
  }

  void go(Step step, uint32_t instruction) {
    next = step;
    current = instruction;
  }

  /// FINISH ends behind the last end of all, or when it has come (R8).
  void fromFinish() {
    for (uint32_t i = 0; i < profile.instructions.size(); ++i)
      if (of(i).module != CounterModule::Fetch && of(i).end + 1 == cursor)
        return go(&Walk::fromEnd, i);
    go(&Walk::fromHead, static_cast<uint32_t>(profile.instructions.size()) - 1);
  }

  /// The instruction's last cycle is the one before the cursor.
  void fromEnd() {
    const InstructionCycles &cycles = of(current);
    if (cycles.module == CounterModule::Load)
      return fromLastWrite();
    if (cycles.module == CounterModule::Store)
      addResponse();
    add(cycles.start, cycles.module, CounterClass::Busy, current);
    next = &Walk::fromStart;
  }

  /// STORE is busy until the last burst has left (R25); then it waits for the memory.
  void addResponse() {
    const uint64_t start = of(current).start;
    uint64_t at = cursor;
    std::optional<CycleSpan> span;
    while (at > start && (span = store.at(at - 1)) &&
           !(span->what == CounterClass::Busy && span->instruction == current))
      at = span->first;
    add(std::max(at, start), CounterModule::Store, CounterClass::Memory, current);
  }

  /// LOAD's writer goes from one instruction to the next; before a gap it waited for data, which this
  /// instruction asked for.
  void fromLastWrite() {
    const InstructionCycles &cycles = of(current);
    while (const std::optional<CycleSpan> span = isWriting(current))
      add(std::max(span->first, cycles.start), CounterModule::Load, CounterClass::Busy, current);
    const uint32_t previous = before[current];
    if (cursor > cycles.start && previous != NoInstruction && of(previous).end + 1 == cursor)
      return go(&Walk::fromEnd, previous);
    add(cycles.start, CounterModule::Load, CounterClass::Memory, current);
    next = &Walk::fromStart;
  }

  /// LOAD's span of the cycle before the cursor, if the instruction is busy in it.
  std::optional<CycleSpan> isWriting(uint32_t instruction) const {
    const std::optional<CycleSpan> span = cursor > of(instruction).start ? load.at(cursor - 1) : std::nullopt;
    const bool isBusy = span && span->what == CounterClass::Busy && span->instruction == instruction;
    return isBusy ? span : std::nullopt;
  }

  /// The cursor is the instruction's start (R9): what it waited for was seen to be there one cycle after.
  void fromStart() {
    for (const uint32_t giver : givers[current])
      if (giver != NoInstruction && of(giver).end + 1 == cursor)
        return go(&Walk::fromEnd, giver);
    const std::optional<CycleSpan> span = fetch.at(cursor - 1);
    if (span && span->what == CounterClass::Busy && span->instruction == current)
      return fromDispatch();
    const uint32_t previous = before[current];
    if (previous == NoInstruction)
      return fromHead();
    if (of(previous).end + 1 == cursor)
      return go(&Walk::fromEnd, previous);
    addAddresses(previous);
    current = previous;
  }

  /// LOAD and STORE take an instruction when the previous one's last address has left (R9): what the module
  /// did until then, from the start of that one.
  void addAddresses(uint32_t previous) {
    const InstructionCycles &cycles = of(previous);
    while (cycles.module == CounterModule::Load && cursor > cycles.start) {
      const std::optional<CycleSpan> span = load.at(cursor - 1);
      if (!span)
        break;
      add(std::max(span->first, cycles.start), CounterModule::Load, span->what, span->instruction);
    }
    add(cycles.start, cycles.module, CounterClass::Busy, previous);
  }

  void fromDispatch() {
    add(cursor - 1, CounterModule::Fetch, CounterClass::Busy, current);
    next = &Walk::fromHead;
  }

  /// In the cycle before the cursor FETCH did not dispatch this instruction yet: it dispatched the one
  /// before, waited for this one, or for room in its queue.
  void fromHead() {
    const std::optional<CycleSpan> span = cursor > 0 ? fetch.at(cursor - 1) : std::nullopt;
    if (!span || span->instruction == NoInstruction)
      return add(0, CounterModule::Fetch, CounterClass::Idle, NoInstruction);
    if (span->what == CounterClass::Busy)
      return go(&Walk::fromDispatch, span->instruction);
    if (span->what != CounterClass::QueueFull)
      return add(span->first, CounterModule::Fetch, span->what, span->instruction);
    add(cursor - 1, CounterModule::Fetch, CounterClass::QueueFull, span->instruction);
    fromRoom(span->instruction);
  }

  /// The instruction of the same module that started in this cycle, which made room in the queue (R7).
  void fromRoom(uint32_t waiting) {
    for (uint32_t i = before[waiting]; i != NoInstruction; i = before[i])
      if (of(i).start == cursor)
        return go(&Walk::fromStart, i);
      else if (of(i).start < cursor)
        break;
    next = &Walk::fromHead;
  }

  const Profile &profile;
  const SpanList &fetch, &load, &store;
  const TokenGivers givers;
  std::vector<uint32_t> before; ///< the instruction in front of each one, in its module
  std::vector<PathSegment> path;
  uint64_t cursor; ///< cycles from it on are in the path
  uint32_t current = NoInstruction;
  Step next = &Walk::fromHead;
};

} // namespace

std::vector<PathSegment> criticalPath(Span<const isa::Instruction> instructions, const Profile &profile,
                                      const ModuleSpans &spans) {
  return Walk(instructions, profile, spans).run();
}

} // namespace daedalus::sim
