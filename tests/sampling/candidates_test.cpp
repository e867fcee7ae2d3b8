#include "sampling/candidates.hpp"

#include "methods/table_rows.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using testing_rows::RowMatrix;
using testing_rows::smooth_problem;
using testing_rows::TableRows;
using testing_rows::to_eigen;

FamilyOptions pool(const std::string& family, Index features, Index candidates) {
  FamilyOptions options;
  options.family = family;
  options.features = features;
  if (candidates > 0) options.candidates = candidates;
  options.sampling = Sampling::leverage;
  return options;
}

RowMatrix features_of(const FeatureMap& map, const TableRows& rows) {
  Matrix phi(map.features(), rows.rows());
  map.smoothings(rows.x, phi);
  return to_eigen(phi);
}

TEST(Candidates, ComeInProportionAndStartWithThePlainDraws) {
  const Inputs inputs = Inputs::plain(4, true);
  const FeatureMap candidates = draw_candidates(pool("rw-stumps:3+rks-cos:6+rks-sign", 10, 0), inputs, 3, {}, nullptr);
  ASSERT_EQ(candidates.parts().size(), 3u);
  EXPECT_EQ(candidates.parts()[0].centres.count(), 30);
  EXPECT_EQ(candidates.parts()[1].centres.count(), 60);
  EXPECT_EQ(candidates.parts()[2].centres.count(), 10);
  EXPECT_EQ(draw_candidates(pool("rw-stumps:3+rks-cos:6+rks-sign", 10, 37), inputs, 3, {}, nullptr).features(), 37);
  FamilyOptions plain = pool("rff-rbf", 5, 0);
  const FeatureMap many = draw_candidates(plain, inputs, 3, {}, nullptr);
  plain.sampling = Sampling::plain;
  const FeatureMap few = FeatureMap::draw(plain, inputs);
  for (Index t = 0; t < 5; ++t)
    for (Index j = 0; j < 5; ++j)
      EXPECT_EQ(many.parts()[0].centres.weights(t, j), few.parts()[0].centres.weights(t, j));
}

TEST(Candidates, TooFewOrTooManyAreErrors) {
  const Inputs inputs = Inputs::plain(4);
  const auto place = [&](const FamilyOptions& options, const weft::Run& run) -> std::string {
    try {
      draw_candidates(options, inputs, 3, run, nullptr);
    } catch (const Error& error) {
      EXPECT_FALSE(error.hint().empty());
      return error.field();
    }
    return "none";
  };
  EXPECT_EQ(place(pool("rff-rbf", 10, 9), {}), "candidates");
  EXPECT_EQ(place(pool("rff-rbf", 10, 10), {}), "none");
  EXPECT_EQ(place(pool("rff-rbf", 1000, 0), {.max_memory = 1e9}), "candidates");
}

TEST(CandidateGram, IsTheWeightedProductOverAllRows) {
  TableRows rows = smooth_problem(3, 57, 1, 2);
  rows.block_rows = 20;
  for (const bool weighted : {false, true}) {
    rows.weights.clear();
    for (Index i = 0; weighted && i < 57; ++i) rows.weights.push_back(static_cast<double>(i % 4));
    const FamilyOptions options = pool("rff-laplace", 3, 12);
    const FeatureMap candidates = draw_candidates(options, Inputs::plain(3, true), 3, {}, nullptr);
    const Matrix gram = candidate_gram(candidates, rows, options, {.threads = 2});
    const RowMatrix phi = features_of(candidates, rows);
    Eigen::VectorXd w = Eigen::VectorXd::Ones(57);
    for (Index i = 0; weighted && i < 57; ++i) w(i) = static_cast<double>(i % 4);
    const RowMatrix expected = phi * w.asDiagonal() * phi.transpose() / (12 * w.sum());
    for (Index s = 0; s < 12; ++s)
      for (Index t = 0; t <= s; ++t) EXPECT_NEAR(gram(s, t), expected(s, t), 1e-14);
  }
}

TEST(CandidateGram, OfSomeRowsTakesExactlyThatMany) {
  // One constant feature counts the rows: with weights 1, 2, 4, … its sum names the rows that were taken.
  TableRows rows;
  rows.block_rows = 7;
  rows.x = Matrix(1, 20);
  rows.y = Matrix(1, 20);
  for (Index i = 0; i < 20; ++i) rows.x(0, i) = std::ldexp(1.0, static_cast<int>(i));
  FamilyOptions options = pool("rks-identity", 1, 1);
  options.sampling_rows = 6;
  const FeatureMap candidates = draw_candidates(options, Inputs::plain(1), 3, {}, nullptr);
  const double w = candidates.parts()[0].centres.weights(0, 0);
  std::vector<int> taken(20);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    options.seed = seed;
    // Σ 4^i w² / 6 over the rows taken.
    double sum = std::round(candidate_gram(candidates, rows, options, {})(0, 0) * 6 / (w * w));
    int count = 0;
    for (int i = 19; i >= 0; --i)
      if (sum >= std::ldexp(1.0, 2 * i)) {
        sum -= std::ldexp(1.0, 2 * i);
        ++taken[static_cast<std::size_t>(i)];
        ++count;
      }
    EXPECT_EQ(count, 6);
    EXPECT_EQ(sum, 0);
  }
  for (const int count : taken) EXPECT_NEAR(count, 90, 40);  // five standard deviations
}

TEST(Candidates, CannotBeScoredByRowsWithoutWeight) {
  TableRows rows = smooth_problem(2, 50, 1, 4);
  rows.weights.assign(50, 0.0);
  FamilyOptions options = pool("rks-cos", 2, 4);
  const FeatureMap candidates = draw_candidates(options, Inputs::plain(2, true), 3, {}, nullptr);
  EXPECT_THROW(candidate_gram(candidates, rows, options, {}), Error);
  EXPECT_THROW(candidate_alignments(candidates, rows, options, {}), Error);
}

TEST(CandidateAlignments, AreSquaredCorrelationsSummedOverTheOutputs) {
  TableRows rows = smooth_problem(3, 50, 2, 4);
  rows.block_rows = 16;
  for (Index i = 0; i < 50; ++i) rows.weights.push_back(1 + static_cast<double>(i % 3));
  const FamilyOptions options = pool("rks-cos", 3, 9);
  const FeatureMap candidates = draw_candidates(options, Inputs::plain(3, true), 0, {}, nullptr);
  const RowMatrix phi = features_of(candidates, rows);
  const Eigen::VectorXd w =
      Eigen::Map<Eigen::VectorXd>(rows.weights.data(), 50) / Eigen::Map<Eigen::VectorXd>(rows.weights.data(), 50).sum();
  const RowMatrix y = to_eigen(rows.y);
  const std::vector<double> alignments = candidate_alignments(candidates, rows, options, {});
  for (Index t = 0; t < 9; ++t) {
    double expected = 0;
    for (Index o = 0; o < 2; ++o) {
      const Eigen::VectorXd centred = y.row(o).transpose().array() - y.row(o).dot(w);
      const double covariance = (phi.row(t) * w.asDiagonal() * centred)(0);
      expected += covariance * covariance / (centred.array().square().matrix().dot(w));
    }
    EXPECT_NEAR(alignments[static_cast<std::size_t>(t)], expected, 1e-12);
  }
}

TEST(CandidateAlignments, IgnoreUnitsOffsetsAndConstants) {
  TableRows rows = smooth_problem(3, 50, 2, 4);
  const FamilyOptions options = pool("rks-cos", 3, 9);
  const FeatureMap candidates = draw_candidates(options, Inputs::plain(3, true), 0, {}, nullptr);
  const std::vector<double> before = candidate_alignments(candidates, rows, options, {});
  for (Index i = 0; i < 50; ++i) rows.y(1, i) = 1e8 + 50 * rows.y(1, i);
  const std::vector<double> after = candidate_alignments(candidates, rows, options, {});
  for (std::size_t t = 0; t < 9; ++t) EXPECT_NEAR(after[t], before[t], 1e-6 * before[t]);
  for (Index i = 0; i < 50; ++i) rows.y(0, i) = rows.y(1, i) = 0.1;
  for (const double square : candidate_alignments(candidates, rows, options, {})) EXPECT_EQ(square, 0);
}

}  // namespace
}  // namespace weft
