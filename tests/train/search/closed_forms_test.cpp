// Leave-one-out, generalised cross-validation and the curve over T against what they stand for: refits.
#include "dense_algebra.hpp"
#include "linalg/normal_equations.hpp"
#include "methods/table_rows.hpp"
#include "objective/lambda_grid.hpp"
#include "train/search/feature_curve.hpp"
#include "train/search/leave_one_out.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using testing_rows::smooth_problem;
using testing_rows::TableRows;
using testing_rows::to_eigen;

constexpr double kLambda = 1e-3;  // effective

FamilyOptions closed_form_family(const std::string& name, Index features = 40) {
  FamilyOptions options;
  options.family = name;
  options.features = features;
  options.pool = 3;
  return options;
}

struct Case {
  TableRows table;
  Validation validation;
  FeatureMap map;
  PartSums sums;
  Penalty penalty;

  Case(TableRows rows, const FamilyOptions& options)
      : table(std::move(rows)),
        validation(make_validation(table, {Task::regression, {"y"}, {}}, Metric::mse, 4, 1)),
        map(FeatureMap::draw(options, Inputs::plain(4))),
        penalty(make_penalty(map, Regularizer::automatic, {})) {
    MapSet maps(map);
    sums = accumulate_parts(maps, table, {}, 4,
                            [&](Index row) { return validation.folds.of_row[static_cast<std::size_t>(row)]; }, {})
               .front();
  }
};

/// Dense solution with the intercept as last unknown, of the rows with positive `use`, under the penalty of all rows.
Eigen::VectorXd dense_fit(const Case& c, const Eigen::MatrixXd& phi, const std::vector<double>& use, double total) {
  const Index size = phi.rows() + 1;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd rhs = Eigen::VectorXd::Zero(size);
  for (Index i = 0; i < phi.cols(); ++i) {
    Eigen::VectorXd row(size);
    row << phi.col(i), 1;
    const double weight = use[static_cast<std::size_t>(i)];
    a += weight * row * row.transpose();
    rhs += weight * c.table.y(0, i) * row;
  }
  for (Index s = 0; s + 1 < size; ++s) {
    for (Index t = 0; t + 1 < size; ++t)
      a(s, t) += total * kLambda * (c.penalty.identity() ? (s == t ? 1 : 0) : c.penalty.matrix(s, t));
    a(s, s) += total * *LeastSquaresOptions{}.epsilon;
  }
  return testing::solve_symmetric(a, rhs);
}

Eigen::MatrixXd dense_features(const Case& c) {
  Matrix phi(c.map.features(), c.table.rows());
  c.map.smoothings(c.table.x, phi.view());
  return to_eigen(phi);
}

TEST(LeaveOneOut, EqualsRefitsWithoutEachRow) {
  TableRows rows = smooth_problem(3, 90, 1, 4);
  for (Index i = 0; i < 90; ++i) rows.weights.push_back(1 + static_cast<double>(i % 4));
  const Case c(rows, closed_form_family("rw-relu"));
  double total = 0;
  for (const double weight : c.table.weights) total += weight;
  const Eigen::MatrixXd phi = dense_features(c);
  double squares = 0;
  for (Index i = 0; i < 90; ++i) {
    std::vector<double> use = c.table.weights;
    use[static_cast<std::size_t>(i)] = 0;
    const Eigen::VectorXd solution = dense_fit(c, phi, use, total);
    const double prediction = phi.col(i).dot(solution.head(phi.rows())) + solution(phi.rows());
    squares += c.table.weights[static_cast<std::size_t>(i)] * std::pow(prediction - c.table.y(0, i), 2);
  }
  MapSet maps(c.map);
  const auto closed = leave_one_out(maps, c.sums, c.penalty, kLambda, c.validation, {}, {});
  ASSERT_TRUE(closed);
  EXPECT_NEAR(closed->score, squares / total, 1e-9);
}

TEST(LeaveOneOut, GeneralisedCrossValidationIsThatOfTheHatMatrix) {
  const Case c(smooth_problem(3, 90, 1, 4), closed_form_family("rks-cos"));
  const Eigen::MatrixXd phi = dense_features(c);
  double trace = 0;
  double squares = 0;
  const std::vector<double> ones(90, 1.0);
  const Eigen::VectorXd solution = dense_fit(c, phi, ones, 90);
  for (Index i = 0; i < 90; ++i) {
    Case unit = c;  // column i of the hat matrix: the fit to the i-th unit target
    for (Index k = 0; k < 90; ++k) unit.table.y(0, k) = k == i ? 1 : 0;
    const Eigen::VectorXd column = dense_fit(unit, phi, ones, 90);
    trace += phi.col(i).dot(column.head(phi.rows())) + column(phi.rows());
    squares += std::pow(phi.col(i).dot(solution.head(phi.rows())) + solution(phi.rows()) - c.table.y(0, i), 2);
  }
  MapSet maps(c.map);
  const auto closed = leave_one_out(maps, c.sums, c.penalty, kLambda, c.validation, {}, {});
  ASSERT_TRUE(closed);
  EXPECT_NEAR(closed->degrees, trace, 1e-8);
  EXPECT_NEAR(closed->generalised, squares / 90 / std::pow(1 - trace / 90, 2), 1e-9);
}

class Curve : public ::testing::TestWithParam<std::string> {};

TEST_P(Curve, EqualsSearchesWithFewerFeatures) {
  const Case c(smooth_problem(3, 150, 1, 4), closed_form_family(GetParam()));
  const Growth grown = growth(closed_form_family(GetParam()), Inputs::plain(4));
  ASSERT_GT(grown.sizes.size(), 2U);
  EXPECT_EQ(grown.sizes.back(), 40);
  const std::vector<double> lambdas = {kLambda};
  const auto curve = feature_curve(c.map, grown, c.sums, c.penalty, lambdas, c.validation, {}, {});
  ASSERT_TRUE(curve);
  for (const CurvePoint& point : *curve) {
    Sharing sharing;
    const auto trials = validate_batch({{0, closed_form_family(GetParam(), point.features), point.lambda}},
                                       Inputs::plain(4), c.validation, {}, 1, {}, sharing);
    // The penalty of the smaller map is divided by its own largest amplitude: λ means the same in the user's units.
    EXPECT_NEAR(point.score, trials->front().score, 1e-8 * point.score) << point.features;
    EXPECT_NEAR(point.standard_error, trials->front().standard_error, 1e-8) << point.features;
  }
}

FamilyOptions many_features(const std::string& name) {
  return closed_form_family(name, 240);
}

class FewRows : public ::testing::TestWithParam<std::string> {};

TEST_P(FewRows, CoordinatesHaveTheInnerProductsOfTheFeatures) {
  const Case c(smooth_problem(3, 60, 1, 4), many_features(GetParam()));
  Matrix phi(240, 60), doubled(240, 60);  // rows that are equal make the products singular
  c.map.smoothings(c.table.x, phi.view());
  for (Index t = 0; t < 240; ++t)
    for (Index i = 0; i < 60; ++i) doubled(t, i) = phi(t, i / 2);
  for (const Matrix& features : {phi, doubled}) {
    const Eigen::MatrixXd original = to_eigen(features);
    const Eigen::MatrixXd coordinates = to_eigen(row_coordinates(features));
    ASSERT_EQ(coordinates.rows(), 60);
    const Eigen::MatrixXd expected = original.transpose() * original;
    EXPECT_LT((coordinates.transpose() * coordinates - expected).cwiseAbs().maxCoeff(),
              1e-12 * expected.cwiseAbs().maxCoeff());
  }
}

// Sums of T features against what the search does where there are fewer rows.
TEST_P(FewRows, AreValidatedAsBySumsOfFeatures) {
  TableRows rows = smooth_problem(3, 60, 1, 4);
  for (Index i = 0; i < 60; ++i) rows.weights.push_back(1 + static_cast<double>(i % 4));
  const Case c(rows, many_features(GetParam()));
  ASSERT_TRUE(fits_in_row_coordinates(c.map, c.validation, {}));
  ASSERT_TRUE(c.penalty.identity());
  Sharing sharing;
  const auto trials =
      validate_batch({{0, many_features(GetParam()), {}}}, Inputs::plain(4), c.validation, {}, 9, {}, sharing);
  const std::vector<double> lambdas = lambda_grid(normal_equations(sum_of_all(c.sums), true), c.penalty, 9);
  const FoldFits fits = fit_path(c.sums, c.validation.folds, c.penalty, lambdas, {}, {});
  const std::vector<ValidationScore> expected = validation_scores(c.sums, c.validation.folds, fits, {});
  ASSERT_EQ(trials->front().path.size(), 9U);
  for (std::size_t k = 0; k < 5; ++k) {  // the smallest λs leave T × T equations with no correct digit
    EXPECT_NEAR(trials->front().path[k].lambda, c.penalty.user_lambda(lambdas[k]),
                1e-9 * c.penalty.user_lambda(lambdas[k]));
    EXPECT_NEAR(trials->front().path[k].score, expected[k].score, 1e-6 * expected[k].score) << k;
  }
}

TEST_P(FewRows, LeavingOneOutAndTheCurveAreThoseOfTheFeatures) {
  const Case c(smooth_problem(3, 60, 1, 4), many_features(GetParam()));
  MapSet features(c.map), few(c.map);
  few.in_row_coordinates(60);
  const PartSums sums = accumulate_parts(few, c.table, {}, 1, {}, {}).front();
  const auto closed = leave_one_out(few, sums, c.penalty, kLambda, c.validation, {}, {});
  const auto expected = leave_one_out(features, c.sums, c.penalty, kLambda, c.validation, {}, {});
  ASSERT_TRUE(closed && expected);
  EXPECT_NEAR(closed->score, expected->score, 1e-8 * expected->score);
  EXPECT_NEAR(closed->generalised, expected->generalised, 1e-8 * expected->generalised);
  EXPECT_NEAR(closed->degrees, expected->degrees, 1e-7);
  const Growth grown = growth(many_features(GetParam()), Inputs::plain(4));
  const std::vector<double> lambdas = {10 * kLambda, kLambda};
  const auto curve = feature_curve_of_rows(c.map, grown, c.penalty, lambdas, c.validation, {}, {});
  const auto wanted = feature_curve(c.map, grown, c.sums, c.penalty, lambdas, c.validation, {}, {});
  ASSERT_EQ(curve->size(), wanted->size());
  for (std::size_t k = 0; k < curve->size(); ++k) {
    EXPECT_EQ((*curve)[k].features, (*wanted)[k].features);
    EXPECT_DOUBLE_EQ((*curve)[k].lambda, (*wanted)[k].lambda);
    EXPECT_NEAR((*curve)[k].score, (*wanted)[k].score, 1e-7 * (*wanted)[k].score);
  }
}

INSTANTIATE_TEST_SUITE_P(Ridges, FewRows, ::testing::Values("auto", "rks-cos"),
                         [](const auto& test) { return std::string(test.param == "auto" ? "automatic" : "plain"); });

INSTANTIATE_TEST_SUITE_P(Families, Curve, ::testing::Values("rw-sign", "rks-cos", "auto", "rw-relu"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

TEST(Growth, FixedCountsLeaveOneSize) {
  EXPECT_EQ(growth(closed_form_family("rw-stumps:10+rw-relu:30"), Inputs::plain(4)).sizes, std::vector<Index>{40});
}

TEST(SmallestGood, IsTheFewestWithinOneStandardErrorOfTheBest) {
  const std::vector<CurvePoint> curve = {
      {10, 1, 0.5, 0.01}, {20, 1, 0.305, 0.01}, {40, 1, 0.31, 0.01}, {80, 1, 0.30, 0.01}, {160, 1, 0.302, 0.01}};
  EXPECT_EQ(smallest_good(Metric::mse, curve), 1U);
  std::vector<CurvePoint> areas = curve;
  for (CurvePoint& point : areas) point.score = 1 - point.score;
  EXPECT_EQ(smallest_good(Metric::auc, areas), 1U);
}

}  // namespace
}  // namespace weft
