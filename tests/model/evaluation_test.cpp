#include <weft/model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/json_text.hpp"
#include "data/expect_error.hpp"
#include "model/sample_models.hpp"

namespace weft::testing {

using namespace detail;
namespace {

struct Labelled {
  AllPredictions rows;
  std::vector<double> weights;
  double total;
};

Labelled labelled(const Model& model, const Data& data) {
  Labelled result{predict_all(model, data, {.with_targets = true}), {}, 0};
  result.weights = result.rows.weights;
  const std::size_t rows = result.rows.scores.size() / static_cast<std::size_t>(model.outputs());
  if (result.weights.empty()) result.weights.assign(rows, 1.0);
  result.total = std::accumulate(result.weights.begin(), result.weights.end(), 0.0);
  return result;
}

TEST(Evaluation, RegressionByHand) {
  const Model model(sample_parts("y,z"));
  for (const char* weights : {"", "w"}) {
    const Data data = sample_data(400, "y,z", weights);
    const Labelled truth = labelled(model, data);
    double mse = 0, rmse = 0, mae = 0, r2 = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      double mean = 0, variance = 0, squares = 0, absolutes = 0;
      for (std::size_t i = 0; i < 400; ++i) mean += truth.weights[i] * truth.rows.targets[2 * i + k] / truth.total;
      for (std::size_t i = 0; i < 400; ++i) {
        const double y = truth.rows.targets[2 * i + k];
        const double difference = truth.rows.scores[2 * i + k] - y;
        variance += truth.weights[i] * (y - mean) * (y - mean) / truth.total;
        squares += truth.weights[i] * difference * difference / truth.total;
        absolutes += truth.weights[i] * std::abs(difference) / truth.total;
      }
      mse += squares / 2;
      rmse += std::sqrt(squares) / 2;
      mae += absolutes / 2;
      r2 += (1 - squares / variance) / 2;
    }
    const Evaluation result = evaluate(model, data);
    EXPECT_EQ(result.task, Task::regression);
    EXPECT_EQ(result.rows, 400);
    EXPECT_NEAR(result.mse.value(), mse, 1e-12 * mse);
    EXPECT_NEAR(result.rmse.value(), rmse, 1e-12 * rmse);
    EXPECT_NEAR(result.mae.value(), mae, 1e-12 * mae);
    EXPECT_NEAR(result.r2.value(), r2, 1e-10 * std::abs(r2));
    EXPECT_FALSE(result.accuracy || result.auc || result.logloss);
  }
}

TEST(Evaluation, VarianceKeepsItsDigitsFarFromZero) {
  // Predictions 1e9 and targets 1e9 ± 1: mse 1, variance 1, r2 0.
  ModelParts parts = sample_parts("y");
  parts.coefficients = Matrix(parts.map.features(), 1);
  parts.intercepts = {1e9};
  std::vector<TableColumn> table = sample_table(1000);
  table.resize(4);
  auto& y = std::get<0>(table[3].cells);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 1e9 + (i % 2 == 0 ? 1 : -1);
  const Evaluation result = evaluate(Model(parts), memory_table(table, "y"));
  EXPECT_EQ(result.mse.value(), 1);
  EXPECT_NEAR(result.r2.value(), 0, 1e-9);

  std::fill(y.begin(), y.end(), 3.0);
  EXPECT_FALSE(evaluate(Model(parts), memory_table(table, "y")).r2.has_value());
}

TEST(Evaluation, BinaryByHand) {
  ModelParts parts = sample_parts("yes");
  parts.probabilistic = true;
  // Few distinct scores, so that there are ties.
  for (const char* family : {"rw-relu/sparse:2", "rks-sign/sparse:1"}) {
    parts.map = FeatureMap::draw(sample_family(family), parts.encoder.inputs());
    const Model model(parts);
    for (const char* weights : {"", "w"}) {
      const Data data = sample_data(500, "yes", weights);
      const Labelled truth = labelled(model, data);
      double pairs = 0, won = 0, wrong = 0, logloss = 0, squares = 0;
      for (std::size_t i = 0; i < 500; ++i) {
        const double score = truth.rows.scores[i];
        const bool positive = truth.rows.targets[i] == 1;
        const double code = positive ? 1 : -1;
        const double weight = truth.weights[i] / truth.total;
        wrong += weight * ((score > 0) != positive ? 1 : 0);
        logloss += weight * std::log1p(std::exp(-code * score));
        squares += weight * (score - code) * (score - code);
        for (std::size_t j = 0; j < 500 && positive; ++j) {
          if (truth.rows.targets[j] == 1) continue;
          const double other = truth.rows.scores[j];
          pairs += truth.weights[i] * truth.weights[j];
          won += truth.weights[i] * truth.weights[j] * (score > other ? 1 : score == other ? 0.5 : 0);
        }
      }
      const Evaluation result = evaluate(model, data);
      EXPECT_EQ(result.task, Task::binary);
      EXPECT_NEAR(result.auc.value(), won / pairs, 1e-12);
      EXPECT_NEAR(result.error.value(), wrong, 1e-12);
      EXPECT_NEAR(result.accuracy.value(), 1 - wrong, 1e-12);
      EXPECT_NEAR(result.logloss.value(), logloss, 1e-12);
      EXPECT_NEAR(result.mse.value(), squares, 1e-12 * squares);
      EXPECT_FALSE(result.r2 || result.mae || result.rmse);
    }
  }
}

TEST(Evaluation, MulticlassByHand) {
  ModelParts parts = sample_parts("kind");
  const Data data = sample_data(300, "kind", "w");
  parts.probabilistic = true;
  const Model model(parts);
  const Labelled truth = labelled(model, data);
  double confusion[3][3] = {};
  double logloss = 0, squares = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    const auto k = static_cast<std::size_t>(truth.rows.targets[i]);
    confusion[k][static_cast<std::size_t>(truth.rows.values[i])] += truth.weights[i];
    logloss -= truth.weights[i] / truth.total * std::log(truth.rows.probabilities[3 * i + k]);
    for (std::size_t c = 0; c < 3; ++c) {
      const double difference = truth.rows.scores[3 * i + c] - (c == k ? 1 : -1);
      squares += truth.weights[i] / truth.total * difference * difference / 3;
    }
  }
  const Evaluation result = evaluate(model, data);
  EXPECT_EQ(result.classes, (std::vector<std::string>{"p", "q", "r"}));
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) EXPECT_NEAR(result.confusion[a][b], confusion[a][b], 1e-10);
  EXPECT_NEAR(result.accuracy.value(), (confusion[0][0] + confusion[1][1] + confusion[2][2]) / truth.total, 1e-12);
  EXPECT_NEAR(result.logloss.value(), logloss, 1e-12);
  EXPECT_NEAR(result.mse.value(), squares, 1e-12);
  EXPECT_FALSE(result.auc.has_value());
}

TEST(Evaluation, WhatDoesNotApplyIsLeftOut) {
  const Model model(sample_parts("yes"));
  std::vector<TableColumn> table = sample_table(50);
  auto& labels = std::get<1>(table[5].cells);
  std::fill(labels.begin(), labels.end(), "yes");
  const Evaluation result = evaluate(model, memory_table(table, "yes"));
  EXPECT_FALSE(result.auc || result.logloss);  // one class; no probabilities
  const Json json = Json::parse(result.to_json());
  EXPECT_EQ(json.at("task"), "binary");
  EXPECT_EQ(json.at("rows"), 50);
  EXPECT_EQ(json.at("classes"), (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(json.at("accuracy").get<double>(), result.accuracy.value());
  EXPECT_EQ(json.at("confusion").get<std::vector<std::vector<double>>>(), result.confusion);
  EXPECT_FALSE(json.contains("auc") || json.contains("r2"));
}

TEST(Evaluation, FindsTheTargetOfTraining) {
  const Model model(sample_parts("y"));
  // The data name no target: the column that training called y is used.
  EXPECT_EQ(evaluate(model, memory_table(sample_table(50))).mse, evaluate(model, sample_data(50, "y")).mse);
  expect_error([&] { evaluate(model, sample_data(50, "")); }, ErrorKind::data, {"'y'"});
}

TEST(Evaluation, NothingToWeighIsAnError) {
  const Model model(sample_parts("y"));
  std::vector<TableColumn> table = sample_table(50);
  auto& weights = std::get<0>(table[7].cells);
  std::fill(weights.begin(), weights.end(), 0.0);
  expect_error([&] { evaluate(model, memory_table(table, "y", "w")); }, ErrorKind::data, {"weight 0"});
  expect_error([&] { evaluate(model, memory_table(sample_table(0), "y")); }, ErrorKind::data, {"no row"});
}

}  // namespace
}  // namespace weft::testing
