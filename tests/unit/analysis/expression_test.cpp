// The normal form keeps the value: random trees of operations, as they are and in normal form, on random and
// extreme arguments.

#include "daedalus/Analysis/Expression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace daedalus {
namespace {

/// Integers of some bits: the value of a tree, computed plainly, beside the node of the same tree.
struct Tree {
  ExprId node;
  unsigned bits;
  std::function<int64_t(const std::vector<int64_t> &)> value;
};

class Trees {
public:
  explicit Trees(unsigned seed) : random(seed) {}

  Tree tree(unsigned bits, int depth) {
    if (depth == 0)
      return leaf(bits);
    switch (pick(0, 13)) {
    case 0:
      return binary(bits, depth, &Expressions::add, [](uint64_t a, uint64_t b) { return a + b; });
    case 1:
      return binary(bits, depth, &Expressions::subtract, [](uint64_t a, uint64_t b) { return a - b; });
    case 2:
      return binary(bits, depth, &Expressions::multiply, [](uint64_t a, uint64_t b) { return a * b; });
    case 3:
    case 4:
      return binary(bits, depth, &Expressions::max, [](int64_t a, int64_t b) { return std::max(a, b); });
    case 5:
    case 6:
      return binary(bits, depth, &Expressions::min, [](int64_t a, int64_t b) { return std::min(a, b); });
    case 7:
      return logic(bits, depth);
    case 8:
      return shift(bits, depth);
    case 9:
    case 10:
      return conversion(bits, depth);
    case 11:
    case 12:
      return selection(bits, depth);
    default:
      return leaf(bits);
    }
  }

  std::vector<int64_t> arguments() {
    std::vector<int64_t> values;
    for (unsigned bits : {8, 8, 16, 32, 64})
      values.push_back(number(bits));
    return values;
  }

  Expressions all;

private:
  int64_t pick(int64_t lo, int64_t hi) { return std::uniform_int_distribution<int64_t>(lo, hi)(random); }

  int64_t number(unsigned bits) {
    const int64_t ends[] = {
        0, 1, -1, leastOf(bits), greatestOf(bits), greatestOf(bits) - 1, leastOf(bits) + 1, 127, -128, 255};
    return wrapped(pick(0, 1) ? ends[pick(0, 9)] : static_cast<int64_t>(random()) >> pick(0, 60), bits);
  }

  Tree leaf(unsigned bits) {
    static const std::vector<unsigned> bitsOf = {8, 8, 16, 32, 64};
    std::vector<unsigned> fitting;
    for (unsigned k = 0; k < bitsOf.size(); ++k)
      if (bitsOf[k] == bits)
        fitting.push_back(k);
    if (fitting.empty() || pick(0, 3) == 0) {
      const int64_t value = number(bits);
      return {all.constant(value, bits), bits, [value](auto &) { return value; }};
    }
    const unsigned k = fitting[pick(0, fitting.size() - 1)];
    return {all.argument(k, bits), bits, [k](const std::vector<int64_t> &x) { return x[k]; }};
  }

  template <class F>
  Tree binary(unsigned bits, int depth, ExprId (Expressions::*make)(ExprId, ExprId), F value) {
    const Tree a = tree(bits, depth - 1), b = tree(bits, depth - 1);
    return {(all.*make)(a.node, b.node), bits,
            [=](auto &x) { return wrapped(static_cast<int64_t>(value(a.value(x), b.value(x))), bits); }};
  }

  Tree logic(unsigned bits, int depth) {
    const ExprKind kind = static_cast<ExprKind>(int(ExprKind::And) + pick(0, 2));
    const Tree a = tree(bits, depth - 1), b = tree(bits, depth - 1);
    return {all.logic(kind, a.node, b.node), bits, [=](auto &x) {
              const int64_t p = a.value(x), q = b.value(x);
              return kind == ExprKind::And ? p & q : kind == ExprKind::Or ? p | q : p ^ q;
            }};
  }

  Tree shift(unsigned bits, int depth) {
    const ExprKind kind = static_cast<ExprKind>(int(ExprKind::ShiftLeft) + pick(0, 2));
    const Tree a = tree(bits, depth - 1);
    const int64_t by = pick(0, bits - 1);
    return {all.shift(kind, a.node, all.constant(by, bits)), bits, [=](auto &x) {
              const int64_t p = a.value(x);
              if (kind == ExprKind::ShiftLeft)
                return wrapped(static_cast<int64_t>(uint64_t(p) << by), bits);
              const uint64_t low = bits == 64 ? p : uint64_t(p) & ((uint64_t(1) << bits) - 1);
              return kind == ExprKind::ShiftRight ? p >> by : wrapped(static_cast<int64_t>(low >> by), bits);
            }};
  }

  Tree conversion(unsigned bits, int depth) {
    const unsigned sizes[] = {8, 16, 32, 64};
    const unsigned from = sizes[pick(0, 3)];
    const Tree a = tree(from, depth - 1);
    if (from >= bits)
      return {all.truncate(a.node, bits), bits, [=](auto &x) { return wrapped(a.value(x), bits); }};
    if (pick(0, 2))
      return {all.extend(a.node, bits), bits, a.value};
    return {all.extendZero(a.node, bits), bits,
            [=](auto &x) { return int64_t(uint64_t(a.value(x)) & ((uint64_t(1) << from) - 1)); }};
  }

  Tree selection(unsigned bits, int depth) {
    using P = mlir::arith::CmpIPredicate;
    const auto predicate = static_cast<P>(pick(0, 9));
    const Tree p = tree(bits, depth - 1), q = tree(bits, depth - 1);
    // Often of what is compared, or of a constant beside it, which makes maxima and minima.
    const auto branch = [&](const Tree &first, const Tree &second) {
      if (pick(0, 1))
        return first;
      if (all.isConstant(second.node)) {
        const int64_t near =
            wrapped(static_cast<int64_t>(uint64_t(all[second.node].value) + uint64_t(pick(-2, 2))), bits);
        return Tree{all.constant(near, bits), bits, [near](auto &) { return near; }};
      }
      return pick(0, 1) ? second : tree(bits, depth - 1);
    };
    const Tree a = branch(p, q), b = branch(q, p);
    return {all.select(all.compare(int64_t(predicate), p.node, q.node), a.node, b.node), bits, [=](auto &x) {
              const int64_t left = p.value(x), right = q.value(x);
              const uint64_t ul = left, ur = right;
              const bool holds[] = {
                  left == right, left != right,           left<right, left <= right, left> right,
                  left >= right, ul<ur, ul <= ur, ul> ur, ul >= ur};
              return holds[int(predicate)] ? a.value(x) : b.value(x);
            }};
  }

  std::mt19937_64 random;
};

TEST(Expressions, NormalFormKeepsTheValue) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Trees trees(seed);
    const unsigned sizes[] = {8, 16, 32, 64};
    const Tree tree = trees.tree(sizes[seed % 4], 2 + seed % 4);
    const Expr &node = trees.all[tree.node];
    for (int k = 0; k < 30; ++k) {
      const std::vector<int64_t> x = trees.arguments();
      const int64_t expected = tree.value(x);
      const std::optional<int64_t> value = trees.all.evaluate(tree.node, x);
      ASSERT_TRUE(value.has_value()) << seed;
      ASSERT_EQ(*value, expected) << "seed " << seed << ": " << trees.all.text(tree.node);
      ASSERT_LE(node.low, expected) << "seed " << seed << ": " << trees.all.text(tree.node);
      ASSERT_GE(node.high, expected) << "seed " << seed << ": " << trees.all.text(tree.node);
    }
  }
}

TEST(Expressions, WhatIsKeptAloneIsTheSame) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Trees trees(seed);
    const Tree tree = trees.tree(32, 4);
    Expressions kept = trees.all;
    const ExprId root = kept.keepOnly(tree.node);
    EXPECT_EQ(kept.size(), trees.all.nodesOf(tree.node).size()) << "seed " << seed;
    EXPECT_EQ(kept.text(root), trees.all.text(tree.node)) << "seed " << seed;
    for (int k = 0; k < 10; ++k) {
      const std::vector<int64_t> x = trees.arguments();
      EXPECT_EQ(kept.evaluate(root, x), tree.value(x)) << "seed " << seed;
    }
  }
}

TEST(Expressions, CopiesIntoAnotherArenaAreTheSame) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Trees trees(seed);
    const Tree tree = trees.tree(32, 4);
    Expressions other;
    std::vector<ExprId> arguments;
    for (unsigned k = 0; k < 5; ++k)
      arguments.push_back(other.argument(k, std::vector<unsigned>{8, 8, 16, 32, 64}[k]));
    const ExprId copy = other.substitute(trees.all, tree.node, arguments);
    EXPECT_EQ(trees.all.substitute(
                  other, copy,
                  [&] {
                    std::vector<ExprId> own;
                    for (unsigned k = 0; k < 5; ++k)
                      own.push_back(trees.all.argument(k, std::vector<unsigned>{8, 8, 16, 32, 64}[k]));
                    return own;
                  }()),
              tree.node)
        << seed << ": " << trees.all.text(tree.node) << " and " << other.text(copy);
  }
}

} // namespace
} // namespace daedalus
