// The pieces that random programs are made of: each takes tensors that are there and adds one. Some have the
// very form of what the accelerator does, some are beside it.
#pragma once

#include "program_text.h"

#include <map>

namespace daedalus::testing {

class RandomPieces : public ProgramText {
public:
  /// `isExact`: only what the accelerator does.
  RandomPieces(uint64_t seed, bool isExact) : ProgramText(seed), isExact(isExact) {}

protected:
  /// What a product has instead of anything: a square window that moves by one, outputs a group, groups.
  struct Wanted {
    int64_t kernel = 0, outputs = 0, groups = 1;
  };

  // random_reductions.cpp: sums of products and pools of int8, through a window of up to two dimensions.
  Value product(const Value &x) { return ended(productSums(x, {})); }
  Value pool(const Value &x);
  /// A product with another tensor that comes at run time, with zero points on either side.
  Value inputProduct(const Value &x);
  /// 32-bit sums without what follows.
  Value productSums(const Value &x, const Wanted &wanted);
  /// `op`: "addi", "maxsi" or "minsi".
  Value poolSums(const Value &x, const std::string &op);
  /// A convolution of each channel alone, of an image.
  Value depthwise(const Value &x);

  // random_elementwise.cpp
  /// To int8: requantized by constants for each channel or one, clamped, or cut.
  Value ended(const Value &sums);
  Value requantized(const Value &sums);
  Value clamped(const Value &sums);
  Value sumOfTwo(const Value &x, const Value &y);
  Value productOfTwo(const Value &x, const Value &y);
  Value differenceOfTwo(const Value &x, const Value &y);
  /// One shifted by the other, or by a number, or a number by it.
  Value shiftOfTwo(const Value &x, const Value &y);
  /// In 8 bits, which wrap.
  Value wrappedPair(const Value &x, const Value &y);
  /// Sums of 32 bits, of two tensors or through a window.
  Value wideSums(const Value &x, const Value &y);
  /// A function of one int8.
  Value table(const Value &x);
  /// Several operations one behind the other, of one to three tensors, 32 or 64 bits between them.
  Value chain(const std::vector<Value> &values);
  Value throughFloat(const Value &x);

  // random_moves.cpp
  Value concatenated(const std::vector<Value> &parts);
  Value repeated(const Value &x);
  Value transposed(const Value &x);
  Value sliced(const Value &x);
  Value inAnotherShape(const Value &x);
  /// Computed of elements that lie elsewhere than the result's: permuted, repeated, with gaps, backwards.
  Value readElsewhere(const Value &x);

  // random_named.cpp: upstream's named operations, loops, calls.
  Value named(const Value &x);
  Value looped(const Value &x);
  Value called(const Value &x);

  const bool isExact;
  bool beside(int percent) { return !isExact && chance(percent); }

private:
  struct Reduction;
  void makeWindow(Reduction &r, const Shape &shape, int64_t wantedKernel = 0);
  void change(Reduction &r);
  Value reducedInput(Reduction &r, const Value &x, int64_t fill);
  std::string constantTimes(const std::string &value, int64_t factor);
  std::string step(Names &values, const std::string &type);
};

} // namespace daedalus::testing
