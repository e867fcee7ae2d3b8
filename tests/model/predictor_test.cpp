#include <weft/load.hpp>
#include <weft/model.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Core>

#include "data/expect_error.hpp"
#include "dense_algebra.hpp"
#include "model/predictor.hpp"
#include "model/sample_models.hpp"

namespace weft::testing {

using namespace detail;
namespace {

// intercepts + coefficientsᵀ · smoothings, summed one by one: rows × outputs.
Matrix plain_scores(const ModelParts& parts, const Data& data) {
  const Matrix x = load_inputs(parts.encoder, data);
  Matrix phi(parts.map.features(), x.cols());
  parts.map.smoothings(x, phi);
  Matrix scores(x.cols(), parts.coefficients.cols());
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index k = 0; k < scores.cols(); ++k) {
      double sum = parts.intercepts[static_cast<std::size_t>(k)];
      for (Index t = 0; t < phi.rows(); ++t) sum += parts.coefficients(t, k) * phi(t, i);
      scores(i, k) = sum;
    }
  return scores;
}

TEST(Predictor, ScoresAreThePlainSum) {
  for (const char* target : {"y", "y,z", "yes", "kind"}) {
    const ModelParts parts = sample_parts(target);
    const Data data = sample_data(700, "");
    const Matrix truth = plain_scores(parts, data);
    const AllPredictions all = predict_all(Model(parts), data);
    ASSERT_EQ(all.scores.size(), static_cast<std::size_t>(truth.rows() * truth.cols())) << target;
    for (std::size_t i = 0; i < all.scores.size(); ++i) EXPECT_NEAR(all.scores[i], truth.data()[i], 1e-12) << target;
  }
}

TEST(Predictor, ValuesFollowFromScores) {
  const Data data = sample_data(300, "");
  const auto regression = predict_all(Model(sample_parts("y,z")), data);
  EXPECT_EQ(regression.values, regression.scores);
  const auto binary = predict_all(Model(sample_parts("yes", sample_family("rw-sign"))), data);
  int positives = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_EQ(binary.values[i], binary.scores[i] > 0 ? 1 : 0);
    positives += binary.scores[i] > 0;
  }
  EXPECT_TRUE(positives > 0 && positives < 300);
  const auto multiclass = predict_all(Model(sample_parts("kind")), data);
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_GE(multiclass.scores[3 * i + static_cast<std::size_t>(multiclass.values[i])],
                multiclass.scores[3 * i + k]);
}

TEST(Predictor, ThreadsAndPiecesChangeNoBit) {
  const Index rows = Predictor::kBlockRows + 1000;
  for (const char* target : {"yes", "kind", "y,z"})
    for (const char* family : {"rw-sign", "rw-relu/sparse:2+rks-cos"}) {
      ModelParts parts = sample_parts(target, sample_family(family, 200));
      add_variance(parts);
      parts.probabilistic = parts.encoder.target().task != Task::regression;
      const Model model(std::move(parts));
      const PredictOptions options{.with_targets = true, .with_std = true};
      const auto whole = predict_all(model, sample_data(rows, target, "w"), options, {.threads = 1});
      EXPECT_EQ(whole.weights.size(), static_cast<std::size_t>(rows));
      for (const Index chunk : {Index{97}, Index{256}, Index{5000}})
        for (const int threads : {1, 2, 5})
          EXPECT_TRUE(whole == predict_all(model, sample_data(rows, target, "w", chunk), options, {.threads = threads}))
              << target << " " << family << " " << chunk << " " << threads;
    }
}

TEST(Predictor, TargetsComeAlongWhenAskedFor) {
  const Model model(sample_parts("y,z"));
  const auto all = predict_all(model, sample_data(50, "y,z"), {.with_targets = true});
  ASSERT_EQ(all.targets.size(), 100U);
  const auto table = sample_table(50);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(all.targets[2 * i], std::get<0>(table[3].cells)[i]);
    EXPECT_EQ(all.targets[2 * i + 1], std::get<0>(table[4].cells)[i]);
  }
  EXPECT_TRUE(all.weights.empty());
  EXPECT_TRUE(predict_all(model, sample_data(50, "")).targets.empty());
}

TEST(Predictor, LogisticProbabilities) {
  ModelParts parts = sample_parts("yes");
  parts.probabilistic = true;
  const auto all = predict_all(Model(parts), sample_data(100, ""));
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_NEAR(all.probabilities[2 * i + 1], 1 / (1 + std::exp(-all.scores[i])), 1e-15);
    EXPECT_NEAR(all.probabilities[2 * i] + all.probabilities[2 * i + 1], 1, 1e-15);
  }
  // Far out on either side neither overflows nor loses the small one.
  for (const double intercept : {-800.0, 700.0}) {
    parts.coefficients = Matrix(parts.map.features(), 1);
    parts.intercepts = {intercept};
    const auto far = predict_all(Model(parts), sample_data(1, ""));
    EXPECT_DOUBLE_EQ(far.probabilities[intercept > 0 ? 0 : 1], std::exp(-std::abs(intercept)));
    EXPECT_EQ(far.probabilities[intercept > 0 ? 1 : 0], 1);
  }
}

TEST(Predictor, SoftmaxProbabilities) {
  ModelParts parts = sample_parts("kind");
  parts.probabilistic = true;
  const auto all = predict_all(Model(parts), sample_data(100, ""));
  for (std::size_t i = 0; i < 100; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += std::exp(all.scores[3 * i + k]);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(all.probabilities[3 * i + k], std::exp(all.scores[3 * i + k]) / sum, 1e-14);
  }
  parts.intercepts = {1e4, -1e4, 1e4};
  parts.coefficients = Matrix(parts.map.features(), 3);
  EXPECT_EQ(predict_all(Model(parts), sample_data(1, "")).probabilities, (std::vector<double>{0.5, 0, 0.5}));
}

TEST(Predictor, CalibratedProbabilities) {
  ModelParts binary = sample_parts("yes");
  binary.calibration = {{-2.5}, {0.3}};
  const auto two = predict_all(Model(binary), sample_data(100, ""));
  for (std::size_t i = 0; i < 100; ++i)
    EXPECT_NEAR(two.probabilities[2 * i + 1], 1 / (1 + std::exp(-2.5 * two.scores[i] + 0.3)), 1e-14);

  ModelParts multiclass = sample_parts("kind");
  multiclass.calibration = {{-2, -1, -0.5}, {0.1, 0, -0.2}};
  const auto three = predict_all(Model(multiclass), sample_data(100, ""));
  for (std::size_t i = 0; i < 100; ++i) {
    double p[3];
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k)
      sum += p[k] =
          1 /
          (1 + std::exp(multiclass.calibration.slope[k] * three.scores[3 * i + k] + multiclass.calibration.offset[k]));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(three.probabilities[3 * i + k], p[k] / sum, 1e-14);
  }
}

TEST(Predictor, StandardDeviationsAreTheDenseFormula) {
  ModelParts parts = sample_parts("y,z", sample_family("rw-sign", 70));
  add_variance(parts);
  const Data data = sample_data(333, "");
  const Matrix x = load_inputs(parts.encoder, data);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> phi(70, x.cols());
  parts.map.smoothings(x, View<double>(phi.data(), 70, x.cols()));
  Eigen::MatrixXd lower = Eigen::MatrixXd::Zero(70, 70);
  for (Index s = 0; s < 70; ++s)
    for (Index t = 0; t <= s; ++t) lower(s, t) = parts.variance_factor(s, t);
  const Eigen::MatrixXd inverse = testing::inverse(lower * lower.transpose());

  const auto all = predict_all(Model(parts), data, {.with_std = true});
  ASSERT_EQ(all.std.size(), 666U);
  for (Index i = 0; i < x.cols(); ++i) {
    const double leverage = phi.col(i).dot(inverse * phi.col(i));
    for (Index k = 0; k < 2; ++k) {
      const double noise = parts.noise[static_cast<std::size_t>(k)];
      EXPECT_NEAR(all.std[static_cast<std::size_t>(2 * i + k)], std::sqrt(noise * noise * leverage + noise * noise),
                  1e-10);
    }
  }
}

TEST(Predictor, AsksForWhatIsNotThereNameTheRemedy) {
  const Model model(sample_parts("yes"));
  const Data data = sample_data(5, "");
  expect_error([&] { predict_all(model, data, {.with_std = true}); }, ErrorKind::option, {"std"});
  expect_error([&] { model.probabilities(data); }, ErrorKind::option, {"calibrate"});
  expect_error([&] { Model(sample_parts("y")).probabilities(data); }, ErrorKind::option, {"regression"});
  expect_error([&] { predict_all(model, data, {.with_targets = true}); }, ErrorKind::data, {"yes"});
}

TEST(Predictor, CanBeStoppedAndReportsProgress) {
  const Model model(sample_parts("y"));
  const Index rows = Predictor::kBlockRows + 10;
  std::vector<double> done;
  weft::Run run;
  run.on_progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "predict");
    done.push_back(progress.done);
  };
  std::atomic<bool> cancel{false};
  run.cancel = &cancel;
  EXPECT_EQ(model.predict(sample_data(rows, ""), run).rows(), rows);
  EXPECT_EQ(done, (std::vector<double>{Predictor::kBlockRows, static_cast<double>(rows)}));
  cancel = true;
  expect_error([&] { model.predict(sample_data(rows, ""), run); }, ErrorKind::cancelled, {});
}

}  // namespace
}  // namespace weft::testing
