// Values of several scalars, addresses of every kind, and globals.
#include "emulated.h"

#include <gmock/gmock.h>

using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace daedalus::cuda {
namespace {

/// A kernel of one thread with 16 integers at %x and room for as many at %y.
std::string single(const std::string &body, const std::string &globals = "") {
  return globals + R"(
    llvm.func @single(%x: !llvm.ptr, %y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c2 = llvm.mlir.constant(2 : i32) : i32
      %c9 = llvm.mlir.constant(9 : i32) : i32
      )" +
         body +
         R"(
      llvm.return
    })";
}

class Single {
public:
  explicit Single(const std::string &body, const std::string &globals = "") : gpu(single(body, globals)) {
    EXPECT_TRUE(gpu.isKnown()) << gpu.refusal();
    y = gpu.allocate(std::vector<int32_t>(16, -1));
    launch = {"single", {1, 1, 1}, {1, 1, 1}, 64, {gpu.allocate(counted<int32_t>(16)), y}};
  }

  std::vector<int32_t> results(size_t count) {
    gpu.run(launch);
    return gpu.values<int32_t>(y, count);
  }
  std::string fault() { return gpu.fault(launch); }

private:
  Emulated gpu;
  EmulatedLaunch launch;
  uint64_t y = 0;
};

TEST(EmulatedForms, Vectors) {
  EXPECT_THAT(Single(R"(
      %v = llvm.load %x : !llvm.ptr -> vector<4xi32>
      %w = llvm.shufflevector %v, %v [3, 2, 1, 0] : vector<4xi32>
      %i = llvm.insertelement %c9, %w[%c1 : i32] : vector<4xi32>
      %s = llvm.add %i, %v : vector<4xi32>
      llvm.store %s, %y : vector<4xi32>, !llvm.ptr)")
                  .results(4),
              ElementsAre(3, 10, 3, 3));
}

TEST(EmulatedForms, ElementsByAnIndexOfTheThread) {
  EXPECT_THAT(Single(R"(
      %p = llvm.getelementptr %x[2] : (!llvm.ptr) -> !llvm.ptr, i32
      %index = llvm.load %p : !llvm.ptr -> i32
      %v = llvm.load %x : !llvm.ptr -> vector<4xi32>
      %e = llvm.extractelement %v[%index : i32] : vector<4xi32>
      %w = llvm.insertelement %c9, %v[%e : i32] : vector<4xi32>
      llvm.store %w, %y : vector<4xi32>, !llvm.ptr)")
                  .results(4),
              ElementsAre(0, 1, 9, 3));
  EXPECT_THAT(Single(R"(
      %p = llvm.getelementptr %x[9] : (!llvm.ptr) -> !llvm.ptr, i32
      %index = llvm.load %p : !llvm.ptr -> i32
      %v = llvm.load %x : !llvm.ptr -> vector<4xi32>
      %e = llvm.extractelement %v[%index : i32] : vector<4xi32>)")
                  .fault(),
              HasSubstr("takes element 9 of 4"));
}

TEST(EmulatedForms, Structs) {
  EXPECT_THAT(Single(R"(
      %u = llvm.mlir.undef : !llvm.struct<(i8, array<2 x i32>, i64)>
      %b = llvm.trunc %c9 : i32 to i8
      %w = llvm.sext %c2 : i32 to i64
      %s0 = llvm.insertvalue %b, %u[0] : !llvm.struct<(i8, array<2 x i32>, i64)>
      %s1 = llvm.insertvalue %c1, %s0[1, 0] : !llvm.struct<(i8, array<2 x i32>, i64)>
      %s2 = llvm.insertvalue %c2, %s1[1, 1] : !llvm.struct<(i8, array<2 x i32>, i64)>
      %s3 = llvm.insertvalue %w, %s2[2] : !llvm.struct<(i8, array<2 x i32>, i64)>
      %zero = llvm.mlir.zero : !llvm.array<6 x i32>
      llvm.store %zero, %y : !llvm.array<6 x i32>, !llvm.ptr
      llvm.store %s3, %y : !llvm.struct<(i8, array<2 x i32>, i64)>, !llvm.ptr
      %a = llvm.extractvalue %s3[1] : !llvm.struct<(i8, array<2 x i32>, i64)>
      %e = llvm.extractvalue %a[1] : !llvm.array<2 x i32>
      %p = llvm.getelementptr %y[1, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, array<2 x i32>, i64)>
      llvm.store %e, %p : i32, !llvm.ptr)")
                  .results(11),
              ElementsAre(9, 1, 2, 0, 2, 0, -1, -1, -1, -1, 2));
}

TEST(EmulatedForms, Bitcasts) {
  EXPECT_THAT(Single(R"(
      %w = llvm.mlir.constant(81985529216486895 : i64) : i64
      %v = llvm.bitcast %w : i64 to vector<4xi16>
      %r = llvm.shufflevector %v, %v [1, 0, 3, 2] : vector<4xi16>
      %d = llvm.bitcast %r : vector<4xi16> to vector<2xi32>
      llvm.store %d, %y : vector<2xi32>, !llvm.ptr)")
                  .results(2),
              ElementsAre(int32_t(0xcdef89ab), int32_t(0x45670123)));
}

TEST(EmulatedForms, ConstantVectors) {
  EXPECT_THAT(Single(R"(
      %v = llvm.mlir.constant(dense<[1, -2, 3, 4]> : vector<4xi32>) : vector<4xi32>
      %f = llvm.mlir.constant(dense<1.0> : vector<2xf32>) : vector<2xf32>
      %p = llvm.getelementptr %y[4] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.store %v, %y : vector<4xi32>, !llvm.ptr
      llvm.store %f, %p : vector<2xf32>, !llvm.ptr)")
                  .results(6),
              ElementsAre(1, -2, 3, 4, 0x3f800000, 0x3f800000));
}

TEST(EmulatedForms, BlocksThatSwapTheirArguments) {
  EXPECT_THAT(Single(R"(
      llvm.br ^head(%c0, %c1, %c9 : i32, i32, i32)
    ^head(%i: i32, %a: i32, %b: i32):
      %next = llvm.add %i, %c1 : i32
      %more = llvm.icmp "slt" %i, %c9 : i32
      llvm.cond_br %more, ^head(%next, %b, %a : i32, i32, i32), ^end
    ^end:
      %p = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.store %a, %y : i32, !llvm.ptr
      llvm.store %b, %p : i32, !llvm.ptr)")
                  .results(2),
              ElementsAre(9, 1));
}

TEST(EmulatedForms, Switches) {
  Emulated gpu(R"(
    llvm.func @switch(%y: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      llvm.switch %i : i32, ^other(%i : i32) [1: ^first, 3: ^other(%one : i32)]
    ^first:
      %two = llvm.add %i, %one : i32
      llvm.br ^other(%two : i32)
    ^other(%r: i32):
      %p = llvm.getelementptr %y[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      llvm.store %r, %p : i32, !llvm.ptr
      llvm.return
    })");
  const uint64_t y = gpu.allocate(16);
  gpu.run({"switch", {1, 1, 1}, {4, 1, 1}, 0, {y}});
  EXPECT_THAT(gpu.values<int32_t>(y, 4), ElementsAre(0, 2, 2, 1));
}

const char *const globals = R"(
    llvm.mlir.global internal constant @table(dense<[5, 6, 7]> : tensor<3xi32>) {addr_space = 4 : i32} : !llvm.array<3 x i32>
    llvm.mlir.global internal @fixed() {addr_space = 3 : i32} : !llvm.array<3 x i32>
    llvm.mlir.global external @rest() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
)";

TEST(EmulatedForms, Globals) {
  EXPECT_THAT(Single(R"(
      %table = llvm.mlir.addressof @table : !llvm.ptr<4>
      %p = llvm.getelementptr %table[%c2] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, i32
      %v = llvm.load %p : !llvm.ptr<4> -> i32
      llvm.store %v, %y : i32, !llvm.ptr)",
                     globals)
                  .results(1),
              ElementsAre(7));
  EXPECT_THAT(Single(R"(
      %table = llvm.mlir.addressof @table : !llvm.ptr<4>
      llvm.store %c1, %table : i32, !llvm.ptr<4>)",
                     globals)
                  .fault(),
              HasSubstr("a constant"));
}

TEST(EmulatedForms, SharedMemoryByGenericAddresses) {
  const std::string body = R"(
      %fixed = llvm.mlir.addressof @fixed : !llvm.ptr<3>
      %rest = llvm.mlir.addressof @rest : !llvm.ptr<3>
      %generic = llvm.addrspacecast %rest : !llvm.ptr<3> to !llvm.ptr
      %at = llvm.ptrtoint %rest : !llvm.ptr<3> to i32
      llvm.store %c9, %generic : i32, !llvm.ptr
      llvm.store %c2, %fixed : i32, !llvm.ptr<3>
      %back = llvm.addrspacecast %generic : !llvm.ptr to !llvm.ptr<3>
      %v = llvm.load %back : !llvm.ptr<3> -> i32
      %p = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.store %v, %y : i32, !llvm.ptr
      llvm.store %at, %p : i32, !llvm.ptr
      )";
  EXPECT_THAT(Single(body, globals).results(2), ElementsAre(9, 16)); // behind the 12 bytes that are fixed
  EXPECT_THAT(Single(body + "%end = llvm.getelementptr %generic[16] : (!llvm.ptr) -> !llvm.ptr, i32\n"
                            "llvm.store %c9, %end : i32, !llvm.ptr",
                     globals)
                  .fault(),
              HasSubstr("the block has 80 bytes of shared memory"));
}

TEST(EmulatedForms, AtomicOperations) {
  EXPECT_THAT(Single(R"(
      %f = llvm.mlir.constant(1.5 : f32) : f32
      %p1 = llvm.getelementptr %y[1] : (!llvm.ptr) -> !llvm.ptr, i32
      %p2 = llvm.getelementptr %y[2] : (!llvm.ptr) -> !llvm.ptr, i32
      %p3 = llvm.getelementptr %y[3] : (!llvm.ptr) -> !llvm.ptr, i32
      %one = llvm.bitcast %c0 : i32 to f32
      llvm.store %one, %y : f32, !llvm.ptr
      %a = llvm.atomicrmw fadd %y, %f monotonic : !llvm.ptr, f32
      %b = llvm.atomicrmw fadd %y, %f monotonic : !llvm.ptr, f32
      %m = llvm.mlir.constant(-1 : i32) : i32
      %c = llvm.cmpxchg %p1, %m, %c9 monotonic monotonic : !llvm.ptr, i32
      %d = llvm.cmpxchg %p1, %m, %c2 monotonic monotonic : !llvm.ptr, i32
      %old = llvm.extractvalue %d[0] : !llvm.struct<(i32, i1)>
      %was = llvm.extractvalue %d[1] : !llvm.struct<(i32, i1)>
      %w = llvm.zext %was : i1 to i32
      llvm.store %w, %p2 : i32, !llvm.ptr
      %e = llvm.atomicrmw umin %p3, %c2 monotonic : !llvm.ptr, i32)")
                  .results(4),
              ElementsAre(0x40400000, 9, 0, 2));
}

} // namespace
} // namespace daedalus::cuda
