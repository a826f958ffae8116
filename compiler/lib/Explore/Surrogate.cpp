// See Surrogate.h.
#include "Explore/Surrogate.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace daedalus::explore {
namespace {

constexpr double leastNoise = 1e-4, mostNoise = 1;
constexpr double least = 0.1, most = 1000; // of length scales
constexpr size_t mostForScales = 200;      // points by which length scales are chosen

using Factor = Eigen::LLT<Eigen::MatrixXd>;

/// Of a symmetric matrix: the triangle whose square it is.
template <class Element> Factor factorOf(size_t count, Element element) {
  Eigen::MatrixXd matrix(count, count);
  for (size_t row = 0; row < count; ++row)
    for (size_t column = 0; column <= row; ++column)
      matrix(row, column) = element(row, column);
  return Factor(matrix);
}

} // namespace

Surrogate::Surrogate(std::vector<Axis> given) : axes(std::move(given)), scales(axes.size(), 1) {}

Surrogate::Correlations Surrogate::correlationsOf(const std::vector<double> &scales) const {
  Correlations all;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    std::vector<double> &one = all.emplace_back();
    const double steps = std::max<double>(1, double(axes[axis].count) - 1);
    for (uint64_t step = 0; step < axes[axis].count; ++step) {
      const double distance = axes[axis].isOrdered ? double(step) / steps : double(step > 0);
      one.push_back(std::exp(-distance / scales[axis]));
    }
  }
  return all;
}

double Surrogate::covariance(const Correlations &correlations, const Levels &a, const Levels &b) const {
  double product = 1;
  for (size_t axis = 0; axis < axes.size(); ++axis)
    product *= correlations[axis][a[axis] > b[axis] ? a[axis] - b[axis] : b[axis] - a[axis]];
  return product;
}

/// The logarithm of how likely the numbers are, less a constant; of every so many points.
double Surrogate::likelihood(const std::vector<double> &scales, double noise) const {
  const size_t stride = (points.size() + mostForScales - 1) / mostForScales;
  const size_t count = (points.size() + stride - 1) / stride;
  const Correlations correlations = correlationsOf(scales);
  const Factor factor = factorOf(count, [&](size_t i, size_t j) {
    return covariance(correlations, points[i * stride], points[j * stride]) + (i == j ? noise : 0);
  });
  Eigen::VectorXd numbers(count);
  for (size_t i = 0; i < count; ++i)
    numbers(i) = centred[i * stride];
  const double variance = factor.matrixL().solve(numbers).squaredNorm() / double(count); // the likeliest one
  const double determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
  return -0.5 * (double(count) * std::log(variance + 1e-12) + determinant);
}

/// A step of each length scale, up or down, where that makes the numbers likelier.
void Surrogate::chooseScales() {
  double best = likelihood(scales, noise);
  for (size_t axis = 0; axis < axes.size(); ++axis)
    for (const double factor : {0.5, 2.0}) {
      std::vector<double> changed = scales;
      changed[axis] = std::clamp(changed[axis] * factor, least, most);
      if (axes[axis].count == 1 || changed[axis] == scales[axis])
        continue;
      if (const double now = likelihood(changed, noise); now > best) {
        best = now;
        scales = changed;
        break;
      }
    }
  for (const double factor : {0.25, 4.0}) {
    const double changed = std::clamp(noise * factor, leastNoise, mostNoise);
    if (likelihood(scales, changed) > best) {
      noise = changed;
      break;
    }
  }
}

void Surrogate::fit(const std::vector<Levels> &given, const std::vector<double> &numbers) {
  points = given;
  const size_t count = points.size();
  mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / double(count);
  centred.clear();
  for (const double number : numbers)
    centred.push_back(number - mean);
  chooseScales();
  correlations = correlationsOf(scales);
  const Factor factor = factorOf(count, [&](size_t i, size_t j) {
    return covariance(correlations, points[i], points[j]) + (i == j ? noise : 0);
  });
  const Eigen::VectorXd right = Eigen::Map<const Eigen::VectorXd>(centred.data(), count);
  const Eigen::VectorXd solved = factor.solve(right);
  weights.assign(solved.data(), solved.data() + count);
  deviation = std::sqrt(std::max(0.0, right.dot(solved) / double(count)));
}

Surrogate::Prediction Surrogate::at(const Levels &point) const {
  double sum = mean, nearest = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const double covered = covariance(correlations, point, points[i]);
    sum += covered * weights[i];
    nearest = std::max(nearest, covered);
  }
  return {sum,
          deviation * std::sqrt(std::max(0.0, 1 - nearest * nearest))}; // as if that point were the only one
}

} // namespace daedalus::explore
