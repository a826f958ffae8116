// See CostModel.h.
#include "PlanSearch/CostModel.h"

#include <cmath>
#include <memory>
#include <xgboost/c_api.h>

namespace daedalus::plansearch {
namespace {

constexpr int Rounds = 40;

using Matrix = std::unique_ptr<void, int (*)(DMatrixHandle)>;
using Booster = std::unique_ptr<void, int (*)(BoosterHandle)>;

Matrix matrixOf(const Features &rows) {
  std::vector<float> all;
  for (const std::vector<float> &row : rows)
    all.insert(all.end(), row.begin(), row.end());
  DMatrixHandle handle = nullptr;
  XGDMatrixCreateFromMat(all.data(), rows.size(), rows.front().size(), NAN, &handle);
  return {handle, XGDMatrixFree};
}

/// None where XGBoost fails.
Booster trained(DMatrixHandle known) {
  BoosterHandle handle = nullptr;
  bool isGood = XGBoosterCreate(&known, 1, &handle) == 0;
  Booster booster(handle, XGBoosterFree);
  const std::pair<const char *, const char *> parameters[] = {
      {"objective", "reg:squarederror"}, {"max_depth", "5"}, {"eta", "0.2"},     {"min_child_weight", "1"},
      {"tree_method", "exact"},          {"nthread", "1"},   {"verbosity", "0"}, {"seed", "1"}};
  for (const auto &[name, value] : parameters)
    isGood = isGood && XGBoosterSetParam(handle, name, value) == 0;
  for (int round = 0; isGood && round < Rounds; ++round)
    isGood = XGBoosterUpdateOneIter(handle, round, known) == 0;
  return isGood ? std::move(booster) : Booster(nullptr, XGBoosterFree);
}

} // namespace

Result<std::vector<float>> predictCosts(const Features &known, const std::vector<double> &costs,
                                        const Features &asked) {
  std::vector<float> logarithms;
  for (const double cost : costs)
    logarithms.push_back(static_cast<float>(std::log(cost)));
  const Matrix rows = matrixOf(known), questions = matrixOf(asked);
  if (rows && questions &&
      XGDMatrixSetFloatInfo(rows.get(), "label", logarithms.data(), logarithms.size()) == 0)
    if (const Booster booster = trained(rows.get())) {
      bst_ulong count = 0;
      const float *values = nullptr;
      if (XGBoosterPredict(booster.get(), questions.get(), 0, 0, 0, &count, &values) == 0)
        return std::vector<float>(values, values + count);
    }
  return error(std::string("XGBoost: ") + XGBGetLastError());
}

} // namespace daedalus::plansearch
