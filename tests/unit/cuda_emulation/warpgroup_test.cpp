// Products of warpgroups (wgmma) against plain ones, of matrices that lie in shared memory as the PTX ISA
// manual's table "Canonical Layouts" says it.
#include "emulated.h"

#include "Emulation/Fragments.h"
#include "Emulation/SharedMatrices.h"

#include "daedalus/support/float16.h"

#include <gmock/gmock.h>

#include <set>

using ::testing::HasSubstr;

namespace daedalus::cuda {
namespace {

/// A layout of a matrix in shared memory; offsets in bytes.
struct Layout {
  Major major = Major::K;
  unsigned swizzle = 16;
  uint64_t leading = 0, stride = 0;

  uint64_t mode() const { return swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0; }
  uint64_t descriptor(uint64_t start) const {
    return start / 16 | leading / 16 << 16 | stride / 16 << 32 | mode() << 62;
  }
};

/// A row of the table: a coordinate is taken apart by the extents, the fastest first, and each part has its
/// distance. The last extent is open.
uint64_t along(uint64_t coordinate, const std::vector<std::pair<uint64_t, uint64_t>> &modes) {
  uint64_t offset = 0;
  for (size_t i = 0; i + 1 < modes.size(); ++i) {
    offset += coordinate % modes[i].first * modes[i].second;
    coordinate /= modes[i].first;
  }
  return offset + coordinate * modes.back().second;
}

/// In units of elements, of which 16 bytes hold T: ((8,m),(T,2k)) of K-major, ((T,n,m),(8,k)) of the other.
uint64_t placeByTable(const Layout &layout, unsigned row, unsigned k, unsigned bytes) {
  const uint64_t T = 16 / bytes, n = layout.swizzle / 16, SBO = layout.stride / bytes,
                 LBO = layout.leading / bytes;
  uint64_t elements = 0;
  if (layout.major == Major::K)
    elements = along(row, {{8, n * T}, {0, SBO}}) + along(k, {{T, 1}, {0, n == 1 ? LBO : T}});
  else if (n == 1)
    elements = along(row, {{T, 1}, {1, T}, {0, SBO}}) + along(k, {{8, T}, {0, LBO}});
  else
    elements = along(row, {{T, 1}, {n, T}, {0, LBO}}) + along(k, {{8, n * T}, {0, SBO}});
  uint64_t address = elements * bytes;
  for (unsigned bit = 0; uint64_t(1) << bit < n; ++bit) // Swizzle<log2 n, 4, 3>
    address ^= (address >> (7 + bit) & 1) << (4 + bit);
  return address;
}

/// As compact as 64 rows, or columns, and 32 bytes along K can lie.
Layout compact(Major major, unsigned swizzle) {
  if (major == Major::K)
    return swizzle == 16 ? Layout{major, swizzle, 64 * 16, 8 * 16}
                         : Layout{major, swizzle, 16, uint64_t(8) * swizzle};
  return swizzle == 16 ? Layout{major, swizzle, 8 * 8 * 16, 8 * 16}
                       : Layout{major, swizzle, uint64_t(16) * swizzle, uint64_t(8) * swizzle};
}

TEST(SharedMatrices, LieAsTheTableSays) {
  for (const Major major : {Major::K, Major::Rows})
    for (const unsigned swizzle : {16, 32, 64, 128})
      for (const unsigned bytes : {1, 2, 4}) {
        if (major == Major::Rows && bytes != 2)
          continue;
        const Layout layout = compact(major, swizzle);
        const MatrixDescriptor matrix = MatrixDescriptor::of(layout.descriptor(8192));
        std::set<uint64_t> places;
        for (unsigned row = 0; row < 64; ++row)
          for (unsigned k = 0; k < 32 / bytes; ++k) {
            const uint64_t at = addressOf(matrix, major, row, k, bytes);
            EXPECT_EQ(at, 8192 + placeByTable(layout, row, k, bytes)) << swizzle << ": " << row << ", " << k;
            EXPECT_TRUE(places.insert(at).second);
          }
      }
}

struct Product {
  std::string type; ///< f16, bf16, tf32, s8, u8
  unsigned columns;
  Layout a, b;

  unsigned bytes() const { return type == "tf32" ? 4 : type == "f16" || type == "bf16" ? 2 : 1; }
  unsigned k() const { return 32 / bytes(); }
  bool isInteger() const { return bytes() == 1; }
};

void PrintTo(const Product &product, std::ostream *out) {
  *out << product.type << " of " << product.columns << " columns, lines of " << product.a.swizzle << " and "
       << product.b.swizzle << " bytes";
}

int elementOf(const Product &product, unsigned row, unsigned k, unsigned seed) {
  const uint32_t hash = (row * 2654435761u + k * 40503u + seed * 97u) * 2246822519u;
  return product.type == "u8" ? int(hash >> 25) : int(hash >> 27) - 16;
}

uint32_t bitsOf(const Product &product, int value) {
  const auto number = static_cast<float>(value);
  return product.type == "f16"    ? float16Of(number)
         : product.type == "bf16" ? bfloat16Of(number)
         : product.type == "tf32" ? daedalus::bitsOf(number)
                                  : static_cast<uint32_t>(value) & 0xff;
}

constexpr uint64_t bytesOfFactor = 16384; ///< of each, in shared memory
constexpr unsigned threads = 128;

/// What shared memory holds before the product.
std::vector<uint8_t> sharedBytes(const Product &product) {
  std::vector<uint8_t> bytes(2 * bytesOfFactor);
  for (const bool isA : {true, false})
    for (unsigned row = 0; row < (isA ? 64 : product.columns); ++row)
      for (unsigned k = 0; k < product.k(); ++k) {
        const uint32_t bits = bitsOf(product, elementOf(product, row, k, isA ? 1 : 2));
        const uint64_t at = placeByTable(isA ? product.a : product.b, row, k, product.bytes());
        std::memcpy(bytes.data() + (isA ? 0 : bytesOfFactor) + at, &bits, product.bytes());
      }
  return bytes;
}

struct Steps {
  std::string
      proxy = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n",
      fence = "nvvm.wgmma.fence.aligned\n", commit = "nvvm.wgmma.commit.group.sync.aligned\n",
      wait = "nvvm.wgmma.wait.group.sync.aligned 0\n";
};

/// Threads copy the bytes to shared memory, multiply once, add the same again, and store their sums.
std::string kernelOf(const Product &product, const Steps &steps) {
  const std::string sum = product.isInteger() ? "i32" : "f32", total = product.isInteger() ? "s32" : "f32";
  std::string list = sum;
  for (unsigned i = 1; i < product.columns / 2; ++i)
    list += ", " + sum;
  const std::string record = "!llvm.struct<(" + list + ")>";
  const auto constant = [](const std::string &name, uint64_t value, const std::string &type) {
    return "%" + name + " = llvm.mlir.constant(" + std::to_string(static_cast<int64_t>(value)) + " : " +
           type + ") : " + type + "\n";
  };
  const auto layout = [](const Layout &of, const char *k, const char *rows) {
    return std::string(of.major == Major::K ? k : rows);
  };
  const std::string form = "<m = 64, n = " + std::to_string(product.columns) +
                           ", k = " + std::to_string(product.k()) + ">, D[<" + total + ">, <one>], A[<" +
                           product.type + ">, <one>, <" + layout(product.a, "row", "col") + ">], B[<" +
                           product.type + ">, <one>, <" + layout(product.b, "col", "row") + ">] : " + record +
                           " -> " + record + "\n";
  std::string text =
      "llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 1024 : i64} : "
      "!llvm.array<32768 x i8>\n"
      "llvm.func @multiply(%x: !llvm.ptr<1>, %d: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {\n"
      "%t = nvvm.read.ptx.sreg.tid.x : i32\n%s = llvm.mlir.addressof @s : !llvm.ptr<3>\n" +
      constant("a", product.a.descriptor(0), "i64") +
      constant("b", product.b.descriptor(bytesOfFactor), "i64") + "%zero = llvm.mlir.zero : " + record + "\n";
  for (unsigned i = 0; i < 2 * bytesOfFactor / 16 / threads; ++i) {
    const std::string n = std::to_string(i), at = i ? "%i" + n : "%t";
    if (i)
      text += constant("c" + n, i * threads, "i32") + "%i" + n + " = llvm.add %t, %c" + n + " : i32\n";
    text += "%f" + n + " = llvm.getelementptr %x[" + at +
            "] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>\n%v" + n + " = llvm.load %f" + n +
            " : !llvm.ptr<1> -> vector<4xi32>\n%g" + n + " = llvm.getelementptr %s[" + at +
            "] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>\nllvm.store %v" + n + ", %g" + n +
            " : vector<4xi32>, !llvm.ptr<3>\n";
  }
  text += steps.proxy + "nvvm.barrier0\n" + steps.fence + "%p = nvvm.wgmma.mma_async %a, %b, %zero, " + form +
          "%q = nvvm.wgmma.mma_async %a, %b, %p, " + form + steps.commit + steps.wait;
  text += constant("each", product.columns / 2, "i32") + "%first = llvm.mul %t, %each : i32\n";
  for (unsigned i = 0; i < product.columns / 2; ++i) {
    const std::string n = std::to_string(i);
    text += "%e" + n + " = llvm.extractvalue %q[" + n + "] : " + record + "\n" + constant("k" + n, i, "i32") +
            "%o" + n + " = llvm.add %first, %k" + n + " : i32\n%w" + n + " = llvm.getelementptr %d[%o" + n +
            "] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\nllvm.store %e" + n + ", %w" + n + " : " + sum +
            ", !llvm.ptr<1>\n";
  }
  return text + "llvm.return\n}";
}

/// Twice the product, as the lanes have it: warps of 16 rows, of each 8 columns a fragment of mma.sync's
/// sums.
void expectProduct(const Product &product, const std::vector<uint32_t> &found) {
  const MmaShape fragment{16, 8, 16, 16};
  for (unsigned thread = 0; thread < threads; ++thread)
    for (unsigned i = 0; i < product.columns / 2; ++i) {
      const Position in = positionInC(fragment, thread % 32, i % 4);
      const unsigned row = thread / 32 * 16 + in.row, column = i / 4 * 8 + in.column;
      int sum = 0;
      for (unsigned k = 0; k < product.k(); ++k)
        sum += 2 * elementOf(product, row, k, 1) * elementOf(product, column, k, 2);
      EXPECT_EQ(found[thread * product.columns / 2 + i],
                product.isInteger() ? static_cast<uint32_t>(sum) : daedalus::bitsOf(float(sum)))
          << row << ", " << column;
    }
}

class WarpgroupProducts : public ::testing::TestWithParam<Product> {};

TEST_P(WarpgroupProducts, ArePlainOnes) {
  const Product &product = GetParam();
  Emulated gpu(kernelOf(product, {}));
  ASSERT_TRUE(gpu.isKnown()) << gpu.refusal();
  const size_t sums = threads * product.columns / 2;
  const uint64_t x = gpu.allocate(sharedBytes(product)), d = gpu.allocate(4 * sums);
  const EmulationCounts counts = gpu.run({"multiply", {1, 1, 1}, {threads, 1, 1}, 0, {x, d}});
  EXPECT_EQ(counts.tensorInstructions, 2U);
  expectProduct(product, gpu.values<uint32_t>(d, sums));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, WarpgroupProducts,
    ::testing::Values(Product{"f16", 64, compact(Major::K, 128), compact(Major::K, 128)},
                      Product{"f16", 16, compact(Major::K, 64), compact(Major::Rows, 32)},
                      Product{"f16", 64, compact(Major::Rows, 128), compact(Major::Rows, 64)},
                      Product{"bf16", 64, compact(Major::Rows, 16), compact(Major::Rows, 16)},
                      Product{"bf16", 8, compact(Major::K, 16), compact(Major::K, 32)},
                      Product{"tf32", 24, compact(Major::K, 128), compact(Major::K, 64)},
                      Product{"s8", 32, compact(Major::K, 32), compact(Major::K, 128)},
                      Product{"u8", 64, compact(Major::K, 64), compact(Major::K, 16)}));

const Product sample{"f16", 16, compact(Major::K, 128), compact(Major::K, 128)};

std::string faultOf(const Steps &steps, const Product &product = sample, unsigned size = threads) {
  Emulated gpu(kernelOf(product, steps));
  if (!gpu.isKnown())
    return gpu.refusal();
  const uint64_t x = gpu.allocate(sharedBytes(product)), d = gpu.allocate(4 * threads * product.columns / 2);
  return gpu.fault({"multiply", {1, 1, 1}, {size, 1, 1}, 0, {x, d}});
}

TEST(WarpgroupFaults, AreSaid) {
  Steps noProxy, noFence;
  noProxy.proxy = "";
  noFence.fence = "";
  EXPECT_THAT(faultOf(noProxy), HasSubstr("that were written with no fence.proxy.async behind"));
  EXPECT_THAT(faultOf(noFence), HasSubstr("has no wgmma.fence in front of it"));
  EXPECT_THAT(faultOf({}, sample, 96),
              HasSubstr("needs four warps that follow each other, but the block has 96"));
}

/// Sums that nobody waited for are no numbers that were computed.
TEST(WarpgroupFaults, SumsAreNobodysBeforeTheWait) {
  Steps noWait;
  noWait.wait = "";
  Emulated gpu(kernelOf(sample, noWait));
  const size_t sums = threads * sample.columns / 2;
  const uint64_t x = gpu.allocate(sharedBytes(sample)), d = gpu.allocate(4 * sums);
  gpu.run({"multiply", {1, 1, 1}, {threads, 1, 1}, 0, {x, d}});
  const std::vector<uint32_t> found = gpu.values<uint32_t>(d, sums);
  EXPECT_EQ(found, std::vector<uint32_t>(sums, found.front()));
  EXPECT_TRUE(std::isnan(floatOfBits(found.front())));
}

} // namespace
} // namespace daedalus::cuda
