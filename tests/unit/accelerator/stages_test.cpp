// The operations of VECTOR that are selected for an expression compute it: random expressions of inputs, of a
// reduction's result and of constants a channel, by the instruction set's own arithmetic; and they are as few
// as they can be where that is plain to see.

#include "Kernels/Select.h"

#include "daedalus/isa/semantics.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::testing {
namespace {

using namespace accelerator;
using dae::VectorKind;
using Place = Operand::Place;

constexpr int64_t channels = 3;

/// What stages make of an element of each input and of the reduction's result, in one channel.
class Machine {
public:
  Machine(const Kernel &kernel, const std::vector<int64_t> &inputs, int32_t reduced, int64_t channel)
      : kernel(kernel), inputs(inputs), channel(channel), temporaries(kernel.temporaries, 0x55555555) {
    if (kernel.combiner)
      temporaries[0] = reduced;
  }

  int64_t run() {
    for (const Stage &stage : kernel.stages)
      step(stage);
    return output;
  }

private:
  int32_t value(const Operand &operand) const {
    switch (operand.place) {
    case Place::Input:
      return inputs[operand.index];
    case Place::Temporary:
      return temporaries[operand.index];
    case Place::Immediate:
      return operand.index;
    default:
      return 0;
    }
  }

  void step(const Stage &stage) {
    const auto op = static_cast<isa::VectorOp>(stage.op);
    const int32_t a = value(stage.a);
    int32_t result = 0;
    switch (isa::wayOf(op)) {
    case isa::VectorWay::Lanes:
      result = isa::combine(op, a, value(stage.b));
      if (op == isa::VectorOp::Mac && stage.accumulate)
        result = isa::wrapAdd(value(stage.dst), result);
      break;
    case isa::VectorWay::Words:
      output = a;
      return;
    case isa::VectorWay::Requantize: {
      const Parameters &p = kernel.constants[stage.b.index].parameters;
      result = isa::requantize(a, p.bias[channel], p.multiplier[channel], p.shift[channel], stage.zeroPoint,
                               stage.lo, stage.hi, static_cast<isa::Rounding>(stage.rounding));
      break;
    }
    case isa::VectorWay::LookUp:
      result = kernel.constants[stage.b.index].table[isa::lutIndex(a)];
      break;
    }
    if (stage.dst.is(Place::Output))
      output = isa::clampTo(result, stage.lo, stage.hi);
    else
      temporaries[stage.dst.index] = result;
  }

  const Kernel &kernel;
  const std::vector<int64_t> &inputs;
  const int64_t channel;
  std::vector<int32_t> temporaries;
  int64_t output = 0;
};

class Stages : public ::testing::Test {
protected:
  Stages() : kernel(mlir::UnknownLoc::get(&context)), all(kernel.tail.all) {
    kernel.window.c = kernel.window.oc = channels;
    kernel.inputs = {0, 1, 2};
    kernel.layouts.resize(3);
  }

  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  ExprId constant(int64_t value) { return all.constant(value, 32); }
  ExprId input(unsigned k) { return all.extend(all.argument(k, 8), 32); }
  ExprId reduced() {
    kernel.combiner = Combiner{VectorKind::Add, true};
    return all.argument(Tail::Reduced, 32);
  }
  /// A constant a channel, from low to high.
  ExprId ofChannel(int64_t low, int64_t high, unsigned bits = 32) {
    std::vector<int64_t> values;
    for (int64_t k = 0; k < channels; ++k)
      values.push_back(number(low, high));
    kernel.tail.channels.push_back(values);
    return all.argument(Tail::FirstConstant + kernel.tail.channels.size() - 1, bits);
  }
  ExprId requant(ExprId sum, ExprId extra, ExprId multiplier, ExprId shift) {
    return all.extend(all.requant({sum, extra, multiplier, shift},
                                  {number(-9, 9), number(-128, -20), number(20, 127), int32_t(number(0, 1))}),
                      32);
  }

  ExprId tree(int depth) {
    if (depth == 0)
      switch (number(0, 6)) {
      case 0:
        return constant(number(-9, 9));
      case 1:
        return reduced();
      default:
        return input(number(0, 2));
      }
    const ExprId a = tree(depth - 1), b = tree(number(0, depth - 1));
    switch (number(0, 13)) {
    case 0:
    case 1:
      return all.add(a, b);
    case 2:
      return all.subtract(a, b);
    case 3:
    case 4:
      return all.multiply(a, b);
    case 5:
      return all.max(a, b);
    case 6:
      return all.min(a, b);
    case 7:
      return all.min(all.max(a, constant(number(-50, 0))), constant(number(1, 50)));
    case 8:
      return all.shift(ExprKind::ShiftRight, a, constant(number(1, 9)));
    case 9:
      return all.extend(all.truncate(a, number(0, 1) ? 8 : 16), 32);
    case 10:
      return requant(all.add(a, number(0, 1) ? ofChannel(-99, 99) : b), ofChannel(-99, 99),
                     ofChannel(1, 1 << 20), ofChannel(1, 20, 8));
    case 11: // of one int8 in a way that no operation has
      return all.extend(
          all.truncate(all.logic(ExprKind::Xor, input(number(0, 2)), constant(number(1, 99))), 8), 32);
    case 12:
      return all.add(all.multiply(a, constant(number(-3, 3))), b);
    default:
      return all.subtract(b, a);
    }
  }

  void compare(const std::string &what) {
    for (int round = 0; round < 20; ++round) {
      std::vector<int64_t> arguments(Tail::FirstConstant + kernel.tail.channels.size(), 0), inputs;
      const int32_t sum = number(0, 1) ? number(-300, 300) : int32_t(random());
      for (unsigned k = 0; k < 3; ++k) {
        const int64_t ends[] = {-128, 127, 0, -1};
        inputs.push_back(number(0, 3) ? number(-128, 127) : ends[number(0, 3)]);
        arguments[k] = inputs[k];
      }
      arguments[Tail::Reduced] = sum;
      for (int64_t channel = 0; channel < channels; ++channel) {
        for (size_t k = 0; k < kernel.tail.channels.size(); ++k)
          arguments[Tail::FirstConstant + k] = kernel.tail.channels[k][channel];
        const std::optional<int64_t> expected = all.evaluate(kernel.tail.result, arguments);
        ASSERT_TRUE(expected.has_value());
        ASSERT_EQ(Machine(kernel, inputs, sum, channel).run(), *expected)
            << what << ": " << all.text(kernel.tail.result) << " in channel " << channel;
      }
    }
  }

  /// Why nothing is selected for the expression; empty where something is, and right.
  std::string select(ExprId result) {
    kernel.tail.result = result;
    std::string reason;
    if (!selectStages(kernel, reason))
      return reason.empty() ? "no reason" : reason;
    compare("selected");
    return "";
  }
  ExprId asByte(ExprId value) {
    return all.truncate(all.min(all.max(value, constant(-128)), constant(127)), 8);
  }

  /// The names of the operations that compute it.
  std::string operations(ExprId result) {
    if (const std::string reason = select(result); !reason.empty())
      return reason;
    std::string names;
    for (const Stage &stage : kernel.stages)
      names += (names.empty() ? "" : " ") + dae::stringifyVectorKind(stage.op).str();
    return names;
  }

  mlir::MLIRContext context;
  Kernel kernel;
  Expressions &all;
  std::mt19937 random{21};
};

TEST_F(Stages, ComputeRandomExpressions) {
  unsigned taken = 0, wide = 0;
  for (unsigned seed = 0; seed < 4000 && !HasFatalFailure(); ++seed) {
    random.seed(seed);
    kernel.combiner.reset();
    kernel.tail.channels.clear();
    all = Expressions();
    const ExprId value = tree(1 + seed % 4);
    const bool isWide = seed % 5 == 0;
    kernel.tail.result = isWide ? value : asByte(value);
    std::string reason;
    if (!selectStages(kernel, reason))
      continue;
    compare("seed " + std::to_string(seed));
    ++taken, wide += isWide;
  }
  EXPECT_GT(taken, 2000u);
  EXPECT_GT(wide, 300u);
}

TEST_F(Stages, AreFew) {
  const ExprId x = input(0), y = input(1), z = input(2), r = reduced(), five = constant(5);
  EXPECT_EQ(operations(all.add(x, y)), "add mov32");
  EXPECT_EQ(operations(all.subtract(x, y)), "sub mov32");
  EXPECT_EQ(operations(all.subtract(y, x)), "sub mov32");
  EXPECT_EQ(operations(all.add(x, five)), "add mov32");
  EXPECT_EQ(operations(all.multiply(x, five)), "mul mov32");
  EXPECT_EQ(operations(all.add(all.multiply(x, five), five)), "mul add mov32");
  EXPECT_EQ(operations(all.add(all.multiply(x, y), five)), "mul add mov32");
  EXPECT_EQ(operations(all.add(all.multiply(x, y), z)), "mul mac mov32");
  EXPECT_EQ(operations(all.add(all.multiply(x, y), all.multiply(z, r))), "mul mac mov32");
  EXPECT_EQ(operations(all.add(all.multiply(all.multiply(x, y), constant(3)), r)), "mul mac mov32");
  EXPECT_EQ(operations(all.add(all.add(x, y), five)), "mul mac add mov32");
  EXPECT_EQ(operations(all.add(all.add(r, x), y)), "mac mac mov32");
  EXPECT_EQ(operations(all.subtract(constant(0), x)), "mul mov32");
  EXPECT_EQ(operations(all.add(x, all.multiply(y, constant(2)))), "mul mac mov32");
  EXPECT_EQ(operations(all.subtract(all.multiply(x, y), z)), "mul mac mov32");
  EXPECT_EQ(operations(all.subtract(x, all.multiply(y, z))), "mul sub mov32");
  EXPECT_EQ(operations(all.subtract(constant(0), all.add(x, y))), "mul mac mov32");
  EXPECT_EQ(operations(all.max(all.min(x, y), all.min(x, z))), "min min max mov32");
  EXPECT_EQ(operations(all.shift(ExprKind::ShiftRight, r, five)), "shr mov32");
  EXPECT_EQ(operations(x), "mov mov32");
  EXPECT_EQ(operations(r), "mov32");
  EXPECT_EQ(operations(all.argument(0, 8)), "mov");
}

TEST_F(Stages, AreTablesWhereThatIsLess) {
  const ExprId x = input(0), odd = all.logic(ExprKind::Xor, x, constant(77));
  const auto byte = [&](ExprId value) { return all.truncate(value, 8); };
  EXPECT_EQ(operations(all.min(x, constant(3))), "min mov32");
  EXPECT_EQ(operations(byte(odd)), "lut");
  EXPECT_EQ(operations(byte(all.min(all.max(x, constant(-5)), constant(7)))), "lut");
  EXPECT_EQ(operations(all.max(all.argument(0, 8), all.constant(3, 8))), "mov");
  EXPECT_EQ(operations(all.add(all.extend(byte(odd), 32), input(1))), "lut add mov32");
  const ExprId requantized = requant(reduced(), constant(0), constant(2), all.constant(1, 8));
  EXPECT_EQ(operations(all.min(requantized, constant(3))), "requant min mov32");
}

TEST_F(Stages, AreNoneForWhatVectorDoesNotCompute) {
  const std::string unknown = "its elementwise computation is none that the accelerator knows";
  const ExprId x = input(0), y = input(1), z = input(2), r = reduced();
  const auto refused = [&](ExprId result, const std::string &reason) {
    EXPECT_EQ(select(result).substr(0, reason.size()), reason) << all.text(result);
  };
  refused(constant(3), "its result does not depend on its inputs");
  refused(all.multiply(all.multiply(x, y), z), unknown);
  refused(all.logic(ExprKind::Xor, r, constant(77)), unknown);
  refused(all.add(all.logic(ExprKind::Xor, r, constant(77)), x), unknown);
  refused(all.add(r, ofChannel(-9, 9)), unknown);
  refused(all.truncate(all.add(all.extend(r, 64), all.extend(y, 64)), 8), "");
  refused(all.extend(all.truncate(all.shift(ExprKind::ShiftRight, all.extend(r, 64), all.constant(3, 64)), 8),
                     32),
          unknown);
  refused(all.argument(0, 16), "its result is no int8");
  const ExprId zero = constant(0), two = constant(2), one = all.constant(1, 8);
  const auto fields = RequantFields{0, -128, 127, 0};
  const auto requantized = [&](ExprId sum, ExprId extra, ExprId multiplier, ExprId shift) {
    return all.requant({sum, extra, multiplier, shift}, fields);
  };
  EXPECT_EQ(operations(requantized(r, zero, two, one)), "requant");
  refused(requantized(r, x, two, one), unknown);
  refused(requantized(r, zero, x, one), unknown);
  refused(requantized(r, zero, two, all.argument(0, 8)), unknown);
  refused(requantized(ofChannel(-9, 9), zero, two, one), unknown);
  refused(requantized(r, zero, constant(-1), one), "its requantization has multiplier -1");
  refused(requantized(r, zero, two, all.constant(0, 8)), "its requantization has shift 0");
  refused(requantized(r, zero, two, all.constant(63, 8)), "its requantization has shift 63");
  ExprId many = x;
  for (int k = 0; k < 40; ++k)
    many = all.max(all.add(all.multiply(many, two), y), all.add(r, constant(k)));
  refused(all.truncate(many, 8), "its elementwise computation takes more than 64 operations");
  kernel.inputs.clear();
  refused(ofChannel(-9, 9), "its result does not depend on its inputs");
}

} // namespace
} // namespace daedalus::testing
