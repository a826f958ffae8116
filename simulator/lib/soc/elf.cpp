// By the structures of <elf.h>, copied out of the file: nothing in it needs to be aligned.
#include "soc/elf.h"

#include <cstring>
#include <elf.h>
#include <optional>

namespace daedalus::sim::soc {
namespace {

template <class T> std::optional<T> at(Span<const uint8_t> file, uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

bool isForTheProcessor(const Elf32_Ehdr &header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS32 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_type == ET_EXEC && header.e_machine == EM_RISCV;
}

} // namespace

Result<std::vector<Segment>> segmentsOf(Span<const uint8_t> file) {
  const auto header = at<Elf32_Ehdr>(file, 0);
  if (!header || !isForTheProcessor(*header))
    return error("it is no executable ELF file for a RISC-V processor of 32 bits");
  std::vector<Segment> segments;
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    const auto part = at<Elf32_Phdr>(file, header->e_phoff + uint64_t(i) * sizeof(Elf32_Phdr));
    if (!part)
      return error("its table of segments lies outside of the file");
    if (part->p_type != PT_LOAD || part->p_memsz == 0)
      continue;
    if (part->p_offset > file.size() || file.size() - part->p_offset < part->p_filesz ||
        part->p_filesz > part->p_memsz)
      return error("segment " + std::to_string(i) + " lies outside of the file");
    segments.push_back({part->p_paddr, part->p_memsz, file.subspan(part->p_offset, part->p_filesz)});
  }
  return segments;
}

} // namespace daedalus::sim::soc
