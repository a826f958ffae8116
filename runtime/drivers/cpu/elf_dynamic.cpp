// The dynamic section: an allow-list of tags, then the symbols, then the relocations, all found through
// addresses. Sources: System V ABI, chapter 5, and its x86-64 and AArch64 supplements.

#include "elf_reader.h"

#include <algorithm>

namespace daedalus::runtime::cpu {
namespace {

/// Tags that an object of functions and constants has; what is read of them is read here.
constexpr int64_t allowedTags[] = {DT_SYMTAB,   DT_SYMENT, DT_STRTAB,   DT_STRSZ,     DT_HASH,   DT_GNU_HASH,
                                   DT_RELA,     DT_RELASZ, DT_RELAENT,  DT_RELACOUNT, DT_JMPREL, DT_PLTREL,
                                   DT_PLTRELSZ, DT_PLTGOT, DT_SYMBOLIC, DT_FLAGS,     DT_FLAGS_1};

/// The sentences of what users may have meant; any other tag is named by its number.
std::string refusalOf(int64_t tag) {
  switch (tag) {
  case DT_NEEDED:
    return "needs a library";
  case DT_INIT:
  case DT_INIT_ARRAY:
  case DT_INIT_ARRAYSZ:
  case DT_PREINIT_ARRAY:
  case DT_PREINIT_ARRAYSZ:
  case DT_FINI:
  case DT_FINI_ARRAY:
  case DT_FINI_ARRAYSZ:
    return "has constructors or destructors";
  case DT_RPATH:
  case DT_RUNPATH:
    return "names a library path";
  case DT_TEXTREL:
  case DT_REL:
    return "has relocations of its text, or of a form that is not used here";
  default:
    return "has the dynamic tag " + std::to_string(tag) + ", which no kernel needs";
  }
}

} // namespace

Result<void> DynamicReader::read() {
  if (auto ok = readTags(); !ok)
    return ok;
  if (auto ok = checkValues(); !ok)
    return ok;
  if (auto ok = readSymbols(); !ok)
    return ok;
  if (auto ok = readRelocations(DT_RELA, DT_RELASZ); !ok)
    return ok;
  return readRelocations(DT_JMPREL, DT_PLTRELSZ);
}

Result<void> DynamicReader::readTags() {
  bool ended = false; // linkers leave room behind the end, filled with DT_NULL
  for (uint64_t i = 0; i < segments.dynamic.p_filesz / sizeof(Elf64_Dyn); ++i) {
    const Elf64_Dyn entry = *elfRecord<Elf64_Dyn>(bytes, segments.dynamic.p_offset + i * sizeof(Elf64_Dyn));
    if (ended && entry.d_tag != DT_NULL)
      return error("has dynamic tags behind the end of its dynamic section");
    ended = entry.d_tag == DT_NULL;
    if (auto ok = ended ? Result<void>() : checkTag(entry); !ok)
      return ok;
  }
  return ended ? Result<void>() : error("has a dynamic section without an end");
}

Result<void> DynamicReader::checkTag(const Elf64_Dyn &entry) {
  if (std::find(std::begin(allowedTags), std::end(allowedTags), entry.d_tag) == std::end(allowedTags))
    return error(refusalOf(entry.d_tag));
  if (!tags.emplace(entry.d_tag, entry.d_un.d_val).second)
    return error("has the dynamic tag " + std::to_string(entry.d_tag) + " twice");
  return {};
}

/// The tags that are plain values.
Result<void> DynamicReader::checkValues() const {
  for (int64_t needed : {DT_SYMTAB, DT_STRTAB, DT_HASH})
    if (!tags.count(needed))
      return error("has no table of its symbols (link it with --hash-style=sysv or both)");
  const bool relocates = tags.count(DT_RELA) || tags.count(DT_RELASZ) || tags.count(DT_RELAENT);
  const bool jumps = tags.count(DT_JMPREL) || tags.count(DT_PLTRELSZ);
  if (relocates != (tags.count(DT_RELA) && tags.count(DT_RELASZ)) ||
      jumps != (tags.count(DT_JMPREL) && tags.count(DT_PLTRELSZ)))
    return error("has relocations outside the file");
  if (tag(DT_SYMENT) != sizeof(Elf64_Sym) || (relocates && tag(DT_RELAENT) != sizeof(Elf64_Rela)) ||
      (jumps && tag(DT_PLTREL) != DT_RELA))
    return error("has tables of records of another size");
  if ((tag(DT_FLAGS) & ~uint64_t(DF_SYMBOLIC | DF_BIND_NOW)) || (tag(DT_FLAGS_1) & ~uint64_t(DF_1_NOW)))
    return error("asks the loader for what no kernel needs (flags " + std::to_string(tag(DT_FLAGS)) +
                 " and " + std::to_string(tag(DT_FLAGS_1)) + ")");
  return {};
}

/// DT_HASH says how many symbols there are; nothing else of it is used.
Result<void> DynamicReader::readSymbols() {
  auto hash = fileOffset(tag(DT_HASH), 2 * sizeof(uint32_t));
  if (!hash)
    return error("has a symbol outside the file");
  const uint64_t count = *elfRecord<uint32_t>(bytes, *hash + sizeof(uint32_t));
  auto table = fileOffset(tag(DT_SYMTAB), count * sizeof(Elf64_Sym));
  if (!table || !fileOffset(tag(DT_STRTAB), tag(DT_STRSZ)))
    return error("has a symbol outside the file");
  symbols.resize(count);
  for (uint64_t i = 1; i < count; ++i) { // number 0 is none
    const Elf64_Sym symbol = *elfRecord<Elf64_Sym>(bytes, *table + i * sizeof(Elf64_Sym));
    if (auto ok = readSymbol(symbol); !ok)
      return ok;
    symbols[i] = symbol.st_value;
  }
  return {};
}

Result<void> DynamicReader::readSymbol(const Elf64_Sym &symbol) {
  const unsigned type = ELF64_ST_TYPE(symbol.st_info), binding = ELF64_ST_BIND(symbol.st_info);
  if (symbol.st_shndx == SHN_UNDEF)
    return error("has an undefined symbol");
  if (type == STT_GNU_IFUNC)
    return error("has an indirect function");
  if (type > STT_SECTION || binding > STB_WEAK || symbol.st_shndx >= SHN_LORESERVE)
    return error("has a symbol of a kind that no kernel needs");
  const ElfSegment *segment = segmentOf(symbol.st_value, symbol.st_size);
  if (!segment)
    return error("has a symbol outside its memory");
  if (type != STT_FUNC || binding == STB_LOCAL)
    return {};
  if (!segment->executable || symbol.st_size == 0)
    return error("has a function outside its code");
  auto name = nameOf(symbol);
  if (!name)
    return error(name.error());
  if (!image.functions.emplace(*name, symbol.st_value).second)
    return error("defines the function '" + *name + "' twice");
  return {};
}

Result<std::string> DynamicReader::nameOf(const Elf64_Sym &symbol) const {
  const Span<const uint8_t> names = bytes.subspan(*fileOffset(tag(DT_STRTAB), tag(DT_STRSZ)), tag(DT_STRSZ));
  if (symbol.st_name == 0 || symbol.st_name >= names.size())
    return error("has a function without a name");
  const uint8_t *from = names.begin() + symbol.st_name, *end = std::find(from, names.end(), uint8_t(0));
  if (end == names.end() || end == from)
    return error("has a function without a name");
  return std::string(from, end);
}

Result<void> DynamicReader::readRelocations(int64_t table, int64_t size) {
  if (tag(size) == 0)
    return {};
  auto offset = fileOffset(tag(table), tag(size));
  if (!offset || tag(size) % sizeof(Elf64_Rela))
    return error("has relocations outside the file");
  for (uint64_t i = 0; i < tag(size) / sizeof(Elf64_Rela); ++i)
    if (auto ok = readRelocation(*elfRecord<Elf64_Rela>(bytes, *offset + i * sizeof(Elf64_Rela))); !ok)
      return ok;
  return {};
}

/// The four kinds come down to one: the address of something in the image.
Result<void> DynamicReader::readRelocation(const Elf64_Rela &relocation) {
  const uint64_t type = ELF64_R_TYPE(relocation.r_info), index = ELF64_R_SYM(relocation.r_info);
  const bool x86 = segments.header.e_machine == EM_X86_64;
  const uint64_t relative = x86 ? R_X86_64_RELATIVE : R_AARCH64_RELATIVE;
  const uint64_t absolute = x86 ? R_X86_64_64 : R_AARCH64_ABS64;
  const uint64_t data = x86 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT;
  const uint64_t jump = x86 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT;
  if (type != relative && type != absolute && type != data && type != jump)
    return error("has a relocation of type " + std::to_string(type));
  const ElfSegment *place = segmentOf(relocation.r_offset, sizeof(uint64_t));
  if (!place || !place->writable)
    return error("has a relocation outside its writable segments");
  if (index >= symbols.size() || (type == relative) != (index == 0))
    return error("has a relocation against a symbol that it does not define");
  const uint64_t target = symbols[index] + static_cast<uint64_t>(relocation.r_addend);
  if (!segmentOf(target, 0))
    return error("has a relocation that leads outside its memory");
  image.relocations.push_back({relocation.r_offset, target});
  return {};
}

const ElfSegment *DynamicReader::segmentOf(uint64_t address, uint64_t size) const {
  for (const ElfSegment &segment : image.segments)
    if (address >= segment.address && address - segment.address <= segment.memoryBytes &&
        size <= segment.memoryBytes - (address - segment.address))
      return &segment;
  return nullptr;
}

std::optional<uint64_t> DynamicReader::fileOffset(uint64_t address, uint64_t size) const {
  for (const ElfSegment &segment : image.segments)
    if (address >= segment.address && address - segment.address <= segment.fileBytes &&
        size <= segment.fileBytes - (address - segment.address))
      return segment.offset + (address - segment.address);
  return std::nullopt;
}

} // namespace daedalus::runtime::cpu
