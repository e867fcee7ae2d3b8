// Losses of regression: mistakes, and targets that leave nothing to fit.
#include "methods/newton_case.hpp"

#include "methods/method.hpp"

namespace weft::testing {
namespace {

TEST(Newton, MistakesAreNamed) {
  const auto message = [](const LossCase& c) -> std::string {
    try {
      check_fit_options(c.options, c.family);
      c.fit();
    } catch (const Error& error) {
      return error.place() + ": " + error.message();
    }
    return "";
  };
  LossCase c(counted_rows(50), RegressionLoss::poisson, 5);
  c.rows.y(0, 30) = -2;
  EXPECT_NE(message(c).find("row 31 has the target -2"), std::string::npos) << message(c);
  for (Index i = 0; i < 50; ++i) c.rows.y(0, i) = 0;
  EXPECT_NE(message(c).find("every count"), std::string::npos) << message(c);
  c.task = Task::binary;
  EXPECT_NE(message(c).find("for numbers"), std::string::npos);
  LossCase quantile(counted_rows(50), RegressionLoss::quantile, 5);
  for (const char* list : {"", "0.5,", "0", "1", "0.1;0.2", "0.3,0.3", "a"}) {
    quantile.own().quantiles = list;
    EXPECT_NE(message(quantile).find("‹quantiles›"), std::string::npos) << list;
  }
  LossCase unused(counted_rows(50), RegressionLoss::absolute, 5);
  unused.own().huber_multiple = 2.0;
  EXPECT_NE(message(unused).find("‹huber_multiple›"), std::string::npos);
}

TEST(Newton, ConstantAndDegenerateTargets) {
  for (const RegressionLoss loss : {RegressionLoss::quantile, RegressionLoss::absolute, RegressionLoss::huber,
                                    RegressionLoss::poisson, RegressionLoss::squared})
    for (const double value : {0.0, 3.0}) {
      if (loss == RegressionLoss::poisson && value == 0) continue;  // refused
      LossCase c(counted_rows(60), loss, 8);
      c.own().tolerance = 1e-6;
      for (Index i = 0; i < 60; ++i) c.rows.y(0, i) = value;
      const FitResult fit = c.fit();
      EXPECT_TRUE(fit.report.warnings.empty()) << name_of(loss);
      std::vector<double> predicted(fit.intercepts.size());
      const Column f = scores(c, fit);
      fit.loss.predict(1, &f(0), predicted.data());
      EXPECT_NEAR(predicted[0], value, 1e-12) << name_of(loss);
    }
}

}  // namespace
}  // namespace weft::testing
