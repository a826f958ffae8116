// Predicts costs of points from those that were tried: gradient-boosted trees by XGBoost.
#pragma once

#include "daedalus/support/result.h"

#include <vector>

namespace daedalus::plansearch {

/// Rows of as many numbers each.
using Features = std::vector<std::vector<float>>;

/// What a model that has learned `costs` of `known`, at least two, expects of `asked`: their logarithms, to
/// compare with each other. The same for the same arguments. An error is XGBoost's own.
Result<std::vector<float>> predictCosts(const Features &known, const std::vector<double> &costs,
                                        const Features &asked);

} // namespace daedalus::plansearch
