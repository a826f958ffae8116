// A Gaussian process over the levels of a grid: what a number will be at points that have not been priced.
//
// C. Rasmussen and C. Williams, "Gaussian Processes for Machine Learning", 2006, chapters 2 and 5.
// Covariances fall off exponentially with the distance on each axis; the axes' length scales and the noise
// are the likeliest ones.
#pragma once

#include <cstdint>
#include <vector>

namespace daedalus::explore {

using Levels = std::vector<uint32_t>; ///< of a point: by axis, below its count

class Surrogate {
public:
  struct Axis {
    uint64_t count = 1;    ///< of levels
    bool isOrdered = true; ///< false: any two levels are equally far from each other
  };
  struct Prediction {
    double mean = 0, deviation = 0; ///< in the unit of the numbers; the deviation is an upper bound
  };

  explicit Surrogate(std::vector<Axis> axes);

  /// Of at least one point; length scales go on from those of the last fit.
  void fit(const std::vector<Levels> &points, const std::vector<double> &numbers);
  Prediction at(const Levels &point) const;

private:
  using Correlations = std::vector<std::vector<double>>; ///< by axis and distance in levels

  Correlations correlationsOf(const std::vector<double> &scales) const;
  double covariance(const Correlations &correlations, const Levels &a, const Levels &b) const;
  double likelihood(const std::vector<double> &scales, double noise) const;
  void chooseScales();

  std::vector<Axis> axes;
  std::vector<double> scales; ///< by axis, in the axis's whole length
  double noise = 1e-4;        ///< what the axes do not explain, in the variance of what they do
  Correlations correlations;
  std::vector<Levels> points;
  std::vector<double> centred, weights;
  double mean = 0, deviation = 1;
};

} // namespace daedalus::explore
