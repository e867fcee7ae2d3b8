#include "prune/acceptance.hpp"

#include "data/rows/training_rows.hpp"
#include "prune/prune_case.hpp"
#include "prune/weight_path.hpp"
#include "train/stored_options.hpp"

#include <gtest/gtest.h>

namespace weft::testing {

using namespace detail;
namespace {

struct Case {
  Case(const std::string& target, const std::string& family, const FitOptions& options, const std::string& weights = "")
      : model(plane_model(target, family, 40, options)),
        data(plane(300, target, weights, 8)),
        fit(stored_options<FitOptions>(model.parts().options)),
        rows(training_rows(model.parts().encoder, data, ClassWeighting::none, 1e9, {}, 300)),
        geometry(weight_geometry(model.parts().map, {})),
        path(geometry, model.parts().coefficients) {}

  Pruned pruned(double share) const {
    Matrix coefficients = path.coefficients(path.solve(share * path.lambda_max(), {}, {}));
    std::vector<double> intercepts = model.parts().intercepts;
    for (double& intercept : intercepts) intercept += 1e-3;
    return {std::move(coefficients), std::move(intercepts)};
  }
  Model as_model(const Pruned& pruned) const {
    ModelParts parts = model.parts();
    parts.coefficients = pruned.coefficients;
    parts.intercepts = pruned.intercepts;
    return Model(std::move(parts));
  }
  Acceptance rule(AcceptRule rule) const { return {model.parts(), fit, *rows, geometry, rule, 0.05, {}}; }

  Model model;
  Data data;
  FitOptions fit;
  std::unique_ptr<BlockSource> rows;
  Geometry geometry;
  WeightPath path;
};

FitOptions by(const std::string& name) {
  FitOptions options;
  options.method = method_options(name);
  if (name == "sfgd") options.lambda = 1e-4;
  return options;
}

// evaluate() is the other implementation of every mean.
TEST(Risk, AgreesWithEvaluate) {
  for (const char* weights : {"", "w"})
    for (const auto& [target, name] : std::vector<std::pair<std::string, std::string>>{{"side", "least-squares"},
                                                                                       {"sector", "least-squares"},
                                                                                       {"side", "logistic"},
                                                                                       {"sector", "logistic"},
                                                                                       {"y", "least-squares"}}) {
      SCOPED_TRACE(target + " " + name + " " + weights);
      const Case test(target, "rw-relu", by(name), weights);
      const std::vector<Pruned> models = {test.pruned(0.5), test.pruned(0.05)};
      const auto means = Risk(test.model.parts(), test.fit, *test.rows).measure(test.model.parts().map, models, {});
      for (std::size_t k = 0; k < models.size(); ++k) {
        const Evaluation truth = evaluate(test.as_model(models[k]), test.data);
        if (target == "y") {
          EXPECT_NEAR(means[k].risk, 1 - *truth.r2, 1e-9 * (1 + means[k].risk));
        } else {
          EXPECT_NEAR(means[k].risk, name == "logistic" ? *truth.logloss : *truth.mse, 1e-10);
          EXPECT_NEAR(means[k].error, *truth.error, 1e-12);
        }
      }
    }
}

TEST(Acceptance, DifferencesAreThoseOfEvaluate) {
  const Case test("side", "rw-sign", {});
  const Pruned pruned = test.pruned(0.4);
  const Evaluation before = evaluate(test.model, test.data);
  const Evaluation after = evaluate(test.as_model(pruned), test.data);
  EXPECT_NEAR(test.rule(AcceptRule::error).values({pruned}, {}).front(), *after.error - *before.error, 1e-12);
  EXPECT_NEAR(test.rule(AcceptRule::risk).values({pruned}, {}).front(), *after.mse - *before.mse, 1e-10);
}

// Lemma 7 and its reason: |f_α(x) − f_β(x)| ≤ θ‖α − β‖, and so the risk moves by less than the rule says.
TEST(Acceptance, LemmaSevenHolds) {
  for (const auto& [target, name] : std::vector<std::pair<std::string, std::string>>{
           {"side", "least-squares"}, {"side", "logistic"}, {"sector", "logistic"}, {"side", "sfgd"}})
    for (const char* family : {"rw-sign", "rw-relu"}) {
      SCOPED_TRACE(target + " " + name + " " + family);
      const Case test(target, family, by(name));
      const Acceptance norm = test.rule(AcceptRule::norm);
      const Acceptance risk = test.rule(AcceptRule::risk);
      for (const double share : {0.7, 0.2, 0.01}) {
        const std::vector<Pruned> models = {test.pruned(share)};
        EXPECT_LE(std::abs(risk.values(models, {}).front()), norm.values(models, {}).front());
      }
    }
}

TEST(Acceptance, ThetaBoundsPredictions) {
  const Case test("y,z", "rw-relu", {});
  Pruned pruned = test.pruned(0.1);
  pruned.intercepts = test.model.parts().intercepts;
  const std::vector<double> before = scores(test.model, test.data);
  const std::vector<double> after = scores(test.as_model(pruned), test.data);
  const std::vector<double> distance =
      norms(test.geometry, difference(test.model.parts().coefficients, pruned.coefficients));
  double theta = 0;
  test.rows->for_each([&](const TrainingBlock& block) {
    theta = std::max(theta, *test.model.parts().map.constants(block.x).theta);
    return true;
  });
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_LE(std::abs(before[i] - after[i]), theta * distance[i % 2] * (1 + 1e-9));
}

TEST(Acceptance, TheoremEightLiesBetweenRiskAndLemmaSeven) {
  const Case test("side", "rw-sign", {});
  const std::vector<Pruned> models = {test.pruned(0.3)};
  const double norm = test.rule(AcceptRule::norm).values(models, {}).front();
  const double risk = test.rule(AcceptRule::risk).values(models, {}).front();
  EXPECT_NEAR(test.rule(AcceptRule::bound).values(models, {}).front(),
              risk + norm / std::sqrt(300.0) * (2 + std::sqrt(2 * std::log(20.0))), 1e-9 * norm);
}

TEST(Acceptance, RulesThatDoNotApplyAreRefused) {
  const Case numbers("y", "rw-relu", {});
  EXPECT_THROW(numbers.rule(AcceptRule::error), Error);
  const Case plain("side", "rks-cos", {});
  EXPECT_THROW(plain.rule(AcceptRule::norm), Error);
  EXPECT_THROW(plain.rule(AcceptRule::bound), Error);
  EXPECT_NO_THROW(plain.rule(AcceptRule::error));
}

}  // namespace
}  // namespace weft::testing
