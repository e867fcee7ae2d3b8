// The study of Wang 2019 on generated and on real data: exact predictions, effective dimension, rate and bound.
#include "rfm.hpp"

#include <weft/error.hpp>

#include "dense_algebra.hpp"
#include "paths.hpp"
#include "random.hpp"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <Eigen/Core>

namespace weft::papers {
namespace {

EncodeOptions paper_encoding() {
  EncodeOptions encode;
  encode.scale = Scaling::minmax;
  encode.bias = false;
  return encode;
}

TEST(Rfm, ExactSideIsADenseKernelRidge) {
  constexpr Index kRows = 45;
  constexpr Index kTest = 5;
  constexpr double kWidth = 0.7;
  constexpr double kLambda = 0.01;
  Matrix x(kRows, 1);
  Matrix y(kRows, 1);
  for (Index i = 0; i < kRows; ++i) {
    x(i, 0) = std::sin(1.0 + 7.0 * static_cast<double>(i));
    y(i, 0) = std::exp(x(i, 0)) + 0.1 * std::cos(static_cast<double>(i * i));
  }
  RfmOptions options;
  options.test_rows = kTest;
  options.bandwidth = "0.7";
  options.lambda = kLambda;
  options.features = "50";
  options.repeats = 2;
  EncodeOptions encode;
  encode.scale = Scaling::none;
  encode.bias = false;
  const RfmStudy study = rfm_study(array(x, y), options, encode);

  const std::vector<Index> order = Random(1, Draws::rows).permutation(kRows);
  const Index n = kRows - kTest;
  const auto row = [&](Index k) { return order[static_cast<std::size_t>(k)]; };  // the first are the test rows
  const auto kernel = [&](Index a, Index b) {
    return std::exp(-std::pow(x(row(a), 0) - x(row(b), 0), 2) / (2 * kWidth * kWidth));
  };
  Eigen::MatrixXd k(n, n);
  Eigen::VectorXd target(n);
  for (Index i = 0; i < n; ++i) {
    target(i) = y(row(kTest + i), 0);
    for (Index j = 0; j < n; ++j) k(i, j) = kernel(kTest + i, kTest + j);
  }
  const double mean = target.mean();
  const double largest = (target.array() - mean).abs().maxCoeff();
  target = (target.array() - mean) / largest;
  const Eigen::MatrixXd inverse =
      weft::testing::inverse(k + static_cast<double>(n) * kLambda * Eigen::MatrixXd::Identity(n, n));
  const Eigen::VectorXd alpha = inverse * target;
  double mse = 0;
  for (Index t = 0; t < kTest; ++t) {
    double prediction = 0;
    for (Index i = 0; i < n; ++i) prediction += alpha(i) * kernel(t, kTest + i);
    mse += std::pow(prediction - (y(row(t), 0) - mean) / largest, 2) / kTest;
  }
  EXPECT_EQ(study.rows, n);
  EXPECT_FALSE(study.slope);
  EXPECT_NEAR(study.effective_dimension, (k * inverse).trace(), 1e-9);
  EXPECT_NEAR(study.norm, alpha.dot(k * alpha), 1e-9);
  EXPECT_NEAR(study.exact_mse, mse, 1e-10);
  EXPECT_NEAR(study.points[0].bound, 8.0 / 50 * alpha.dot(k * alpha), 1e-9);
  EXPECT_NEAR(study.points[0].plain_bound, alpha.dot(k * alpha) / 50, 1e-9);
  EXPECT_NEAR(study.largest_norm, target.squaredNorm() / (4 * static_cast<double>(n) * kLambda), 1e-9);
  EXPECT_FALSE(study.points[0].lower);
}

TEST(Rfm, FollowsTheRateAndStaysUnderTheBound) {
  const Data data = generate("friedman1", {.rows = 700, .seed = 2, .noise = 0.5});
  for (const RfmKernel kernel : {RfmKernel::rbf, RfmKernel::laplace, RfmKernel::angular}) {
    RfmOptions options;
    options.kernel = kernel;
    options.test_rows = 200;
    options.features = "16,64,256,1024";
    options.repeats = 20;
    const RfmStudy study = rfm_study(data, options, paper_encoding());
    ASSERT_EQ(study.points.size(), 4U);
    EXPECT_NEAR(*study.slope, -1, 0.1) << name_of(kernel);
    for (const RfmPoint& point : study.points) {
      EXPECT_TRUE(point.proven);
      EXPECT_LT(point.mse, point.bound) << name_of(kernel) << " " << point.features;
      EXPECT_NEAR(point.bound * static_cast<double>(point.features),
                  study.points[0].bound * static_cast<double>(study.points[0].features), 1e-9 * study.points[0].bound);
    }
  }
}

// Theorem 2 and Remark 1: the difference lies between its bounds, and the norm below that of any target of its size.
TEST(Rfm, SignFeaturesLieBetweenBothBounds) {
  const Data data = generate("friedman1", {.rows = 500, .seed = 2, .noise = 0.5});
  RfmOptions options;
  options.kernel = RfmKernel::angular;
  options.test_rows = 100;
  options.features = "16,64,256";
  options.repeats = 20;
  for (const double lambda : {0.01, 0.2, 1.0}) {
    options.lambda = lambda;
    const RfmStudy study = rfm_study(data, options, paper_encoding());
    EXPECT_LE(study.norm, study.largest_norm);
    for (const RfmPoint& point : study.points) {
      EXPECT_GT(*point.lower, 0);
      EXPECT_LT(*point.lower, *point.own_mse) << lambda << ' ' << point.features;
      EXPECT_LT(*point.own_mse, point.bound) << lambda << ' ' << point.features;
    }
  }
}

TEST(Rfm, AgreesWithTheKernelMachine) {
  // Infinitely many features are the kernel machine: with very many, predictions are close to it.
  const Data data = generate("friedman1", {.rows = 300, .seed = 2, .noise = 0.5});
  RfmOptions options;
  options.test_rows = 100;
  options.lambda = 0.05;
  options.features = "4000";
  options.repeats = 1;
  const RfmStudy study = rfm_study(data, options, paper_encoding());
  EXPECT_LT(study.points[0].mse, 1e-4);
}

TEST(Rfm, ALambdaBelowTheTheoremsIsSaid) {
  RfmOptions options;
  options.test_rows = 50;
  options.lambda = 1e-3;
  options.features = "20";
  const RfmStudy study = rfm_study(generate("moons", {.rows = 200}), options, paper_encoding());
  EXPECT_FALSE(study.points[0].proven);
  EXPECT_NEAR(study.points[0].demanded_lambda, 4 / std::sqrt(150.0) * std::sqrt(std::log(20 / 0.05)), 1e-12);
}

TEST(Rfm, MistakesAreNamed) {
  const Data data = generate("moons", {.rows = 100});
  RfmOptions options;
  for (const char* list : {"", "a", "1,,2", "0", "-3", "1,2,", "1.5"}) {
    options.features = list;
    EXPECT_THROW(rfm_study(data, options), Error) << list;
  }
  options.features = "10";
  EXPECT_THROW(rfm_study(data, options), Error);  // 1000 test rows of 100
  options.test_rows = 20;
  options.rows = 90;
  EXPECT_THROW(rfm_study(data, options), Error);
  options.rows = 0;
  EXPECT_THROW(rfm_study(data, options, {}, {.max_memory = 1000}), Error);
}

class RealData : public ::testing::TestWithParam<std::tuple<const char*, RfmKernel>> {};

TEST_P(RealData, RateIsOneOverS) {
  const auto& [name, kernel] = GetParam();
  const std::string path = weft::testing::shared_data() + "/" + name + ".csv.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  RfmOptions options;
  options.kernel = kernel;
  options.rows = 1500;
  options.test_rows = 500;
  options.features = "16,64,256,1024";
  options.repeats = 10;
  const RfmStudy study = rfm_study(read(path, {.target = "target"}), options, paper_encoding());
  EXPECT_NEAR(*study.slope, -1, 0.1);
  for (const RfmPoint& point : study.points) EXPECT_LT(point.mse, point.bound);
}

INSTANTIATE_TEST_SUITE_P(Rfm, RealData,
                         ::testing::Combine(::testing::Values("cpusmall", "california_housing"),
                                            ::testing::Values(RfmKernel::rbf, RfmKernel::laplace)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" + name_of(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace weft::papers
