// Products of tensor cores against plain ones, of fragments that are made by Fragments.h.
#include "emulated.h"

#include "Emulation/Fragments.h"

#include "daedalus/support/float16.h"

namespace daedalus::cuda {
namespace {

/// A product, and how its operands are written in nvvm.
struct Product {
  MmaShape shape;
  std::string factor;       ///< f16, bf16, tf32, s8, u8
  std::string sum;          ///< f32, f16, i32
  bool isIntrinsic = false; ///< called by its name in LLVM, on registers
};

void PrintTo(const Product &product, std::ostream *out) {
  *out << "m" << product.shape.m << "n" << product.shape.n << "k" << product.shape.k << " " << product.factor
       << " " << product.sum;
}

uint32_t bitsOfFactor(const std::string &type, int value) {
  if (type == "f16")
    return float16Of(float(value));
  if (type == "bf16")
    return bfloat16Of(float(value));
  return type == "tf32" ? bitsOf(float(value)) : uint32_t(value) & 0xff;
}

/// Of row and column, with no pattern.
int elementOf(unsigned row, unsigned column, unsigned seed, bool isUnsigned = false) {
  const uint32_t hash = (row * 2654435761u + column * 40503u + seed * 97u) * 2246822519u;
  return isUnsigned ? int(hash >> 25) : int(hash >> 27) - 16;
}

using Place = Position (*)(const MmaShape &, unsigned, unsigned, unsigned);

/// Registers of all lanes, one lane behind the other.
std::vector<uint32_t> fragment(const Product &product, unsigned registers, Place place, unsigned seed) {
  std::vector<uint32_t> values;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned number = 0; number < registers; ++number) {
      uint32_t bits = 0;
      for (unsigned element = 0; element < product.shape.elementsPerRegister(); ++element) {
        const Position at = place(product.shape, lane, number, element);
        const int value = elementOf(at.row, at.column, seed, product.factor == "u8");
        bits |= bitsOfFactor(product.factor, value) << element * (product.shape.bits % 32);
      }
      values.push_back(bits);
    }
  return values;
}

uint32_t bitsOfSum(const std::string &type, int value) {
  return type == "f32" ? bitsOf(float(value)) : type == "f16" ? float16Of(float(value)) : uint32_t(value);
}

/// The text of a kernel that loads each lane's registers, multiplies, and stores them. Sums are loaded one by
/// one.
class Text {
public:
  explicit Text(const Product &product) : product(product) {}

  std::string kernel() {
    const unsigned as = product.shape.registersOfA(), bs = product.shape.registersOfB(),
                   cs = product.shape.elementsOfC();
    const std::string a = factors("a", as), b = factors("b", bs), c = sums(cs);
    if (product.isIntrinsic)
      body += "%d = llvm.call_intrinsic \"llvm.nvvm.mma." + shapeName() + ".row.col." + product.factor +
              "\"(" + a + ", " + b + ", " + c + ") : (" + repeated("i32", as + bs) + ", " +
              repeated(product.sum, cs) + ") -> " + resultType(cs) + "\n";
    else
      body += "%d = nvvm.mma.sync A[" + a + "] B[" + b + "] C[" + c + "] {" + attributes() + "} : (" +
              factorType() + ", " + factorType() + ", " + sumType() + ") -> " + resultType(cs) + "\n";
    store(cs);
    return "llvm.func @multiply(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %d_: !llvm.ptr) attributes "
           "{gpu.kernel, "
           "nvvm.kernel} {\n%lane = nvvm.read.ptx.sreg.laneid : i32\n" +
           body + "llvm.return\n}";
  }

private:
  std::string shapeName() const {
    return "m" + std::to_string(product.shape.m) + "n8k" + std::to_string(product.shape.k);
  }

  std::string attributes() const {
    std::string attributes =
        "layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = " +
        std::to_string(product.shape.m) + ", n = 8, k = " + std::to_string(product.shape.k) + ">";
    if (product.factor != "f16")
      attributes += ", multiplicandAPtxType = #nvvm.mma_type<" + product.factor +
                    ">, multiplicandBPtxType = #nvvm.mma_type<" + product.factor + ">";
    if (product.sum == "i32")
      attributes += ", intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>";
    return attributes;
  }

  static std::string repeated(const std::string &type, unsigned count) {
    std::string text = type;
    while (--count)
      text += ", " + type;
    return text;
  }

  std::string factorType() const { return isOfVectors() ? "vector<2xf16>" : "i32"; }
  bool isOfVectors() const {
    return product.shape.bits == 16 && !product.isIntrinsic;
  } ///< of bf16, too, f16's
  std::string sumType() const { return product.sum == "f16" ? "vector<2xf16>" : product.sum; }
  std::string resultType(unsigned count) const {
    return "!llvm.struct<(" + repeated(sumType(), product.sum == "f16" ? count / 2 : count) + ")>";
  }

  /// The address of an array's element of the lane, of those that each lane has.
  std::string address(const std::string &array, unsigned index, unsigned count, const std::string &type) {
    const std::string name = "%" + array + "_at" + std::to_string(index);
    const std::string lanes = "!llvm.array<" + std::to_string(count) + " x " + type + ">";
    body += name + " = llvm.getelementptr %" + array + "[%lane, " + std::to_string(index) +
            "] : (!llvm.ptr, i32) -> !llvm.ptr, " + lanes + "\n";
    return name;
  }

  std::string loaded(const std::string &array, unsigned index, unsigned count, const std::string &type) {
    const std::string at = address(array, index, count, type), name = "%" + array + std::to_string(index);
    body += name + " = llvm.load %" + at.substr(1) + " : !llvm.ptr -> " + type + "\n";
    return name;
  }

  std::string factors(const std::string &array, unsigned count) {
    std::string list;
    for (unsigned index = 0; index < count; ++index) {
      std::string name = loaded(array, index, count, "i32");
      if (isOfVectors()) {
        body += name + "v = llvm.bitcast " + name + " : i32 to vector<2xf16>\n";
        name += "v";
      }
      list += (index ? ", " : "") + name;
    }
    return list;
  }

  std::string sums(unsigned count) {
    std::string list;
    const unsigned each = product.sum == "f16" ? 2 : 1;
    for (unsigned index = 0; index < count / each; ++index)
      list += (index ? ", " : "") + loaded("c", index, count / each, sumType());
    return list;
  }

  void store(unsigned count) {
    const unsigned each = product.sum == "f16" ? 2 : 1;
    for (unsigned index = 0; index < count / each; ++index) {
      const std::string at = address("d_", index, count / each, sumType()),
                        name = "%r" + std::to_string(index);
      body += name + " = llvm.extractvalue %d[" + std::to_string(index) + "] : " + resultType(count) + "\n";
      body += "llvm.store " + name + ", " + at + " : " + sumType() + ", !llvm.ptr\n";
    }
  }

  const Product &product;
  std::string body;
};

template <class T> std::vector<T> sumsOf(const Product &product, bool isResult) {
  std::vector<T> values;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned element = 0; element < product.shape.elementsOfC(); ++element) {
      const Position at = positionInC(product.shape, lane, element);
      int sum = elementOf(at.row, at.column, 3);
      for (unsigned k = 0; isResult && k < product.shape.k; ++k)
        sum += elementOf(at.row, k, 1, product.factor == "u8") *
               elementOf(k, at.column, 2, product.factor == "u8");
      values.push_back(T(bitsOfSum(product.sum, sum)));
    }
  return values;
}

template <class T> void check(const Product &product) {
  Emulated gpu(Text(product).kernel());
  ASSERT_TRUE(gpu.isKnown()) << gpu.refusal();
  const uint64_t a = gpu.allocate(fragment(product, product.shape.registersOfA(), positionInA, 1)),
                 b = gpu.allocate(fragment(product, product.shape.registersOfB(), positionInB, 2)),
                 c = gpu.allocate(sumsOf<T>(product, false)), d = gpu.allocate(32 * 4 * 4);
  const EmulationCounts counts = gpu.run({"multiply", {1, 1, 1}, {32, 1, 1}, 0, {a, b, c, d}});
  EXPECT_EQ(gpu.values<T>(d, 32 * product.shape.elementsOfC()), sumsOf<T>(product, true));
  EXPECT_EQ(counts.tensorInstructions, 1u);
}

class EmulatedMma : public testing::TestWithParam<Product> {};

TEST_P(EmulatedMma, IsTheProduct) {
  GetParam().sum == "f16" ? check<uint16_t>(GetParam()) : check<uint32_t>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, EmulatedMma,
    testing::Values(Product{{16, 8, 16, 16}, "f16", "f32"}, Product{{16, 8, 16, 16}, "f16", "f16"},
                    Product{{16, 8, 8, 16}, "f16", "f32"}, Product{{16, 8, 8, 16}, "f16", "f16"},
                    Product{{16, 8, 16, 16}, "bf16", "f32"}, Product{{16, 8, 8, 16}, "bf16", "f32"},
                    Product{{16, 8, 8, 32}, "tf32", "f32"}, Product{{16, 8, 4, 32}, "tf32", "f32"},
                    Product{{16, 8, 16, 8}, "s8", "i32"}, Product{{16, 8, 32, 8}, "s8", "i32"},
                    Product{{16, 8, 32, 8}, "u8", "i32"}, Product{{16, 8, 16, 8}, "u8", "i32"},
                    Product{{8, 8, 16, 8}, "s8", "i32"}, Product{{16, 8, 16, 16}, "bf16", "f32", true},
                    Product{{16, 8, 8, 16}, "bf16", "f32", true},
                    Product{{16, 8, 8, 32}, "tf32", "f32", true},
                    Product{{16, 8, 32, 8}, "s8", "i32", true}));

/// The manual's own formulas, for some of its elements.
TEST(Fragments, AsInTheManual) {
  const MmaShape half{16, 8, 16, 16}, wide{16, 8, 8, 32}, bytes{16, 8, 32, 8};
  const unsigned lane = 13, group = 3, thread = 1;
  EXPECT_EQ(positionInA(half, lane, 1, 0), (Position{group + 8, thread * 2}));       // a2
  EXPECT_EQ(positionInA(half, lane, 2, 1), (Position{group, thread * 2 + 1 + 8}));   // a5
  EXPECT_EQ(positionInB(half, lane, 1, 1), (Position{thread * 2 + 1 + 8, group}));   // b3
  EXPECT_EQ(positionInC(half, lane, 3), (Position{group + 8, thread * 2 + 1}));      // c3
  EXPECT_EQ(positionInA(wide, lane, 1, 0), (Position{group + 8, thread}));           // a1
  EXPECT_EQ(positionInA(wide, lane, 2, 0), (Position{group, thread + 4}));           // a2
  EXPECT_EQ(positionInB(wide, lane, 1, 0), (Position{thread + 4, group}));           // b1
  EXPECT_EQ(positionInA(bytes, lane, 1, 3), (Position{group + 8, thread * 4 + 3}));  // a7
  EXPECT_EQ(positionInA(bytes, lane, 3, 0), (Position{group + 8, thread * 4 + 16})); // a12
  EXPECT_EQ(positionInB(bytes, lane, 1, 2), (Position{thread * 4 + 2 + 16, group})); // b6
}

} // namespace
} // namespace daedalus::cuda
