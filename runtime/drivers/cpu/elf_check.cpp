// Reads what the dynamic linker will read, in its order: header, program headers, dynamic section,
// relocations. Source: System V ABI, chapters 4 and 5, and its x86-64 and AArch64 supplements.

#include "elf_check.h"

#include <cstring>
#include <elf.h>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::runtime::cpu {
namespace {

constexpr uint64_t most = uint64_t(1) << 40; // of an address or size: sums cannot overflow

class Checker {
public:
  explicit Checker(Span<const uint8_t> bytes) : bytes(bytes) {}

  Result<void> check() {
    if (auto ok = checkHeader(); !ok)
      return ok;
    if (auto ok = checkSegments(); !ok)
      return ok;
    if (auto ok = checkDynamic(); !ok)
      return ok;
    if (auto ok = checkRelocations(rela, relaBytes); !ok)
      return ok;
    return checkRelocations(jumpRelocations, jumpRelocationBytes);
  }

private:
  template <class T> std::optional<T> at(uint64_t offset) const {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
      return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }

  Result<void> checkHeader() {
    auto found = at<Elf64_Ehdr>(0);
    if (!found || std::memcmp(found->e_ident, ELFMAG, SELFMAG) != 0)
      return error("is no ELF file");
    header = *found;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
      return error("is not 64-bit and little endian");
    if (header.e_type != ET_DYN)
      return error("is no shared object");
    if (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64)
      return error("is for the ELF machine " + std::to_string(header.e_machine));
    if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0 || header.e_phnum > 64)
      return error("has a damaged program header table");
    return {};
  }

  Result<void> checkSegments() {
    for (uint64_t i = 0; i < header.e_phnum; ++i) {
      auto segment =
          header.e_phoff > most ? std::nullopt : at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (!segment)
        return error("has a damaged program header table");
      if (segment->p_type == PT_INTERP || segment->p_type == PT_TLS)
        return error(segment->p_type == PT_TLS ? "has thread-local storage" : "names an interpreter");
      if (segment->p_type == PT_LOAD || segment->p_type == PT_DYNAMIC)
        if (auto ok = checkSegment(*segment); !ok)
          return ok;
    }
    if (loads.empty() || !dynamic)
      return error("has nothing to load");
    return {};
  }

  Result<void> checkSegment(const Elf64_Phdr &segment) {
    if (segment.p_offset > bytes.size() || segment.p_filesz > bytes.size() - segment.p_offset ||
        segment.p_vaddr > most || segment.p_memsz > most || segment.p_filesz > segment.p_memsz)
      return error("has a segment outside the file");
    if ((segment.p_flags & PF_W) && (segment.p_flags & PF_X))
      return error("has a segment that is writable and executable");
    if (segment.p_type == PT_DYNAMIC)
      dynamic = segment;
    else
      loads.push_back(segment);
    return {};
  }

  /// Where the file holds these bytes of memory.
  std::optional<uint64_t> fileOffset(uint64_t address, uint64_t size) const {
    for (const Elf64_Phdr &load : loads)
      if (address >= load.p_vaddr && address - load.p_vaddr <= load.p_filesz &&
          size <= load.p_filesz - (address - load.p_vaddr))
        return load.p_offset + (address - load.p_vaddr);
    return std::nullopt;
  }

  Result<void> checkDynamic() {
    for (uint64_t i = 0; i < dynamic->p_filesz / sizeof(Elf64_Dyn); ++i) {
      const Elf64_Dyn entry = *at<Elf64_Dyn>(dynamic->p_offset + i * sizeof(Elf64_Dyn));
      if (entry.d_tag == DT_NULL)
        return {};
      if (auto ok = checkDynamicEntry(entry); !ok)
        return ok;
    }
    return error("has a dynamic section without an end");
  }

  Result<void> checkDynamicEntry(const Elf64_Dyn &entry) {
    switch (entry.d_tag) {
    case DT_NEEDED:
      return error("needs a library");
    case DT_INIT:
    case DT_INIT_ARRAY:
    case DT_PREINIT_ARRAY:
    case DT_FINI:
    case DT_FINI_ARRAY:
      return error("has constructors or destructors");
    case DT_RPATH:
    case DT_RUNPATH:
      return error("names a library path");
    case DT_TEXTREL:
    case DT_REL:
      return error("has relocations of its text, or of a form that is not used here");
    case DT_SYMTAB:
      symbols = entry.d_un.d_ptr;
      break;
    case DT_RELA:
      rela = entry.d_un.d_ptr;
      break;
    case DT_RELASZ:
      relaBytes = entry.d_un.d_val;
      break;
    case DT_JMPREL:
      jumpRelocations = entry.d_un.d_ptr;
      break;
    case DT_PLTRELSZ:
      jumpRelocationBytes = entry.d_un.d_val;
      break;
    default:
      break;
    }
    return {};
  }

  Result<void> checkRelocations(uint64_t address, uint64_t size) const {
    if (size == 0)
      return {};
    auto offset = fileOffset(address, size);
    if (!offset)
      return error("has relocations outside the file");
    for (uint64_t i = 0; i < size / sizeof(Elf64_Rela); ++i)
      if (auto ok = checkRelocation(*at<Elf64_Rela>(*offset + i * sizeof(Elf64_Rela))); !ok)
        return ok;
    return {};
  }

  Result<void> checkRelocation(const Elf64_Rela &relocation) const {
    const uint64_t type = ELF64_R_TYPE(relocation.r_info), symbol = ELF64_R_SYM(relocation.r_info);
    const bool x86 = header.e_machine == EM_X86_64;
    const int allowed[] = {x86 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE, x86 ? R_X86_64_64 : R_AARCH64_ABS64,
                           x86 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT,
                           x86 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT};
    bool known = false;
    for (int candidate : allowed)
      known |= type == static_cast<uint64_t>(candidate);
    if (!known)
      return error("has a relocation of type " + std::to_string(type));
    if (!isWritable(relocation.r_offset))
      return error("has a relocation outside its writable segments");
    return symbol == 0 ? Result<void>() : checkSymbol(symbol);
  }

  bool isWritable(uint64_t address) const {
    for (const Elf64_Phdr &load : loads)
      if ((load.p_flags & PF_W) && address >= load.p_vaddr && load.p_memsz >= 8 &&
          address - load.p_vaddr <= load.p_memsz - 8)
        return true;
    return false;
  }

  Result<void> checkSymbol(uint64_t index) const {
    auto offset = fileOffset(symbols + index * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
    if (!offset)
      return error("has a symbol outside the file");
    const Elf64_Sym symbol = *at<Elf64_Sym>(*offset);
    if (symbol.st_shndx == SHN_UNDEF)
      return error("has an undefined symbol");
    if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
      return error("has an indirect function");
    return {};
  }

  Span<const uint8_t> bytes;
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> loads;
  std::optional<Elf64_Phdr> dynamic;
  uint64_t symbols = 0, rela = 0, relaBytes = 0, jumpRelocations = 0, jumpRelocationBytes = 0;
};

} // namespace

Result<void> checkElf(Span<const uint8_t> bytes) {
  return Checker(bytes).check();
}

} // namespace daedalus::runtime::cpu
