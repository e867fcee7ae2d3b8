// Fits on sampled features: scales travel everywhere, and unlabelled rows have their say.
#include <weft/fit.hpp>
#include <weft/leverage.hpp>
#include <weft/load.hpp>

#include "data/memory_table.hpp"
#include "dense_algebra.hpp"
#include "methods/descent/feature_stream.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "methods/table_rows.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

namespace weft {

using namespace detail;
namespace {

using testing_rows::smooth_problem;
using testing_rows::TableRows;

std::vector<double> uneven_scales(Index count) {
  std::vector<double> scales;
  for (Index t = 0; t < count; ++t) scales.push_back(std::pow(3.0, static_cast<double>(t % 5) - 2));
  return scales;
}

FeatureMap scaled(const FeatureMap& map) {
  std::vector<Index> all(static_cast<std::size_t>(map.features()));
  std::iota(all.begin(), all.end(), Index{0});
  return map.subset(all, uneven_scales(map.features()));
}

std::vector<double> predictions(const FeatureMap& map, const FitResult& result, const TableRows& rows) {
  Matrix phi(map.features(), rows.rows());
  map.smoothings(rows.x, phi);
  std::vector<double> values(static_cast<std::size_t>(rows.rows()), result.intercepts[0]);
  for (Index t = 0; t < map.features(); ++t)
    for (Index i = 0; i < rows.rows(); ++i)
      values[static_cast<std::size_t>(i)] += result.coefficients(t, 0) * phi(t, i);
  return values;
}

// The RKHS norm of a weight function does not know how its centres are scaled, so neither does the minimiser.
TEST(SampledFeatures, ScalesLeaveThePenalisedMinimiserOfARkhsAlone) {
  const TableRows rows = smooth_problem(2, 300, 1, 3);
  FamilyOptions family;
  family.family = "rw-relu";
  family.features = 25;
  const FeatureMap map = FeatureMap::draw(family, Inputs::plain(2, true));
  const FeatureMap other = scaled(map);
  FitOptions options;
  options.lambda = 1e-3;
  options.use<LeastSquaresOptions>().epsilon = 0;
  for (const Regularizer regularizer : {Regularizer::rkhs, Regularizer::l2p}) {
    options.use<LeastSquaresOptions>().regularizer = regularizer;
    const weft::Run run;
    const auto fitted = [&](const FeatureMap& features) {
      return predictions(features, fit_least_squares({features, rows, Task::regression, options, family, run}), rows);
    };
    const std::vector<double> plain = fitted(map), with_scales = fitted(other);
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(with_scales[i], plain[i], 1e-6) << name_of(regularizer);
  }
}

TEST(SampledFeatures, ScalesMultiplyTheGramRowsOfDescents) {
  for (const char* family : {"rw-relu", "rks-cos", "rff-rbf"}) {
    const FeatureMap map = FeatureMap::draw({.family = family, .features = 11}, Inputs::plain(2, true));
    const FeatureMap other = scaled(map);
    const FeatureStream plain(map, 4), with_scales(other, 4);
    const std::vector<double> scales = uneven_scales(11);
    const bool none = map.parts()[0].family.kernel.none();
    for (std::size_t c = 0; c < plain.chunks().size(); ++c) {
      const FeatureChunk& chunk = plain.chunks()[c];
      const GramRows a = plain.gram_rows(chunk, {}), b = with_scales.gram_rows(with_scales.chunks()[c], {});
      const double unit = std::exp(2 * (with_scales.log_norm_scale() - plain.log_norm_scale()));
      for (Index v = chunk.first; v < chunk.first + chunk.count; ++v) {
        const double square = none ? 1 : scales[static_cast<std::size_t>(v)] * scales[static_cast<std::size_t>(v)];
        EXPECT_NEAR(b.diagonal(v) * unit, square * a.diagonal(v), 1e-12) << family;
      }
    }
    Matrix x(3, 2);
    x(0, 0) = 0.3;
    x(1, 1) = -0.8;
    x(2, 0) = x(2, 1) = 1;
    const Index both[] = {0, 1};
    double a[2], b[2];
    plain.activation(6, x, both, 2, a);
    with_scales.activation(6, x, both, 2, b);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(b[i], scales[6] * a[i], 1e-13) << family;
    Matrix phi(map.features(), 2);
    if (none) {
      map.smoothings(x, phi);
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(a[i], phi(6, i), 1e-13) << family;
    }
  }
}

TEST(SampledFeatures, ServeEveryFitAndSurviveTheModelFile) {
  const Data train = generate("moons", {.rows = 300, .seed = 4});
  const Data test = generate("moons", {.rows = 100, .seed = 5});
  const std::string path = (std::filesystem::temp_directory_path() / "weft_sampled_features.weft").string();
  for (const Sampling sampling : {Sampling::leverage, Sampling::leverage_top, Sampling::eerf, Sampling::lkrf,
                                  Sampling::orthogonal, Sampling::structured, Sampling::sobol})
    for (const char* fit_name : {"least-squares", "lasso", "logistic", "sfgd", "optimal-step"}) {
      FamilyOptions family;
      family.family = "rff-rbf";
      family.features = 30;
      family.sampling = sampling;
      FitOptions options;
      options.method = method_options(fit_name);
      if (fit_name == std::string("optimal-step")) options.lambda = 1e-3;
      if (fit_name == std::string("sfgd")) options.lambda = 1;  // thirty steps go no further
      const Model model = fit({train, family, options});
      EXPECT_LT(*evaluate(model, test).error, 0.35) << name_of(sampling) << " " << fit_name;
      model.save(path);
      const Model loaded = Model::load(path);
      const FeaturePart& before = model.parts().map.parts()[0];
      const FeaturePart& after = loaded.parts().map.parts()[0];
      EXPECT_EQ(after.family.name(), "rff-rbf");
      EXPECT_EQ(after.centres.scales, before.centres.scales);
      EXPECT_EQ(after.centres.hadamard.rows(), before.centres.hadamard.rows());
      EXPECT_EQ(evaluate(loaded, test).error, evaluate(model, test).error);
      const Index numbers = before.centres.weights.rows() * before.centres.weights.cols();
      EXPECT_TRUE(std::equal(before.centres.weights.data(), before.centres.weights.data() + numbers,
                             after.centres.weights.data()));
    }
  std::filesystem::remove(path);
}

TEST(SampledFeatures, UnlabelledRowsSayHowInputsAreEncodedAndScored) {
  using testing::memory_table;
  std::vector<double> a, y;
  std::vector<std::string> city, wide_city;
  std::vector<double> wide_a;
  for (int i = 0; i < 200; ++i) {
    wide_a.push_back(std::sin(i));
    wide_city.push_back(i % 4 == 0 ? "Bern" : i % 4 == 1 ? "Basel" : "Thun");
    if (i % 10 != 0 || i % 4 == 1) continue;
    a.push_back(wide_a.back());
    city.push_back(wide_city.back());
    y.push_back(a.back() > 0 ? 1 : 0);
  }
  const Data few = memory_table({{"a", a}, {"city", city}, {"y", y}}, "y");
  const Data many = memory_table({{"a", wide_a}, {"city", wide_city}}, "");
  FamilyOptions family;
  family.family = "rff-rbf";
  family.features = 10;
  family.sampling = Sampling::leverage_top;
  FitOptions options;
  options.method = LogisticOptions{};
  options.lambda = 1e-3;
  FitRequest request{few, family, options};
  request.unlabelled = many;
  const Model model = fit(request);
  EXPECT_EQ(model.parts().encoder.inputs().columns(), 5);  // a, three cities, the bias; the labelled rows know two
  EXPECT_EQ(model.parts().encoder.rows_seen(), static_cast<Index>(y.size()));
  EXPECT_EQ(model.target().task, Task::binary);
  EXPECT_EQ(evaluate(model, few).rows, static_cast<Index>(y.size()));
}

TEST(SampledFeatures, MistakesAreFoundBeforeRowsAreRead) {
  const auto place = [](FamilyOptions family) -> std::string {
    try {
      fit({generate("moons", {.rows = 60}), family});
    } catch (const Error& error) {
      return error.field();
    }
    return "none";
  };
  EXPECT_EQ(place({.features = 20, .sampling = Sampling::leverage, .candidates = 10}), "candidates");
  EXPECT_EQ(place({.features = 20, .candidates = 40}), "candidates");
  EXPECT_EQ(place({.features = 20, .sampling = Sampling::eerf, .sampling_lambda = 0.1}), "sampling_lambda");
  EXPECT_EQ(place({.features = 20, .sampling = Sampling::leverage, .sampling_lambda = -1.0}), "sampling_lambda");
}

TEST(Leverage, ScoresTheCandidatesOfATable) {
  const Data data = generate("friedman1", {.rows = 500});
  FamilyOptions options;
  options.family = "rff-rbf";
  options.sigma = 0.3;
  options.features = 40;
  options.candidates = 40;
  options.sampling = Sampling::leverage;
  const Leverage result = leverage(data, options, {1e3, 1e-3, 1e-12});
  ASSERT_EQ(result.by_lambda.size(), 3u);
  EXPECT_EQ(result.rows, 500);
  EXPECT_EQ(result.candidates.features(), 40);
  // Dense: the same product from the definition.
  const Encoder encoder = Encoder::fit_inputs(data, {});
  const Matrix x = load_inputs(encoder, data);
  Matrix phi(40, 500);
  result.candidates.smoothings(x, phi);
  const auto dense = testing_rows::to_eigen(phi);
  const testing_rows::RowMatrix gram = dense * dense.transpose() / (40.0 * 500);
  const testing_rows::RowMatrix q = gram * testing::inverse(gram + 1e-3 * testing_rows::RowMatrix::Identity(40, 40));
  for (Index t = 0; t < 40; ++t) EXPECT_NEAR(result.by_lambda[1].scores[static_cast<std::size_t>(t)], q(t, t), 1e-10);
  EXPECT_NEAR(result.by_lambda[1].effective_dimension, q.trace(), 1e-9);
  // Ma et al. 2025, Corollaries 3.3 and 3.4, at δ = 0.05; √2·cos has a mean square of about 1.
  const double dimension = q.trace(), largest = 40 * gram.diagonal().maxCoeff();
  EXPECT_EQ(result.by_lambda[1].weighted_features, std::ceil(5 * dimension * std::log(320 * dimension)));
  EXPECT_EQ(result.by_lambda[1].plain_features, std::ceil(5 * largest / 1e-3 * std::log(320 * dimension)));
  EXPECT_NEAR(largest, 1, 0.5);
  EXPECT_LT(result.by_lambda[1].uniformity, 0.999);
  EXPECT_NEAR(result.by_lambda[2].uniformity, 1, 1e-3);  // λ → 0: every score is 1
  EXPECT_NEAR(result.by_lambda[2].max_over_mean, 1, 1e-3);
  EXPECT_THROW(leverage(data, options, {0.0}), Error);
}

/// Rows of two inputs and their encoding as they are.
struct BareRows {
  Data data = generate("moons", {.rows = 60, .seed = 4});
  EncodeOptions encode{.scale = Scaling::none, .bias = false};
  Matrix x() const { return load_inputs(Encoder::fit_inputs(data, encode), data); }
};

FamilyOptions cosine_pool(Index candidates, std::uint64_t seed) {
  return {.family = "rff-rbf",
          .features = candidates,
          .sampling = Sampling::leverage,
          .candidates = candidates,
          .seed = seed};
}

// Shahrampour & Kolouri 2019, Theorem 1: Er(k)² is the variance of the pool's kernel over its draws, averaged over
// pairs of rows. Here over 400 pools; every pool estimates it from its own candidates.
TEST(Leverage, KernelErrorIsTheDeviationOfThePoolsKernelOverPools) {
  const BareRows rows;
  const Matrix x = rows.x();
  const Index n = x.cols();
  testing_rows::RowMatrix mean = testing_rows::RowMatrix::Zero(n, n), squares = mean;
  double estimate = 0;
  constexpr int kPools = 400;
  for (int k = 0; k < kPools; ++k) {
    const Leverage pool = leverage(rows.data, cosine_pool(25, static_cast<std::uint64_t>(k)), {0.1}, rows.encode);
    estimate += std::pow(pool.by_lambda[0].kernel_error, 2) / kPools;
    Matrix phi(25, n);
    pool.candidates.smoothings(x, phi);
    const auto dense = testing_rows::to_eigen(phi);
    const testing_rows::RowMatrix kernel = dense.transpose() * dense / 25;
    mean += kernel / kPools;
    squares += kernel.cwiseProduct(kernel) / kPools;
  }
  const double variance = (squares - mean.cwiseProduct(mean)).mean() * kPools / (kPools - 1);
  EXPECT_NEAR(estimate / variance, 1, 0.15);  // of a variance over 400 pools
}

TEST(Leverage, ConditionAndScoreErrorOfTheorem1) {
  const Data data = generate("friedman1", {.rows = 2000});
  FamilyOptions options = cosine_pool(30, 1);
  options.sigma = 0.7;
  const Leverage result = leverage(data, options, {1e-2});
  const LeverageScores& scores = result.by_lambda[0];
  const Matrix x = load_inputs(Encoder::fit_inputs(data, {}), data);
  Matrix phi(30, 2000);
  result.candidates.smoothings(x, phi);
  const auto dense = testing_rows::to_eigen(phi);
  const double least = testing::eigenvalues(dense * dense.transpose() / (30.0 * 2000))(0);
  const double d = scores.effective_dimension;
  EXPECT_EQ(scores.elss_features, std::ceil(5 * d * std::log(16 * 2000 * d)));
  EXPECT_EQ(scores.elss_rows, std::ceil(32.0 / 3 * 30 * std::log(20.0)));
  const double share = std::sqrt(8.0 / 3 * 30 * std::log(20.0) / 2000);  // Δ of N₀ = 2000
  EXPECT_NEAR(scores.score_error.value(), 4 * std::sqrt(share * 1e-2 / least), 1e-6 * *scores.score_error);
  options.sampling_rows = 500;  // of the 959 that are asked for
  EXPECT_FALSE(leverage(data, options, {1e-2}).by_lambda[0].score_error);
  options.sampling_rows = default_value(0);
  options.sigma = 1e-6;  // all candidates are constants of one another
  EXPECT_FALSE(leverage(data, options, {1e-2}).by_lambda[0].score_error);
}

// Ma et al. 2025, Corollaries 3.3 and 3.4 (S and s of Theorem 4.1): with as many features as they ask for, the kernel
// of the draw is within ½ of the pool's in the metric of K + nλI, with probability 0.95. Drawn by the scores, and
// uniformly.
TEST(Leverage, AsManyFeaturesAsAskedForKeepThePoolsKernel) {
  const BareRows rows;
  const Matrix x = rows.x();
  const Index n = x.cols();
  const double lambda = 0.02;
  FamilyOptions options = cosine_pool(300, 2);
  options.sigma = 0.3;
  const Leverage pool = leverage(rows.data, options, {lambda}, rows.encode);
  const LeverageScores& scores = pool.by_lambda[0];
  Matrix phi(300, n);
  pool.candidates.smoothings(x, phi);
  const auto dense = testing_rows::to_eigen(phi);
  const testing_rows::RowMatrix kernel = dense.transpose() * dense / (300.0 * static_cast<double>(n));
  const Eigen::MatrixXd root = testing::inverse_root(kernel + lambda * testing_rows::RowMatrix::Identity(n, n));
  options.replacement = true;
  const auto failures = [&](const std::vector<double>& by, double count) {
    int failed = 0;
    for (int k = 0; k < 200; ++k) {
      options.seed = static_cast<std::uint64_t>(k);
      const ChosenFeatures choice = choose_candidates(by, static_cast<Index>(count), options);
      testing_rows::RowMatrix drawn = testing_rows::RowMatrix::Zero(n, n);
      for (std::size_t t = 0; t < choice.positions.size(); ++t) {
        const Eigen::VectorXd feature = choice.scales[t] * dense.row(choice.positions[t]).transpose();
        drawn +=
            feature * feature.transpose() / (static_cast<double>(choice.positions.size()) * static_cast<double>(n));
      }
      const Eigen::VectorXd values = testing::eigenvalues(root * (drawn - kernel) * root);
      failed += values.cwiseAbs().maxCoeff() > 0.5 ? 1 : 0;
    }
    return failed;
  };
  EXPECT_LE(failures(scores.scores, scores.weighted_features), 0.05 * 200);
  EXPECT_LE(failures(std::vector<double>(300, 1.0), scores.plain_features), 0.05 * 200);
  EXPECT_GT(failures(scores.scores, 2), 100);  // two are too few: the statement is put to the test
}

// Candidates keep their law however they are drawn, so the kernel of a choice is the same on average.
TEST(Leverage, PoolsMayBeOrthogonalOrQuasiRandom) {
  const BareRows rows;
  const Matrix x = rows.x();
  for (const Sampling draws : {Sampling::orthogonal, Sampling::structured, Sampling::halton, Sampling::sobol}) {
    double worst = 0;
    testing_rows::RowMatrix mean = testing_rows::RowMatrix::Zero(x.cols(), x.cols());
    constexpr int kPools = 300;
    for (int k = 0; k < kPools; ++k) {
      FamilyOptions options = cosine_pool(40, static_cast<std::uint64_t>(k));
      options.features = 12;
      options.candidate_sampling = draws;
      const Leverage pool = leverage(rows.data, options, {0.05}, rows.encode);
      const ChosenFeatures choice = choose_candidates(pool.by_lambda[0].scores, 12, options);
      const FeatureMap chosen = pool.candidates.subset(choice.positions, choice.scales);
      Matrix phi(chosen.features(), x.cols());
      chosen.smoothings(x, phi);
      const auto dense = testing_rows::to_eigen(phi);
      mean += dense.transpose() * dense / static_cast<double>(chosen.features() * kPools);
    }
    for (Index i = 0; i < x.cols(); ++i)
      for (Index j = 0; j < x.cols(); ++j) {
        const double squared = std::pow(x(0, i) - x(0, j), 2) + std::pow(x(1, i) - x(1, j), 2);
        worst = std::max(worst, std::abs(mean(i, j) - std::exp(-squared / 2)));
      }
    EXPECT_LT(worst, 0.12) << name_of(draws);
    FamilyOptions plain = cosine_pool(40, 1), other = plain;
    other.candidate_sampling = draws;
    EXPECT_NE(leverage(rows.data, plain, {0.05}, rows.encode).by_lambda[0].scores,
              leverage(rows.data, other, {0.05}, rows.encode).by_lambda[0].scores);
  }
}

TEST(Leverage, CandidatesAreNotChosenByScores) {
  const BareRows rows;
  FamilyOptions options = cosine_pool(40, 1);
  options.candidate_sampling = Sampling::eerf;
  const auto field = [&](const FamilyOptions& asked) -> std::string {
    try {
      fit({rows.data, asked, {.lambda = 1e-3}, rows.encode});
    } catch (const Error& error) {
      return error.field();
    }
    return "none";
  };
  EXPECT_EQ(field(options), "candidate_sampling");
  EXPECT_EQ(field({.family = "rff-rbf", .features = 20, .candidate_sampling = Sampling::halton}), "candidate_sampling");
}

}  // namespace
}  // namespace weft
