// The tables of an ELF object as fields. The object is one of the project's own, so it is read without
// checks.

#include "fields.h"

#include <cstring>
#include <elf.h>

namespace daedalus::mutants {
namespace {

class Tables {
public:
  Tables(std::vector<uint8_t> &object, std::string where, std::map<std::string, std::vector<Field>> &fields)
      : object(object), where(std::move(where)), fields(fields) {}

  void add() {
    if (object.size() < sizeof(Elf64_Ehdr))
      return;
    const auto header = at<Elf64_Ehdr>(0);
    for (size_t i = 0; i < EI_NIDENT; ++i)
      number("header.e_ident", i, 1);
    addHeader();
    for (size_t i = 0; i < header.e_phnum; ++i)
      addProgram(header.e_phoff + i * sizeof(Elf64_Phdr));
    for (size_t i = 0; i < header.e_phnum; ++i)
      if (const auto program = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
          program.p_type == PT_DYNAMIC)
        addDynamic(program);
  }

private:
  template <class T> T at(uint64_t offset) const {
    T value;
    std::memcpy(&value, object.data() + offset, sizeof value);
    return value;
  }

  void number(const std::string &name, uint64_t offset, size_t size) {
    auto &bytes = object;
    fields[where + "." + name].push_back(
        {where + "." + name + " at " + std::to_string(offset), [&bytes, offset, size](Random &random) {
           uint64_t value = 0;
           std::memcpy(&value, bytes.data() + offset, size);
           value = otherNumber(value, random);
           std::memcpy(bytes.data() + offset, &value, size);
         }});
  }

#define MEMBER(table, type, member, offset)                                                                  \
  number(table "." #member, (offset) + offsetof(type, member), sizeof(type::member))

  void addHeader() {
    MEMBER("header", Elf64_Ehdr, e_type, 0);
    MEMBER("header", Elf64_Ehdr, e_machine, 0);
    MEMBER("header", Elf64_Ehdr, e_version, 0);
    MEMBER("header", Elf64_Ehdr, e_entry, 0);
    MEMBER("header", Elf64_Ehdr, e_phoff, 0);
    MEMBER("header", Elf64_Ehdr, e_shoff, 0);
    MEMBER("header", Elf64_Ehdr, e_flags, 0);
    MEMBER("header", Elf64_Ehdr, e_ehsize, 0);
    MEMBER("header", Elf64_Ehdr, e_phentsize, 0);
    MEMBER("header", Elf64_Ehdr, e_phnum, 0);
  }

  void addProgram(uint64_t offset) {
    MEMBER("program", Elf64_Phdr, p_type, offset);
    MEMBER("program", Elf64_Phdr, p_flags, offset);
    MEMBER("program", Elf64_Phdr, p_offset, offset);
    MEMBER("program", Elf64_Phdr, p_vaddr, offset);
    MEMBER("program", Elf64_Phdr, p_paddr, offset);
    MEMBER("program", Elf64_Phdr, p_filesz, offset);
    MEMBER("program", Elf64_Phdr, p_memsz, offset);
    MEMBER("program", Elf64_Phdr, p_align, offset);
  }

  /// Symbols lie in the first segment, where addresses are offsets.
  void addDynamic(const Elf64_Phdr &program) {
    uint64_t symbols = 0, hash = 0;
    for (uint64_t offset = program.p_offset; offset < program.p_offset + program.p_filesz;
         offset += sizeof(Elf64_Dyn)) {
      const auto entry = at<Elf64_Dyn>(offset);
      MEMBER("dynamic", Elf64_Dyn, d_tag, offset);
      MEMBER("dynamic", Elf64_Dyn, d_un, offset);
      if (entry.d_tag == DT_NULL)
        break;
      symbols = entry.d_tag == DT_SYMTAB ? entry.d_un.d_ptr : symbols;
      hash = entry.d_tag == DT_HASH ? entry.d_un.d_ptr : hash;
    }
    number("hash.buckets", hash, 4);
    number("hash.symbols", hash + 4, 4);
    for (uint32_t i = 0; i < at<uint32_t>(hash + 4); ++i)
      if (const uint64_t offset = symbols + i * sizeof(Elf64_Sym);
          ELF64_ST_TYPE(at<Elf64_Sym>(offset).st_info) ==
          STT_FUNC) // others are places that relocations lead to
        addSymbol(offset);
  }

  void addSymbol(uint64_t offset) {
    MEMBER("symbol", Elf64_Sym, st_name, offset);
    MEMBER("symbol", Elf64_Sym, st_info, offset);
    MEMBER("symbol", Elf64_Sym, st_other, offset);
    MEMBER("symbol", Elf64_Sym, st_shndx, offset);
    MEMBER("symbol", Elf64_Sym, st_value, offset);
    MEMBER("symbol", Elf64_Sym, st_size, offset);
  }
#undef MEMBER

  std::vector<uint8_t> &object;
  const std::string where;
  std::map<std::string, std::vector<Field>> &fields;
};

} // namespace

void addElfFields(std::vector<uint8_t> &object, const std::string &where,
                  std::map<std::string, std::vector<Field>> &fields) {
  Tables(object, where, fields).add();
}

} // namespace daedalus::mutants
