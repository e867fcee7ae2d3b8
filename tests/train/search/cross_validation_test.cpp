// Scores by shared sums against dense refits of every fold.
#include "data/rows/row_filter.hpp"
#include "dense_algebra.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "methods/problem.hpp"
#include "methods/table_rows.hpp"
#include "train/search/refits.hpp"
#include "train/search/shared_sums.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using testing_rows::RowMatrix;
using testing_rows::smooth_problem;
using testing_rows::TableRows;
using testing_rows::to_eigen;

constexpr Index kInputs = 3;
constexpr Index kFolds = 4;

Inputs inputs() {
  Inputs plain = Inputs::plain(kInputs + 1);
  return plain;
}

FamilyOptions folded_family(const std::string& name, double sigma = 0.7) {
  FamilyOptions options;
  options.family = name;
  options.features = 25;
  options.sigma = sigma;
  options.pool = 3;
  return options;
}

TargetInfo numbers() {
  return {Task::regression, {"y"}, {}};
}

TableRows two_classes(Index rows) {
  TableRows table = smooth_problem(kInputs, rows, 1, 3);
  for (Index i = 0; i < rows; ++i) table.y(0, i) = table.y(0, i) > 3 ? 1 : -1;
  return table;
}

/// Held-out scores of one λ (user's): min Σ w(y − c − bᵀφ)² + Wλ·bᵀRb + Wε‖b‖², solved densely with the intercept as
/// one more unknown.
Matrix dense_scores(const TableRows& table, const FamilyOptions& options, const Validation& validation, double lambda,
                    const FitOptions& fit) {
  const FeatureMap map = FeatureMap::draw(options, inputs());
  Matrix phi(map.features(), table.rows());
  map.smoothings(table.x, phi.view());
  const Penalty penalty = make_penalty(map, fit.own<LeastSquaresOptions>().regularizer, {});
  const RowMatrix features = to_eigen(phi);
  Matrix scores(table.outputs(), table.rows());
  const Index size = map.features() + 1;
  const bool past = table.rule().kind() == RowRule::Kind::times;
  for (Index f = past ? 1 : 0; f < validation.folds.parts; ++f) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
    Eigen::MatrixXd rhs = Eigen::MatrixXd::Zero(size, table.outputs());
    double total = 0;
    for (Index i = 0; i < table.rows(); ++i) {
      const Index fold = validation.folds.of_row[static_cast<std::size_t>(i)];
      if (past ? fold >= f : fold == f) continue;
      Eigen::VectorXd row(size);
      row << features.col(i), 1;
      const double weight = table.weights.empty() ? 1 : table.weights[static_cast<std::size_t>(i)];
      total += weight;
      a += weight * row * row.transpose();
      for (Index o = 0; o < table.outputs(); ++o) rhs.col(o) += weight * table.y(o, i) * row;
    }
    const double strength = total * penalty.effective(lambda);
    for (Index s = 0; s + 1 < size; ++s) {
      for (Index t = 0; t + 1 < size; ++t)
        a(s, t) += strength * (penalty.identity() ? (s == t ? 1 : 0) : penalty.matrix(s, t));
      a(s, s) += total * fit.own<LeastSquaresOptions>().epsilon;
    }
    const Eigen::MatrixXd solution = testing::solve_symmetric(a, rhs);
    for (Index i = 0; i < table.rows(); ++i)
      if (validation.folds.of_row[static_cast<std::size_t>(i)] == f)
        for (Index o = 0; o < table.outputs(); ++o)
          scores(o, i) = features.col(i).dot(solution.col(o).head(size - 1)) + solution(size - 1, o);
  }
  return scores;
}

class EveryKind : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKind, MseEqualsDenseRefits) {
  TableRows table = smooth_problem(kInputs, 150, 2, 5);
  table.block_rows = 64;
  for (Index i = 0; i < 150; ++i) table.weights.push_back(i % 3 == 0 ? 2 : 0.5);
  const Validation validation = make_validation(table, {Task::regression, {"a", "b"}, {}}, Metric::mse, kFolds, 1);
  FitOptions fit;
  Sharing sharing;
  const std::vector<Candidate> batch = {{0, folded_family(GetParam(), 0.7), std::nullopt},
                                        {1, folded_family(GetParam(), 0.3), 1e-4}};
  const auto trials = validate_batch(batch, inputs(), validation, fit, 9, {}, sharing);
  ASSERT_TRUE(trials);
  EXPECT_EQ((*trials)[1].lambda, 1e-4);
  for (const Trial& trial : *trials) {
    const Matrix scores = dense_scores(table, trial.family, validation, *trial.lambda, fit);
    for (Index f = 0; f < kFolds; ++f) {
      double sum = 0;
      double weight = 0;
      for (Index i = 0; i < 150; ++i) {
        if (validation.folds.of_row[static_cast<std::size_t>(i)] != f) continue;
        const double w = table.weights[static_cast<std::size_t>(i)];
        for (Index o = 0; o < 2; ++o) sum += w * std::pow(scores(o, i) - table.y(o, i), 2) / 2;
        weight += w;
      }
      EXPECT_NEAR(trial.fold_scores[static_cast<std::size_t>(f)], sum / weight, 1e-8) << "fold " << f;
    }
  }
}

TEST_P(EveryKind, ErrorAreaAndLossEqualThoseOfDenseRefits) {
  TableRows table = two_classes(160);
  const TargetInfo target{Task::binary, {"y"}, {"no", "yes"}};
  for (const Metric metric : {Metric::error, Metric::auc, Metric::logloss}) {
    const Validation validation = make_validation(table, target, metric, kFolds, 2);
    Sharing sharing;
    FitOptions fit;
    const auto trials =
        validate_batch({{0, folded_family(GetParam()), 1e-4}}, inputs(), validation, fit, 9, {}, sharing);
    ASSERT_TRUE(trials);
    const Matrix scores = dense_scores(table, folded_family(GetParam()), validation, 1e-4, fit);
    const std::vector<double> expected =
        fold_scores(metric, validation.targets, scores, validation.folds.of_row, kFolds, false);
    for (std::size_t f = 0; f < expected.size(); ++f)
      EXPECT_NEAR(trials->front().fold_scores[f], expected[f], 1e-8) << name_of(metric);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, EveryKind,
                         ::testing::Values("rw-sign", "rw-relu", "rw-exp-sign", "rks-cos", "rw-stumps",
                                           "rw-stumps+rw-relu/sparse:2"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

TEST(SharedSums, CompanyAndSharingChangeNothing) {
  const TableRows table = two_classes(300);
  const Validation validation = make_validation(table, {Task::binary, {"y"}, {"no", "yes"}}, Metric::auc, kFolds, 2);
  Sharing sharing;
  std::vector<Candidate> batch;
  for (Index k = 0; k < 3; ++k)
    batch.push_back({k, folded_family("rw-relu", 0.2 + 0.3 * static_cast<double>(k)), std::nullopt});
  const auto together = validate_batch(batch, inputs(), validation, {}, 5, {}, sharing);
  for (std::size_t k = 0; k < batch.size(); ++k) {
    const auto alone = validate_batch({batch[k]}, inputs(), validation, {}, 5, {.threads = 1}, sharing);
    EXPECT_EQ(alone->front().fold_scores, (*together)[k].fold_scores);
    EXPECT_EQ(alone->front().lambda, (*together)[k].lambda);
  }
  EXPECT_GT(sharing.projecting_alone, sharing.projecting);
}

TEST(SharedSums, AgreesWithTheFitOfEveryFold) {
  const TableRows table = smooth_problem(kInputs, 200, 1, 8);
  const Validation validation = make_validation(table, numbers(), Metric::mse, kFolds, 1);
  Sharing sharing;
  const auto trials =
      validate_batch({{0, folded_family("rw-relu"), std::nullopt}}, inputs(), validation, {}, 9, {}, sharing);
  FitOptions options;
  options.lambda = trials->front().lambda;
  const FeatureMap map = FeatureMap::draw(folded_family("rw-relu"), inputs());
  for (Index f = 0; f < kFolds; ++f) {
    std::vector<bool> keep;
    for (const Index fold : validation.folds.of_row) keep.push_back(fold != f);
    const auto rows = filter_rows(table, keep);
    const FitResult fitted = fit_least_squares({map, *rows, Task::regression, options, folded_family("rw-relu"), {}});
    Matrix phi(map.features(), table.rows());
    map.smoothings(table.x, phi.view());
    double sum = 0;
    double count = 0;
    for (Index i = 0; i < table.rows(); ++i) {
      if (validation.folds.of_row[static_cast<std::size_t>(i)] != f) continue;
      double score = fitted.intercepts[0];
      for (Index t = 0; t < map.features(); ++t) score += fitted.coefficients(t, 0) * phi(t, i);
      sum += std::pow(score - table.y(0, i), 2);
      ++count;
    }
    EXPECT_NEAR(trials->front().fold_scores[static_cast<std::size_t>(f)], sum / count, 1e-8);
  }
}

TEST(SharedSums, ALambdaThatDrownsEverythingLeavesTheMean) {
  const TableRows table = smooth_problem(kInputs, 100, 1, 8);
  const Validation validation = make_validation(table, numbers(), Metric::mse, 2, 1);
  FamilyOptions vanishing = folded_family("rw-sign");
  vanishing.gamma = 1e-4;
  Sharing sharing;
  const auto trials = validate_batch({{0, vanishing, 1e300}}, inputs(), validation, {}, 9, {}, sharing);
  ASSERT_TRUE(trials && !trials->front().failed());
  double mean = 0;
  double count = 0;
  for (Index i = 0; i < 100; ++i)
    if (validation.folds.of_row[static_cast<std::size_t>(i)] == 0) {
      mean += table.y(0, i);
      ++count;
    }
  mean /= count;
  double error = 0;
  for (Index i = 0; i < 100; ++i)
    if (validation.folds.of_row[static_cast<std::size_t>(i)] == 1)
      error += std::pow(table.y(0, i) - mean, 2) / (100 - count);
  EXPECT_NEAR(trials->front().fold_scores[1], error, 1e-10);
}

/// Groups and named folds of three neighbouring rows, times in another order than the rows.
RowRule rule_of(RowRule::Kind kind, Index rows) {
  std::vector<Index> keys;
  for (Index i = 0; i < rows; ++i)
    keys.push_back(kind == RowRule::Kind::times ? (i * 7) % rows : kind == RowRule::Kind::folds ? i / 3 % 3 : i / 3);
  return {kind, "key", std::move(keys)};
}

class EveryRule : public ::testing::TestWithParam<RowRule::Kind> {};

TEST_P(EveryRule, SumsAndRefitsEqualDenseFits) {
  TableRows table = smooth_problem(kInputs, 150, 1, 5);
  table.block_rows = 64;
  table.set_rule(rule_of(GetParam(), 150));
  const Validation validation = make_validation(table, numbers(), Metric::mse, kFolds, 1);
  const std::size_t expected_folds = GetParam() == RowRule::Kind::folds ? 3 : kFolds;
  FitOptions fit;
  Sharing sharing;
  const Candidate candidate{0, folded_family("rw-relu"), 1e-4};
  const auto by_sums = validate_batch({candidate}, inputs(), validation, fit, 9, {}, sharing);
  const auto by_refits = validate_by_refits(candidate, inputs(), validation, fit, {});
  ASSERT_TRUE(by_sums && by_refits);
  ASSERT_EQ(by_sums->front().fold_scores.size(), expected_folds);
  ASSERT_EQ(by_refits->fold_scores.size(), expected_folds);
  const Matrix scores = dense_scores(table, candidate.family, validation, 1e-4, fit);
  const Index first = GetParam() == RowRule::Kind::times ? 1 : 0;
  for (std::size_t f = 0; f < expected_folds; ++f) {
    double sum = 0, count = 0;
    for (Index i = 0; i < 150; ++i) {
      if (validation.folds.of_row[static_cast<std::size_t>(i)] != static_cast<Index>(f) + first) continue;
      sum += std::pow(scores(0, i) - table.y(0, i), 2);
      ++count;
    }
    EXPECT_NEAR(by_sums->front().fold_scores[f], sum / count, 1e-8) << f;
    EXPECT_NEAR(by_refits->fold_scores[f], sum / count, 1e-8) << f;
  }
}

TEST_P(EveryRule, ClassesAreScoredWhereTheyArePredicted) {
  TableRows table = two_classes(160);
  table.set_rule(rule_of(GetParam(), 160));
  const TargetInfo target{Task::binary, {"y"}, {"no", "yes"}};
  for (const Metric metric : {Metric::error, Metric::auc, Metric::logloss}) {
    const Validation validation = make_validation(table, target, metric, kFolds, 2);
    const Index first = GetParam() == RowRule::Kind::times ? 1 : 0;
    Sharing sharing;
    FitOptions fit;
    const auto trials =
        validate_batch({{0, folded_family("rw-relu"), 1e-4}}, inputs(), validation, fit, 9, {}, sharing);
    ASSERT_TRUE(trials);
    const Matrix scores = dense_scores(table, folded_family("rw-relu"), validation, 1e-4, fit);
    Targets some{Task::binary, Matrix(1, 0), {}};
    std::vector<double> y, f;
    std::vector<Index> fold_of;
    for (Index i = 0; i < 160; ++i)
      if (const Index fold = validation.folds.of_row[static_cast<std::size_t>(i)]; fold >= first) {
        fold_of.push_back(fold - first);
        y.push_back(table.y(0, i));
        f.push_back(scores(0, i));
      }
    const auto count = static_cast<Index>(y.size());
    some.y = Matrix(1, count);
    std::copy(y.begin(), y.end(), some.y.data());
    const std::vector<double> expected =
        fold_scores(metric, some, {f.data(), 1, count, count}, fold_of, validation.folds.parts - first, false);
    ASSERT_EQ(trials->front().fold_scores.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      EXPECT_NEAR(trials->front().fold_scores[k], expected[k], 1e-8) << name_of(metric);
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryRule,
                         ::testing::Values(RowRule::Kind::folds, RowRule::Kind::groups, RowRule::Kind::times));

TEST(Validation, MoreFoldsThanRowsAreRefused) {
  const TableRows table = smooth_problem(kInputs, 5, 1, 8);
  EXPECT_THROW(make_validation(table, numbers(), Metric::mse, 6, 1), Error);
}

TEST(Validation, MoreFoldsThanRowsOfAClassAreSaidAndWithoutAnAreaRefused) {
  TableRows rare = two_classes(40);
  for (Index i = 0; i < 40; ++i) rare.y(0, i) = i < 3 ? 1 : -1;
  const TargetInfo target{Task::binary, {"y"}, {"no", "yes"}};
  std::vector<std::string> warnings;
  weft::Run run;
  run.on_warning = [&](const std::string& text) { warnings.push_back(text); };
  const Validation validation = make_validation(rare, target, Metric::error, 5, 1, run);
  EXPECT_EQ(validation.folds.parts, 5);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings.front().find("'yes' has 3 rows"), std::string::npos) << warnings.front();
  EXPECT_NE(warnings.front().find("at most 3"), std::string::npos) << warnings.front();
  std::vector<bool> has(5);
  for (Index i = 0; i < 3; ++i)
    has[static_cast<std::size_t>(validation.folds.of_row[static_cast<std::size_t>(i)])] = true;
  EXPECT_EQ(std::count(has.begin(), has.end(), true), 3);  // one row of the class in each of three folds
  Sharing sharing;
  const auto trials = validate_batch({{0, folded_family("rks-cos"), {}}}, inputs(), validation, {}, 5, {}, sharing);
  EXPECT_EQ(trials->front().fold_scores.size(), 5U);
  for (const double score : trials->front().fold_scores) EXPECT_TRUE(score >= 0 && score <= 1) << score;
  try {
    make_validation(rare, target, Metric::auc, 5, 1, run);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("'yes' has 3 rows"), std::string::npos) << error.what();
    EXPECT_NE(error.hint().find("at most 3"), std::string::npos) << error.what();
  }
  run.on_warning = {};
  make_validation(rare, target, Metric::error, 3, 1, run);
  EXPECT_EQ(warnings.size(), 1U);
}

}  // namespace
}  // namespace weft
