// The package's file form: what is written is read back, anything else is refused with a sentence.

#include "sample_package.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

using namespace daedalus;
using namespace daedalus::package;
using test::samplePackage;
using ::testing::HasSubstr;

namespace {

using Bytes = std::vector<uint8_t>;

std::string refusal(const Bytes &file) {
  auto package = readPackage(file);
  return package ? "" : package.error();
}

uint64_t fnv(const uint8_t *data, uint64_t size) {
  uint64_t hash = 14695981039346656037u;
  for (uint64_t i = 0; i < size; ++i)
    hash = (hash ^ data[i]) * 1099511628211u;
  return hash;
}

uint64_t get64(const Bytes &file, size_t at) {
  uint64_t value;
  std::memcpy(&value, &file[at], 8);
  return value;
}
void put64(Bytes &file, size_t at, uint64_t value) {
  std::memcpy(&file[at], &value, 8);
}

/// Makes all checksums right again after a change, so that what is behind them is reached.
void reseal(Bytes &file) {
  uint32_t sections;
  std::memcpy(&sections, &file[12], 4);
  for (size_t entry = 64; entry < 64 + 32 * sections; entry += 32)
    put64(file, entry + 24, fnv(&file[get64(file, entry + 8)], get64(file, entry + 16)));
  put64(file, 24, fnv(&file[64], 32 * sections));
  put64(file, 56, fnv(&file[0], 56));
}

TEST(Package, RoundTrips) {
  Bytes file = writePackage(samplePackage());
  auto read = readPackage(file);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(writePackage(*read), file);
  EXPECT_EQ(read->machineName, "tiny");
  EXPECT_EQ(read->machineHash, 0x0123456789abcdefu);
  EXPECT_EQ(read->functions[0].steps[3].outputs[0].type, (TensorType{DType::I32, {16}}));
  EXPECT_EQ(read->layers[0].macs, 576u);
  EXPECT_TRUE(read->programs[0].bases[0].readOnly);
  EXPECT_EQ(read->objects[0].features[0], "avx512vnni");
  EXPECT_EQ(read->kernels[0].arguments, samplePackage().kernels[0].arguments);
  EXPECT_EQ(read->kernels[0].workerBytes, 4096u);
}

TEST(Package, ReadsOneVersion) {
  Bytes file = writePackage(samplePackage());
  file[8] = 3; // kernels without the memory of their threads
  reseal(file);
  EXPECT_EQ(refusal(file),
            "the package has format version 3, this program reads version 6; compile the model again");
}

TEST(Package, DevicesRoundTripAndTakeNothingWhereThereAreNone) {
  Package package = samplePackage();
  auto read = readPackage(writePackage(package));
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->devices.size(), 1u);
  EXPECT_EQ(read->devices[0].name, "npu");
  EXPECT_EQ(read->devices[0].memoryBytes, 128u);
  EXPECT_EQ(read->devices[0].kernels[0].arguments, package.devices[0].kernels[0].arguments);
  EXPECT_EQ(read->devices[0].code, package.devices[0].code);
  EXPECT_EQ(read->functions[0].steps[6].outputs[0].space, memoryOf(0));
  EXPECT_EQ(describeNativeCode(*read),
            "1 kernel for x86_64-unknown-linux-gnu at level x86-64-v3, 1 kernel for the "
            "device 'npu'");
  package.devices.clear();
  package.functions[0].steps.resize(5);
  const Bytes file = writePackage(package);
  EXPECT_EQ(file[12], 5); // sections: those of a package that knows no devices
}

TEST(Package, EmptyRoundTrips) {
  auto read = readPackage(writePackage({}));
  ASSERT_TRUE(read) << read.error();
  EXPECT_TRUE(read->functions.empty());
}

TEST(Package, SectionsStartOnPages) {
  Bytes file = writePackage(samplePackage());
  for (size_t entry = 64; entry < 64 + 32 * 5; entry += 32)
    EXPECT_EQ(get64(file, entry + 8) % 4096, 0u);
}

TEST(Package, RefusesEveryChangedByte) {
  Bytes file = writePackage(samplePackage());
  std::mt19937 random(1);
  for (size_t i = 0; i < file.size(); ++i) {
    uint8_t old = file[i];
    file[i] ^= 1 + random() % 255;
    ASSERT_NE(refusal(file), "") << "byte " << i;
    file[i] = old;
  }
  EXPECT_EQ(refusal(file), "");
}

TEST(Package, RefusesEveryTruncation) {
  Bytes file = writePackage(samplePackage());
  while (!file.empty()) {
    file.pop_back();
    ASSERT_NE(refusal(file), "") << file.size();
  }
}

TEST(Package, RefusesAddedBytes) {
  Bytes file = writePackage(samplePackage());
  file.push_back(0);
  EXPECT_THAT(refusal(file), HasSubstr("its header says"));
}

TEST(Package, SaysWhatIsDamaged) {
  Bytes file = writePackage(samplePackage());
  file[get64(file, 64 + 2 * 32 + 8)] ^= 1;
  EXPECT_EQ(refusal(file),
            "the package is damaged: the section 'constants' does not match its checksum; compile "
            "the model again or copy the file again");
  EXPECT_THAT(refusal({'P', 'K'}), HasSubstr("not a Daedalus package"));
}

// Behind valid checksums: any bytes at all decode, or are refused, within the file's own size.
TEST(Package, DecodesAnythingSafely) {
  const Bytes original = writePackage(samplePackage());
  std::mt19937 random(2);
  const size_t manifest = get64(original, 64 + 8), manifestBytes = get64(original, 64 + 16);
  const size_t debug = get64(original, 96 + 8), debugBytes = get64(original, 96 + 16);
  const size_t device = get64(original, 64 + 5 * 32 + 8), deviceBytes = get64(original, 64 + 5 * 32 + 16);
  for (int i = 0; i < 6000; ++i) {
    Bytes file = original;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes) {
      const size_t places[] = {manifest + random() % manifestBytes, debug + random() % debugBytes,
                               device + random() % deviceBytes};
      const size_t at = places[random() % 3];
      file[at] = random() % 3 ? random() % 256 : 0xff;
    }
    reseal(file);
    auto package = readPackage(file);
    if (package) {
      EXPECT_EQ(writePackage(*package), file);
    }
  }
}

struct Case {
  const char *sentence;
  std::function<void(Package &)> spoil;
};

TEST(Package, ValidatesItsContent) {
  const Case cases[] = {
      {"step 0, input 0, at 250 with 64 bytes leaves its space of 256 bytes",
       [](Package &p) { p.functions[0].steps[0].inputs[0].offset = 250; }},
      {"step 3, output 0, at 18446744073709551614 with 64 bytes leaves",
       [](Package &p) { p.functions[0].steps[3].outputs[0].offset = ~1ull; }},
      {"step 3, output 0, at 130 is not aligned",
       [](Package &p) { p.functions[0].steps[3].outputs[0].offset = 130; }},
      {"step 2, input 0, at 1 with 8 bytes",
       [](Package &p) { p.functions[0].steps[2].inputs[0].offset = 1; }},
      {"writes to the constants",
       [](Package &p) { p.functions[0].steps[2].outputs[0].space = Space::Constants; }},
      {"its type int8 [1,1,8,8] does not", [](Package &p) { p.functions[0].steps[0].inputs[0].bytes = 63; }},
      {"names number 1 of 1", [](Package &p) { p.functions[0].steps[3].index = 1; }},
      {"names number 7 of 1", [](Package &p) { p.functions[0].steps[4].index = 7; }},
      {"step 0 names layer 2 of 2", [](Package &p) { p.functions[0].steps[0].layer = 2; }},
      {"is a copy", [](Package &p) { p.functions[0].steps[2].inputs.clear(); }},
      {"copies a range onto itself",
       [](Package &p) {
         auto &step = p.functions[0].steps[2];
         step.inputs[0] = step.outputs[0];
         step.inputs[0].offset += 4;
       }},
      {"ends while program 0 is running",
       [](Package &p) { p.functions[0].steps.erase(p.functions[0].steps.begin() + 1); }},
      {"which is not running", [](Package &p) { p.functions[0].steps.erase(p.functions[0].steps.begin()); }},
      {"while program 0 is running",
       [](Package &p) {
         p.functions[0].steps.insert(p.functions[0].steps.begin(), p.functions[0].steps[0]);
       }},
      {"input 'image' has the shape int8 [-1]",
       [](Package &p) { p.functions[0].inputs[0].type.shape = {-1}; }},
      {"too large",
       [](Package &p) {
         p.functions[0].inputs[0].type.shape = {int64_t(1) << 33, int64_t(1) << 33};
       }},
      {"output 'logits' at 240 leaves the arena of 256 bytes",
       [](Package &p) { p.functions[0].outputs[0].offset = 240; }},
      {"input 'image' appears twice",
       [](Package &p) { p.functions[0].inputs.push_back(p.functions[0].inputs[0]); }},
      {"function 'main' appears twice", [](Package &p) { p.functions.push_back(p.functions[0]); }},
      {"program 0 has 100 bytes", [](Package &p) { p.programs[0].words.resize(100); }},
      {"debug table for 1", [](Package &p) { p.programs[0].layerOfInstruction.pop_back(); }},
      {"program 0 names layer 9 of 2", [](Package &p) { p.programs[0].layerOfInstruction[0] = 9; }},
      {"limit 9 on base 0, which holds 8 bytes", [](Package &p) { p.programs[0].bases[0].limit = 9; }},
      {"limit 1 on base 5, which holds 0 bytes", [](Package &p) { p.programs[0].bases[5].limit = 1; }},
      {"step 5, output 0, lies in the memory space 3 of 3",
       [](Package &p) { p.functions[0].steps[5].outputs[0].space = memoryOf(1); }},
      {"step 7, input 0, lies in the memory space 255 of 3",
       [](Package &p) { p.functions[0].steps[7].inputs[0].space = static_cast<Space>(255); }},
      {"step 3, input 0, lies in the memory of the device 'npu', which only copies and its own kernels reach",
       [](Package &p) {
         p.functions[0].steps[3].inputs[0] = test::deviceRef(0, {DType::I8, {1, 1, 8, 8}});
       }},
      {"step 4, output 0, lies in the memory of the device 'npu'",
       [](Package &p) {
         p.functions[0].steps[4].outputs[0] = test::deviceRef(0, {DType::I32, {16}});
       }},
      {"step 0, input 0, lies in the memory of the device 'npu'",
       [](Package &p) { p.functions[0].steps[0].inputs[0].space = memoryOf(0); }},
      {"step 5, output 0, at 65 with 64 bytes leaves its space of 128 bytes",
       [](Package &p) { p.functions[0].steps[5].outputs[0].offset = 65; }},
      {"step 7, input 0, at 18446744073709551615 with 64 bytes leaves",
       [](Package &p) { p.functions[0].steps[7].inputs[0].offset = ~0ull; }},
      {"step 6 names number 1 of 1", [](Package &p) { p.functions[0].steps[6].index = 1; }},
      {"step 6 calls a kernel of a device and writes nothing",
       [](Package &p) { p.functions[0].steps[6].outputs.clear(); }},
      {"step 6 calls a kernel of a device and writes to no device's memory",
       [](Package &p) { p.functions[0].steps[6].outputs[0].space = Space::Arena; }},
      {"step 6 calls a kernel of a device and writes to no device's memory",
       [](Package &p) { p.functions[0].steps[6].outputs[0].space = memoryOf(7); }},
      {"step 6 has operands in several memories; the kernels of the device 'npu' reach their own alone",
       [](Package &p) { p.functions[0].steps[6].inputs[0].space = Space::Arena; }},
      {"step 6, output 0, shares memory with an input",
       [](Package &p) { p.functions[0].steps[6].outputs[0].offset = 10; }},
      {"step 6 gives the kernel 'twice' 0 inputs",
       [](Package &p) { p.functions[0].steps[6].inputs.clear(); }},
      {"the kernel 'twice' was made for int8 [64]",
       [](Package &p) { p.devices[0].kernels[0].arguments[0].type.shape = {64}; }},
      {"device number 0 has no name", [](Package &p) { p.devices[0].name = ""; }},
      {"device 'npu' appears twice", [](Package &p) { p.devices.push_back(p.devices[0]); }},
      {"device 'npu' has a memory of 18446744073709551615 bytes",
       [](Package &p) { p.devices[0].memoryBytes = ~0ull; }},
      {"device 'npu', kernel 'twice' appears twice",
       [](Package &p) { p.devices[0].kernels.push_back(p.devices[0].kernels[0]); }},
      {"it has 17 devices, expected at most 16", [](Package &p) { p.devices.resize(17); }},
      {"may write to the constants", [](Package &p) { p.programs[0].bases[0].readOnly = false; }},
      {"no code for them", [](Package &p) { p.objects.clear(); }},
      {"more than can be addressed", [](Package &p) { p.arenaBytes = ~0ull; }},
  };
  for (const Case &c : cases) {
    Package package = samplePackage();
    c.spoil(package);
    EXPECT_THAT(refusal(writePackage(package)), HasSubstr(c.sentence));
  }
}

// A kernel gets bare pointers: what it relies on is compared with every call before anything is called.
TEST(Package, ComparesCallsWithTheirKernels) {
  const auto call = [](Package &p) -> Step & { return p.functions[0].steps[3]; };
  const Case cases[] = {
      {"step 3 gives the kernel 'pool_1' 0 inputs and 1 outputs, expected 1 and 1",
       [&](Package &p) { call(p).inputs.clear(); }},
      {"gives the kernel 'pool_1' 1 inputs and 0 outputs", [&](Package &p) { call(p).outputs.clear(); }},
      {"gives the kernel 'pool_1' 2 inputs and 1 outputs",
       [&](Package &p) { call(p).inputs.push_back(call(p).inputs[0]); }},
      {"gives the kernel 'pool_1' 1 inputs and 2 outputs",
       [&](Package &p) {
         call(p).outputs.push_back(test::arenaRef(0, {DType::I8, {1}}));
       }},
      {"gives the kernel 'pool_1' 0 inputs and 2 outputs",
       [&](Package &p) {
         call(p).outputs.insert(call(p).outputs.begin(), call(p).inputs[0]), call(p).inputs.clear();
       }},
      {"output 0, is int32 [8], and the kernel 'pool_1' was made for int32 [16]",
       [&](Package &p) {
         call(p).outputs[0] = test::arenaRef(128, {DType::I32, {8}});
       }},
      {"input 0, is uint8 [1,1,8,8], and the kernel 'pool_1' was made for int8 [1,1,8,8]",
       [&](Package &p) { call(p).inputs[0].type.dtype = DType::U8; }},
      {"input 0, lies at 64, and the kernel 'pool_1' needs a multiple of 128",
       [&](Package &p) { p.kernels[0].arguments[0].alignment = 128; }},
      {"output 0, shares memory with an input",
       [&](Package &p) { call(p).outputs[0].offset = call(p).inputs[0].offset + 60; }},
      {"output 1, shares memory with another output",
       [&](Package &p) {
         p.kernels[0].arguments.push_back(p.kernels[0].arguments[1]);
         call(p).outputs.push_back(call(p).outputs[0]);
       }},
      {"kernel 'pool_1' wants 268435457 bytes of memory for each thread, expected at most 268435456",
       [](Package &p) { p.kernels[0].workerBytes = mostWorkerBytes + 1; }},
      {"kernel 'pool_1' wants 18446744073709551615 bytes of memory",
       [](Package &p) { p.kernels[0].workerBytes = ~0ull; }},
      {"kernel 'twice' wants 1 bytes of memory for each thread, expected at most 0",
       [](Package &p) { p.devices[0].kernels[0].workerBytes = 1; }},
      {"kernel 'pool_1' writes nothing", [](Package &p) { p.kernels[0].arguments.pop_back(); }},
      {"kernel 'pool_1' writes nothing", [](Package &p) { p.kernels[0].arguments.clear(); }},
      {"reads its argument 1 behind one that it writes",
       [](Package &p) {
         auto &arguments = p.kernels[0].arguments;
         arguments.insert(arguments.begin(), arguments.back());
       }},
      {"argument 0, has the alignment 3", [](Package &p) { p.kernels[0].arguments[0].alignment = 3; }},
      {"argument 0, has the alignment 0", [](Package &p) { p.kernels[0].arguments[0].alignment = 0; }},
      {"argument 1, has the shape int32 [-16]",
       [](Package &p) { p.kernels[0].arguments[1].type.shape = {-16}; }},
  };
  for (const Case &c : cases) {
    Package package = samplePackage();
    c.spoil(package);
    EXPECT_THAT(refusal(writePackage(package)), HasSubstr(c.sentence));
  }
}

// Names are keys: one that is empty, comes twice or ends early in C would stand for something else.
TEST(Package, RefusesNamesThatAreNoKeys) {
  const Case cases[] = {
      {"function number 0 has no name", [](Package &p) { p.functions[0].name = ""; }},
      {"function number 1 has no name", [](Package &p) { p.functions.push_back({}); }},
      {"function 'main' has a zero character",
       [](Package &p) { p.functions[0].name = std::string("main\0", 5); }},
      {"kernel number 0 has no name", [](Package &p) { p.kernels[0].symbol = ""; }},
      {"kernel 'pool_1' appears twice", [](Package &p) { p.kernels.push_back(p.kernels[0]); }},
      {"external function number 0 has no name", [](Package &p) { p.externals[0] = ""; }},
      {"external function 'my_softmax' appears twice",
       [](Package &p) { p.externals.push_back(p.externals[0]); }},
      {"function 'main', input number 0 has no name", [](Package &p) { p.functions[0].inputs[0].name = ""; }},
      {"function 'main', output number 0 has no name",
       [](Package &p) { p.functions[0].outputs[0].name = ""; }},
      {"function 'main', output 'logits' appears twice",
       [](Package &p) { p.functions[0].outputs.push_back(p.functions[0].outputs[0]); }},
      {"has the inputs 'image' and 'late' in the same memory",
       [](Package &p) {
         p.functions[0].inputs.push_back({"late", {DType::I8, {1}}, 63});
       }},
      {"it has code for the CPU and names no kernel",
       [](Package &p) { p.kernels.clear(), p.functions[0].steps.erase(p.functions[0].steps.begin() + 3); }},
      {"its code for x86_64-unknown-linux-gnu has 2 entries for 1 kernels",
       [](Package &p) { p.objects[0].entries.push_back(0); }},
  };
  for (const Case &c : cases) {
    Package package = samplePackage();
    c.spoil(package);
    EXPECT_THAT(refusal(writePackage(package)), HasSubstr(c.sentence));
  }
}

} // namespace
