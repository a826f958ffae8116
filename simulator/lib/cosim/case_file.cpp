// A case as text: `#: key value` lines before a program of the assembler, to which they are comments.
//
//   #: what address limit
//   #: seed 17
//   #: base 3 49153                      address of a base register whose limit is not 0
//   #: word 12 0300...                   64 bytes that are no instruction, or stand behind the last
//   #: host 17 write 24 1                the host writes 1 to the register at offset 24 in cycle 17
//   #: host 17 read 24                   the host reads it
//   #: reset_by pin                      how the reset at reset_at is made
//   #: silence r 17                      behind 17 beats of a run the memory is silent on R
#include "daedalus/isa/assembly.h"
#include "daedalus/simulator/cosim.h"

#include <cstdio>
#include <iterator>
#include <sstream>

namespace daedalus::cosim {
namespace {

/// Calls f(name, number) for the plain numbers of a case.
template <class C, class F> void visitNumbers(C &test, F &&f) {
  f("seed", test.seed);
  f("dram_bytes", test.dramBytes);
  f("program_address", test.programAddress);
  f("program_limit", test.programLimit);
  f("parameters", test.parameters);
  f("read_latency", test.readLatency);
  f("write_latency", test.writeLatency);
  f("memory_seed", test.memory.seed);
  f("latency_spread", test.memory.latencySpread);
  f("throttle_percent", test.memory.throttlePercent);
  f("reset_at", test.resetAt);
  f("resets_before", test.resetsBefore);
  f("host_at_stop", test.hostAtStop);
  f("error_address", test.memory.errorAddress);
  f("error_bytes", test.memory.errorBytes);
  f("origin", test.memory.origin);
  f("counted", test.hardware.counted);
  f("keeps_interrupt", test.keepsInterrupt);
  f("host_seed", test.hardware.hostSeed);
  f("state_seed", test.hardware.stateSeed);
  f("timed", test.timed);
}

/// In the order of ResetBy.
constexpr const char *ResetNames[] = {"control", "control_and_start", "start_behind", "pin"};

/// In the order of BusChannel.
constexpr const char *ChannelNames[] = {"ar", "r", "aw", "w", "b"};

bool readSilence(std::istream &in, std::optional<sim::Silence> &silence) {
  std::string name;
  sim::Silence read;
  in >> name >> read.after;
  for (unsigned i = 0; in && i < std::size(ChannelNames); ++i)
    if (name == ChannelNames[i]) {
      read.channel = static_cast<sim::BusChannel>(i);
      silence = read;
      return true;
    }
  return false;
}

bool readReset(std::istream &in, ResetBy &by) {
  std::string name;
  in >> name;
  for (unsigned i = 0; i < std::size(ResetNames); ++i)
    if (name == ResetNames[i]) {
      by = static_cast<ResetBy>(i);
      return true;
    }
  return false;
}

std::string hexOf(const isa::InstructionWord &word) {
  std::string text;
  char digits[3];
  for (uint8_t byte : word) {
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

bool readWord(std::istream &in, Case &test) {
  uint32_t index = 0;
  std::string hex;
  isa::InstructionWord word{};
  if (!(in >> index >> hex) || hex.size() != 2 * word.size() ||
      hex.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  for (size_t i = 0; i < word.size(); ++i)
    word[i] = static_cast<uint8_t>(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
  test.words.push_back({index, word});
  return true;
}

bool readBase(std::istream &in, Case &test) {
  unsigned number = 0;
  return in >> number && number < isa::BaseRegisters && in >> test.bases[number];
}

bool readAccess(std::istream &in, Case &test) {
  HostAccess access;
  std::string kind;
  if (!(in >> access.cycle >> kind >> access.offset) || (kind != "read" && kind != "write"))
    return false;
  access.write = kind == "write";
  if (access.write && !(in >> access.value))
    return false;
  test.host.push_back(access);
  return true;
}

bool readIndex(std::istream &in, std::optional<uint32_t> &index) {
  uint32_t value = 0;
  if (!(in >> value))
    return false;
  index = value;
  return true;
}

bool readLine(const std::string &name, std::istream &in, Case &test) {
  if (name == "what")
    return bool(std::getline(in >> std::ws, test.what));
  if (name == "word")
    return readWord(in, test);
  if (name == "base")
    return readBase(in, test);
  if (name == "host")
    return readAccess(in, test);
  if (name == "faulty")
    return readIndex(in, test.faulty);
  if (name == "again_to")
    return readIndex(in, test.againTo);
  if (name == "silence")
    return readSilence(in, test.memory.silence);
  if (name == "reset_by")
    return readReset(in, test.resetBy);
  bool ok = false;
  visitNumbers(test, [&](const std::string &candidate, auto &value) {
    ok = ok || (name == candidate && in >> value);
  });
  return ok;
}

} // namespace

std::string writeCase(const Case &test, const std::string &comment) {
  std::ostringstream out;
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);)
    out << "# " << line << "\n";
  out << "#: what " << test.what << "\n";
  visitNumbers(test, [&](const char *name, const auto &value) {
    if (value)
      out << "#: " << name << " " << value << "\n";
  });
  if (test.resetBy != ResetBy::Control)
    out << "#: reset_by " << ResetNames[static_cast<unsigned>(test.resetBy)] << "\n";
  if (const auto &silence = test.memory.silence)
    out << "#: silence " << ChannelNames[static_cast<unsigned>(silence->channel)] << " " << silence->after
        << "\n";
  for (unsigned base = 0; base < isa::BaseRegisters; ++base)
    if (test.bases[base])
      out << "#: base " << base << " " << test.bases[base] << "\n";
  for (const HostAccess &access : test.host) {
    out << "#: host " << access.cycle << (access.write ? " write " : " read ") << access.offset;
    out << (access.write ? " " + std::to_string(access.value) : "") << "\n";
  }
  for (const auto &[index, word] : test.words)
    out << "#: word " << index << " " << hexOf(word) << "\n";
  if (test.faulty)
    out << "#: faulty " << *test.faulty << "\n";
  if (test.againTo)
    out << "#: again_to " << *test.againTo << "\n";
  return out.str() + isa::disassemble(test.program);
}

Result<Case> readCase(const std::string &text, const std::string &sourceName) {
  Case test;
  std::istringstream lines(text);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.rfind("#: ", 0) != 0)
      continue;
    std::istringstream words(line.substr(3));
    std::string name;
    words >> name;
    if (!readLine(name, words, test))
      return error(sourceName + ":" + std::to_string(number) + ": found '" + line +
                   "'; expected '#: KEY VALUE' as daedalus cosim writes it");
  }
  Result<isa::Program> program = isa::assemble(text, sourceName);
  if (!program)
    return error(program.error());
  test.program = std::move(*program);
  if (test.dramBytes % 64 || test.dramBytes > uint64_t(1) << 32)
    return error(sourceName + ": dram_bytes is " + std::to_string(test.dramBytes) +
                 "; expected a multiple of 64, at most 4 GiB");
  if (test.memory.origin % 4096)
    return error(sourceName + ": origin is " + std::to_string(test.memory.origin) +
                 "; expected a multiple of 4096");
  if (test.againTo && *test.againTo >= test.program.instructions.size())
    return error(sourceName + ": again_to is " + std::to_string(*test.againTo) + "; the program has " +
                 std::to_string(test.program.instructions.size()) + " instructions");
  return test;
}

} // namespace daedalus::cosim
