// A case as text: `#: key value` lines before a program of the assembler, and `#: word INDEX HEX` for words that
// are no instructions.
#include "daedalus/isa/assembly.h"
#include "daedalus/simulator/cosim.h"

#include <cstdio>
#include <map>
#include <sstream>

namespace daedalus::cosim {
namespace {

/// The numbers of a case by name.
template <class C> auto fields(C &test) {
  return std::map<std::string, std::function<void(uint64_t *, bool)>>{
      {"seed", [&](uint64_t *v, bool in) { in ? void(test.seed = *v) : void(*v = test.seed); }},
      {"read_latency", [&](uint64_t *v, bool in) { in ? void(test.readLatency = uint32_t(*v)) : void(*v = test.readLatency); }},
      {"write_latency", [&](uint64_t *v, bool in) { in ? void(test.writeLatency = uint32_t(*v)) : void(*v = test.writeLatency); }},
      {"memory_seed", [&](uint64_t *v, bool in) { in ? void(test.memory.seed = *v) : void(*v = test.memory.seed); }},
      {"latency_spread", [&](uint64_t *v, bool in) { in ? void(test.memory.latencySpread = uint32_t(*v)) : void(*v = test.memory.latencySpread); }},
      {"throttle_percent", [&](uint64_t *v, bool in) { in ? void(test.memory.throttlePercent = uint32_t(*v)) : void(*v = test.memory.throttlePercent); }},
      {"dram_bytes", [&](uint64_t *v, bool in) { in ? void(test.dramBytes = *v) : void(*v = test.dramBytes); }},
      {"program_address", [&](uint64_t *v, bool in) { in ? void(test.programAddress = *v) : void(*v = test.programAddress); }},
      {"base0", [&](uint64_t *v, bool in) { in ? void(test.base0 = *v) : void(*v = test.base0); }},
      {"base1", [&](uint64_t *v, bool in) { in ? void(test.base1 = *v) : void(*v = test.base1); }},
      {"limit1", [&](uint64_t *v, bool in) { in ? void(test.limit1 = uint32_t(*v)) : void(*v = test.limit1); }},
      {"reset_at", [&](uint64_t *v, bool in) { in ? void(test.resetAt = *v) : void(*v = test.resetAt); }}};
}

bool readWord(std::istream &in, Case &test) {
  uint32_t index;
  std::string hex;
  isa::InstructionWord word{};
  if (!(in >> index >> hex) || hex.size() != 2 * word.size())
    return false;
  for (size_t i = 0; i < word.size(); ++i)
    word[i] = static_cast<uint8_t>(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
  test.words.push_back({index, word});
  return true;
}

} // namespace

std::string writeCase(const Case &test, const std::string &comment) {
  std::ostringstream out;
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);)
    out << "# " << line << "\n";
  out << "#: what " << test.what << "\n";
  Case copy = test;
  for (const auto &[name, access] : fields(copy)) {
    uint64_t value = 0;
    access(&value, false);
    out << "#: " << name << " " << value << "\n";
  }
  for (const auto &[index, word] : test.words) {
    out << "#: word " << index << " ";
    char digits[3];
    for (uint8_t byte : word) {
      std::snprintf(digits, sizeof digits, "%02x", byte);
      out << digits;
    }
    out << "\n";
  }
  return out.str() + isa::disassemble(test.program);
}

Result<Case> readCase(const std::string &text, const std::string &sourceName) {
  Case test;
  test.what = "legal";
  const auto known = fields(test);
  std::istringstream lines(text);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.rfind("#: ", 0) != 0)
      continue;
    std::istringstream words(line.substr(3));
    std::string name;
    uint64_t value = 0;
    words >> name;
    const auto field = known.find(name);
    const bool ok = name == "what"   ? bool(std::getline(words >> std::ws, test.what))
                    : name == "word" ? readWord(words, test)
                                     : field != known.end() && words >> value;
    if (!ok)
      return error(sourceName + ":" + std::to_string(number) + ": found '" + line + "'; expected '#: NAME NUMBER' as "
                   "daedalus cosim writes it");
    if (field != known.end())
      field->second(&value, true);
  }
  Result<isa::Program> program = isa::assemble(text, sourceName);
  if (!program)
    return error(program.error());
  test.program = *program;
  return test;
}

} // namespace daedalus::cosim
