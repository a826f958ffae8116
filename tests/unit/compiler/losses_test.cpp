// Losses of labels against plain loops in float64.
#include "one_node.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace daedalus::test {
namespace {

struct LossCase {
  const char *type;
  OnnxBuilder::Shape shape; ///< [N, C, d...]
  const char *reduction;
  bool isWeighted;
  std::optional<int64_t> ignored = std::nullopt;
};

void PrintTo(const LossCase &loss, std::ostream *stream) {
  *stream << loss.type << " of rank " << loss.shape.size() << ", " << loss.reduction
          << (loss.isWeighted ? ", weighted" : "") << (loss.ignored ? ", some ignored" : "");
}

class Losses : public testing::TestWithParam<LossCase> {
protected:
  void SetUp() override {
    const LossCase &c = GetParam();
    channels = c.shape[1];
    labelsShape = c.shape;
    labelsShape.erase(labelsShape.begin() + 1);
    inner = count(labelsShape) / c.shape[0];
    std::mt19937 random(9);
    for (int64_t i = 0; i < count(c.shape); ++i)
      x.push_back(float(int(random() % 2001) - 1000) / 250);
    for (int64_t i = 0; i < count(labelsShape); ++i)
      labels.push_back(c.ignored && random() % 3 == 0 ? *c.ignored : random() % channels);
    for (int64_t i = 0; c.isWeighted && i < channels; ++i)
      weights.push_back(float(random() % 100 + 1) / 50);
  }

  double at(int64_t label, int64_t channel) const {
    return x[(label / inner * channels + channel) * inner + label % inner];
  }
  /// Of the label's channel, behind a softmax where the loss has one.
  double logarithm(int64_t i) const {
    if (std::string(GetParam().type) == "NegativeLogLikelihoodLoss")
      return at(i, labels[i]);
    double sum = 0;
    for (int64_t channel = 0; channel < channels; ++channel)
      sum += std::exp(at(i, channel));
    return at(i, labels[i]) - std::log(sum);
  }
  std::vector<double> expected() const {
    const LossCase &c = GetParam();
    std::vector<double> each;
    double sum = 0, all = 0;
    for (int64_t i = 0; i < int64_t(labels.size()); ++i) {
      const bool counts = !c.ignored || labels[i] != *c.ignored;
      const double weight = !counts ? 0 : weights.empty() ? 1 : weights[labels[i]];
      each.push_back(counts ? -logarithm(i) * weight : 0);
      sum += each.back(), all += weight;
    }
    if (std::string(c.reduction) == "none")
      return each;
    return {std::string(c.reduction) == "sum" ? sum : sum / all};
  }

  int64_t channels = 0, inner = 0;
  OnnxBuilder::Shape labelsShape;
  std::vector<float> x, weights;
  std::vector<int64_t> labels;
};

TEST_P(Losses, EqualTheLoops) {
  const LossCase &c = GetParam();
  std::vector<OnnxBuilder::Attribute> attributes = {{"reduction", c.reduction}};
  if (c.ignored)
    attributes.push_back({"ignore_index", *c.ignored});
  std::vector<NodeInput> inputs = {{c.shape, x}, {labelsShape, labels}};
  if (c.isWeighted)
    inputs.push_back({{channels}, weights});
  const std::vector<double> wanted = expected();
  const OnnxBuilder::Shape shape = std::string(c.reduction) == "none" ? labelsShape : OnnxBuilder::Shape();
  const std::vector<float> found = runNode<float>(c.type, inputs, attributes, shape, 13);
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], 1e-5 * (1 + std::abs(wanted[i]))) << i;
}

INSTANTIATE_TEST_SUITE_P(All, Losses,
                         testing::Values(LossCase{"NegativeLogLikelihoodLoss", {3, 5}, "none", false},
                                         LossCase{"NegativeLogLikelihoodLoss", {3, 5, 2, 4}, "mean", true},
                                         LossCase{"NegativeLogLikelihoodLoss", {3, 5, 7}, "mean", true, -1},
                                         LossCase{"NegativeLogLikelihoodLoss", {3, 5, 7}, "sum", false, 2},
                                         LossCase{"SoftmaxCrossEntropyLoss", {3, 5}, "mean", false},
                                         LossCase{"SoftmaxCrossEntropyLoss", {3, 5, 2, 4}, "none", true, 0},
                                         LossCase{"SoftmaxCrossEntropyLoss", {3, 5, 6}, "mean", true, -5},
                                         LossCase{"SoftmaxCrossEntropyLoss", {2, 5, 6}, "sum", true}));

TEST(LossLabels, OutOfRangeEndTheRun) {
  OnnxBuilder model(13);
  const std::string x = model.input("x", dtypeOf<float>, {1, 3}),
                    labels = model.input("y", dtypeOf<int64_t>, {1});
  model.output(model.node("NegativeLogLikelihoodLoss", {x, labels}, {}, "node"), dtypeOf<float>, {});
  for (int64_t label : {-1, 3}) {
    const auto outputs =
        tryModel(model, {bytesOf(std::vector<float>(3)), bytesOf(std::vector<int64_t>{label})});
    ASSERT_FALSE(outputs) << label;
    EXPECT_NE(outputs.error().find("node"), std::string::npos);
  }
}

/// The second output of a cross entropy: logarithms of a softmax over the channels.
TEST(LossLabels, CrossEntropyGivesItsLogarithms) {
  OnnxBuilder model(13);
  const std::string x = model.input("x", dtypeOf<float>, {1, 2, 2}),
                    y = model.input("y", dtypeOf<int64_t>, {1, 2});
  model.output(model.node("SoftmaxCrossEntropyLoss", {x, y}, {}, "node"), dtypeOf<float>, {});
  model.output(model.addOutput(), dtypeOf<float>, {1, 2, 2});
  const std::vector<float> values = {0, 1, 0, 3};
  const Outputs outputs = runModel(model, {bytesOf(values), bytesOf(std::vector<int64_t>{0, 1})});
  ASSERT_EQ(outputs.size(), 2u);
  const std::vector<float> logarithms = numbersOf<float>(outputs[1]);
  const double rest = std::log1p(std::exp(-2.0));
  const std::vector<double> expected = {-std::log(2.0), -2 - rest, -std::log(2.0), -rest};
  ASSERT_EQ(logarithms.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(logarithms[i], expected[i], 1e-5);
}

} // namespace
} // namespace daedalus::test
