// The mathematical functions of firmware against the C library's: the same bits for special numbers, around
// whole numbers and at random. NaNs are all the same.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

extern "C" {
#define DECLARE(NAME)                                                                                        \
  float tested_##NAME##f(float);                                                                             \
  double tested_##NAME(double);
DECLARE(ceil)
DECLARE(floor)
DECLARE(rint)
DECLARE(round)
DECLARE(roundeven)
DECLARE(sqrt)
DECLARE(trunc)
#undef DECLARE
#define DECLARE(NAME)                                                                                        \
  float tested_##NAME##f(float, float);                                                                      \
  double tested_##NAME(double, double);
DECLARE(fmax)
DECLARE(fmin)
DECLARE(fmod)
#undef DECLARE
}

namespace {

template <class Real> bool isSame(Real a, Real b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

template <class Real, class Bits> std::vector<Real> numbers() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> all = {0,
                           Limits::min(),
                           Limits::denorm_min(),
                           Limits::max(),
                           Limits::infinity(),
                           Limits::quiet_NaN(),
                           Limits::epsilon(),
                           Real(0.5),
                           std::nextafter(Real(0.5), Real(0)),
                           std::nextafter(Real(0.5), Real(1))};
  for (int i = 1; i < 40; ++i)
    for (Real x : {Real(i) / 2, Real(i) / 4, std::ldexp(Real(1), i), std::ldexp(Real(1), i) + Real(0.5),
                   std::ldexp(Real(1), 2 * i) - Real(0.5), std::ldexp(Real(i), -2 * i)})
      all.push_back(x);
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto bits = static_cast<Bits>(random());
    Real x;
    std::memcpy(&x, &bits, sizeof x);
    all.push_back(std::isnan(x) ? Limits::quiet_NaN() : x);
    all.push_back(std::ldexp(Real(random() % 1000003), int(random() % 40) - 30));
  }
  for (size_t i = 0, size = all.size(); i < size; ++i)
    all.push_back(-all[i]);
  return all;
}

template <class Real> Real halfToEven(Real x) {
  return std::nearbyint(x); // in the rounding mode of all programs
}

template <class Real, class Bits>
void compare(const char *name, Real (*tested)(Real), Real (*expected)(Real)) {
  for (Real x : numbers<Real, Bits>())
    ASSERT_TRUE(isSame(tested(x), expected(x)))
        << name << "(" << x << ") is " << tested(x) << ", expected " << expected(x);
}

template <class Real, class Bits>
void compare(const char *name, Real (*tested)(Real, Real), Real (*expected)(Real, Real)) {
  const std::vector<Real> all = numbers<Real, Bits>();
  std::mt19937 random(2);
  for (size_t i = 0; i < all.size(); ++i) {
    const Real x = all[i], y = i % 2 ? all[random() % all.size()] : std::ldexp(x, -int(random() % 60));
    ASSERT_TRUE(isSame(tested(x, y), expected(x, y)) || x == y)
        << name << "(" << x << ", " << y << ") is " << tested(x, y) << ", expected " << expected(x, y);
  }
}

#define COMPARE(NAME, EXPECTED)                                                                              \
  compare<float, uint32_t>(#NAME "f", tested_##NAME##f, [](float x) -> float { return EXPECTED(x); });       \
  compare<double, uint64_t>(#NAME, tested_##NAME, [](double x) -> double { return EXPECTED(x); })

TEST(FirmwareMath, OfOneNumber) {
  COMPARE(ceil, std::ceil);
  COMPARE(floor, std::floor);
  COMPARE(rint, halfToEven);
  COMPARE(round, std::round);
  COMPARE(roundeven, halfToEven);
  COMPARE(sqrt, std::sqrt);
  COMPARE(trunc, std::trunc);
}
#undef COMPARE

#define COMPARE(NAME)                                                                                        \
  compare<float, uint32_t>(#NAME "f", tested_##NAME##f,                                                      \
                           [](float x, float y) -> float { return std::NAME(x, y); });                       \
  compare<double, uint64_t>(#NAME, tested_##NAME,                                                            \
                            [](double x, double y) -> double { return std::NAME(x, y); })

TEST(FirmwareMath, OfTwoNumbers) {
  COMPARE(fmax);
  COMPARE(fmin);
  COMPARE(fmod);
}
#undef COMPARE

} // namespace
