// What the loader of CPU kernels accepts and refuses.

#include "elf_image.h"
#include "host.h"
#include "kernels.h"

#include "daedalus/support/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <elf.h>
#include <random>

using namespace daedalus;
using namespace daedalus::runtime;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

constexpr const char *triple = "x86_64-unknown-linux-gnu";

std::vector<uint8_t> object(const std::string &variant) {
  auto bytes = readFile(DAEDALUS_TEST_KERNELS "/kernels" + variant + ".so");
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
  EXPECT_EQ(refusal({}), "is no ELF file");
  auto changed = [&](size_t at, uint8_t value) {
    std::vector<uint8_t> bytes = good;
    bytes[at] = value;
    return refusal(bytes);
  };
  EXPECT_EQ(changed(1, 'F'), "is no ELF file");
  EXPECT_EQ(changed(EI_CLASS, ELFCLASS32), "is not 64-bit and little endian");
  EXPECT_EQ(changed(offsetof(Elf64_Ehdr, e_type), ET_EXEC), "is no shared object");
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
  auto kernels = cpu::Kernels::load(packageWith({{triple, "x86-64", {}, object("")}}));
  ASSERT_TRUE(kernels) << kernels.error();
  std::vector<int8_t> in(64, 5), out(64);
  void *args[] = {in.data(), out.data()};
  (*kernels)->call(1, args);
  EXPECT_EQ(out, std::vector<int8_t>(64, 8));
}

// The dynamic linker knows libraries by path, and a path under /proc/self/fd comes again once it is closed.
TEST(Kernels, EachPackageHasItsOwnCode) {
  auto a = cpu::Kernels::load(packageWith({{triple, "x86-64", {}, object("")}}));
  auto b = cpu::Kernels::load(packageWith({{triple, "x86-64", {}, object("_other")}}));
  ASSERT_TRUE(a && b);
  std::vector<int8_t> in(64, 5), out(64);
  void *args[] = {in.data(), out.data()};
  (*a)->call(0, args);
  EXPECT_EQ(out[63], 4);
  (*b)->call(0, args);
  EXPECT_EQ(out[63], 14);
}

TEST(Kernels, TakesTheFirstObjectThatTheHostExecutes) {
  auto kernels = cpu::Kernels::load(packageWith({{"aarch64-unknown-linux-gnu", "generic", {}, {}},
                                                 {triple, "x86-64", {"a-feature-of-the-future"}, {}},
                                                 {triple, "x86-64", {}, object("")}}));
  EXPECT_TRUE(kernels) << kernels.error();
}

TEST(Kernels, SaysWhatTheHostLacks) {
  EXPECT_THAT(
      loadError(packageWith({{"aarch64-unknown-linux-gnu", "generic", {}, {}},
                             {triple, "x86-64-v99", {}, {}},
                             {triple, "x86-64", {"a-feature-of-the-future"}, {}}})),
      StartsWith("the package's CPU kernels cannot run here: its code is for aarch64-unknown-linux-gnu, and "
                 "other code needs x86-64-v99, and other code needs the feature a-feature-of-the-future, "
                 "this host is x86_64 linux at level x86-64"));
}

TEST(Kernels, RefusesBadCode) {
  EXPECT_EQ(
      loadError(packageWith({{triple, "x86-64", {}, object("_needed")}})),
      "the package's CPU code for x86_64-unknown-linux-gnu cannot be loaded: it needs a library; compile the "
      "model again");
  package::Package package = packageWith({{triple, "x86-64", {}, object("")}});
  package.kernels.push_back({"abs", {}});
  EXPECT_THAT(loadError(package), HasSubstr("does not define its kernel 'abs'"));
}

} // namespace
