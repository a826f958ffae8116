// Branches, barriers, calls, and what ends a launch.
#include "emulated.h"

#include <gmock/gmock.h>

using ::testing::HasSubstr;

namespace daedalus::cuda {
namespace {

TEST(EmulatedControl, LoopsOfDifferentLengths) {
  // The sum of 0 to i, by a loop of i steps.
  Emulated gpu(R"(
    llvm.func @sums(%y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %i = nvvm.read.ptx.sreg.tid.x : i32
      llvm.br ^head(%zero, %zero : i32, i32)
    ^head(%k: i32, %sum: i32):
      %more = llvm.icmp "sle" %k, %i : i32
      llvm.cond_br %more, ^step, ^end
    ^step:
      %next_sum = llvm.add %sum, %k : i32
      %next = llvm.add %k, %one : i32
      llvm.br ^head(%next, %next_sum : i32, i32)
    ^end:
      %p = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %p : i32, !llvm.ptr
      llvm.return
    })");
  const uint64_t y = gpu.allocate(4 * 64);
  const EmulationCounts counts = gpu.run({"sums", {1, 1, 1}, {64, 1, 1}, 0, {y}});
  const std::vector<int32_t> result = gpu.values<int32_t>(y, 64);
  for (int32_t i = 0; i < 64; ++i)
    EXPECT_EQ(result[size_t(i)], i * (i + 1) / 2);
  EXPECT_EQ(counts.globalSectors, 8u); // the lanes store together
  EXPECT_THAT(gpu.fault({"sums", {1, 1, 1}, {64, 1, 1}, 0, {y}, 1000}),
              HasSubstr("more than 1000 instructions"));
}

/// A barrier for the threads whose number is less than `bound`.
std::string partialBarrier(int bound, const std::string &otherwise) {
  return R"(
    llvm.func @some() attributes {gpu.kernel, nvvm.kernel} {
      %bound = llvm.mlir.constant()" +
         std::to_string(bound) + R"( : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %is = llvm.icmp "ult" %i, %bound : i32
      llvm.cond_br %is, ^wait, ^otherwise
    ^wait:
      nvvm.barrier0
      llvm.br ^end
    ^otherwise:
      )" +
         otherwise +
         R"(
      llvm.br ^end
    ^end:
      llvm.return
    })";
}

TEST(EmulatedControl, BarrierThatSomeDoNotReach) {
  Emulated inWarp(partialBarrier(16, "")), inBlock(partialBarrier(32, ""));
  EXPECT_THAT(inWarp.fault({"some", {1, 1, 1}, {64, 1, 1}, 0, {}}),
              HasSubstr("thread (0, 0, 0): nvvm.barrier0"));
  EXPECT_THAT(inWarp.fault({"some", {1, 1, 1}, {64, 1, 1}, 0, {}}), HasSubstr("thread (16, 0, 0)"));
  EXPECT_THAT(inBlock.fault({"some", {1, 1, 1}, {64, 1, 1}, 0, {}}),
              HasSubstr("thread (32, 0, 0) of the block has ended"));
  EXPECT_EQ(inBlock.run({"some", {1, 1, 1}, {32, 1, 1}, 0, {}}).barriers, 1u);
}

TEST(EmulatedControl, TwoBarriers) {
  Emulated inWarp(partialBarrier(16, "nvvm.barrier0")), inBlock(partialBarrier(32, "nvvm.barrier id = %one"));
  EXPECT_THAT(inWarp.fault({"some", {1, 1, 1}, {64, 1, 1}, 0, {}}),
              HasSubstr("waits at another nvvm.barrier0"));
  EXPECT_THAT(inBlock.fault({"some", {1, 1, 1}, {64, 1, 1}, 0, {}}), HasSubstr("waits at barrier 1 instead"));
}

TEST(EmulatedControl, BarriersOfSomeWarps) {
  // The first two warps exchange values by a barrier of 64 threads; the third one has none.
  for (const char *threads : {"64", "96"}) {
    Emulated gpu(R"(
      llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<64 x i32>
      llvm.func @pairs(%y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
        %id = llvm.mlir.constant(3 : i32) : i32
        %threads = llvm.mlir.constant()" +
                 std::string(threads) + R"( : i32) : i32
        %half = llvm.mlir.constant(32 : i32) : i32
        %two = llvm.mlir.constant(64 : i32) : i32
        %i = nvvm.read.ptx.sreg.tid.x : i32
        %is = llvm.icmp "ult" %i, %two : i32
        llvm.cond_br %is, ^work, ^end
      ^work:
        %s = llvm.mlir.addressof @s : !llvm.ptr<3>
        %mine = llvm.getelementptr %s[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        llvm.store %i, %mine : i32, !llvm.ptr<3>
        nvvm.barrier id = %id number_of_threads = %threads
        %other = llvm.xor %i, %half : i32
        %from = llvm.getelementptr %s[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        %v = llvm.load %from : !llvm.ptr<3> -> i32
        %p = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
        llvm.store %v, %p : i32, !llvm.ptr
        llvm.br ^end
      ^end:
        llvm.return
      })");
    const uint64_t y = gpu.allocate(256);
    const std::string fault = gpu.fault({"pairs", {1, 1, 1}, {96, 1, 1}, 0, {y}});
    if (std::string(threads) == "96") {
      EXPECT_THAT(
          fault,
          HasSubstr("waits at barrier 3 for 96 threads, but thread (64, 0, 0) of the block has ended"));
      continue;
    }
    const std::vector<int32_t> found = gpu.values<int32_t>(y, 64);
    EXPECT_EQ(found[0], 32);
    EXPECT_EQ(found[63], 31);
  }
}

TEST(EmulatedControl, CallsAreInlined) {
  Emulated gpu(R"(
    llvm.func @larger(%a: i32, %b: i32) -> i32 {
      %is = llvm.icmp "sgt" %a, %b : i32
      llvm.cond_br %is, ^first, ^second
    ^first:
      llvm.return %a : i32
    ^second:
      llvm.return %b : i32
    }
    llvm.func @clamp(%y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %low = llvm.mlir.constant(7 : i32) : i32
      %high = llvm.mlir.constant(20 : i32) : i32
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %a = llvm.call @larger(%i, %low) : (i32, i32) -> i32
      %b = llvm.call @larger(%a, %high) : (i32, i32) -> i32
      %sum = llvm.add %a, %b : i32
      %p = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %sum, %p : i32, !llvm.ptr
      llvm.return
    })");
  const uint64_t y = gpu.allocate(128);
  gpu.run({"clamp", {1, 1, 1}, {32, 1, 1}, 0, {y}});
  const std::vector<int32_t> result = gpu.values<int32_t>(y, 32);
  for (int32_t i = 0; i < 32; ++i)
    EXPECT_EQ(result[size_t(i)], std::max(i, 7) + std::max(i, 20));
}

TEST(EmulatedControl, UnknownOperationsAreNamed) {
  EXPECT_THAT(Emulated(R"(
    llvm.func @wait() attributes {gpu.kernel, nvvm.kernel} {
      nvvm.cluster.arrive
      llvm.return
    })")
                  .refusal(),
              HasSubstr("kernel 'wait': the operation 'nvvm.cluster.arrive'"));
  EXPECT_THAT(Emulated(R"(
    llvm.func @itself() {
      llvm.call @itself() : () -> ()
      llvm.return
    }
    llvm.func @other() attributes {gpu.kernel, nvvm.kernel} {
      llvm.call @itself() : () -> ()
      llvm.return
    })")
                  .refusal(),
              HasSubstr("'itself', which calls itself"));
}

} // namespace
} // namespace daedalus::cuda
