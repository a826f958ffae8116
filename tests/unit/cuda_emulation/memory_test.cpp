// Global and shared memory: what is found in them, and what accesses cost.
#include "emulated.h"

#include <gmock/gmock.h>

using ::testing::HasSubstr;

namespace daedalus::cuda {
namespace {

/// y[i] = a * x[i] + y[i] where i < n.
const char *const saxpy = R"(
llvm.func @saxpy(%n: i32, %a: f32, %x: !llvm.ptr, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
  %block = nvvm.read.ptx.sreg.ctaid.x : i32
  %size = nvvm.read.ptx.sreg.ntid.x : i32
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %first = llvm.mul %block, %size : i32
  %i = llvm.add %first, %thread : i32
  %inside = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %inside, ^work, ^end
^work:
  %px = llvm.getelementptr %x[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %py = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %vx = llvm.load %px : !llvm.ptr -> f32
  %vy = llvm.load %py : !llvm.ptr -> f32
  %r = llvm.intr.fma(%a, %vx, %vy) : (f32, f32, f32) -> f32
  llvm.store %r, %py : f32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
})";

TEST(EmulatedMemory, SaxpyWithGuard) {
  Emulated gpu(saxpy);
  const uint64_t x = gpu.allocate(counted<float>(1000)), y = gpu.allocate(std::vector<float>(1000, 1));
  const EmulationCounts counts = gpu.run({"saxpy", {8, 1, 1}, {128, 1, 1}, 0, {1000, bitsOfFloat(2), x, y}});
  const std::vector<float> result = gpu.values<float>(y, 1000);
  for (size_t i = 0; i < 1000; ++i)
    EXPECT_EQ(result[i], 2 * float(i) + 1);
  EXPECT_EQ(counts.globalBytesLoaded, 8000u);
  EXPECT_EQ(counts.globalBytesStored, 4000u);
  EXPECT_EQ(counts.globalSectors, 3 * 125u);
}

TEST(EmulatedMemory, OutOfBoundsByOne) {
  Emulated gpu(saxpy);
  const uint64_t x = gpu.allocate(counted<float>(999)), y = gpu.allocate(std::vector<float>(1000, 1));
  EXPECT_THAT(gpu.fault({"saxpy", {8, 1, 1}, {128, 1, 1}, 0, {1000, bitsOfFloat(2), x, y}}),
              HasSubstr("kernel 'saxpy', block (7, 0, 0), thread (103, 0, 0): llvm.load"));
  EXPECT_THAT(gpu.fault({"saxpy", {8, 1, 1}, {128, 1, 1}, 0, {1000, bitsOfFloat(2), x, y}}),
              HasSubstr("byte 3996 of an allocation of 3996 bytes"));
}

TEST(EmulatedMemory, BytesThatNobodyWrote) {
  Emulated gpu(saxpy);
  const uint64_t x = gpu.allocate(4000), y = gpu.allocate(std::vector<float>(1000, 1));
  EXPECT_THAT(gpu.fault({"saxpy", {8, 1, 1}, {128, 1, 1}, 0, {1000, bitsOfFloat(2), x, y}}),
              HasSubstr("was never written"));
  std::vector<uint8_t> bytes(4);
  EXPECT_THAT((*gpu).read(x, bytes).error(), HasSubstr("never written"));
}

TEST(EmulatedMemory, LaunchesThatDoNotFit) {
  Emulated gpu(saxpy);
  EXPECT_THAT(gpu.fault({"saxpi", {1, 1, 1}, {1, 1, 1}, 0, {}}), HasSubstr("no kernel 'saxpi'"));
  EXPECT_THAT(gpu.fault({"saxpy", {1, 1, 1}, {1, 1, 1}, 0, {}}), HasSubstr("0 arguments; expected 4"));
  EXPECT_THAT(gpu.fault({"saxpy", {1, 1, 1}, {1025, 1, 1}, 0, {0, 0, 0, 0}}), HasSubstr("1 to 1024"));
}

TEST(EmulatedMemory, SomeBlocksOfAGrid) {
  Emulated gpu(saxpy);
  const uint64_t x = gpu.allocate(counted<float>(1000)), y = gpu.allocate(std::vector<float>(1000, 1));
  EmulatedLaunch launch{"saxpy", {8, 1, 1}, {128, 1, 1}, 0, {1000, bitsOfFloat(2), x, y}};
  launch.blocks = {1, 7};
  EXPECT_EQ(gpu.run(launch).globalBytesLoaded, 8 * (128u + 1000 - 7 * 128));
  const std::vector<float> result = gpu.values<float>(y, 1000);
  EXPECT_EQ(result[127], 1);
  EXPECT_EQ(result[128], 257);
  EXPECT_EQ(result[256], 1);
  EXPECT_EQ(result[999], 1999);
  launch.blocks = {8};
  EXPECT_THAT(gpu.fault(launch), HasSubstr("is to run block 8 of 8"));
}

TEST(EmulatedMemory, Unwatched) {
  Emulated gpu(saxpy);
  const uint64_t x = (*gpu).allocateUnwatched(4000), y = gpu.allocate(std::vector<float>(1000, 1));
  gpu.run({"saxpy", {8, 1, 1}, {128, 1, 1}, 0, {1000, bitsOfFloat(2), x, y}});
  EXPECT_EQ(gpu.values<float>(y, 1000), std::vector<float>(1000, 1));
  EXPECT_EQ(gpu.values<float>(x, 1000), std::vector<float>(1000, 0));
  EXPECT_THAT(gpu.fault({"saxpy", {8, 1, 1}, {128, 1, 1}, 0, {1001, bitsOfFloat(2), x, y}}),
              HasSubstr("byte 4000 of an allocation of 4000 bytes"));
}

TEST(EmulatedMemory, BlocksThatWriteTheSame) {
  Emulated gpu(R"(
    llvm.func @same(%y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %p = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %i, %p : i32, !llvm.ptr
      llvm.return
    })");
  const uint64_t y = gpu.allocate(128);
  gpu.run({"same", {1, 1, 1}, {32, 1, 1}, 0, {y}});
  gpu.run({"same", {1, 1, 1}, {32, 1, 1}, 0, {y}}); // another launch comes behind
  EXPECT_THAT(gpu.fault({"same", {2, 1, 1}, {32, 1, 1}, 0, {y}}),
              HasSubstr("is written by a thread of block (0, 0, 0) with no barrier between: a race"));
}

TEST(EmulatedMemory, BlocksThatReadWhatAnotherOneWrites) {
  // Each block's threads read the next block's values and then write their own.
  Emulated gpu(R"(
    llvm.func @shift(%y: !llvm.ptr, %step: i32) attributes {gpu.kernel, nvvm.kernel} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %size = nvvm.read.ptx.sreg.ntid.x : i32
      %first = llvm.mul %block, %size : i32
      %i = llvm.add %first, %thread : i32
      %next = llvm.add %i, %step : i32
      %from = llvm.getelementptr %y[%next] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = llvm.load %from : !llvm.ptr -> i32
      nvvm.barrier0
      %to = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %v, %to : i32, !llvm.ptr
      llvm.return
    })");
  const uint64_t y = gpu.allocate(counted<int32_t>(256));
  gpu.run({"shift", {2, 1, 1}, {64, 1, 1}, 0, {y, 0}});
  EXPECT_THAT(gpu.fault({"shift", {2, 1, 1}, {64, 1, 1}, 0, {y, 64}}),
              HasSubstr("is read by a thread of block (0, 0, 0) with no barrier between: a race"));
  EXPECT_THAT(gpu.fault({"shift", {1, 1, 1}, {64, 1, 1}, 0, {y, 1}}), HasSubstr("no fault"));
}

TEST(EmulatedMemory, AtomicAdditionIsNoRace) {
  Emulated gpu(R"(
    llvm.func @count(%y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i32) : i32
      %old = llvm.atomicrmw add %y, %one monotonic : !llvm.ptr<1>, i32
      llvm.return
    })");
  const uint64_t y = gpu.allocate(std::vector<int32_t>{5});
  gpu.run({"count", {10, 1, 1}, {64, 1, 1}, 0, {y}});
  EXPECT_EQ(gpu.values<int32_t>(y, 1)[0], 645);
}

/// Loads `type` at a stride of bytes and stores it elsewhere.
std::string strided(const std::string &type, int stride) {
  return R"(
    llvm.func @move(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %stride = llvm.mlir.constant()" +
         std::to_string(stride) + R"( : i32) : i32
      %at = llvm.mul %i, %stride : i32
      %px = llvm.getelementptr %x[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
      %v = llvm.load %px : !llvm.ptr<1> -> )" +
         type + R"(
      %py = llvm.getelementptr %y[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
      llvm.store %v, %py : )" +
         type + R"(, !llvm.ptr<1>
      llvm.return
    })";
}

uint64_t sectors(const std::string &type, int stride) {
  Emulated gpu(strided(type, stride));
  const uint64_t x = gpu.allocate(counted<uint8_t>(4096)), y = gpu.allocate(4096);
  return gpu.run({"move", {1, 1, 1}, {32, 1, 1}, 0, {x, y}}).globalSectors / 2;
}

TEST(EmulatedMemory, Sectors) {
  EXPECT_EQ(sectors("f32", 4), 4u);
  EXPECT_EQ(sectors("f32", 8), 8u);
  EXPECT_EQ(sectors("f32", 32), 32u);
  EXPECT_EQ(sectors("i8", 1), 1u);
  EXPECT_EQ(sectors("vector<4xf32>", 16), 16u);
}

TEST(EmulatedMemory, MisalignedVector) {
  Emulated gpu(strided("vector<4xf32>", 24));
  const uint64_t x = gpu.allocate(counted<uint8_t>(4096)), y = gpu.allocate(4096);
  EXPECT_THAT(gpu.fault({"move", {1, 1, 1}, {2, 1, 1}, 0, {x, y}}), HasSubstr("not a multiple of 16"));
}

/// Each thread writes its row of a tile of 32 by 32 and reads its column, where `between` stands between.
std::string transposition(int pitch, const std::string &between) {
  const std::string p = std::to_string(pitch), tile = "!llvm.array<32 x array<" + p + " x f32>>";
  return "llvm.mlir.global internal @tile() {addr_space = 3 : i32} : " + tile + R"(
    llvm.func @transpose(%x: !llvm.ptr, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %j = nvvm.read.ptx.sreg.tid.y : i32
      %px = llvm.getelementptr %x[0, %j, %i] : (!llvm.ptr, i32, i32) -> !llvm.ptr, !llvm.array<32 x array<32 x f32>>
      %py = llvm.getelementptr %y[0, %j, %i] : (!llvm.ptr, i32, i32) -> !llvm.ptr, !llvm.array<32 x array<32 x f32>>
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %row = llvm.getelementptr %tile[0, %j, %i] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, )" +
         tile + R"(
      %column = llvm.getelementptr %tile[0, %i, %j] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, )" +
         tile + R"(
      %v = llvm.load %px : !llvm.ptr -> f32
      llvm.store %v, %row : f32, !llvm.ptr<3>
      )" +
         between +
         R"(
      %w = llvm.load %column : !llvm.ptr<3> -> f32
      llvm.store %w, %py : f32, !llvm.ptr
      llvm.return
    })";
}

TEST(EmulatedMemory, Transposition) {
  for (const int pitch : {32, 33}) {
    Emulated gpu(transposition(pitch, "nvvm.barrier0"));
    const uint64_t x = gpu.allocate(counted<float>(1024)), y = gpu.allocate(4096);
    const EmulationCounts counts = gpu.run({"transpose", {1, 1, 1}, {32, 32, 1}, 0, {x, y}});
    const std::vector<float> result = gpu.values<float>(y, 1024);
    for (size_t row = 0; row < 32; ++row)
      for (size_t column = 0; column < 32; ++column)
        EXPECT_EQ(result[row * 32 + column], float(column * 32 + row));
    EXPECT_EQ(counts.barriers, 1u);
    EXPECT_EQ(counts.bankConflicts, pitch == 32 ? 32 * 31u : 0u);
    EXPECT_EQ(counts.sharedAccesses, 64u + counts.bankConflicts);
  }
}

TEST(EmulatedMemory, TranspositionWithoutBarrier) {
  Emulated gpu(transposition(33, ""));
  const uint64_t x = gpu.allocate(counted<float>(1024)), y = gpu.allocate(4096);
  // The first warp reads what the second one has not written.
  EXPECT_THAT(gpu.fault({"transpose", {1, 1, 1}, {32, 32, 1}, 0, {x, y}}), HasSubstr("never written"));
}

TEST(EmulatedMemory, RaceInSharedMemory) {
  for (const bool hasBarrier : {false, true}) {
    Emulated gpu(transposition(33, "nvvm.barrier0\n %r = llvm.load %row : !llvm.ptr<3> -> f32\n" +
                                       std::string(hasBarrier ? "nvvm.barrier0\n" : "") +
                                       "llvm.store %r, %column : f32, !llvm.ptr<3>\n"));
    const uint64_t x = gpu.allocate(counted<float>(1024)), y = gpu.allocate(4096);
    EXPECT_THAT(gpu.fault({"transpose", {1, 1, 1}, {32, 32, 1}, 0, {x, y}}),
                HasSubstr(hasBarrier ? "no fault" : "with no barrier between: a race"));
  }
}

TEST(EmulatedMemory, BarrierOfAWarpOrdersItsLanes) {
  for (const bool hasBarrier : {false, true}) {
    Emulated gpu(R"(
      llvm.mlir.global external @memory() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
      llvm.func @next(%y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
        %all = llvm.mlir.constant(-1 : i32) : i32
        %one = llvm.mlir.constant(1 : i32) : i32
        %i = nvvm.read.ptx.sreg.tid.x : i32
        %next = llvm.xor %i, %one : i32
        %memory = llvm.mlir.addressof @memory : !llvm.ptr<3>
        %mine = llvm.getelementptr %memory[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        %other = llvm.getelementptr %memory[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        llvm.store %i, %mine : i32, !llvm.ptr<3>
        )" + std::string(hasBarrier ? "nvvm.bar.warp.sync %all : i32" : "") +
                 R"(
        %v = llvm.load %other : !llvm.ptr<3> -> i32
        %p = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %v, %p : i32, !llvm.ptr
        llvm.return
      })");
    const uint64_t y = gpu.allocate(256);
    EXPECT_THAT(gpu.fault({"next", {1, 1, 1}, {64, 1, 1}, 256, {y}}),
                HasSubstr(hasBarrier ? "no fault" : "a race"));
    EXPECT_THAT(gpu.fault({"next", {1, 1, 1}, {64, 1, 1}, 252, {y}}),
                HasSubstr(hasBarrier ? "252 bytes of shared" : ""));
  }
}

} // namespace
} // namespace daedalus::cuda
