// Functions of one float32 on the CPU against the C library's in float64, over their whole domain.
#include "one_node.h"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::test {
namespace {

struct Function {
  const char *name;
  double (*reference)(double);
  double least, most, tolerance; ///< the domain; relative to the result, or to `floor` where it is less
  double floor = 1e-30;
};

void PrintTo(const Function &function, std::ostream *stream) {
  *stream << function.name;
}

/// Of the domain: evenly, by magnitude around 0, and by distance from its ends.
std::vector<float> samples(const Function &f) {
  std::vector<float> all;
  const auto add = [&](double x) {
    if (x >= f.least && x <= f.most)
      all.push_back(float(x));
  };
  for (int i = 0; i <= 2000; ++i)
    add(f.least + (f.most - f.least) * i / 2000);
  for (double size = 1e-20; size < 1e30; size *= 1.25)
    for (double x : {size, -size, f.least + size, f.most - size})
      add(x);
  return all;
}

class Functions : public testing::TestWithParam<Function> {};

TEST_P(Functions, EqualTheLibrarys) {
  const Function &f = GetParam();
  const std::vector<float> x = samples(f);
  const int64_t size = x.size();
  const std::vector<float> y = runNode<float>(f.name, {{{size}, x}}, {}, {size});
  ASSERT_EQ(y.size(), x.size());
  double worst = 0;
  float at = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double expected = f.reference(x[i]);
    const double error =
        y[i] == float(expected) ? 0 : std::abs(y[i] - expected) / std::max(std::abs(expected), f.floor);
    if (!(error <= worst))
      worst = error, at = x[i];
  }
  EXPECT_LE(worst, f.tolerance) << "at " << at;
}

INSTANTIATE_TEST_SUITE_P(
    All, Functions,
    testing::Values(
        Function{"Acos", std::acos, -1, 1, 1e-6}, Function{"Acosh", std::acosh, 1, 1e30, 1e-6},
        Function{"Asin", std::asin, -1, 1, 1e-6}, Function{"Asinh", std::asinh, -1e30, 1e30, 1e-6},
        Function{"Atan", std::atan, -1e30, 1e30, 2e-6}, Function{"Atanh", std::atanh, -0.9999, 0.9999, 1e-6},
        Function{"Cos", std::cos, -100, 100, 1e-5, 1}, Function{"Cosh", std::cosh, -80, 80, 1e-5},
        Function{"Erf", std::erf, -10, 10, 1e-6}, Function{"Exp", std::exp, -80, 80, 1e-6},
        Function{"Log", std::log, 1e-30, 1e30, 1e-5}, Function{"Sin", std::sin, -100, 100, 1e-5, 1},
        Function{"Sinh", std::sinh, -80, 80, 1e-5}, Function{"Tan", std::tan, -1.5, 1.5, 2e-5, 1},
        Function{"Tanh", std::tanh, -20, 20, 1e-6}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
} // namespace daedalus::test
