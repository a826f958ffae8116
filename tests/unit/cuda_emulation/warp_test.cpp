// What the lanes of a warp do together: shuffles, votes, reductions.
#include "emulated.h"

#include <gmock/gmock.h>

using ::testing::HasSubstr;

namespace daedalus::cuda {
namespace {

/// Each lane's %i becomes %r, which it stores.
std::string warpKernel(const std::string &body) {
  return R"(
    llvm.func @warp(%y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %all = llvm.mlir.constant(-1 : i32) : i32
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %two = llvm.mlir.constant(2 : i32) : i32
      %five = llvm.mlir.constant(5 : i32) : i32
      %clamp = llvm.mlir.constant(31 : i32) : i32
      %i = nvvm.read.ptx.sreg.tid.x : i32
      )" +
         body +
         R"(
      %p = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %r, %p : i32, !llvm.ptr
      llvm.return
    })";
}

std::vector<int32_t> resultOf(const std::string &body) {
  Emulated gpu(warpKernel(body));
  const uint64_t y = gpu.allocate(128);
  gpu.run({"warp", {1, 1, 1}, {32, 1, 1}, 0, {y}});
  return gpu.values<int32_t>(y, 32);
}

TEST(EmulatedWarp, SumByButterflies) {
  std::string body, last = "i";
  for (const char *step : {"1", "2", "4", "8", "16"}) {
    const std::string n = step;
    body += "%o" + n + " = llvm.mlir.constant(" + n + " : i32) : i32\n%s" + n +
            " = nvvm.shfl.sync bfly %all, %" + last + ", %o" + n + ", %clamp : i32 -> i32\n%v" + n +
            " = llvm.add %" + last + ", %s" + n + " : i32\n";
    last = "v" + n;
  }
  EXPECT_EQ(resultOf(body + "%r = llvm.add %" + last + ", %zero : i32"), std::vector<int32_t>(32, 496));
}

TEST(EmulatedWarp, Shuffles) {
  const std::vector<int32_t> up = resultOf("%r = nvvm.shfl.sync up %all, %i, %five, %zero : i32 -> i32"),
                             down = resultOf("%r = nvvm.shfl.sync down %all, %i, %five, %clamp : i32 -> i32"),
                             index = resultOf("%r = nvvm.shfl.sync idx %all, %i, %five, %clamp : i32 -> i32");
  for (int32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(up[size_t(i)], i < 5 ? i : i - 5);
    EXPECT_EQ(down[size_t(i)], i + 5 > 31 ? i : i + 5);
    EXPECT_EQ(index[size_t(i)], 5);
  }
}

TEST(EmulatedWarp, ShuffleSaysWhetherItIsInRange) {
  const std::vector<int32_t> found = resultOf(R"(
      %f = llvm.bitcast %i : i32 to f32
      %s = nvvm.shfl.sync down %all, %f, %five, %clamp {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
      %v = llvm.extractvalue %s[1] : !llvm.struct<(f32, i1)>
      %r = llvm.zext %v : i1 to i32)");
  for (size_t i = 0; i < 32; ++i)
    EXPECT_EQ(found[i], i + 5 <= 31);
}

TEST(EmulatedWarp, VotesAndReductions) {
  EXPECT_EQ(resultOf("%b = llvm.trunc %i : i32 to i1\n%r = nvvm.vote.ballot.sync %all, %b : i32"),
            std::vector<int32_t>(32, int32_t(0xaaaaaaaa)));
  EXPECT_EQ(resultOf("%r = nvvm.redux.sync add %i, %all : i32 -> i32"), std::vector<int32_t>(32, 496));
  EXPECT_EQ(resultOf("%m = llvm.sub %zero, %i : i32\n%r = nvvm.redux.sync min %m, %all : i32 -> i32"),
            std::vector<int32_t>(32, -31));
  EXPECT_EQ(resultOf("%m = llvm.sub %zero, %i : i32\n%r = nvvm.redux.sync umax %m, %all : i32 -> i32"),
            std::vector<int32_t>(32, -1));
}

/// A reduction of half of the lanes, by masks that the two halves have.
std::string byHalves(const std::string &first, const std::string &second) {
  return warpKernel(R"(
      %half = llvm.mlir.constant(16 : i32) : i32
      %low = llvm.mlir.constant()" +
                    first + R"( : i32) : i32
      %high = llvm.mlir.constant()" +
                    second + R"( : i32) : i32
      %is = llvm.icmp "ult" %i, %half : i32
      %mask = llvm.select %is, %low, %high : i1, i32
      %r = nvvm.redux.sync add %i, %mask : i32 -> i32)");
}

TEST(EmulatedWarp, Masks) {
  Emulated fits(byHalves("0xffff", "0xffff0000")), lacks(byHalves("0xffff", "0xfffe0000")),
      waits(byHalves("0x1ffff", "0xffff0000"));
  const uint64_t y = fits.allocate(128);
  fits.run({"warp", {1, 1, 1}, {32, 1, 1}, 0, {y}});
  const std::vector<int32_t> found = fits.values<int32_t>(y, 32);
  EXPECT_EQ(found[0], 120);
  EXPECT_EQ(found[31], 376);
  EXPECT_THAT(lacks.fault({"warp", {1, 1, 1}, {32, 1, 1}, 0, {lacks.allocate(128)}}),
              HasSubstr("thread (16, 0, 0): nvvm.redux.sync"));
  EXPECT_THAT(waits.fault({"warp", {1, 1, 1}, {32, 1, 1}, 0, {waits.allocate(128)}}),
              HasSubstr("thread (16, 0, 0)"));
}

TEST(EmulatedWarp, LanesThatAreElsewhere) {
  Emulated gpu(warpKernel(R"(
      %is = llvm.icmp "ult" %i, %five : i32
      llvm.cond_br %is, ^some, ^others
    ^some:
      %s = nvvm.shfl.sync idx %all, %i, %one, %clamp : i32 -> i32
      llvm.br ^join(%s : i32)
    ^others:
      %t = nvvm.shfl.sync idx %all, %i, %two, %clamp : i32 -> i32
      llvm.br ^join(%t : i32)
    ^join(%r: i32):)"));
  EXPECT_THAT(gpu.fault({"warp", {1, 1, 1}, {32, 1, 1}, 0, {gpu.allocate(128)}}),
              HasSubstr("which waits at another nvvm.shfl.sync"));
}

} // namespace
} // namespace daedalus::cuda
