#include "learned_sgd.hpp"

#include <weft/fit.hpp>

#include <cmath>

#include <gtest/gtest.h>

namespace weft::papers {
namespace {

/// Rows of two inputs with a target of this many classes (0: a number).
struct SgdProblem {
  explicit SgdProblem(int classes) : x(40, 2), y(40, 1) {
    for (Index i = 0; i < 40; ++i) {
      x(i, 0) = std::sin(1.3 * static_cast<double>(i));
      x(i, 1) = std::cos(0.7 * static_cast<double>(i * i));
      const double signal = x(i, 0) * x(i, 1) + 0.5 * x(i, 0);
      y(i, 0) = classes == 0 ? signal : static_cast<double>(std::min(classes - 1, static_cast<int>(2 * (signal + 1))));
    }
    if (classes == 2)
      for (Index i = 0; i < 40; ++i) y(i, 0) = x(i, 0) * x(i, 1) > 0 ? 1 : 0;
    EncodeOptions encode;
    encode.task = classes == 0 ? TargetKind::regression : TargetKind::classification;
    encoder = std::make_unique<Encoder>(Encoder::fit(data(), encode));
    rows = load_rows(*encoder, data(), {});
  }
  Data data() const { return array(x, y); }
  FeatureMap map() const {
    FamilyOptions family;
    family.family = "rks-relu";
    family.features = 6;
    return FeatureMap::draw(family, encoder->inputs()).subset({0, 2, 3, 5}, {1.0, 0.5, 2.0, 1.5});
  }
  Matrix x, y;
  std::unique_ptr<Encoder> encoder;
  Rows rows;
};

/// Mean squared error (sum over targets), or log loss.
double mean_loss(const ModelParts& parts, const SgdProblem& problem) {
  const Evaluation evaluation = evaluate(Model(parts), problem.data());
  return evaluation.logloss ? *evaluation.logloss : *evaluation.mse;
}

double activation_square(const ModelParts& parts) {
  double sum = 0;
  for (const double a :
       dynamic_cast<const LearnedActivation&>(*parts.map.parts().front().family.activation).coefficients())
    sum += a * a;
  return sum;
}

double weights_square(const ModelParts& parts) {
  double sum = 0;
  for (Index k = 0; k < parts.coefficients.rows() * parts.coefficients.cols(); ++k)
    sum += parts.coefficients.data()[k] * parts.coefficients.data()[k];
  return sum;
}

/// What is descended: the loss, λS‖V‖² (Ma et al. 2025, eq. 6) and λ₀(‖a‖² − ‖V‖²)² (their eq. 8).
double objective(const ModelParts& parts, const SgdProblem& problem, const SgdOptions& options) {
  const double v = weights_square(parts), gap = activation_square(parts) - v;
  return mean_loss(parts, problem) + options.lambda * static_cast<double>(parts.coefficients.rows()) * v +
         options.balance * gap * gap;
}

class LearnedSgd : public ::testing::TestWithParam<int> {};

// One step with all rows in a batch is minus the rate times the gradient, which differences of the loss approximate.
TEST_P(LearnedSgd, StepsAlongTheGradient) {
  const SgdProblem problem(GetParam());
  for (const ActivationBasis::Kind basis : {ActivationBasis::Kind::bspline, ActivationBasis::Kind::rbf}) {
    SgdOptions options{.basis = basis,
                       .grid_points = 7,
                       .epochs = 1,
                       .batch = 40,
                       .learning_rate = 0,
                       .lambda = 0.03,
                       .balance = 0.2,
                       .seed = 3};
    const ModelParts start = descend_stochastically(*problem.encoder, problem.map(), problem.rows, options, {}).parts();
    constexpr double kRate = 1e-3;
    options.learning_rate = kRate;
    const ModelParts end = descend_stochastically(*problem.encoder, problem.map(), problem.rows, options, {}).parts();
    constexpr double kStep = 1e-5;
    for (Index m = 0; m < start.coefficients.rows(); ++m)
      for (Index o = 0; o < start.coefficients.cols(); ++o) {
        ModelParts up = start, down = start;
        up.coefficients(m, o) += kStep;
        down.coefficients(m, o) -= kStep;
        const double slope = (objective(up, problem, options) - objective(down, problem, options)) / (2 * kStep);
        EXPECT_NEAR((start.coefficients(m, o) - end.coefficients(m, o)) / kRate, slope, 1e-6) << name_of(basis);
      }
    const auto activation = [](const ModelParts& parts) -> const LearnedActivation& {
      return dynamic_cast<const LearnedActivation&>(*parts.map.parts().front().family.activation);
    };
    const std::vector<double> a = activation(start).coefficients();
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto moved = [&](double by) {
        std::vector<double> changed = a;
        changed[i] += by;
        ModelParts parts = start;
        parts.map = parts.map.with_activation(std::make_shared<LearnedActivation>(activation(start).basis(), changed));
        return objective(parts, problem, options);
      };
      const double slope = (moved(kStep) - moved(-kStep)) / (2 * kStep);
      EXPECT_NEAR((a[i] - activation(end).coefficients()[i]) / kRate, slope, 1e-6) << name_of(basis) << ' ' << i;
    }
  }
}

TEST_P(LearnedSgd, LowersTheLoss) {
  const SgdProblem problem(GetParam());
  SgdOptions options{.grid_points = 8, .epochs = 1, .batch = 10, .learning_rate = 0, .seed = 3};
  const ModelParts start = descend_stochastically(*problem.encoder, problem.map(), problem.rows, options, {}).parts();
  options.epochs = 300;
  options.learning_rate = 5e-2;
  const ModelParts end = descend_stochastically(*problem.encoder, problem.map(), problem.rows, options, {}).parts();
  EXPECT_LT(mean_loss(end, problem), 0.8 * mean_loss(start, problem));
}

// In the limit of a strong pull both factors have one size (eq. 8), and a stays in its ball (eq. 5).
TEST_P(LearnedSgd, BalancesAndProjects) {
  const SgdProblem problem(GetParam());
  SgdOptions options{.grid_points = 8, .epochs = 200, .batch = 40, .learning_rate = 1e-2, .balance = 0.5, .seed = 3};
  ModelParts end = descend_stochastically(*problem.encoder, problem.map(), problem.rows, options, {}).parts();
  EXPECT_NEAR(activation_square(end) / weights_square(end), 1, 0.2);
  options.balance = 0;
  options.radius = 0.3;
  end = descend_stochastically(*problem.encoder, problem.map(), problem.rows, options, {}).parts();
  EXPECT_LE(activation_square(end), 0.09 * (1 + 1e-12));
}

INSTANTIATE_TEST_SUITE_P(Targets, LearnedSgd, ::testing::Values(0, 2, 3));

}  // namespace
}  // namespace weft::papers
