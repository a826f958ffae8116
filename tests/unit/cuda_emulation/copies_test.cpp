// cp.async and ldmatrix: a product whose matrices are copied to shared memory and loaded from there.
#include "emulated.h"

#include "Emulation/Fragments.h"

#include "daedalus/support/float16.h"

#include <gmock/gmock.h>

using ::testing::HasSubstr;

namespace daedalus::cuda {
namespace {

/// What differs between the tests.
struct Variant {
  int pitch = 48; ///< bytes from a row of A in shared memory to the next
  std::string wait = "nvvm.cp.async.wait.group 0", barrier = "nvvm.bar.warp.sync %all : i32";
  bool isTransposed = false; ///< A lies in memory column by column
};

std::string constant(const std::string &name, int value) {
  return "%" + name + " = llvm.mlir.constant(" + std::to_string(value) + " : i32) : i32\n";
}

/// D = A B of 16 by 16 by 8 elements of float16, by one warp. B lies row by row.
std::string product(const Variant &variant) {
  const std::string layout = variant.isTransposed ? "col" : "row";
  return R"(
    llvm.mlir.global internal @a() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<768 x i8>
    llvm.mlir.global internal @b() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i8>
    llvm.func @multiply(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %d: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      )" +
         constant("all", -1) + constant("c1", 1) + constant("c2", 2) + constant("c3", 3) + constant("c4", 4) +
         constant("c7", 7) + constant("c8", 8) + constant("c15", 15) + constant("c16", 16) +
         constant("pitch", variant.pitch) + R"(
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %a = llvm.mlir.addressof @a : !llvm.ptr<3>
      %b = llvm.mlir.addressof @b : !llvm.ptr<3>
      %row = llvm.lshr %t, %c1 : i32
      %half = llvm.and %t, %c1 : i32
      %begin = llvm.mul %row, %pitch : i32
      %chunk = llvm.mul %half, %c16 : i32
      %into = llvm.add %begin, %chunk : i32
      %to_a = llvm.getelementptr %a[%into] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %from_a = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xf16>
      %to_b = llvm.getelementptr %b[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf16>
      %from_b = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf16>
      nvvm.cp.async.shared.global %to_a, %from_a, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
      nvvm.cp.async.shared.global %to_b, %from_b, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
      nvvm.cp.async.commit.group
      )" +
         variant.wait + "\n" + variant.barrier + R"(
      %r = llvm.and %t, %c7 : i32
      %m = llvm.lshr %t, %c3 : i32
      %m_low = llvm.and %m, %c1 : i32
      %m_high = llvm.lshr %m, %c1 : i32
      %below = llvm.mul )" +
         (variant.isTransposed ? "%m_high" : "%m_low") + R"(, %c8 : i32
      %right = llvm.mul )" +
         (variant.isTransposed ? "%m_low" : "%m_high") + R"(, %c16 : i32
      %a_row = llvm.add %r, %below : i32
      %a_begin = llvm.mul %a_row, %pitch : i32
      %a_at = llvm.add %a_begin, %right : i32
      %pa = llvm.getelementptr %a[%a_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
      %fa = nvvm.ldmatrix %pa {num = 4 : i32, layout = #nvvm.mma_layout<)" +
         layout + R"(>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
      %b_row = llvm.and %t, %c15 : i32
      %pb = llvm.getelementptr %b[%b_row] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<8xf16>
      %fb = nvvm.ldmatrix %pb {num = 2 : i32, layout = #nvvm.mma_layout<col>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
      %a0 = llvm.extractvalue %fa[0] : !llvm.struct<(i32, i32, i32, i32)>
      %a1 = llvm.extractvalue %fa[1] : !llvm.struct<(i32, i32, i32, i32)>
      %a2 = llvm.extractvalue %fa[2] : !llvm.struct<(i32, i32, i32, i32)>
      %a3 = llvm.extractvalue %fa[3] : !llvm.struct<(i32, i32, i32, i32)>
      %b0 = llvm.extractvalue %fb[0] : !llvm.struct<(i32, i32)>
      %b1 = llvm.extractvalue %fb[1] : !llvm.struct<(i32, i32)>
      %va0 = llvm.bitcast %a0 : i32 to vector<2xf16>
      %va1 = llvm.bitcast %a1 : i32 to vector<2xf16>
      %va2 = llvm.bitcast %a2 : i32 to vector<2xf16>
      %va3 = llvm.bitcast %a3 : i32 to vector<2xf16>
      %vb0 = llvm.bitcast %b0 : i32 to vector<2xf16>
      %vb1 = llvm.bitcast %b1 : i32 to vector<2xf16>
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      %fd = nvvm.mma.sync A[%va0, %va1, %va2, %va3] B[%vb0, %vb1] C[%zero, %zero, %zero, %zero]
        {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
        : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %pd = llvm.getelementptr %d[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.struct<(f32, f32, f32, f32)>
      llvm.store %fd, %pd : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
      llvm.return
    })";
}

int elementOfA(unsigned row, unsigned column) {
  return int((row * 16 + column) * 2654435761u >> 28) - 7;
}
int elementOfB(unsigned row, unsigned column) {
  return int((row * 8 + column) * 2246822519u >> 28) - 7;
}

class Product {
public:
  explicit Product(const Variant &variant) : gpu(product(variant)) {
    std::vector<uint16_t> a, b;
    for (unsigned row = 0; row < 16; ++row) {
      for (unsigned column = 0; column < 16; ++column)
        a.push_back(
            float16Of(float(variant.isTransposed ? elementOfA(column, row) : elementOfA(row, column))));
      for (unsigned column = 0; column < 8; ++column)
        b.push_back(float16Of(float(elementOfB(row, column))));
    }
    d = gpu.allocate(512);
    launch = {"multiply", {1, 1, 1}, {32, 1, 1}, 0, {gpu.allocate(a), gpu.allocate(b), d}};
  }

  EmulationCounts run() {
    const EmulationCounts counts = gpu.run(launch);
    const std::vector<float> found = gpu.values<float>(d, 128);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned element = 0; element < 4; ++element) {
        const Position at = positionInC({16, 8, 16, 16}, lane, element);
        int sum = 0;
        for (unsigned k = 0; k < 16; ++k)
          sum += elementOfA(at.row, k) * elementOfB(k, at.column);
        EXPECT_EQ(found[lane * 4 + element], float(sum)) << "of lane " << lane;
      }
    return counts;
  }

  std::string fault() { return gpu.fault(launch); }

private:
  Emulated gpu;
  EmulatedLaunch launch;
  uint64_t d = 0;
};

TEST(EmulatedCopies, ProductFromSharedMemory) {
  const EmulationCounts counts = Product(Variant()).run();
  EXPECT_EQ(counts.asyncCopies, 64u);
  EXPECT_EQ(counts.tensorInstructions, 1u);
  EXPECT_EQ(counts.globalBytesLoaded, 768u);
  EXPECT_EQ(counts.globalSectors, 24u + 4 * 16u); // a struct is stored field by field;
  EXPECT_EQ(counts.sharedAccesses, 4u + 2u + 4u + 2u + counts.bankConflicts);
}

TEST(EmulatedCopies, ProductOfATransposedMatrix) {
  Variant variant;
  variant.isTransposed = true;
  Product(variant).run();
}

TEST(EmulatedCopies, BankConflictsOfRows) {
  // Of 32 bytes: of each matrix of A rows 0 and 4, 1 and 5 and so on are in the same banks. Of 48: none, but
  // a quarter of the warp copies four rows at once, of which the first and the last are.
  for (const int pitch : {32, 48}) {
    Variant variant;
    variant.pitch = pitch;
    EXPECT_EQ(Product(variant).run().bankConflicts, 4u);
  }
}

TEST(EmulatedCopies, MissingWait) {
  Variant none, early;
  none.wait = "";
  early.wait = "nvvm.cp.async.wait.group 1";
  for (const Variant &variant : {none, early})
    EXPECT_THAT(
        Product(variant).fault(),
        HasSubstr("is still to be copied by a cp.async of thread (0, 0, 0), which has not waited for it"));
}

TEST(EmulatedCopies, MissingBarrierBehindTheWait) {
  Variant variant;
  variant.barrier = "";
  EXPECT_THAT(Product(variant).fault(), HasSubstr("nvvm.ldmatrix"));
  EXPECT_THAT(Product(variant).fault(), HasSubstr("with no barrier between: a race"));
}

TEST(EmulatedCopies, BytesBehindTheSourceAreZeros) {
  for (const char *copy :
       {"nvvm.cp.async.shared.global %to, %from, 16, cache = cg, %t : !llvm.ptr<3>, !llvm.ptr<1>, i32",
        "llvm.call_intrinsic \"llvm.nvvm.cp.async.cg.shared.global.16.s\"(%to, %from, %t) : (!llvm.ptr<3>, "
        "!llvm.ptr<1>, i32) -> ()"}) {
    Emulated gpu(R"(
    llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
    llvm.func @copy(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %s = llvm.mlir.addressof @s : !llvm.ptr<3>
      %to = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
      %from = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
)" + std::string(copy) +
                 R"(
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 0
      %v = llvm.load %to : !llvm.ptr<3> -> vector<4xi32>
      %p = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
      llvm.store %v, %p : vector<4xi32>, !llvm.ptr<1>
      llvm.return
    })");
    const uint64_t x = gpu.allocate(counted<uint8_t>(256)), y = gpu.allocate(256);
    gpu.run({"copy", {1, 1, 1}, {16, 1, 1}, 0, {x, y}});
    const std::vector<uint8_t> found = gpu.values<uint8_t>(y, 256);
    for (size_t byte = 0; byte < 256; ++byte)
      EXPECT_EQ(found[byte], byte % 16 < byte / 16 ? byte : 0u);
    const uint64_t longer = gpu.allocate(counted<uint8_t>(512));
    EXPECT_THAT(gpu.fault({"copy", {1, 1, 1}, {18, 1, 1}, 0, {longer, y}}),
                HasSubstr("copies 17 bytes of 16"));
  }
}

} // namespace
} // namespace daedalus::cuda
