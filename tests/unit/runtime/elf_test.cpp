// What the loader of CPU kernels accepts and refuses.

#include "accelerator_package.h"
#include "host.h"
#include "kernels.h"
#include "loaded_code.h"

#include "daedalus/support/input_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <functional>
#include <random>

using namespace daedalus;
using namespace daedalus::runtime;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

constexpr const char *triple = "x86_64-unknown-linux-gnu";

std::vector<uint8_t> object(const std::string &variant) {
  auto bytes = readFile(DAEDALUS_TEST_KERNELS "/kernels" + variant + ".so", input::Package);
  EXPECT_TRUE(bytes) << bytes.error();
  return *bytes;
}

std::string refusal(const std::vector<uint8_t> &bytes) {
  auto image = cpu::readElf(bytes);
  return image ? "" : image.error();
}

package::Package packageWith(std::vector<package::ElfObject> objects) {
  package::Package package;
  package.kernels = {{"kernel_minus_one", {}}, {"kernel_plus_three", {}}};
  package.objects = std::move(objects);
  for (package::ElfObject &one : package.objects)
    one.entries = test::entriesOf(package.kernels, one.bytes);
  return package;
}

std::string loadError(const package::Package &package) {
  auto kernels = cpu::Kernels::load(package);
  return kernels ? "" : kernels.error();
}

TEST(Elf, AcceptsAKernelObject) {
  EXPECT_EQ(refusal(object("")), "");
}

TEST(Elf, RefusesWhatIsNotFreestanding) {
  EXPECT_EQ(refusal(object("_undefined")), "has an undefined symbol");
  EXPECT_EQ(refusal(object("_thread_local")), "has thread-local storage");
  EXPECT_EQ(refusal(object("_constructor")), "has constructors or destructors");
  EXPECT_EQ(refusal(object("_needed")), "needs a library");
}

TEST(Elf, RefusesOtherFiles) {
  const std::vector<uint8_t> good = object("");
  EXPECT_EQ(refusal({}), "is not an ELF file");
  auto changed = [&](size_t at, uint8_t value) {
    std::vector<uint8_t> bytes = good;
    bytes[at] = value;
    return refusal(bytes);
  };
  EXPECT_EQ(changed(1, 'F'), "is not an ELF file");
  EXPECT_EQ(changed(EI_CLASS, ELFCLASS32), "is not 64-bit and little endian");
  EXPECT_EQ(changed(offsetof(Elf64_Ehdr, e_type), ET_EXEC), "is not a shared object");
  EXPECT_EQ(changed(offsetof(Elf64_Ehdr, e_machine), EM_RISCV), "is for the ELF machine 243");
  EXPECT_EQ(changed(offsetof(Elf64_Ehdr, e_phnum), 0), "has a damaged program header table");
}

TEST(Elf, RefusesWritableCode) {
  std::vector<uint8_t> bytes = object("");
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (size_t i = 0; i < header.e_phnum; ++i)
    bytes[header.e_phoff + i * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, p_flags)] = PF_R | PF_W | PF_X;
  EXPECT_EQ(refusal(bytes), "has a segment that is writable and executable");
}

/// An object whose tables are changed in place.
struct Tables {
  explicit Tables(std::vector<uint8_t> bytes) : bytes(std::move(bytes)) {}

  Elf64_Ehdr &header() { return *reinterpret_cast<Elf64_Ehdr *>(bytes.data()); }
  Elf64_Phdr *programs() { return reinterpret_cast<Elf64_Phdr *>(bytes.data() + header().e_phoff); }
  /// The `number`-th program header of a type.
  Elf64_Phdr &program(uint32_t type, int number = 0) {
    Elf64_Phdr *found = programs();
    while (found->p_type != type || number-- > 0)
      ++found;
    return *found;
  }
  Elf64_Dyn &tag(int64_t tag) {
    auto *found = reinterpret_cast<Elf64_Dyn *>(bytes.data() + program(PT_DYNAMIC).p_offset);
    while (found->d_tag != tag)
      ++found;
    return *found;
  }
  /// Records that a tag's address leads to, in the first segment, where address and offset are the same.
  template <class Record> Record *table(int64_t which) {
    return reinterpret_cast<Record *>(bytes.data() + tag(which).d_un.d_ptr);
  }
  Elf64_Sym &symbol(const std::string &name) {
    auto *found = table<Elf64_Sym>(DT_SYMTAB) + 1;
    while (name != table<char>(DT_STRTAB) + found->st_name)
      ++found;
    return *found;
  }

  std::vector<uint8_t> bytes;
};

struct Change {
  const char *sentence;
  std::function<void(Tables &)> make;
};

void expectRefusals(const std::vector<Change> &changes) {
  for (const Change &change : changes) {
    Tables tables(object(""));
    change.make(tables);
    EXPECT_EQ(refusal(tables.bytes), change.sentence);
  }
}

constexpr const char *disagrees =
    "has a part whose place in memory does not agree with its place in the file";
constexpr const char *displaced =
    "has a segment whose place in memory does not agree with its place in the file";
constexpr const char *disordered = "has segments that overlap, are out of order or do not begin at its start";

// What was checked was the dynamic section at its place in the file, what was used the one at its address.
TEST(Elf, TheDynamicSectionThatIsCheckedIsTheOneThatIsLoaded) {
  Tables tables(object("_constructor"));
  Elf64_Phdr &dynamic = tables.program(PT_DYNAMIC);
  std::vector<Elf64_Dyn> harmless;
  for (auto *entry = reinterpret_cast<Elf64_Dyn *>(tables.bytes.data() + dynamic.p_offset); entry->d_tag;
       ++entry)
    if (entry->d_tag != DT_INIT_ARRAY && entry->d_tag != DT_INIT_ARRAYSZ)
      harmless.push_back(*entry);
  harmless.resize(dynamic.p_filesz / sizeof(Elf64_Dyn));
  dynamic.p_offset = tables.bytes.size();
  const auto *copy = reinterpret_cast<const uint8_t *>(harmless.data());
  tables.bytes.insert(tables.bytes.end(), copy, copy + harmless.size() * sizeof(Elf64_Dyn));
  EXPECT_EQ(refusal(tables.bytes), disagrees);
}

TEST(Elf, SegmentsAreWhereTheirFieldsSayTwice) {
  expectRefusals({
      {disordered, [](Tables &t) { t.program(PT_LOAD, 1).p_vaddr = t.program(PT_LOAD, 1).p_paddr = 0; }},
      {disordered, [](Tables &t) { t.program(PT_LOAD, 2).p_offset += 0x1000; }},
      {disordered, [](Tables &t) { t.program(PT_LOAD, 1).p_offset -= 0x1000; }},
      {disordered, [](Tables &t) { std::swap(t.program(PT_LOAD, 1), t.program(PT_LOAD, 2)); }},
      {disordered, [](Tables &t) { t.program(PT_LOAD, 0).p_vaddr = t.program(PT_LOAD, 0).p_paddr = 0x1000; }},
      {displaced, [](Tables &t) { t.program(PT_LOAD, 1).p_vaddr += 0x1000; }},
      {displaced, [](Tables &t) { t.program(PT_LOAD, 3).p_offset += 8; }},
      {displaced, [](Tables &t) { t.program(PT_LOAD, 1).p_align = 8; }},
      {displaced, [](Tables &t) { t.program(PT_LOAD, 1).p_align = 0; }},
      {"has a read-only segment that the file does not fill",
       [](Tables &t) { t.program(PT_LOAD, 1).p_filesz -= 16; }},
      {"has a segment outside the file", [](Tables &t) { t.program(PT_LOAD, 1).p_filesz += 16; }},
      {"has a segment outside the file",
       [](Tables &t) { t.program(PT_LOAD, 3).p_filesz = t.program(PT_LOAD, 3).p_memsz = uint64_t(1) << 31; }},
      {"has a segment with the rights 1", [](Tables &t) { t.program(PT_LOAD, 1).p_flags = PF_X; }},
      {"has a segment with the rights 13",
       [](Tables &t) { t.program(PT_LOAD, 1).p_flags = PF_R | PF_X | 8; }},
      {"has a function outside its code", [](Tables &t) { t.program(PT_LOAD, 1).p_flags = PF_R; }},
      {"asks for an executable stack", [](Tables &t) { t.program(PT_GNU_STACK).p_flags |= PF_X; }},
      {"has a program header of the type 5", [](Tables &t) { t.program(PT_NOTE).p_type = PT_SHLIB; }},
      {"has two dynamic sections", [](Tables &t) { t.program(PT_GNU_RELRO) = t.program(PT_DYNAMIC); }},
      {disagrees, [](Tables &t) { t.program(PT_DYNAMIC).p_vaddr += 8; }},
      {disagrees, [](Tables &t) { t.program(PT_NOTE).p_offset += 4; }},
      {disagrees, [](Tables &t) { t.program(PT_GNU_RELRO).p_memsz += 0x1000; }},
      {disagrees, // over the code, which would lose its right to run
       [](Tables &t) {
         const Elf64_Phdr code = t.program(PT_LOAD, 1);
         t.program(PT_GNU_RELRO) = code;
         t.program(PT_LOAD, 4).p_type = PT_GNU_RELRO;
       }},
      {"has nothing to load", [](Tables &t) { t.header().e_phnum = 4; }},
      {"is not for the plain System V ABI, version 1", [](Tables &t) { t.header().e_flags = 1; }},
      {"is not for the plain System V ABI, version 1",
       [](Tables &t) { t.header().e_ident[EI_OSABI] = ELFOSABI_GNU; }},
  });
}

TEST(Elf, DynamicTagsAreThoseThatKernelsNeed) {
  const auto instead = [](int64_t tag) { return [tag](Tables &t) { t.tag(DT_GNU_HASH).d_tag = tag; }; };
  std::vector<Change> changes = {
      {"needs a library", instead(DT_NEEDED)},
      {"has constructors or destructors", instead(DT_INIT)},
      {"has constructors or destructors", instead(DT_FINI_ARRAY)},
      {"names a library path", instead(DT_RUNPATH)},
      {"has relocations of its text, or of a form that is not used here", instead(DT_TEXTREL)},
      {"has the dynamic tag 2147483645, which no kernel needs", instead(DT_AUXILIARY)},
      {"has the dynamic tag 2147483647, which no kernel needs", instead(DT_FILTER)},
      {"has the dynamic tag 1879047932, which no kernel needs", instead(DT_AUDIT)},
      {"has the dynamic tag 1879048176, which no kernel needs", instead(DT_VERSYM)},
      {"has the dynamic tag 1879048190, which no kernel needs", instead(DT_VERNEED)},
      {"has the dynamic tag 36, which no kernel needs", instead(36)}, // DT_RELR
      {"has the dynamic tag 21, which no kernel needs", instead(DT_DEBUG)},
      {"has the dynamic tag 6 twice", instead(DT_SYMTAB)},
      {"has tables of records of another size", [](Tables &t) { t.tag(DT_SYMENT).d_un.d_val = 16; }},
      {"has tables of records of another size", [](Tables &t) { t.tag(DT_RELAENT).d_un.d_val = 48; }},
      {"has no table of its symbols (link it with --hash-style=sysv or both)",
       [](Tables &t) { t.tag(DT_HASH).d_tag = DT_SYMBOLIC; }},
      {"asks the loader for what no kernel needs (flags 8 and 2)",
       [](Tables &t) {
         t.tag(DT_RELACOUNT) = {DT_FLAGS, {DF_BIND_NOW}};
         t.tag(DT_GNU_HASH) = {DT_FLAGS_1, {DF_1_GLOBAL}};
       }},
      {"has a symbol outside the file", [](Tables &t) { t.tag(DT_SYMTAB).d_un.d_ptr = 0x3ff0; }},
      {"has a symbol outside the file", [](Tables &t) { t.tag(DT_STRSZ).d_un.d_val = 1 << 20; }},
      {"has a symbol outside the file", [](Tables &t) { t.table<uint32_t>(DT_HASH)[1] = ~0u; }},
      {"has relocations outside the file", [](Tables &t) { t.tag(DT_RELASZ).d_un.d_val = 1 << 20; }},
      {"has relocations outside the file", [](Tables &t) { t.tag(DT_RELASZ).d_un.d_val -= 1; }},
      {"has relocations outside the file", [](Tables &t) { t.tag(DT_RELASZ).d_tag = DT_SYMBOLIC; }},
      {"has relocations outside the file", [](Tables &t) { t.tag(DT_RELA).d_tag = DT_SYMBOLIC; }},
      {"has dynamic tags behind the end of its dynamic section",
       [](Tables &t) { t.tag(DT_SYMENT).d_tag = DT_NULL; }},
  };
  for (const Change &change : changes) {
    Tables tables(object("_tags"));
    change.make(tables);
    EXPECT_EQ(refusal(tables.bytes), change.sentence);
  }
}

TEST(Elf, SymbolsAndRelocationsStayInside) {
  expectRefusals({
      {"has a function outside its code", [](Tables &t) { t.symbol("kernel_plus_three").st_value = 0x2000; }},
      {"has a function outside its code", [](Tables &t) { t.symbol("kernel_plus_three").st_size = 0; }},
      {"has a symbol outside its memory", [](Tables &t) { t.symbol("kernel_plus_three").st_size = 0x2000; }},
      {"has a symbol outside its memory",
       [](Tables &t) { t.symbol("kernel_plus_three").st_value = 0x900000; }},
      {"has an undefined symbol", [](Tables &t) { t.symbol("kernel_plus_three").st_shndx = SHN_UNDEF; }},
      {"has a symbol of a kind that no kernel needs",
       [](Tables &t) { t.symbol("kernel_plus_three").st_shndx = SHN_ABS; }},
      {"has a symbol of a kind that no kernel needs",
       [](Tables &t) { t.symbol("variants").st_info = ELF64_ST_INFO(STB_GLOBAL, STT_TLS); }},
      {"has an indirect function",
       [](Tables &t) { t.symbol("kernel_plus_three").st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC); }},
      {"defines the function 'kernel_plus_three' twice",
       [](Tables &t) { t.symbol("kernel_minus_one").st_name = t.symbol("kernel_plus_three").st_name; }},
      {"has a function without a name", [](Tables &t) { t.symbol("kernel_minus_one").st_name = 0; }},
      {"has a function without a name", [](Tables &t) { t.symbol("kernel_minus_one").st_name = 1 << 20; }},
      {"has a function without a name",
       [](Tables &t) {
         t.symbol("kernel_minus_one").st_name = static_cast<uint32_t>(t.tag(DT_STRSZ).d_un.d_val - 1);
       }},
      {"has a relocation of type 37", // R_X86_64_IRELATIVE
       [](Tables &t) { t.table<Elf64_Rela>(DT_RELA)->r_info = ELF64_R_INFO(0, R_X86_64_IRELATIVE); }},
      {"has a relocation outside its writable segments",
       [](Tables &t) { t.table<Elf64_Rela>(DT_RELA)->r_offset = 0x1000; }},
      {"has a relocation outside its writable segments",
       [](Tables &t) { t.table<Elf64_Rela>(DT_RELA)->r_offset = ~0ull; }},
      {"has a relocation that leads outside its memory",
       [](Tables &t) { t.table<Elf64_Rela>(DT_RELA)->r_addend = -8; }},
      {"has a relocation that leads outside its memory",
       [](Tables &t) { t.table<Elf64_Rela>(DT_RELA)->r_addend = 1 << 30; }},
      {"has a relocation against a symbol that it does not define",
       [](Tables &t) { t.table<Elf64_Rela>(DT_RELA)->r_info = ELF64_R_INFO(99, R_X86_64_64); }},
      {"has a relocation against a symbol that it does not define",
       [](Tables &t) { t.table<Elf64_Rela>(DT_RELA)->r_info = ELF64_R_INFO(0, R_X86_64_64); }},
  });
}

/// The rights of the mapping that holds an address, as /proc/self/maps writes them: "r-xp".
std::string rightsOf(const void *address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0, to = 0;
    char rights[5] = "";
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &from, &to, rights) == 3 &&
        reinterpret_cast<unsigned long>(address) >= from && reinterpret_cast<unsigned long>(address) < to)
      return rights;
  }
  return "not mapped";
}

TEST(LoadedCode, PagesHaveTheRightsOfTheirSegments) {
  const std::vector<uint8_t> bytes = object("");
  auto image = cpu::readElf(bytes);
  ASSERT_TRUE(image) << image.error();
  auto code = cpu::LoadedCode::load(bytes, *image);
  ASSERT_TRUE(code) << code.error();
  EXPECT_EQ(rightsOf((*code)->at(0)), "r--p");
  EXPECT_EQ(rightsOf((*code)->at(image->functions.at("kernel_plus_three"))), "r-xp");
  EXPECT_EQ(rightsOf((*code)->at(image->fixedFrom)), "r--p"); // once relocated
  EXPECT_EQ(rightsOf((*code)->at(image->relocations.at(0).address)), "rw-p");
}

// The checker itself never reads outside the file (the sanitizers watch this).
TEST(Elf, ReadsAnythingSafely) {
  const std::vector<uint8_t> good = object("");
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> bytes = good;
    for (int changes = 0; changes < 4; ++changes)
      bytes[random() % (changes % 2 ? bytes.size() : 512)] = static_cast<uint8_t>(random());
    if (i % 4 == 0)
      bytes.resize(random() % bytes.size());
    (void)refusal(bytes);
  }
}

TEST(Kernels, RunFromMemory) {
  auto kernels = cpu::Kernels::load(packageWith({{triple, "x86-64", {}, {}, object("")}}));
  ASSERT_TRUE(kernels) << kernels.error();
  std::vector<int8_t> in(64, 5), out(64);
  void *args[] = {in.data(), out.data()};
  (*kernels)->call(1, args);
  EXPECT_EQ(out, std::vector<int8_t>(64, 8));
}

// Functions of the same names, in two packages that are loaded at once.
TEST(Kernels, EachPackageHasItsOwnCode) {
  auto a = cpu::Kernels::load(packageWith({{triple, "x86-64", {}, {}, object("")}}));
  auto b = cpu::Kernels::load(packageWith({{triple, "x86-64", {}, {}, object("_other")}}));
  ASSERT_TRUE(a && b);
  std::vector<int8_t> in(64, 5), out(64);
  void *args[] = {in.data(), out.data()};
  (*a)->call(0, args);
  EXPECT_EQ(out[63], 4);
  (*b)->call(0, args);
  EXPECT_EQ(out[63], 14);
}

TEST(Kernels, TakesTheFirstObjectThatTheHostExecutes) {
  auto kernels = cpu::Kernels::load(packageWith({{"aarch64-unknown-linux-gnu", "generic", {}, {}, {}},
                                                 {triple, "x86-64", {"a-feature-of-the-future"}, {}, {}},
                                                 {triple, "x86-64", {}, {}, object("")}}));
  EXPECT_TRUE(kernels) << kernels.error();
}

TEST(Kernels, SaysWhatTheHostLacks) {
  EXPECT_THAT(
      loadError(packageWith({{"aarch64-unknown-linux-gnu", "generic", {}, {}, {}},
                             {triple, "x86-64-v99", {}, {}, {}},
                             {triple, "x86-64", {"a-feature-of-the-future"}, {}, {}}})),
      StartsWith("the package's CPU kernels cannot run here: its code is for aarch64-unknown-linux-gnu, and "
                 "other code needs x86-64-v99, and other code needs the feature a-feature-of-the-future, "
                 "this host is x86_64 linux at level x86-64"));
}

TEST(Kernels, RefusesBadCode) {
  EXPECT_EQ(
      loadError(packageWith({{triple, "x86-64", {}, {}, object("_needed")}})),
      "the package's CPU code for x86_64-unknown-linux-gnu cannot be loaded: it needs a library; compile the "
      "model again");
  package::Package package = packageWith({{triple, "x86-64", {}, {}, object("")}});
  package.objects[0].entries[0] += 4; // in the middle of its code
  EXPECT_THAT(loadError(package),
              HasSubstr("does not define its kernel 'kernel_minus_one' where its table says"));
  package.objects[0].entries[0] -= 4;
  package.kernels.push_back({"abs", {}});
  package.objects[0].entries.push_back(0x1000);
  EXPECT_THAT(loadError(package), HasSubstr("does not define its kernel 'abs'"));
}

} // namespace
