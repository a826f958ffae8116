// Program files: explicit little-endian reads and writes at the places that program.h names.
#include "daedalus/isa/program.h"

#include "daedalus/support/hash.h"

#include <algorithm>
#include <cstring>

namespace daedalus::isa {
namespace {

constexpr char Magic[] = "DAEPROG1";
constexpr size_t VersionAt = 8, CountAt = 12, HashAt = 16, ChecksumAt = 24, NameAt = 32, NameBytes = 32,
                 BasesAt = 64;
constexpr size_t HeaderBytes = BasesAt + size_t{8} * BaseRegisters;

void put(std::vector<uint8_t> &bytes, size_t at, size_t size, uint64_t value) {
  for (size_t i = 0; i < size; ++i)
    bytes[at + i] = static_cast<uint8_t>(value >> (8 * i));
}

uint64_t get(Span<const uint8_t> bytes, size_t at, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i)
    value |= uint64_t(bytes[at + i]) << (8 * i);
  return value;
}

uint64_t checksum(Span<const uint8_t> bytes) {
  return fnv1a(bytes.subspan(ChecksumAt + 8), fnv1a(bytes.subspan(0, ChecksumAt)));
}

Result<void> checkHeader(Span<const uint8_t> bytes) {
  if (bytes.size() < sizeof Magic - 1 || std::memcmp(bytes.data(), Magic, sizeof Magic - 1) != 0)
    return error("not a program file: it does not begin with " + std::string(Magic));
  if (bytes.size() < HeaderBytes)
    return error("the program file is truncated: it has " + std::to_string(bytes.size()) +
                 " bytes; its header has " + std::to_string(HeaderBytes));
  if (get(bytes, VersionAt, 4) != Version)
    return error("the program is for version " + std::to_string(get(bytes, VersionAt, 4)) +
                 " of the instruction set; expected " + std::to_string(Version));
  const uint64_t count = get(bytes, CountAt, 4), expected = HeaderBytes + count * InstructionBytes;
  if (bytes.size() != expected)
    return error(std::string("the program file is ") + (bytes.size() < expected ? "truncated" : "too long") +
                 ": it has " + std::to_string(bytes.size()) + " bytes; " + std::to_string(count) +
                 " instructions take " + std::to_string(expected));
  return {};
}

/// The machine's name: at least one zero behind it, and nothing but zeros.
Result<std::string> readName(Span<const uint8_t> bytes) {
  const std::string field(bytes.begin() + NameAt, bytes.begin() + NameAt + NameBytes);
  const size_t length = std::min(field.find('\0'), NameBytes - 1);
  if (field.find_first_not_of('\0', length) != std::string::npos)
    return error("the machine's name is not filled with zeros from byte " + std::to_string(NameAt + length) +
                 " of the program file on");
  return field.substr(0, length);
}

Result<BaseLimit> readBase(Span<const uint8_t> bytes, unsigned index) {
  const size_t at = BasesAt + size_t{8} * index;
  const uint64_t flags = get(bytes, at + 4, 4);
  if (flags > 1)
    return error("the flags of base register " + std::to_string(index) + " are " + std::to_string(flags) +
                 "; expected 0 or 1");
  return BaseLimit{static_cast<uint32_t>(get(bytes, at, 4)), flags == 1};
}

} // namespace

std::vector<uint8_t> writeProgram(const Program &program) {
  std::vector<uint8_t> bytes(HeaderBytes);
  std::memcpy(bytes.data(), Magic, sizeof Magic - 1);
  put(bytes, VersionAt, 4, Version);
  put(bytes, CountAt, 4, program.instructions.size());
  put(bytes, HashAt, 8, program.machineHash);
  std::memcpy(&bytes[NameAt], program.machineName.data(),
              strnlen(program.machineName.c_str(), NameBytes - 1));
  for (unsigned i = 0; i < BaseRegisters; ++i) {
    put(bytes, BasesAt + size_t{8} * i, 4, program.bases[i].limit);
    put(bytes, BasesAt + size_t{8} * i + 4, 4, program.bases[i].readOnly);
  }
  const std::vector<uint8_t> words = encodeWords(program.instructions);
  bytes.insert(bytes.end(), words.begin(), words.end());
  put(bytes, ChecksumAt, 8, checksum(bytes));
  return bytes;
}

Result<Program> readProgram(Span<const uint8_t> bytes) {
  if (Result<void> header = checkHeader(bytes); !header)
    return error(header.error());
  Program program;
  program.machineHash = get(bytes, HashAt, 8);
  Result<std::string> name = readName(bytes);
  if (!name)
    return error(name.error());
  program.machineName = std::move(*name);
  for (unsigned i = 0; i < BaseRegisters; ++i) {
    Result<BaseLimit> base = readBase(bytes, i);
    if (!base)
      return error(base.error());
    program.bases[i] = *base;
  }
  // Words first: what is wrong with an instruction says more than that the checksum differs.
  Result<std::vector<Instruction>> instructions = decodeWords(bytes.subspan(HeaderBytes));
  if (!instructions)
    return error(instructions.error());
  if (get(bytes, ChecksumAt, 8) != checksum(bytes))
    return error("the program file is damaged: its checksum does not match its contents");
  program.instructions = std::move(*instructions);
  return program;
}

} // namespace daedalus::isa
