// Points of a grid in Sobol order: whatever the number of points, they spread evenly over every key.
//
// I. Sobol, "On the distribution of points in a cube and the approximate evaluation of integrals", 1967; the
// seed is a digital shift of each coordinate.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace daedalus::explore {

/// The indices of a grid whose last axis changes first, each at most once.
class SobolPoints {
public:
  /// `counts`: values of each axis, at least 1.
  SobolPoints(std::vector<uint64_t> counts, uint64_t seed);
  SobolPoints(SobolPoints &&) noexcept;
  ~SobolPoints();

  /// Up to `count` further points, where each is one that `isWanted`, in the order of the sequence. Fewer
  /// where none turned up in 1,000 steps a point.
  std::vector<uint64_t> take(uint64_t count, const std::function<bool(uint64_t point)> &isWanted);

private:
  struct Sequence;
  std::unique_ptr<Sequence> sequence;
};

} // namespace daedalus::explore
