#include "Report/Waves/RunWaves.h"
#include "Tuning/Costs.h"

#include "daedalus/isa/encoding.h"

#include <algorithm>

namespace daedalus::report {
namespace {

using isa::CounterClass;
using isa::CounterModule;

constexpr size_t Modules = isa::CounterModuleCount, Queues = isa::ModuleCount;
constexpr unsigned InstructionBits = 32, QueueBits = 8, TokenBits = 16;

// In the order in which they are declared: three of each module, then queues, then tokens by giver and taker.
size_t stateOf(CounterModule module) {
  return 3 * static_cast<size_t>(module);
}
size_t queueOf(isa::Module module) {
  return 3 * Modules + static_cast<size_t>(module);
}
size_t tokensOf(size_t giver, size_t taker) {
  return 3 * Modules + Queues + giver * Queues + taker;
}

/// Text without what the format takes for separators.
std::string asText(const std::string &text) {
  std::string result = text.empty() ? "-" : text;
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return c <= ' ' || c == 127; }, '_');
  return result;
}

std::string binary(uint64_t value) {
  std::string digits;
  do
    digits.insert(digits.begin(), static_cast<char>('0' + (value & 1)));
  while (value >>= 1);
  return digits;
}

/// The name that a change has for a signal: printable characters.
std::string idOf(size_t signal) {
  constexpr size_t first = '!', count = '~' - '!' + 1;
  std::string id(1, static_cast<char>(first + signal % count));
  return signal < count ? id : id + static_cast<char>(first + signal / count - 1);
}

} // namespace

RunWaves::RunWaves(const package::Package &package, WaveWindow window) : package(package), window(window) {
  for (size_t m = 0; m < Modules; ++m) {
    const std::string module = isa::name(static_cast<CounterModule>(m));
    declare(module, "state", "string", 1);
    declare(module, "instruction", "integer", InstructionBits);
    declare(module, "layer", "string", 1);
  }
  for (size_t m = 0; m < Queues; ++m)
    declare(isa::name(static_cast<isa::Module>(m)), "queue", "integer", QueueBits);
  for (size_t giver = 0; giver < Queues; ++giver)
    for (size_t taker = 0; taker < Queues; ++taker)
      declare(giver == taker ? "" : "tokens",
              std::string(isa::name(static_cast<isa::Module>(giver))) + "_to_" +
                  isa::name(static_cast<isa::Module>(taker)),
              "integer", TokenBits);
}

size_t RunWaves::declare(const std::string &scope, const std::string &name, const std::string &type,
                         unsigned bits) {
  signals.push_back({scope, name, type, bits, type == "string" ? "-" : "0"});
  return signals.size() - 1;
}

void RunWaves::set(uint64_t cycle, size_t signal, std::string value) {
  if (cycle > window.last)
    return;
  changes[std::max(cycle, window.first)][signal] = std::move(value); // the last one in front of it counts
}

std::string RunWaves::layerOf(uint32_t program, uint32_t instruction) const {
  const uint32_t layer = tuning::layerOf(package.programs[program], instruction);
  return layer == package::noLayer ? "" : package.layers[layer].node;
}

void RunWaves::addSpans(const runtime::ProgramProfile &run) {
  for (const sim::SpanList &spans : run.profile->spans)
    for (const sim::CycleSpan span : spans) {
      const size_t state = stateOf(span.module);
      const bool isKnown = span.instruction != sim::NoInstruction;
      set(from + span.first, state, isa::name(span.what));
      set(from + span.first, state + 1, isKnown ? binary(span.instruction) : "x");
      set(from + span.first, state + 2, asText(layerOf(run.program, span.instruction)));
    }
  for (size_t m = 0; m < Modules; ++m)
    set(from + run.profile->cycles, stateOf(static_cast<CounterModule>(m)), "stopped");
}

/// A level from its changes, which are seen in these cycles.
void RunWaves::count(std::map<uint64_t, int> steps, size_t signal) {
  int64_t level = 0;
  for (const auto &[cycle, step] : steps)
    if (step)
      set(cycle, signal, binary(static_cast<uint64_t>(level += step)));
}

/// Queues grow when FETCH dispatches and shrink when an instruction starts (R6, R7); tokens come when one
/// ends and go when one starts (R9, R10). All of it is seen a cycle later (R2).
void RunWaves::addLevels(const runtime::ProgramProfile &run) {
  const auto instructions = *isa::decodeWords(package.programs[run.program].words);
  std::map<size_t, std::map<uint64_t, int>> steps; // by signal
  for (const sim::CycleSpan span : run.profile->spans[static_cast<size_t>(CounterModule::Fetch)])
    if (span.what == CounterClass::Busy && span.instruction < instructions.size())
      if (const auto module = isa::moduleOf(instructions[span.instruction]))
        ++steps[queueOf(*module)][from + span.first + 1];
  for (size_t i = 0; i < instructions.size(); ++i) {
    const auto module = isa::moduleOf(instructions[i]);
    if (!module)
      continue;
    const sim::InstructionCycles &cycles = run.profile->instructions[i];
    --steps[queueOf(*module)][from + cycles.start + 1];
    for (size_t other = 0; other < Queues; ++other) {
      if (isa::waitMask(instructions[i]) >> other & 1)
        --steps[tokensOf(other, size_t(*module))][from + cycles.start + 1];
      if (isa::signalMask(instructions[i]) >> other & 1)
        ++steps[tokensOf(size_t(*module), other)][from + cycles.end + 1];
    }
  }
  for (auto &[signal, its] : steps)
    count(std::move(its), signal);
}

void RunWaves::add(const runtime::ProgramProfile &run) {
  addSpans(run);
  addLevels(run);
  from += run.profile->cycles;
}

std::string RunWaves::text() const {
  std::string text =
      "$comment a nanosecond is a cycle $end\n$timescale 1 ns $end\n$scope module accelerator $end\n";
  std::map<std::string, std::string> scopes;
  for (size_t s = 0; s < signals.size(); ++s)
    if (const Signal &signal = signals[s]; !signal.scope.empty())
      scopes[signal.scope] += "$var " + signal.type + " " + std::to_string(signal.bits) + " " + idOf(s) +
                              " " + signal.name + " $end\n";
  for (const auto &[scope, declarations] : scopes)
    text += "$scope module " + scope + " $end\n" + declarations + "$upscope $end\n";
  text += "$upscope $end\n$enddefinitions $end\n";
  std::vector<std::string> now;
  for (const Signal &signal : signals)
    now.push_back(signal.value);
  const auto line = [&](size_t s) {
    return (signals[s].type == "string" ? "s" : "b") + now[s] + " " + idOf(s) + "\n";
  };
  const auto begin = changes.find(window.first);
  if (begin != changes.end())
    for (const auto &[signal, value] : begin->second)
      now[signal] = value;
  text += "#" + std::to_string(window.first) + "\n$dumpvars\n";
  for (size_t s = 0; s < signals.size(); ++s)
    if (!signals[s].scope.empty())
      text += line(s);
  text += "$end\n";
  for (const auto &[cycle, its] : changes) {
    std::string lines;
    for (const auto &[signal, value] : its)
      if (cycle != window.first && value != now[signal]) {
        now[signal] = value;
        lines += line(signal);
      }
    if (!lines.empty())
      text += "#" + std::to_string(cycle) + "\n" + lines;
  }
  return text;
}

} // namespace daedalus::report
