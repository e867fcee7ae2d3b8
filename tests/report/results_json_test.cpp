// Every result type's to_json is JSON and holds the numbers of the struct.
#include <weft/certify.hpp>
#include <weft/explain.hpp>
#include <weft/leverage.hpp>
#include <weft/prune.hpp>
#include <weft/tune.hpp>
#include <weft/version.hpp>

#include "model/sample_models.hpp"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace weft {
namespace {

using Json = nlohmann::json;
using testing::sample_parts;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Result>
Json json_of(const Result& result) {
  return Json::parse(result.to_json());
}

TEST(ResultsJson, Evaluation) {
  Evaluation result;
  result.task = Task::binary;
  result.rows = 7;
  result.error = 0.25;
  result.mse = kInfinity;
  result.classes = {"no", "\xff"};
  result.confusion = {{3, 1}, {0, 3}};
  EXPECT_EQ(json_of(result), (Json{{"task", "binary"},
                                   {"rows", 7},
                                   {"error", 0.25},
                                   {"mse", "inf"},
                                   {"classes", {"no", {{"hex", "ff"}}}},
                                   {"confusion", {{3.0, 1.0}, {0.0, 3.0}}}}));
}

TEST(ResultsJson, ErrorsWithIntervals) {
  EXPECT_EQ(json_of(Estimate{0.5, 0.25, kInfinity}), (Json{{"value", 0.5}, {"low", 0.25}, {"high", "inf"}}));
  const ErrorEstimates result{9, {{"mse", {1, 0.5, 2}}}};
  EXPECT_EQ(json_of(result), (Json{{"rows", 9}, {"mse", {{"value", 1.0}, {"low", 0.5}, {"high", 2.0}}}}));
}

TEST(ResultsJson, VariableImportance) {
  const VariableImportance result{30, {{"age", 2}, {"sex", 0.5}}};
  EXPECT_EQ(
      json_of(result),
      (Json{{"rows", 30}, {"variables", {{{"name", "age"}, {"effect", 2.0}}, {{"name", "sex"}, {"effect", 0.5}}}}}));
}

TEST(ResultsJson, FitReport) {
  FitReport report;
  EXPECT_EQ(json_of(report), Json::object());
  report.set("lambda", 0.125);
  report.set("stopped", std::string("converged"));
  report.seconds = {{"solve", 0.5}};
  report.warnings = {"slow"};
  EXPECT_EQ(json_of(report),
            (Json{{"lambda", 0.125}, {"stopped", "converged"}, {"seconds", {{"solve", 0.5}}}, {"warnings", {"slow"}}}));
}

TEST(ResultsJson, ModelAndNorms) {
  ModelParts parts = sample_parts("kind");
  parts.options["family"] = "rw-relu/sparse:2";
  parts.provenance["data"] = "sample\xff";
  parts.report.set("lambda", 0.5);
  const Model model(std::move(parts));
  const std::optional<Norms> norms = model.norms();
  ASSERT_TRUE(norms);
  const Json json = Json::parse(model.to_json(norms));
  EXPECT_EQ(json.at("task"), "multiclass");
  EXPECT_EQ(json.at("classes"), Json(model.target().classes));
  EXPECT_EQ(json.at("features"), 40);
  EXPECT_EQ(json.at("families").at(0).at("features"), 40);
  EXPECT_EQ(json.at("training_rows"), 60);
  EXPECT_EQ(json.at("intercepts"), Json(model.parts().intercepts));
  EXPECT_EQ(json.at("norms"), (Json{{"rkhs", norms->rkhs}, {"l2p", norms->l2p.value()}}));
  EXPECT_EQ(json.at("norms"), json_of(*norms));
  EXPECT_EQ(json.at("provenance").at("data"), "sample\xef\xbf\xbd");
  EXPECT_EQ(json.at("report").at("lambda"), 0.5);
  EXPECT_FALSE(Json::parse(model.to_json()).contains("norms"));
}

TEST(ResultsJson, Search) {
  Trial trial;
  trial.number = 4;
  trial.family.family = "rw-sign";
  trial.family.features = 50;
  trial.family.sigma = 0.5;
  trial.family.theta = 0.25;
  trial.lambda = 1e-3;
  trial.fold_scores = {1, 3};
  trial.score = 2;
  trial.standard_error = 1;
  Trial failed;
  failed.failure = "no rows";
  TuneResult result;
  result.metric = Metric::mse;
  result.trials = {failed, trial};
  result.best = 1;
  result.planned = 5;
  result.leave_one_out = 1.5;
  result.curve = {{10, 0.1, 3, 0.5}, {50, 1e-3, 2, kInfinity}};
  result.recommended = 1;
  result.notes = {"a note"};
  const Json json = json_of(result);
  EXPECT_EQ(json.at("best"), json_of(trial));
  EXPECT_EQ(json.at("best").at("features"), 50);
  EXPECT_EQ(json.at("best").at("theta"), 0.25);
  EXPECT_EQ(json.at("best").at("gamma"), nullptr);
  EXPECT_EQ(json.at("best").at("fold_scores"), Json({1.0, 3.0}));
  EXPECT_EQ(json.at("trials").at(0).at("failure"), "no rows");
  EXPECT_FALSE(json.at("trials").at(0).contains("score"));
  EXPECT_EQ(json.at("planned"), 5);
  EXPECT_EQ(json.at("leave_one_out"), 1.5);
  EXPECT_EQ(json.at("generalised_cross_validation"), nullptr);
  EXPECT_EQ(json.at("recommended_features"), 50);
  EXPECT_EQ(json.at("curve").at(0), json_of(result.curve[0]));
  EXPECT_EQ(json.at("curve").at(1).at("standard_error"), "inf");
  EXPECT_EQ(json.at("notes"), Json({"a note"}));
}

TEST(ResultsJson, Pruning) {
  PruneResult result{.model = Model(sample_parts("y"))};
  result.method = PruneMethod::weights;
  result.accept = AcceptRule::risk;
  result.refit = PruneRefit::none;
  result.lambda = 0.5;
  result.features_before = 40;
  result.features_after = 10;
  result.norms_before = {2};
  result.norms_after = {1};
  result.distances = {1.5};
  result.train_before.mse = 1;
  result.train_after.mse = 2;
  result.train_before.r2 = 0.5;  // not in both
  result.seconds_before = 4e-6;
  result.seconds_after = 1e-6;
  result.path = {{0.5, 10, 0.125, true}};
  const Json json = json_of(result);
  EXPECT_FALSE(json.contains("epsilon"));
  EXPECT_EQ(json.at("removed_percent"), 75);
  EXPECT_EQ(json.at("features"), (Json{{"before", 40}, {"after", 10}}));
  EXPECT_EQ(json.at("train_mse"), (Json{{"before", 1}, {"after", 2}}));
  EXPECT_FALSE(json.contains("train_r2"));
  EXPECT_EQ(json.at("norms"), (Json{{"before", {2.0}}, {"after", {1.0}}, {"distance", {1.5}}}));
  EXPECT_EQ(json.at("speed_up"), 4);
  EXPECT_EQ(json.at("path"), Json::array({json_of(result.path[0])}));
  EXPECT_EQ(json.at("path").at(0), (Json{{"lambda", 0.5}, {"kept", 10}, {"value", 0.125}, {"accepted", true}}));
  result.epsilon = 0.01;
  EXPECT_EQ(json_of(result).at("epsilon"), 0.01);
}

TEST(ResultsJson, Certificate) {
  BoundLine line;
  line.name = "Theorem";
  line.claim = "risk";
  line.radius = "learned";
  line.theta = "exact";
  line.gap = kInfinity;
  line.bound = 3;
  line.error = 0.75;
  Certificate result{.loss = "squared", .rows = 8, .delta = 0.05, .train_loss = 0.5, .trivial_loss = 2};
  result.constants.theta = 1.5;
  result.constants.tau = 2;
  result.rkhs_norms = {1, 2};
  result.lines = {line};
  result.lines.push_back(line);
  result.lines.back().inapplicable = "the loss is not bounded";
  result.best = 0;
  const Json json = json_of(result);
  EXPECT_EQ(json.at("rows"), 8);
  EXPECT_EQ(json.at("train_loss"), 0.5);
  EXPECT_EQ(json.at("theta"), (Json{{"paper", nullptr}, {"exact", 1.5}}));
  EXPECT_EQ(json.at("kappa"), nullptr);
  EXPECT_EQ(json.at("tau"), 2);
  EXPECT_EQ(json.at("norms"), (Json{{"rkhs", {1.0, 2.0}}}));
  EXPECT_EQ(json.at("best"), 0);
  Json bound = json.at("bounds").at(0);
  EXPECT_EQ(bound.at("gap"), "inf");
  EXPECT_EQ(bound.at("relative"), 1.5);
  EXPECT_EQ(bound.at("error"), 0.75);
  bound.erase("relative");
  EXPECT_EQ(bound, json_of(line));
  EXPECT_EQ(json.at("bounds").at(1).at("inapplicable"), "the loss is not bounded");
}

TEST(ResultsJson, Leverage) {
  const LeverageScores scores{0.5, {0, 0.25, 1}, 1.25, 2.4, 0.5};
  const Leverage result{FeatureMap::draw(testing::sample_family("rw-relu", 3), Inputs::plain(2)), 60, {scores}};
  const Json json = json_of(result);
  EXPECT_EQ(json.at("candidates"), 3);
  EXPECT_EQ(json.at("rows"), 60);
  EXPECT_EQ(json.at("lambdas"), Json::array({json_of(scores)}));
  const Json row = json_of(scores);
  EXPECT_EQ(row.at("lambda"), 0.5);
  EXPECT_EQ(row.at("scores"), Json({0.0, 0.25, 1.0}));
  EXPECT_EQ(row.at("effective_dimension"), 1.25);
  EXPECT_EQ(row.at("max_over_mean"), 2.4);
  EXPECT_EQ(row.at("uniformity"), 0.5);
  EXPECT_EQ(row.at("histogram").at("low"), 0);
  EXPECT_EQ(row.at("histogram").at("width"), 0.05);
  EXPECT_EQ(row.at("histogram").at("counts").at(19), 1);
}

TEST(ResultsJson, ConstantsAndFamilies) {
  Constants constants;
  constants.theta = 0.5;
  constants.tau = 1;
  EXPECT_EQ(json_of(constants), (Json{{"theta", 0.5}, {"theta_bound", nullptr}, {"kappa", nullptr}, {"tau", 1.0}}));
  constants.note = "kappa is infinite";
  EXPECT_EQ(json_of(constants).at("note"), "kappa is infinite");
  for (const FamilyRow& row : family_table()) {
    const Json json = json_of(row);
    EXPECT_EQ(json.at("name"), row.name);
    EXPECT_EQ(json.at("activation"), row.family.activation->name());
    EXPECT_EQ(json.at("l2_gram").is_null(), row.family.kernel.none());
  }
}

TEST(ResultsJson, ComputeInfo) {
  EXPECT_EQ(json_of(ComputeInfo{"avx512", "avx2", "OpenBLAS", "SkylakeX", 4}), (Json{{"processor", "avx512"},
                                                                                     {"vectors", "avx2"},
                                                                                     {"blas", "OpenBLAS"},
                                                                                     {"blas_kernels", "SkylakeX"},
                                                                                     {"blas_threads", 4}}));
}

TEST(ResultsJson, LearnedActivation) {
  ModelParts parts = sample_parts("y");
  EXPECT_FALSE(activation_curve(Model(parts)));
  parts.map = parts.map.with_activation(
      std::make_shared<LearnedActivation>(ActivationBasis::rbf(-1, 1, 3, 0.5), std::vector<double>{1, 2, 3}));
  const auto curve = activation_curve(Model(parts), 5);
  ASSERT_TRUE(curve);
  EXPECT_EQ(curve->z, (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  for (Index k = 0; k < 5; ++k)
    EXPECT_NEAR(curve->terms(0, k) + curve->terms(1, k) + curve->terms(2, k), curve->value[static_cast<std::size_t>(k)],
                1e-12);
  const Json json = json_of(*curve);
  EXPECT_EQ(json.at("basis"), "rbf");
  EXPECT_EQ(json.at("grid_points"), 3);
  EXPECT_EQ(json.at("width"), 0.5);
  EXPECT_EQ(json.at("coefficients"), Json({1.0, 2.0, 3.0}));
  EXPECT_EQ(json.at("z"), Json(curve->z));
  EXPECT_EQ(json.at("value"), Json(curve->value));
}

}  // namespace
}  // namespace weft
