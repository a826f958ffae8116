// Operations of VECTOR for an expression: selected, run by the instruction set's own arithmetic, and compared
// with the expression.

#pragma once

#include "Kernels/Select.h"

#include "daedalus/isa/semantics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::testing {

using namespace accelerator;
using dae::VectorKind;
using Place = Operand::Place;

constexpr int64_t channels = 3;

/// What stages make of an element of each input and of the reduction's result, in one channel.
class StageMachine {
public:
  StageMachine(const Kernel &kernel, const std::vector<int64_t> &inputs, int32_t reduced, int64_t channel)
      : kernel(kernel), inputs(inputs), channel(channel), temporaries(kernel.temporaries, 0x55555555),
        rowTemporaries(kernel.rowTemporaries, 0x55555555) {
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
    case Place::Row:
      return inputs[operand.index];
    case Place::RowTemporary:
      return rowTemporaries[operand.index];
    case Place::Temporary:
      return temporaries[operand.index];
    case Place::Immediate:
      return operand.index;
    case Place::Constant:
      return kernel.constants[operand.index].rows[channel];
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
    case isa::VectorWay::Requantize:
      result = requantized(stage, a);
      break;
    case isa::VectorWay::LookUp:
      result = kernel.constants[stage.b.index].table[isa::lutIndex(a)];
      break;
    case isa::VectorWay::RequantizeAndLookUp:
      result = kernel.constants[stage.table.index].table[isa::lutIndex(requantized(stage, a))];
      break;
    }
    if (stage.dst.is(Place::Output))
      output = isa::clampsResult(op) ? isa::clampTo(result, stage.lo, stage.hi) : result;
    else
      (stage.dst.isRow() ? rowTemporaries : temporaries)[stage.dst.index] = result;
  }

  int32_t requantized(const Stage &stage, int32_t a) const {
    const Parameters &p = kernel.constants[stage.b.index].parameters;
    return isa::requantize(a, p.bias[channel], p.multiplier[channel], p.shift[channel], stage.zeroPoint,
                           stage.lo, stage.hi, static_cast<isa::Rounding>(stage.rounding));
  }

  const Kernel &kernel;
  const std::vector<int64_t> &inputs;
  const int64_t channel;
  std::vector<int32_t> temporaries, rowTemporaries;
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
    switch (number(0, 14)) {
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
    case 13: {
      const int64_t most = int64_t(1) << number(3, 31);
      return all.multiply(a, ofChannel(-most, most - 1));
    }
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
        ASSERT_EQ(StageMachine(kernel, inputs, sum, channel).run(), *expected)
            << what << ": " << all.text(kernel.tail.result) << " in channel " << channel;
      }
    }
  }

  /// Why nothing is selected for the expression; empty where something is, and right.
  std::string select(ExprId result) {
    kernel.tail.result = result;
    if (const Result<void> selected = selectStages(kernel); !selected)
      return selected.error().empty() ? "no reason" : selected.error();
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

} // namespace daedalus::testing
