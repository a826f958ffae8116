// Every form that isa.yaml's tables allow, made from the tables: operations with their operands and
// destinations, loops in both directions, tokens from and to every module. What they give is worked out here
// once more, from isa.yaml's sentences. At the end the suite names the forms that no test has run.
#include "conformance/engine_test.h"

namespace daedalus::testing {
namespace {

using namespace isa;
using Lanes = std::vector<int32_t>;

int32_t wrapped(int64_t value) {
  return static_cast<int32_t>(static_cast<uint64_t>(value));
}

int32_t clamped(int64_t value, int64_t lo, int64_t hi) {
  return static_cast<int32_t>(std::min(std::max(value, lo), hi));
}

/// num / 2^shift to the nearest; a half to the even neighbour.
int64_t roundedEven(__int128 num, unsigned shift) {
  const __int128 den = __int128(1) << shift, floor = num >> shift, rest = 2 * (num - floor * den);
  return static_cast<int64_t>(floor + (rest > den || (rest == den && (floor & 1))));
}

struct Parameter {
  int32_t bias = 3, multiplier = 0x50000001;
  uint8_t shift = 40;
};

/// A lane of an operation with b, or for a reduction of the old destination with a.
int32_t laneOf(VectorOp op, int64_t a, int64_t b, const uint8_t *table) {
  switch (op) {
  case VectorOp::Add:
    return wrapped(a + b);
  case VectorOp::Sub:
    return wrapped(a - b);
  case VectorOp::Mul:
  case VectorOp::Mac:
    return wrapped(a * b);
  case VectorOp::Max:
    return wrapped(std::max(a, b));
  case VectorOp::Min:
    return wrapped(std::min(a, b));
  case VectorOp::Shl:
    return wrapped(a * (int64_t(1) << (b & 31)));
  case VectorOp::Shr:
    return wrapped(a >> (b & 31));
  case VectorOp::Mov:
  case VectorOp::Mov32:
    return wrapped(a);
  case VectorOp::Requant: {
    const Parameter p;
    return clamped(roundedEven(__int128(wrapped(a + p.bias)) * p.multiplier, p.shift), -128, 127);
  }
  case VectorOp::Lut:
    return static_cast<int8_t>(table[clamped(a, -128, 127) + 128]);
  case VectorOp::RequantLut:
    return laneOf(VectorOp::Lut, laneOf(VectorOp::Requant, a, b, table), 0, table);
  }
  return 0;
}

enum class Way { Plain, Reducing, Accumulating };

class VectorFormTest : public EngineTest {
protected:
  static constexpr unsigned FirstA = 1, FirstB = 3, FirstDst = 16, WideParam = 5;
  static constexpr int32_t Immediate = -77;

  static Lanes values(unsigned index, Scope scope) {
    static const Lanes rows[] = {{1, -2, 3, 127, -128, 100, 0, -1},
                                 {5, 7, -11, 126, -127, -3, 2, 64},
                                 {2, 3, -4, 127, -128, 31, 33, 1},
                                 {9, -9, 1, 0, 55, -128, 127, 12}};
    Lanes lanes = rows[index];
    for (int32_t &lane : lanes)
      lane = scope == Scope::Imm ? Immediate : scope == Scope::Acc ? lane * 65537 + 5 : lane;
    return lanes;
  }
  /// What a reduction finds in its destination.
  static Lanes old() { return {1000, -1000, INT32_MAX, INT32_MIN, 0, 1, -1, 70000}; }

  void fill() {
    for (unsigned i = 0; i < 4; ++i) {
      setRow(Scope::Inp, 1 + i, values(i, Scope::Inp));
      setRow(Scope::Param, 1 + i, values(i, Scope::Param));
      setAcc(1 + i, values(i, Scope::Acc));
    }
    for (unsigned row = FirstDst; row < 64; ++row)
      setAcc(row, old());
    const Parameter p;
    for (unsigned lane = 0; lane < N; ++lane) {
      uint8_t *at = scratch(Scope::Param) + (WideParam * N + lane) * 16;
      std::memcpy(at, &p.bias, 4);
      std::memcpy(at + 4, &p.multiplier, 4);
      at[8] = p.shift;
    }
    for (unsigned i = 0; i < 256; ++i)
      scratch(Scope::Lut)[i] = static_cast<uint8_t>(3 * i + 1);
  }

  Vector make(VectorOp op, Way way, Scope a, Scope b, Scope dst) {
    Vector vector;
    vector.op = op;
    vector.aScope = a;
    vector.bScope = b;
    vector.dstScope = dst;
    vector.a = FirstA;
    vector.b = op == VectorOp::Requant || op == VectorOp::RequantLut ? WideParam : FirstB;
    vector.immediate = Immediate;
    vector.accumulate = way == Way::Accumulating;
    if (way == Way::Reducing) {
      vector.reduction = 1 << 4;
      vector.loops[4] = {2, 0, 1, 1};
    }
    uint16_t &row = nextRow[static_cast<unsigned>(dst)];
    vector.dst = static_cast<uint16_t>(FirstDst + row);
    row += op == VectorOp::Mov32 ? 4 : 1;
    return vector;
  }

  Lanes expected(const Vector &v, Way way) {
    const uint8_t *table = scratch(Scope::Lut);
    const bool mac = v.op == VectorOp::Mac, joins = way != Way::Plain;
    const Lanes a = values(0, v.aScope), a2 = values(1, v.aScope), b = values(2, v.bScope),
                b2 = values(3, v.bScope);
    Lanes result(N);
    for (unsigned i = 0; i < N; ++i) {
      int64_t first = joins && !mac ? a[i] : laneOf(v.op, a[i], b[i], table);
      if (way == Way::Reducing)
        first = mac ? first + laneOf(v.op, a2[i], b2[i], table) : laneOf(v.op, first, a2[i], table);
      if (way == Way::Accumulating)
        first = mac ? first + old()[i] : laneOf(v.op, old()[i], first, table);
      result[i] = v.dstScope == Scope::Acc ? wrapped(first) : clamped(wrapped(first), -128, 127);
    }
    return result;
  }

  void expectResult(const Vector &vector, Way way) {
    SCOPED_TRACE(disassemble(Instruction(vector)));
    if (vector.op == VectorOp::Mov32) {
      const uint8_t *words = scratch(Scope::Out) + vector.dst * N;
      EXPECT_EQ(std::memcmp(words, values(0, Scope::Acc).data(), 4 * N), 0);
    } else {
      EXPECT_EQ(vector.dstScope == Scope::Acc ? acc(vector.dst) : row(vector.dstScope, vector.dst),
                expected(vector, way));
    }
  }

  void runForms(const VectorForm &form, VectorOp op, Way way) {
    std::vector<Instruction> program;
    nextRow = {};
    for (unsigned a = 0; a < ScopeCount; ++a)
      for (unsigned b = 0; b < ScopeCount; ++b)
        for (unsigned dst = 0; dst < ScopeCount; ++dst)
          if (form.a >> a & form.b >> b & form.dst >> dst & 1)
            program.push_back(
                make(op, way, static_cast<Scope>(a), static_cast<Scope>(b), static_cast<Scope>(dst)));
    fill();
    run(program);
    for (const Instruction &instruction : program)
      expectResult(std::get<Vector>(instruction), way);
  }

  std::array<uint16_t, ScopeCount> nextRow{};
};

TEST_P(VectorFormTest, EveryOperationFromAndToEveryScope) {
  for (const VectorForm &form : VectorForms)
    for (unsigned op = 0; op < VectorOpCount; ++op) {
      if (!(form.ops >> op & 1))
        continue;
      if (form.plain)
        runForms(form, static_cast<VectorOp>(op), Way::Plain);
      if (form.reducing) {
        runForms(form, static_cast<VectorOp>(op), Way::Reducing);
        runForms(form, static_cast<VectorOp>(op), Way::Accumulating);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, VectorFormTest, ::testing::ValuesIn(sim::engineNames()),
                         [](const auto &info) { return info.param; });

/// Behind all tests, where none was left out.
class EveryFormHasATest : public ::testing::Environment {
public:
  void TearDown() override {
    if (::testing::GTEST_FLAG(filter) != "*")
      return;
    for (const std::string &engine : sim::engineNames()) {
      const std::vector<std::string> missing = FormLog::instance().missingOn(engine);
      for (const std::string &form : missing)
        ADD_FAILURE() << "no conformance test runs '" << form << "' on " << engine;
      const size_t all = formsOn(engine).size();
      std::cout << engine << ": " << all - missing.size() << " of " << all
                << " forms of the instruction set ran as they should\n";
    }
  }
};
const auto *const everyForm = ::testing::AddGlobalTestEnvironment(new EveryFormHasATest);

} // namespace
} // namespace daedalus::testing
