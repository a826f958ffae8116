// Header and program headers. Source: System V ABI, chapters 4 and 5.

#include "elf_reader.h"

#include <algorithm>

namespace daedalus::runtime::cpu {
namespace {

bool isPowerOfTwo(uint64_t value) {
  return value && !(value & (value - 1));
}

} // namespace

Result<void> SegmentReader::read() {
  if (auto ok = readHeader(); !ok)
    return ok;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    auto segment = header.e_phoff > mostElfBytes
                       ? std::nullopt
                       : elfRecord<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment)
      return error("has a damaged program header table");
    (segment->p_type == PT_LOAD ? loads : others).push_back(*segment);
  }
  for (const Elf64_Phdr &load : loads)
    if (auto ok = readLoad(load); !ok)
      return ok;
  for (const Elf64_Phdr &other : others)
    if (auto ok = readOther(other); !ok)
      return ok;
  return loads.empty() || !dynamic.p_type ? Result<void>(error("has nothing to load")) : Result<void>();
}

Result<void> SegmentReader::readHeader() {
  auto found = elfRecord<Elf64_Ehdr>(bytes, 0);
  if (!found || std::memcmp(found->e_ident, ELFMAG, SELFMAG) != 0)
    return error("is not an ELF file");
  header = *found;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return error("is not 64-bit and little endian");
  const unsigned char *rest = header.e_ident + EI_OSABI, *end = header.e_ident + EI_NIDENT;
  if (header.e_ident[EI_VERSION] != EV_CURRENT || header.e_version != EV_CURRENT || header.e_flags ||
      std::any_of(rest, end, [](unsigned char byte) { return byte != 0; }))
    return error("is not for the plain System V ABI, version 1");
  if (header.e_type != ET_DYN)
    return error("is not a shared object");
  if (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64)
    return error("is for the ELF machine " + std::to_string(header.e_machine));
  if (header.e_ehsize != sizeof(Elf64_Ehdr) || header.e_phentsize != sizeof(Elf64_Phdr) ||
      header.e_phnum == 0 || header.e_phnum > 64)
    return error("has a damaged program header table");
  return {};
}

/// In the file and in memory segments come in the same order, and each is where its own fields say twice.
Result<void> SegmentReader::readLoad(const Elf64_Phdr &load) {
  if (load.p_offset > bytes.size() || load.p_filesz > bytes.size() - load.p_offset ||
      load.p_vaddr > mostElfBytes || load.p_memsz > mostElfBytes || load.p_filesz > load.p_memsz ||
      load.p_memsz == 0)
    return error("has a segment outside the file");
  if ((load.p_flags & PF_W) && (load.p_flags & PF_X))
    return error("has a segment that is writable and executable");
  if (!(load.p_flags & PF_R) || (load.p_flags & ~(PF_R | PF_W | PF_X)))
    return error("has a segment with the rights " + std::to_string(load.p_flags));
  if (!(load.p_flags & PF_W) && load.p_filesz != load.p_memsz)
    return error("has a read-only segment that the file does not fill");
  if (!isPowerOfTwo(load.p_align) || load.p_align < pageBytes || load.p_align > mostElfBytes ||
      load.p_vaddr % load.p_align != load.p_offset % load.p_align || load.p_paddr != load.p_vaddr)
    return error("has a segment whose place in memory does not agree with its place in the file");
  const uint64_t page = load.p_vaddr / pageBytes * pageBytes;
  const ElfSegment *before = image.segments.empty() ? nullptr : &image.segments.back();
  if (before ? page < image.bytes || load.p_offset < before->offset + before->fileBytes ||
                   load.p_offset - before->offset - before->fileBytes >= load.p_align
             : page != 0 || load.p_offset != load.p_vaddr)
    return error("has segments that overlap, are out of order or do not begin at its start");
  image.segments.push_back({load.p_vaddr, load.p_memsz, load.p_offset, load.p_filesz,
                            (load.p_flags & PF_W) != 0, (load.p_flags & PF_X) != 0});
  image.bytes = (load.p_vaddr + load.p_memsz + pageBytes - 1) / pageBytes * pageBytes;
  return {};
}

/// What is not loaded by itself lies in what is, at the very place that its offset in the file says.
Result<void> SegmentReader::checkInside(const Elf64_Phdr &part, bool writable) const {
  for (const ElfSegment &segment : image.segments) {
    const uint64_t from = part.p_vaddr - segment.address;
    if (part.p_vaddr < segment.address || from > segment.memoryBytes ||
        part.p_memsz > segment.memoryBytes - from)
      continue;
    const bool inFile = from <= segment.fileBytes && part.p_filesz <= segment.fileBytes - from;
    if (inFile && (segment.writable || !writable) && part.p_filesz <= part.p_memsz &&
        part.p_offset == segment.offset + from)
      return {};
  }
  return error("has a part whose place in memory does not agree with its place in the file");
}

Result<void> SegmentReader::readOther(const Elf64_Phdr &other) {
  switch (other.p_type) {
  case PT_INTERP:
    return error("names an interpreter");
  case PT_TLS:
    return error("has thread-local storage");
  case PT_GNU_STACK:
    return other.p_flags & PF_X ? Result<void>(error("asks for an executable stack")) : Result<void>();
  case PT_DYNAMIC:
    if (dynamic.p_type)
      return error("has two dynamic sections");
    dynamic = other;
    return checkInside(other);
  case PT_GNU_RELRO:
    if (image.fixedTo)
      return error("has two parts that become read-only");
    image.fixedFrom = other.p_vaddr;
    image.fixedTo = other.p_vaddr + other.p_memsz;
    return checkInside(other, /*writable=*/true);
  case PT_PHDR:
  case PT_NOTE:
  case PT_GNU_EH_FRAME:
  case PT_GNU_PROPERTY:
    return checkInside(other);
  default:
    return error("has a program header of the type " + std::to_string(other.p_type));
  }
}

Result<ElfImage> readElf(Span<const uint8_t> bytes, uint64_t pageBytes) {
  SegmentReader segments(bytes, pageBytes);
  if (auto ok = segments.read(); !ok)
    return error(ok.error());
  ElfImage image = segments.image;
  if (auto ok = DynamicReader(bytes, segments, image).read(); !ok)
    return error(ok.error());
  return image;
}

} // namespace daedalus::runtime::cpu
