// Measures of classifiers against those of scikit-learn 1.2.1 (sklearn.metrics, sample_weight where weighted), whose
// values are written below.
#include "model/class_measures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace weft::testing {

using namespace detail;
namespace {

constexpr double kSame = 1e-12;

/// Scores as log-odds or logits, and predictions that follow from them.
PredictionBlock block_of(const std::vector<std::vector<double>>& scores, const std::vector<int>& truth,
                         std::vector<double> weights) {
  const auto rows = static_cast<Index>(scores.size());
  const auto outputs = static_cast<Index>(scores.front().size());
  const Index classes = outputs == 1 ? 2 : outputs;
  PredictionBlock block;
  block.scores = Matrix(rows, outputs);
  block.values = Matrix(rows, 1);
  block.probabilities = Matrix(rows, classes);
  block.targets = Matrix(rows, 1);
  block.weights = std::move(weights);
  for (Index i = 0; i < rows; ++i) {
    const std::vector<double>& row = scores[static_cast<std::size_t>(i)];
    const std::vector<double> logits = outputs == 1 ? std::vector<double>{0, row[0]} : row;
    const double largest = *std::max_element(logits.begin(), logits.end());  // rows that differ by a constant tie
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit - largest);
    Index best = 0;
    for (Index k = 0; k < classes; ++k) {
      block.probabilities(i, k) = std::exp(logits[static_cast<std::size_t>(k)] - largest) / sum;
      if (logits[static_cast<std::size_t>(k)] > logits[static_cast<std::size_t>(best)]) best = k;
    }
    std::copy(row.begin(), row.end(), block.scores.row(i));
    block.values(i, 0) = static_cast<double>(best);
    block.targets(i, 0) = truth[static_cast<std::size_t>(i)];
  }
  return block;
}

Evaluation measured(const PredictionBlock& block, const std::vector<std::string>& classes, bool probabilities = true) {
  const Run run;
  const TargetInfo target{classes.size() == 2 ? Task::binary : Task::multiclass, {"t"}, classes};
  ClassificationMeasure measure(target, probabilities, run);
  measure.add(block);
  double total = 0;
  for (Index i = 0; i < block.rows(); ++i)
    total += block.weights.empty() ? 1 : block.weights[static_cast<std::size_t>(i)];
  Evaluation result;
  measure.finish(result, total);
  return result;
}

const std::vector<std::vector<double>> kLogOdds = {{-1.5}, {0.2}, {0.2}, {1.1}, {-0.3},
                                                   {-0.3}, {2},   {-2},  {0.7}, {0.7}};
const std::vector<int> kTruth = {0, 0, 1, 1, 1, 0, 1, 0, 0, 1};
const std::vector<double> kWeights = {1, 2, 1, 0.5, 1, 3, 1, 1, 0.25, 2};

struct Expected {
  double accuracy, balanced, precision, recall, f1, auc, pr_auc, logloss, brier;
};

TEST(ClassMeasures, TwoClassesAsScikitLearn) {
  const Expected plain{0.7,
                       0.7,
                       0.6666666666666666,
                       0.8,
                       0.7272727272727272,
                       0.82,
                       0.8083333333333333,
                       0.5053964950655283,
                       0.16966922444391774};
  const Expected weighted{0.7450980392156863, 0.7539184952978057, 0.6666666666666666,
                          0.8181818181818182, 0.7346938775510203, 0.8683385579937304,
                          0.8263565891472868, 0.5014073065598099, 0.16511891646970486};
  for (const auto& [weights, wanted] : {std::pair(std::vector<double>{}, plain), std::pair(kWeights, weighted)}) {
    const Evaluation found = measured(block_of(kLogOdds, kTruth, weights), {"no", "yes"});
    EXPECT_EQ(found.positive, "yes");
    EXPECT_NEAR(found.accuracy.value(), wanted.accuracy, kSame);
    EXPECT_NEAR(found.balanced_accuracy.value(), wanted.balanced, kSame);
    EXPECT_NEAR(found.precision.value(), wanted.precision, kSame);
    EXPECT_NEAR(found.recall.value(), wanted.recall, kSame);
    EXPECT_NEAR(found.f1.value(), wanted.f1, kSame);
    EXPECT_NEAR(found.auc.value(), wanted.auc, kSame);
    EXPECT_NEAR(found.pr_auc.value(), wanted.pr_auc, kSame);
    EXPECT_NEAR(found.logloss.value(), wanted.logloss, kSame);
    EXPECT_NEAR(found.brier.value(), wanted.brier, kSame);
    EXPECT_TRUE(found.per_class.empty());
    EXPECT_FALSE(found.macro_f1 || found.macro_auc);
  }
}

const std::vector<std::vector<double>> kLogits = {{2, 1, 0.1},     {9, 9.5, 8},   {0, 0, 1.5},   {-3, -2, -2.5},
                                                  {0.3, 0.2, 0.1}, {5, 4, 6},     {1, 1, 3},     {-1, 2, 0},
                                                  {7, 7, 6.5},     {0, 0.5, 0.4}, {2, 2.2, 2.1}, {-5, -6, -4}};
const std::vector<int> kClasses = {0, 1, 2, 2, 1, 0, 2, 1, 0, 2, 1, 2};
const std::vector<double> kClassWeights = {1, 2, 1, 1, 0.5, 1, 1, 3, 1, 1, 1, 2};

void expect_means(const Evaluation& found, const Expected& wanted) {
  EXPECT_NEAR(found.accuracy.value(), wanted.accuracy, kSame);
  EXPECT_NEAR(found.balanced_accuracy.value(), wanted.balanced, kSame);
  EXPECT_NEAR(found.macro_precision.value(), wanted.precision, kSame);
  EXPECT_NEAR(found.macro_recall.value(), wanted.recall, kSame);
  EXPECT_NEAR(found.macro_f1.value(), wanted.f1, kSame);
  EXPECT_NEAR(found.macro_auc.value(), wanted.auc, kSame);
  EXPECT_NEAR(found.macro_pr_auc.value(), wanted.pr_auc, kSame);
  EXPECT_NEAR(found.logloss.value(), wanted.logloss, kSame);
  EXPECT_NEAR(found.brier.value(), wanted.brier, kSame);
  EXPECT_FALSE(found.precision || found.f1 || found.pr_auc);
  EXPECT_TRUE(found.positive.empty());
}

TEST(ClassMeasures, SeveralClassesAsScikitLearn) {
  const Evaluation plain = measured(block_of(kLogits, kClasses, {}), {"a", "b", "c"});
  expect_means(plain,
               {0.6666666666666666, 0.6722222222222222, 0.6722222222222222, 0.6722222222222222, 0.6666666666666665,
                0.8609567901234567, 0.810079365079365, 0.7398122985236103, 0.4347701951373604});
  const Evaluation weighted = measured(block_of(kLogits, kClasses, kClassWeights), {"a", "b", "c"});
  expect_means(weighted,
               {0.7741935483870968, 0.7521367521367521, 0.7833333333333333, 0.7521367521367521, 0.7607105538140021,
                0.9109671614934772, 0.8575430217071084, 0.6244003075524118, 0.35293842889660937});
  const double by_class[3][6] = {
      {3, 0.8, 0.6666666666666666, 0.7272727272727272, 0.88, 0.7843137254901961},
      {6.5, 0.75, 0.9230769230769231, 0.8275862068965517, 0.923076923076923, 0.9244264507422402},
      {6, 0.8, 0.6666666666666666, 0.7272727272727272, 0.9298245614035088, 0.8638888888888889}};
  ASSERT_EQ(weighted.per_class.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const ClassMeasures& one = weighted.per_class[k];
    EXPECT_NEAR(one.weight, by_class[k][0], kSame);
    EXPECT_NEAR(one.precision, by_class[k][1], kSame);
    EXPECT_NEAR(one.recall, by_class[k][2], kSame);
    EXPECT_NEAR(one.f1, by_class[k][3], kSame);
    EXPECT_NEAR(one.auc.value(), by_class[k][4], kSame);
    EXPECT_NEAR(one.pr_auc.value(), by_class[k][5], kSame);
  }
}

TEST(ClassMeasures, ClassesThatDoNotOccur) {
  // Nothing is predicted as "yes": its quotients are 0, as in scikit-learn with zero_division=0.
  const Evaluation none = measured(block_of({{-1}, {-2}, {-3}}, {0, 1, 0}, {}), {"no", "yes"});
  EXPECT_EQ(none.precision, 0);
  EXPECT_EQ(none.recall, 0);
  EXPECT_EQ(none.f1, 0);
  EXPECT_EQ(none.balanced_accuracy, 0.5);
  EXPECT_EQ(none.auc, 0.5);
  EXPECT_EQ(none.pr_auc, 0.5);
  // "c" neither occurs nor is predicted: means are over "a" and "b".
  const Evaluation two = measured(block_of({{2, 0, -9}, {0, 1, -9}, {2, 1, -9}}, {0, 1, 1}, {}), {"a", "b", "c"});
  EXPECT_NEAR(two.macro_precision.value(), (0.5 + 1) / 2, kSame);
  EXPECT_NEAR(two.macro_recall.value(), (1 + 0.5) / 2, kSame);
  EXPECT_NEAR(two.balanced_accuracy.value(), 0.75, kSame);
  EXPECT_FALSE(two.per_class[2].auc || two.per_class[2].pr_auc);
  // One class alone has no area under the ROC curve.
  const Evaluation one = measured(block_of({{1}, {2}}, {1, 1}, {}), {"no", "yes"}, false);
  EXPECT_FALSE(one.auc || one.logloss || one.brier);
  EXPECT_EQ(one.pr_auc, 1);
}

}  // namespace
}  // namespace weft::testing
