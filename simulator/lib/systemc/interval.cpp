// The two runs that bound all others, by docs/intervals.md: one in which FETCH and LOAD never meet and all
// latencies are least, and one in which all are greatest and FETCH's bursts come behind all that LOAD may
// have open; behind its end stand FETCH's beats, each of which may delay LOAD by a cycle.
#include "daedalus/simulator/interval.h"

#include "daedalus/isa/encoding.h"
#include "systemc/fetch_bursts.h"
#include "systemc/runner.h"

namespace daedalus::sim {
namespace {

using systemc::ReadBound;
using systemc::Runner;

Result<void> checkRange(const std::string &name, const LatencyRange &range, const isa::Machine &machine) {
  const std::string text =
      "the " + name + " latency " + std::to_string(range.least) + ":" + std::to_string(range.greatest);
  if (range.least == 0)
    return error(text + " begins with 0; a memory answers after at least 1 cycle");
  if (range.least > range.greatest)
    return error(text + " is empty: the minimum comes first");
  if (range.greatest >= machine.memoryTimeoutCycles)
    return error(text + " reaches the " + std::to_string(machine.memoryTimeoutCycles) +
                 " cycles (memory_timeout_cycles) after which machine " + machine.name +
                 " stops waiting for the memory");
  return {};
}

Result<std::vector<isa::Instruction>> instructionsOf(Span<const uint8_t> words) {
  auto decoded = isa::decodeWords(words);
  if (!decoded)
    return error(decoded.error());
  const auto isFinish = [](const isa::Instruction &i) { return std::holds_alternative<isa::Finish>(i); };
  const auto finish = std::find_if(decoded->begin(), decoded->end(), isFinish);
  if (finish == decoded->end())
    return error("the program does not end with finish");
  if (finish + 1 != decoded->end())
    return error("the program continues after finish, at instruction " +
                 std::to_string(finish + 1 - decoded->begin()));
  return decoded;
}

Result<Interval> constant(const Runner &runner, const MemoryLatencies &latencies) {
  const auto cycles = runner.cycles(latencies.read.least, latencies.write.least, nullptr);
  return cycles ? Result<Interval>(Interval{*cycles, *cycles}) : error(cycles.error());
}

Result<Interval> bounds(const Runner &runner, const std::vector<isa::Instruction> &instructions,
                        const MemoryLatencies &latencies) {
  ReadBound bound;
  const auto lower = runner.cycles(latencies.read.least, latencies.write.least, &bound);
  if (!lower)
    return error(lower.error());
  const systemc::FetchBursts bursts =
      systemc::fetchBursts(instructions, runner.program, runner.machine, latencies.read.least);
  bound.isUpper = true;
  bound.beatsAhead = bursts.beatsAhead;
  const auto upper = runner.cycles(latencies.read.greatest, latencies.write.greatest, &bound);
  return upper ? Result<Interval>(Interval{*lower, *upper + bursts.between}) : error(upper.error());
}

} // namespace

Result<void> checkLatencies(const isa::Machine &machine, const MemoryLatencies &latencies) {
  auto checked = checkRange("read", latencies.read, machine);
  return checked ? checkRange("write", latencies.write, machine) : checked;
}

Result<uint64_t> cyclesOf(const isa::Machine &machine, const PlacedProgram &program) {
  return Runner(machine, program).cycles(machine, nullptr);
}

Result<Interval> intervalOf(const isa::Machine &machine, const PlacedProgram &program,
                            const MemoryLatencies &latencies) {
  if (auto checked = checkLatencies(machine, latencies); !checked)
    return error(checked.error());
  const auto instructions = instructionsOf(program.words);
  if (!instructions)
    return error(instructions.error());
  const Runner runner(machine, program);
  return latencies.vary() ? bounds(runner, *instructions, latencies) : constant(runner, latencies);
}

} // namespace daedalus::sim
