// What is found in an expression is what computes it: each intrinsic in itself, and in expressions that
// differ from it in one place.

#include "Dialect/Dae/Transforms/Match.h"

#include <gtest/gtest.h>

#include <random>

namespace daedalus::dae {
namespace {

/// An intrinsic's expression of operands of its own and of these immediates.
class Subject {
public:
  Subject(const Intrinsic &intrinsic, llvm::ArrayRef<int64_t> immediates) : intrinsic(intrinsic) {
    for (const IntrinsicOperand &operand : intrinsic.operands)
      operands.push_back({operand.scope, operand.bits});
    std::vector<unsigned> sources(intrinsic.sources());
    for (unsigned k = 0; k < sources.size(); ++k)
      sources[k] = k;
    root = with(intrinsic, sources, immediates);
  }

  ExprId argument(unsigned k) {
    const unsigned bits = operands[k].bits;
    return bits > 64 ? all.argument(k, 0, "i" + std::to_string(bits)) : all.argument(k, bits);
  }

  /// The element of an intrinsic with these operands as its sources.
  ExprId with(const Intrinsic &of, llvm::ArrayRef<unsigned> sources, llvm::ArrayRef<int64_t> immediates) {
    std::vector<ExprId> arguments;
    for (unsigned source : sources)
      arguments.push_back(argument(source));
    arguments.push_back(argument(operands.size() - 1));
    for (int64_t immediate : immediates)
      arguments.push_back(all.constant(immediate, 32));
    if (!of.capturesRequant)
      return all.substitute(of.expressions, of.element, arguments);
    const auto fields = immediates.take_back(4);
    const RequantFields requant{fields[0], fields[1], fields[2], static_cast<int32_t>(fields[3])};
    return all.substitute(of.expressions, of.element, arguments, &requant);
  }

  /// Whether `root` is found as `intrinsic`; whatever it is found as computes it.
  bool isFound() {
    bool found = false;
    for (const Match &match : findMatches(builtinIntrinsics(), all, root, operands)) {
      EXPECT_EQ(with(*match.intrinsic, match.sources, match.immediates), root)
          << all.text(root) << " taken for " << describe(*match.intrinsic);
      found |= match.intrinsic == &intrinsic;
    }
    return found;
  }

  const Intrinsic &intrinsic;
  Expressions all;
  std::vector<BlockOperand> operands;
  ExprId root = 0;
};

std::vector<int64_t> immediatesOf(const Intrinsic &intrinsic, std::mt19937 &random) {
  std::vector<int64_t> values;
  for (const IntrinsicImmediate &immediate : intrinsic.immediates) {
    const int64_t low = std::max<int64_t>(immediate.low, -100), high = std::min<int64_t>(immediate.high, 100);
    values.push_back(std::uniform_int_distribution<int64_t>(low, high)(random));
  }
  for (const IntrinsicStep &step : intrinsic.steps)
    if (step.lo.kind == IntrinsicStep::Place::Immediate && values[step.lo.value] > values[step.hi.value])
      std::swap(values[step.lo.value], values[step.hi.value]);
  return values;
}

TEST(IntrinsicMatches, AreFoundWithTheirConstants) {
  std::mt19937 random(1);
  unsigned found = 0, hidden = 0;
  for (const Intrinsic &intrinsic : builtinIntrinsics())
    for (int trial = 0; trial < 2; ++trial) {
      Subject subject(intrinsic, immediatesOf(intrinsic, random));
      size_t read = 0;
      for (const auto &[number, node] : subject.all.argumentsOf(subject.root))
        read += number < intrinsic.sources();
      if (read < intrinsic.sources()) { // nothing is left of an operand that is multiplied by 0
        ++hidden;
        continue;
      }
      EXPECT_TRUE(subject.isFound()) << describe(intrinsic) << ": " << subject.all.text(subject.root);
      ++found;
    }
  EXPECT_GT(found, 20 * hidden);
}

TEST(IntrinsicMatches, OfNearMissesComputeThem) {
  std::mt19937 random(2);
  unsigned near = 0;
  const auto miss = [&](Subject &subject, ExprId other) {
    if (other == subject.root)
      return;
    const ExprId whole = subject.root;
    subject.root = other;
    subject.isFound();
    subject.root = whole;
    ++near;
  };
  for (size_t which = 0; which < builtinIntrinsics().size(); which += 3) { // of each declaration some
    const Intrinsic &intrinsic = builtinIntrinsics()[which];
    Subject subject(intrinsic, immediatesOf(intrinsic, random));
    Expressions &all = subject.all;
    const unsigned bits = all[subject.root].bits;
    const ExprId one = all.constant(1, bits), zero = all.constant(0, bits);
    miss(subject, all.add(subject.root, one));
    miss(subject, all.subtract(zero, subject.root));
    miss(subject, all.max(subject.root, zero));
    miss(subject, all.shift(ExprKind::ShiftRight, subject.root, one));
    for (unsigned k = 0; k < intrinsic.operands.size(); ++k) {
      if (intrinsic.operands[k].bits > 64)
        continue;
      std::vector<ExprId> arguments;
      for (unsigned j = 0; j < intrinsic.operands.size(); ++j)
        arguments.push_back(subject.argument(j));
      const ExprId width = all.constant(1, intrinsic.operands[k].bits);
      for (const ExprId changed : {all.add(arguments[k], width), all.max(arguments[k], width),
                                   all.multiply(arguments[k], arguments[k])}) {
        std::vector<ExprId> with = arguments;
        with[k] = changed;
        miss(subject, all.substitute(Expressions(all), subject.root, with));
      }
    }
  }
  EXPECT_GT(near, 1000u);
}

} // namespace
} // namespace daedalus::dae
