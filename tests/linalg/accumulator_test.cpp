#include "linalg/accumulator.hpp"

#include "linalg/dense.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

using namespace test;

// 300 features cut the triangle into unequal tiles, 700 rows cut a row step.
constexpr Index kFeatures = 300;
constexpr Index kRows = 700;

std::vector<double> some_weights(Index rows) {
  std::vector<double> weights;
  for (Index i = 0; i < rows; ++i) weights.push_back(i % 5 == 0 ? 0.0 : 0.25 * static_cast<double>(i % 7));
  return weights;
}

void expect_sums(const Accumulator& sums, const Matrix& phi, const Matrix& y, const Eigen::VectorXd& w,
                 double tolerance) {
  const Dense p = dense(phi);
  const Dense t = dense(y);
  const Dense gram = p * w.asDiagonal() * p.transpose();
  EXPECT_LT(largest_difference(symmetric(sums.gram_lower()), gram), tolerance * gram.diagonal().maxCoeff());
  EXPECT_LT(largest_difference(dense(sums.gram()), gram), tolerance * gram.diagonal().maxCoeff());
  EXPECT_LT(largest_difference(dense(sums.cross()), p * w.asDiagonal() * t.transpose()),
            tolerance * static_cast<double>(phi.cols()));
  const auto feature_sums = sums.feature_sums();
  for (Index i = 0; i < phi.rows(); ++i)
    EXPECT_NEAR(feature_sums[i], p.row(i).dot(w), tolerance * static_cast<double>(phi.cols()));
  for (Index c = 0; c < y.rows(); ++c) {
    EXPECT_NEAR(sums.yy()[c], t.row(c).cwiseAbs2().dot(w), 1e-12 * static_cast<double>(phi.cols()));
    EXPECT_NEAR(sums.target_sums()[c], t.row(c).dot(w), 1e-12 * static_cast<double>(phi.cols()));
  }
  EXPECT_NEAR(sums.weight(), w.sum(), 1e-12 * w.sum());
}

TEST(Accumulator, AgreesWithTheDenseProducts) {
  for (const auto& [features, rows] : {std::pair<Index, Index>{kFeatures, kRows}, {70, 2000}, {400, 30}, {1, 1}}) {
    const Matrix phi = random_matrix(features, rows, 1);
    const Matrix y = random_matrix(3, rows, 2);
    Accumulator sums(features, 3);
    sums.add(phi.view(), y, nullptr, 2);
    expect_sums(sums, phi, y, Eigen::VectorXd::Ones(rows), 1e-14);
    EXPECT_EQ(sums.rows(), rows);
  }
}

TEST(Accumulator, WeighsRows) {
  const Matrix phi = random_matrix(kFeatures, kRows, 3);
  const Matrix y = random_matrix(2, kRows, 4);
  const auto weights = some_weights(kRows);
  Accumulator sums(kFeatures, 2);
  sums.add(phi.view(), y, weights.data(), 2);
  expect_sums(sums, phi, y, Eigen::Map<const Eigen::VectorXd>(weights.data(), kRows), 1e-13);
}

TEST(Accumulator, ReadsStridedViews) {
  const Matrix phi = random_matrix(40, 90, 5);
  const Matrix y = random_matrix(1, 90, 6);
  Accumulator part(40, 1);
  part.add(phi.view().col_range(13, 50), y.view().col_range(13, 50), nullptr, 1);
  Eigen::VectorXd chosen = Eigen::VectorXd::Zero(90);
  chosen.segment(13, 50).setOnes();
  expect_sums(part, phi, y, chosen, 1e-14);
}

TEST(Accumulator, SinglePrecisionIsGoodToSevenDigits) {
  const Matrix phi = random_matrix(kFeatures, kRows, 7);
  const Matrix y = random_matrix(2, kRows, 8);
  BasicMatrix<float> single(kFeatures, kRows);
  for (Index i = 0; i < kFeatures * kRows; ++i) single.data()[i] = static_cast<float>(phi.data()[i]);
  const auto weights = some_weights(kRows);
  Accumulator plain(kFeatures, 2);
  plain.add(single.view(), y, nullptr, 2);
  expect_sums(plain, phi, y, Eigen::VectorXd::Ones(kRows), 5e-7);
  Accumulator weighted(kFeatures, 2);
  weighted.add(single.view(), y, weights.data(), 2);
  expect_sums(weighted, phi, y, Eigen::Map<const Eigen::VectorXd>(weights.data(), kRows), 5e-7);
}

TEST(Accumulator, HasTheSameBitsForEveryThreadCount) {
  const Matrix phi = random_matrix(600, kRows, 9);
  const Matrix y = random_matrix(2, kRows, 10);
  BasicMatrix<float> single(600, kRows);
  for (Index i = 0; i < 600 * kRows; ++i) single.data()[i] = static_cast<float>(phi.data()[i]);
  const auto weights = some_weights(kRows);
  const auto both = [&](int threads) {
    Accumulator sums(600, 2);
    sums.add(phi.view(), y, weights.data(), threads);
    sums.add(single.view(), y, nullptr, threads);
    return sums;
  };
  const Accumulator one = both(1);
  for (const int threads : {2, 3}) {
    const Accumulator more = both(threads);
    EXPECT_TRUE(same_bits(one.gram(), more.gram()));
    EXPECT_EQ(dense(one.cross()), dense(more.cross()));
    EXPECT_EQ(one.feature_sums(), more.feature_sums());
  }
}

TEST(Accumulator, BlocksAndMergesSumToTheWhole) {
  const Matrix phi = random_matrix(kFeatures, kRows, 11);
  const Matrix y = random_matrix(2, kRows, 12);
  Accumulator whole(kFeatures, 2);
  whole.add(phi.view(), y, nullptr, 1);
  std::vector<Accumulator> parts(3, Accumulator(kFeatures, 2));
  Index first = 0;
  for (const Index count : {100, 1, 250, 349}) {
    parts[static_cast<std::size_t>(first) % 3].add(phi.view().col_range(first, count), y.view().col_range(first, count),
                                                   nullptr, 1);
    first += count;
  }
  const std::vector<const Accumulator*> pointers{&parts[0], &parts[1], &parts[2]};
  const Accumulator total = Accumulator::sum(pointers);
  EXPECT_EQ(total.rows(), kRows);
  EXPECT_LT(largest_difference(dense(total.gram()), dense(whole.gram())), 1e-12 * kRows);
  EXPECT_LT(largest_difference(dense(total.cross()), dense(whole.cross())), 1e-12 * kRows);
  EXPECT_NEAR(total.yy()[1], whole.yy()[1], 1e-12 * kRows);
}

TEST(Accumulator, ChoosesFeaturesAsIfNoOtherHadBeenAdded) {
  const Matrix phi = random_matrix(kFeatures, kRows, 11);
  const Matrix y = random_matrix(2, kRows, 12);
  const auto weights = some_weights(kRows);
  Accumulator all(kFeatures, 2);
  all.add(phi.view(), y, weights.data(), 2);
  const std::vector<Index> positions = {7, 250, 3, 299};  // any order
  const std::vector<double> scales = {1, 0.5, -2, 3};
  Matrix chosen(4, kRows);
  for (Index t = 0; t < 4; ++t)
    for (Index i = 0; i < kRows; ++i) chosen(t, i) = scales[t] * phi(positions[t], i);
  const Accumulator subset = all.subset(positions, scales);
  expect_sums(subset, chosen, y, Eigen::Map<const Eigen::VectorXd>(weights.data(), kRows), 1e-14);
  EXPECT_EQ(subset.rows(), kRows);
}

TEST(Accumulator, CentresAboutTheWeightedMeans) {
  Matrix phi = random_matrix(50, 400, 13);
  Matrix y = random_matrix(2, 400, 14);
  for (Index i = 0; i < 400; ++i) {
    phi(3, i) += 100;
    phi(7, i) = 2.5;
    y(1, i) -= 3;
  }
  const auto weights = some_weights(400);
  const Eigen::Map<const Eigen::VectorXd> w(weights.data(), 400);
  Accumulator sums(50, 2);
  sums.add(phi.view(), y, weights.data(), 1);
  const CentredSums centred = sums.centred();
  Dense p = dense(phi);
  Dense t = dense(y);
  p.colwise() -= (p * w / w.sum()).eval();
  t.colwise() -= (t * w / w.sum()).eval();
  EXPECT_LT(largest_difference(dense(centred.gram), p * w.asDiagonal() * p.transpose()), 1e-8);
  EXPECT_LT(largest_difference(dense(centred.cross), p * w.asDiagonal() * t.transpose()), 1e-8);
  EXPECT_NEAR(centred.yy[1], t.row(1).cwiseAbs2().dot(w), 1e-9);
  EXPECT_NEAR(centred.feature_means[3], dense(phi).row(3).dot(w) / w.sum(), 1e-12);
  EXPECT_NEAR(centred.target_means[1], dense(y).row(1).dot(w) / w.sum(), 1e-12);
  for (Index j = 0; j < 50; ++j) EXPECT_EQ(centred.gram(7, j), 0) << "a constant column is exactly zero";
}

TEST(Accumulator, RefusesBadWeights) {
  const Matrix phi = random_matrix(2, 3, 15);
  const Matrix y = random_matrix(1, 3, 16);
  Accumulator sums(2, 1);
  for (const double bad : {-1.0, std::nan("")}) {
    const double weights[] = {1, bad, 1};
    EXPECT_THROW(sums.add(phi.view(), y, weights, 1), Error);
  }
  EXPECT_EQ(sums.rows(), 0);
  EXPECT_EQ(sums.weight(), 0);
  EXPECT_THROW(sums.centred(), Error);
}

Accumulator sums_of(const Matrix& phi, const Matrix& y, Index first, Index count, std::vector<double> shift) {
  const auto weights = some_weights(phi.cols());
  Accumulator sums(phi.rows(), y.rows(), std::move(shift));
  sums.add(phi.view().col_range(first, count), y.view().col_range(first, count), weights.data() + first, 1);
  return sums;
}

/// Targets of 1e9 ± 1.
Matrix far_targets(Index rows) {
  Matrix y = random_matrix(2, rows, 22);
  for (Index i = 0; i < rows; ++i) y(1, i) += 1e9;
  return y;
}

TEST(Accumulator, PartsWithDifferentShiftsMergeToTheWhole) {
  const Matrix phi = random_matrix(40, kRows, 21);
  const Matrix y = far_targets(kRows);
  const Accumulator whole = sums_of(phi, y, 0, kRows, {0.5, 1e9});
  Accumulator merged = sums_of(phi, y, 0, 300, {0.5, 1e9});
  merged.merge(sums_of(phi, y, 300, 250, {-2, 1e9 + 0.75}));
  merged.merge(sums_of(phi, y, 550, kRows - 550, {0, 1e9 - 3}));
  EXPECT_EQ(merged.shift(), whole.shift());
  EXPECT_LT(largest_difference(dense(merged.cross()), dense(whole.cross())), 1e-12 * kRows);
  for (const std::size_t c : {0, 1}) {
    EXPECT_NEAR(merged.yy()[c], whole.yy()[c], 1e-12 * kRows);
    EXPECT_NEAR(merged.target_sums()[c], whole.target_sums()[c], 1e-12 * kRows);
  }
}

TEST(Accumulator, SumsWithoutRowsTakeOverTheShift) {
  const Matrix phi = random_matrix(5, 60, 23);
  const Matrix y = far_targets(60);
  const Accumulator part = sums_of(phi, y, 0, 60, {0, 1e9});
  Accumulator empty(5, 2);
  empty.merge(part);
  EXPECT_EQ(empty.shift(), part.shift());
  EXPECT_EQ(empty.yy(), part.yy());
  EXPECT_EQ(dense(empty.cross()), dense(part.cross()));
}

TEST(Accumulator, ComesBackFromItsBytesBitForBit) {
  const Matrix phi = random_matrix(70, kRows, 24);
  const Accumulator sums = sums_of(phi, far_targets(kRows), 0, kRows, {0.25, 1e9});
  const Accumulator back = Accumulator::from_bytes(sums.to_bytes());
  EXPECT_TRUE(same_bits(sums.gram(), back.gram()));
  EXPECT_EQ(dense(sums.cross()), dense(back.cross()));
  EXPECT_EQ(sums.feature_sums(), back.feature_sums());
  EXPECT_EQ(sums.yy(), back.yy());
  EXPECT_EQ(sums.target_sums(), back.target_sums());
  EXPECT_EQ(sums.shift(), back.shift());
  EXPECT_EQ(sums.weight(), back.weight());
  EXPECT_EQ(sums.rows(), back.rows());
  EXPECT_EQ(back.to_bytes(), sums.to_bytes());
  const Accumulator none = Accumulator::from_bytes(Accumulator(0, 1).to_bytes());
  EXPECT_EQ(none.features(), 0);
  EXPECT_EQ(none.targets(), 1);
}

TEST(Accumulator, RefusesDamagedBytes) {
  const Matrix phi = random_matrix(3, 10, 25);
  const std::string bytes = sums_of(phi, far_targets(10), 0, 10, {}).to_bytes();
  for (std::size_t i = 0; i < bytes.size(); i += 7) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    EXPECT_THROW(Accumulator::from_bytes(flipped), Error) << i;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_THROW(Accumulator::from_bytes(bytes.substr(0, size)), Error) << size;
}

}  // namespace
}  // namespace weft
