#include <weft/fit.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace weft {
namespace {

TEST(Calibration, ProbabilitiesMatchFrequenciesOnFreshRows) {
  FamilyOptions family;
  family.family = "rw-relu";
  family.features = 100;
  FitOptions options;
  options.use<LeastSquaresOptions>().calibrate = true;
  const Model model = fit({generate("moons", {.rows = 4000, .seed = 1, .noise = 0.4}), family, options});
  ASSERT_TRUE(model.has_probabilities());
  const Data fresh = generate("moons", {.rows = 8000, .seed = 2, .noise = 0.4});
  // Bins of predicted probability: what was predicted happened about as often.
  double predicted[5] = {}, happened[5] = {}, count[5] = {};
  model.for_each_prediction(fresh, {.with_targets = true}, [&](const PredictionBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      const double p = block.probabilities(i, 1);
      const auto bin = std::min<std::size_t>(4, static_cast<std::size_t>(5 * p));
      predicted[bin] += p;
      happened[bin] += block.targets(i, 0);
      ++count[bin];
    }
  });
  for (int bin = 0; bin < 5; ++bin) {
    ASSERT_GT(count[bin], 100);
    EXPECT_NEAR(predicted[bin] / count[bin], happened[bin] / count[bin], 0.1) << bin;
  }
  EXPECT_LT(*evaluate(model, fresh).logloss, 0.35);
}

TEST(Calibration, SeveralClassesAddUpToOne) {
  FamilyOptions family;
  family.features = 60;
  FitOptions options;
  options.use<LeastSquaresOptions>().calibrate = true;
  const Data data = generate("gaussian-quantiles", {.rows = 900});
  const Matrix p = fit({data, family, options}).probabilities(data);
  ASSERT_EQ(p.cols(), 3);
  for (Index i = 0; i < p.rows(); ++i) EXPECT_NEAR(p(i, 0) + p(i, 1) + p(i, 2), 1, 1e-12);
}

TEST(Calibration, IsForLeastSquaresClassifiersOnly) {
  FitOptions options;
  options.use<LeastSquaresOptions>().calibrate = true;
  EXPECT_THROW(fit({generate("friedman1", {.rows = 200}), {.features = 20}, options}), Error);
  EXPECT_EQ(methods_with("calibrate"), (std::vector<std::string>{"least-squares", "kernel-ridge"}));
}

}  // namespace
}  // namespace weft
