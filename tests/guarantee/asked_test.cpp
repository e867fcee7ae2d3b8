// What theorems say besides a bound on the risk: of complexities and minimisers, of pruning, and of the features that
// stand for a kernel machine; the softmax loss. Against dense solutions and simulated draws.
#include <weft/certify.hpp>
#include <weft/fit.hpp>
#include <weft/load.hpp>

#include "data/expect_error.hpp"
#include "dense_algebra.hpp"
#include "guarantee/certificates.hpp"
#include "linalg/lasso.hpp"
#include "methods/table_rows.hpp"

#include <numbers>

namespace weft::testing {

using namespace detail;

namespace {

using testing_rows::to_eigen;

Data moons(Index rows) {
  return generate("moons", {.rows = rows, .seed = 3});
}

EncodeOptions bare() {
  return {.scale = Scaling::none, .bias = false};
}

/// σ in R^m, uniform on the signs: the mean over draws of sup over the class of (1/m)Σσ_i f(x_i).
double simulated_complexity(const Eigen::MatrixXd& kernel, double norm, double intercept) {
  const Index rows = kernel.rows();
  double sum = 0;
  constexpr int kDraws = 4000;
  for (int k = 0; k < kDraws; ++k) {
    const Random random(static_cast<std::uint64_t>(k), RandomStream::noise);
    Eigen::VectorXd sigma(rows);
    for (Index i = 0; i < rows; ++i) sigma(i) = random.uniform(static_cast<std::uint64_t>(i)) < 0.5 ? -1 : 1;
    sum += norm * std::sqrt(sigma.dot(kernel * sigma)) + intercept * std::abs(sigma.sum());
  }
  return sum / (kDraws * static_cast<double>(rows));
}

// Theorem 6.1 and its form with the trace bound the complexity that signs drawn at random have, and the second is
// tight.
TEST(Asked, ComplexitiesAreAboveThoseOfRandomSigns) {
  const Data data = moons(60);
  FamilyOptions family{.family = "rw-relu", .features = 15, .gamma = 2};
  const Model model = fit({data, family, {.lambda = 0.01}, bare()});
  const Certificate result = certify(model, data);
  const Matrix x = load_inputs(model.parts().encoder, data);
  const Eigen::MatrixXd kernel = to_eigen(model.parts().map.implicit_kernel(x, x).view());
  const double intercept = std::abs(model.parts().intercepts[0]);
  const double truth = simulated_complexity(kernel, model.rkhs_norm(0), intercept);
  const auto complexity = [&](const std::string& name, const std::string& theta) {
    return find(result, name, "fixed", theta).complexity.value();
  };
  const double supremum = complexity("Anonymous 2026, Theorem 6.2", "exact");
  const double trace = complexity("Bartlett & Mendelson 2002, trace", "trace");
  EXPECT_LT(truth, trace);
  EXPECT_LT(trace, supremum);
  // Before what chance may have hidden of the mean of K_X.
  const double mean = model.rkhs_norm(0) * std::sqrt(kernel.trace() / 60) + intercept;
  EXPECT_NEAR(*result.constants.theta_mean, std::sqrt(kernel.trace() / 60), 1e-10);
  EXPECT_LT(truth, mean / std::sqrt(60));
  EXPECT_GT(truth, 0.8 * mean / std::sqrt(60));
}

// Theorem 6.4 with p uniform on the centres: the class is {Σ b_t φ_t : T Σb² ≤ B²}.
TEST(Asked, SquareIntegrableComplexitiesToo) {
  const Data data = moons(60);
  const Model model = fit({data, {.family = "rks-relu", .features = 15}, {.lambda = 0.01, .intercept = false}, bare()});
  const Certificate result = certify(model, data);
  const Matrix x = load_inputs(model.parts().encoder, data);
  Matrix phi(15, 60);
  model.parts().map.smoothings(x, phi);
  const Eigen::MatrixXd kernel = to_eigen(phi.view()).transpose() * to_eigen(phi.view()) / 15;
  const double truth = simulated_complexity(kernel, (*result.l2p_norms)[0], 0);
  const double supremum = find(result, "Anonymous 2026, Theorem 6.5", "fixed", "tau").complexity.value();
  const double trace = find(result, "Bartlett & Mendelson 2002, trace", "fixed", "tau trace").complexity.value();
  EXPECT_LT(truth, trace);
  EXPECT_LT(trace, supremum);
}

TEST(Asked, Theorem66IsForFitsThatPenaliseTheirL2Norm) {
  const Data data = sample_data(60, "yes");
  const auto line = [&](const FamilyOptions& family, Regularizer regularizer) {
    const Model model =
        fit({data, family, {.method = LeastSquaresOptions{.regularizer = regularizer}, .lambda = 0.05}});
    const Certificate result = certify(model, data);
    const BoundLine found = find(result, "Anonymous 2026, Theorem 6.6", "fixed", "tau");
    if (!found.inapplicable) {
      const double reach = result.constants.tau * (*result.l2p_norms)[0] + std::abs(model.parts().intercepts[0]);
      EXPECT_NEAR(found.gap, 8 * (reach + 1) / std::sqrt(60) * reach * (1 + std::sqrt(std::log(40.0) / 2)),
                  1e-10 * found.gap);
      EXPECT_EQ(found.claim, "excess");
    }
    return found;
  };
  FamilyOptions plain = sample_family("rks-relu", 9);
  EXPECT_FALSE(line(plain, Regularizer::ridge).inapplicable);
  EXPECT_FALSE(line(signs(20), Regularizer::l2p).inapplicable);
  EXPECT_TRUE(line(signs(20), Regularizer::rkhs).inapplicable);
  plain.sampling = Sampling::leverage_top;
  EXPECT_TRUE(line(plain, Regularizer::ridge).inapplicable);
}

TEST(Asked, Theorem11IsTheorem67WithTwiceLambda) {
  const Data data = sample_data(60, "yes");
  const Model model = fit({data, signs(40), {.method = FunctionalGradientOptions{.radius = 2}, .lambda = 0.05}});
  const Certificate result = certify(model, data);
  const BoundLine& line = find(result, "Dubé & Marchand 2023, Theorem 11", "fixed", "exact");
  const double reach = *result.constants.theta * 2 + std::abs(model.parts().intercepts[0]);
  const double rho = 2 * (reach + 1), kappa = *result.constants.kappa;
  const double others = 2 * rho * reach / std::sqrt(60) + 0.1 * 4 + 8 * rho * rho / (0.1 * 60);
  const double last = std::pow(rho * kappa + 0.2, 2) / (2 * 0.1);
  EXPECT_NEAR(line.bound, others + last / 40 * (1 + std::log(40)), 1e-10 * line.bound);
  const double steps = line.features_needed.value();
  EXPECT_LE(last / steps * (1 + std::log(steps)), others * (1 + 1e-9));
  EXPECT_GT(last / (steps - 1) * (1 + std::log(steps - 1)), others * (1 - 1e-9));
  EXPECT_NEAR(line.best_lambda.value(), 0.5 * rho * std::sqrt(8 / (4.0 * 60)), 1e-12);
}

/// min_b (1/2T)‖α − β‖²_H + λ‖b‖₁ by coordinate descent.
Eigen::VectorXd pruned(const Eigen::MatrixXd& gram, const Eigen::VectorXd& a, double lambda) {
  Eigen::VectorXd b = a;
  const double threshold = lambda * static_cast<double>(a.size());
  for (int sweep = 0; sweep < 3000; ++sweep)
    for (Index t = 0; t < a.size(); ++t) {
      const double pull = gram.row(t).dot(a - b) + gram(t, t) * b(t);
      b(t) = std::copysign(std::max(0.0, std::abs(pull) - threshold), pull) / gram(t, t);
    }
  return b;
}

// Equations 61 and 62: at the weight that is asked for, the distance and every change of the loss are within their
// bounds; the weight for the exact θ prunes at least six times as hard as the printed one.
TEST(Asked, PruningByEquation62ChangesTheLossByLessThanTheDifference) {
  const Data data = sample_data(60, "y");
  const Model model = fit({data, signs(12), {.lambda = 1e-3}});
  const FeatureMap& map = model.parts().map;
  const std::vector<double> amplitudes = map.log_amplitudes();
  const Eigen::MatrixXd gram = to_eigen(map.gram().view());
  Eigen::VectorXd a(12);
  for (Index t = 0; t < 12; ++t)
    a(t) = model.parts().coefficients(t, 0) * std::exp(-amplitudes[static_cast<std::size_t>(t)]);
  for (const double difference : {0.01, 0.5, 3.0}) {
    const Certificate result = certify(model, data, {.difference = difference});
    const BoundLine& printed = find(result, "Dubé & Marchand 2023, equation 62", "fixed", "paper");
    const BoundLine& exact = find(result, "Dubé & Marchand 2023, equation 62", "fixed", "exact");
    EXPECT_GT(exact.best_lambda.value(), 6 * printed.best_lambda.value());
    for (const double lambda : {*printed.best_lambda, *exact.best_lambda}) {
      const Eigen::VectorXd b = pruned(gram, a, lambda);
      EXPECT_LE((a - b).dot(gram * (a - b)), 2 * 12 * a.cwiseAbs().sum() * lambda * (1 + 1e-9));
      ModelParts parts = model.parts();
      for (Index t = 0; t < 12; ++t)
        parts.coefficients(t, 0) = b(t) * std::exp(amplitudes[static_cast<std::size_t>(t)]);
      EXPECT_LE(std::abs(certify(Model(parts), data).train_loss - result.train_loss), difference);
    }
  }
  EXPECT_NEAR(find(certify(model, data), "Dubé & Marchand 2023, equation 62", "fixed", "exact").bound,
              0.01 * certify(model, data).trivial_loss, 1e-12);
}

/// Mean over draws of the mean squared difference between kernel ridge regression with its kernel and with so many
/// features, (K̃ + mλ)⁻¹ and (K + mλ)⁻¹ being applied to y − c, on the columns of `at`.
double simulated_difference(const Model& model, const Matrix& x, const Matrix& at, const Eigen::VectorXd& y,
                            double lambda, FamilyOptions family, int draws) {
  const KernelSections& sections = *model.parts().map.sections();
  const Index rows = x.cols();
  const Eigen::MatrixXd shift = static_cast<double>(rows) * lambda * Eigen::MatrixXd::Identity(rows, rows);
  const Eigen::MatrixXd k = to_eigen(sections.kernel.gram(x).view());
  Matrix between(rows, at.cols());
  sections.kernel.values(x, at, between.view());
  const Eigen::VectorXd exact = to_eigen(between.view()).transpose() * solve(k + shift, y);
  double sum = 0;
  for (int draw = 0; draw < draws; ++draw) {
    family.seed = static_cast<std::uint64_t>(draw + 1);
    const FeatureMap map = FeatureMap::draw(family, model.parts().map.inputs());
    Matrix here(map.features(), rows), there(map.features(), at.cols());
    map.smoothings(x, here.view());
    map.smoothings(at, there.view());
    const auto features = static_cast<double>(map.features());
    const Eigen::MatrixXd z = to_eigen(here.view()) / std::sqrt(features);
    const Eigen::VectorXd approximate =
        to_eigen(there.view()).transpose() / std::sqrt(features) * (z * solve(z.transpose() * z + shift, y));
    sum += (approximate - exact).squaredNorm() / static_cast<double>(at.cols() * draws);
  }
  return sum;
}

struct KernelStudy {
  Data data = moons(60);
  Model model;
  Matrix x, fresh;
  Eigen::VectorXd y{60};
  double lambda;

  KernelStudy(const std::string& kernel, double lambda_)
      : model(fit({data, {}, {.method = KernelRidgeOptions{.kernel = kernel}, .lambda = lambda_}, bare()})),
        x(load_inputs(model.parts().encoder, data)),
        fresh(load_inputs(model.parts().encoder, generate("moons", {.rows = 300, .seed = 8}))),
        lambda(lambda_) {
    const AllPredictions rows = predict_all(model, data, {.with_targets = true});
    for (Index i = 0; i < 60; ++i)
      y(i) = (rows.targets[static_cast<std::size_t>(i)] > 0 ? 1 : -1) - model.parts().intercepts[0];
  }
};

// Theorem 1 of Wang 2019: with as many random features as it asks for, predictions differ by less than was allowed.
TEST(Asked, WangsFeaturesAreEnough) {
  for (const std::string kernel : {"rbf", "laplace", "angular"}) {
    const KernelStudy study(kernel, 1.0);
    const Certificate result = certify(study.model, study.data, {.difference = 1e-3});
    const BoundLine& line = find(result, "Wang 2019, Theorem 1", "", "");
    ASSERT_FALSE(line.inapplicable) << *line.inapplicable;
    const Kernel& k = study.model.parts().map.sections()->kernel;
    const double b = kernel == "angular" ? 1 : 2;
    // ‖K^½(K + mλI)⁻¹(y − c)‖², densely.
    const Eigen::MatrixXd gram = to_eigen(k.gram(study.x).view());
    const Eigen::VectorXd alpha = solve(gram + 60 * Eigen::MatrixXd::Identity(60, 60), study.y);
    EXPECT_NEAR(*line.features_needed, std::ceil(4 * b * alpha.dot(gram * alpha) / 1e-3), 1.0) << kernel;
    const double logarithm = std::log(*line.features_needed / 0.05);
    EXPECT_EQ(line.rows_needed.has_value(), 1.0 < 2 * b * std::sqrt(logarithm / 60));
    if (line.rows_needed) {
      EXPECT_EQ(*line.rows_needed, std::ceil(4 * b * b * logarithm));
    }
    FamilyOptions family{.family = kernel == "angular" ? "rks-sign" : "rff-" + kernel,
                         .features = static_cast<Index>(*line.features_needed / 4)};  // 4 is of the proof
    if (k.has_bandwidth()) family.sigma = 1 / k.bandwidth();
    EXPECT_LT(simulated_difference(study.model, study.x, study.fresh, study.y, 1, family, 10), 1e-3) << kernel;
  }
  const KernelStudy other("laplace-l2", 1.0);
  EXPECT_TRUE(find(certify(other.model, other.data), "Wang 2019, Theorem 1", "", "").inapplicable);
}

// Theorem 2: with fewer features than it asks for, predictions on the rows of the fit differ by more than was allowed.
TEST(Asked, WangsLowerBoundIsBelowTheDifference) {
  const KernelStudy study("angular", 0.2);
  const Certificate result = certify(study.model, study.data, {.difference = 2e-4});
  const BoundLine& line = find(result, "Wang 2019, Theorem 2", "", "");
  ASSERT_FALSE(line.inapplicable);
  ASSERT_GT(*line.features_needed, 10);
  const FamilyOptions fewer{.family = "rks-sign", .features = static_cast<Index>(*line.features_needed) - 1};
  EXPECT_GT(simulated_difference(study.model, study.x, study.x, study.y, 0.2, fewer, 50), 2e-4);
  EXPECT_LT(*line.features_needed, *find(result, "Wang 2019, Theorem 1", "", "").features_needed);
}

// K classes: the joint norm of centred weight functions, the length of centred intercepts, the entropy of the classes.
TEST(Asked, SoftmaxHasOneBoundForAllOutputs) {
  const Data data = sample_data(60, "kind");
  const Model model = fit({data, signs(20), {.method = LogisticOptions{}, .lambda = 0.1}});
  const Certificate result = certify(model, data);
  EXPECT_EQ(result.loss, "softmax");
  ASSERT_EQ(result.lines.size(), 6u);
  EXPECT_NEAR(result.trivial_loss, std::log(3.0), 1e-9);
  EXPECT_NEAR(result.train_loss, *evaluate(model, data).logloss, 1e-9);
  double square = 0, mean = 0, shifts = 0;
  for (const double norm : result.rkhs_norms) square += norm * norm;
  for (const double c : model.parts().intercepts) mean += c / 3;
  for (const double c : model.parts().intercepts) shifts += (c - mean) * (c - mean);
  const double reach = *result.constants.theta * std::sqrt(square) + std::sqrt(shifts);
  const BoundLine& line = find(result, "Maurer 2016, softmax", "fixed", "exact");
  const double gap = 4 * std::sqrt(3.0 / 60) * reach +
                     std::log1p(2 * std::exp(std::numbers::sqrt2 * reach)) * std::sqrt(std::log(20.0) / 120);
  EXPECT_NEAR(line.gap, gap, 1e-9 * gap);
  EXPECT_NEAR(line.error.value(), std::min(1.0, line.bound / std::log(2.0)), 1e-12);
  EXPECT_GT(find(result, "Maurer 2016, softmax", "learned", "exact").bound, line.bound);
  // The same function with coefficients that do not add up to 0 has the same certificate.
  ModelParts moved = model.parts();
  for (Index t = 0; t < 20; ++t)
    for (Index k = 0; k < 3; ++k) moved.coefficients(t, k) += 0.7;
  EXPECT_NEAR(certify(Model(moved), data).lines.front().bound, result.lines.front().bound, 1e-9);
  expect_error([&] { certify(model, data, {.bound = Theorem::theorem_10}); }, ErrorKind::option,
               {"bound", "softmax loss couples the outputs"});
  expect_error(
      [&] {
        certify(fit({sample_data(60, "yes"), signs(20), {.lambda = 0.1}}), sample_data(60, "yes"),
                {.bound = Theorem::softmax});
      },
      ErrorKind::option, {"bound", "softmax"});
}

}  // namespace

}  // namespace weft::testing
