// Many data sets from a distribution whose risks are exact sums: the guarantees hold at least as often as they claim.
#include <weft/certify.hpp>
#include <weft/fit.hpp>
#include <weft/load.hpp>

#include "core/random.hpp"
#include "dense_algebra.hpp"
#include "objective/loss.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace weft::testing {

using namespace detail;

namespace {

/// Six inputs, equally likely; given one, the target is `high` with the probability of that input, else `low`. With the
/// probability `middle` it is 0 whatever the input.
struct Atoms {
  double low;
  double high;
  TargetKind task;
  double middle = 0;

  static constexpr Index kCount = 6;
  static constexpr double kInputs[kCount][2] = {{1, 0.2}, {-1, 0.5}, {0.3, -1}, {-0.4, -0.8}, {2, 2}, {-2, 1.5}};
  static constexpr double kHigh[kCount] = {0.9, 0.3, 0.6, 0.1, 0.5, 0.75};

  void draw(std::uint64_t set, Matrix& x, Matrix& y) const {
    const Random random(set, RandomStream::generator);
    for (Index i = 0; i < x.rows(); ++i) {
      const auto draw = static_cast<std::uint64_t>(i);
      const Index atom = random.below(kCount, draw);
      std::copy_n(kInputs[atom], 2, x.row(i));
      y(i, 0) = random.uniform(draw, 1) < kHigh[atom] ? high : low;
      if (random.uniform(draw, 2) < middle) y(i, 0) = 0;
    }
  }

  double risk(const Model& model, const Loss& loss) const {
    Matrix x(kCount, 2);
    for (Index i = 0; i < kCount; ++i) std::copy_n(kInputs[i], 2, x.row(i));
    double sum = 0;
    model.for_each_prediction(array(x), {}, [&](const PredictionBlock& block) {
      for (Index i = 0; i < kCount; ++i) {
        const double f = block.scores(i, 0);
        const double outer = kHigh[i] * loss.value(f, code(high)) + (1 - kHigh[i]) * loss.value(f, code(low));
        sum += ((1 - middle) * outer + middle * loss.value(f, 0)) / kCount;
      }
    });
    return sum;
  }

  double code(double y) const { return task == TargetKind::regression ? y : y == high ? 1 : -1; }
};

struct Study {
  Atoms atoms;
  FitOptions fit;
  Loss loss = Loss(Loss::Kind::squared);
  Index rows = 80;
  std::uint64_t sets = 1000;
  std::string family = "rw-sign";
};

/// Nothing of the class depends on the rows: no scaling, a given family and a fixed seed.
Model fitted(const Study& study, const Data& data) {
  EncodeOptions encode;
  encode.scale = Scaling::none;
  encode.task = study.atoms.task;
  return fit(
      {data, {.family = study.family, .features = 12, .sigma = 1, .gamma = 2}, study.fit, encode, {.threads = 1}});
}

/// Violations by line, and of the best under "best"; "looseness" is the mean of best bound / risk.
std::map<std::string, double> violations(const Study& study, double delta) {
  Matrix x(study.rows, 2);
  Matrix y(study.rows, 1);
  std::map<std::string, double> counts;
  for (std::uint64_t set = 1; set <= study.sets; ++set) {
    study.atoms.draw(set, x, y);
    const Data data = array(x, y);
    const Model model = fitted(study, data);
    const double truth = study.atoms.risk(model, study.loss);
    const Certificate result = certify(model, data, {.delta = delta}, {.threads = 1});
    for (const BoundLine& line : result.lines) {
      if (line.inapplicable || line.claim != "risk") continue;
      const std::string version = line.name + " " + line.radius + " " + line.theta;
      counts[version] += truth > line.bound ? 1 : 0;
      counts[version + ", from below"] += truth < *line.lower ? 1 : 0;  // corollaries 6.2.1 and 6.5.1
    }
    const double best = result.lines.at(result.best.value()).bound;
    counts["best"] += truth > best ? 1 : 0;
    counts["looseness"] += best / truth / static_cast<double>(study.sets);
  }
  return counts;
}

void expect_covered(const Study& study, const std::string& what) {
  const auto sets = static_cast<double>(study.sets);
  for (const double delta : {0.05, 0.5}) {
    const std::map<std::string, double> counts = violations(study, delta);
    const double most = delta * sets + 3 * std::sqrt(delta * (1 - delta) * sets);
    for (const auto& [line, count] : counts) {
      if (line == "looseness") continue;
      EXPECT_LE(count, most) << line << ", delta " << delta;
    }
    ::testing::Test::RecordProperty(what + "_looseness_" + std::to_string(delta),
                                    std::to_string(counts.at("looseness")));
  }
}

const Atoms kNumbers{-1, 2, TargetKind::regression};
const Atoms kClasses{0, 1, TargetKind::classification};

TEST(Coverage, LeastSquaresOnNumbers) {
  expect_covered({kNumbers, {.lambda = 1e-3}}, "numbers");
  expect_covered({kNumbers, {.lambda = 1e-3, .intercept = false}}, "numbers_without_intercept");
}

// K_X(x, x) grows with x: its mean over the rows is well below its supremum, and the trace decides.
TEST(Coverage, TheTraceOfRelu) {
  const Study study{kNumbers, {.lambda = 1e-3}, Loss(Loss::Kind::squared), 80, 1000, "rw-relu"};
  expect_covered(study, "relu");
  Matrix x(study.rows, 2), y(study.rows, 1);
  study.atoms.draw(1, x, y);
  const Certificate result = certify(fitted(study, array(x, y)), array(x, y));
  EXPECT_LT(*result.constants.theta_mean, 0.8 * *result.constants.theta);
}

TEST(Coverage, PlainFeatures) {
  expect_covered({kNumbers, {.lambda = 1e-3}, Loss(Loss::Kind::squared), 80, 500, "rks-relu"}, "plain");
}

TEST(Coverage, LeastSquaresOnClasses) {
  expect_covered({kClasses, {.lambda = 1e-3}}, "classes");
}

TEST(Coverage, LogisticOnClasses) {
  expect_covered({kClasses, {.method = LogisticOptions{}, .lambda = 1e-2}, Loss(Loss::Kind::logistic)}, "logistic");
}

// Three classes with the chances kHigh, 0.6 of the rest, and what is left.
TEST(Coverage, Softmax) {
  constexpr Index kRows = 80, kSets = 300;
  const auto chance = [](Index atom, Index k) {
    const double first = Atoms::kHigh[atom];
    return k == 0 ? first : (k == 1 ? 0.6 : 0.4) * (1 - first);
  };
  Matrix x(kRows, 2), y(kRows, 1), atoms(Atoms::kCount, 2);
  for (Index i = 0; i < Atoms::kCount; ++i) std::copy_n(Atoms::kInputs[i], 2, atoms.row(i));
  const EncodeOptions encode{.scale = Scaling::none, .task = TargetKind::classification};
  std::map<std::string, double> wrong;
  for (std::uint64_t set = 1; set <= kSets; ++set) {
    const Random random(set, RandomStream::generator);
    for (Index i = 0; i < kRows; ++i) {
      const Index atom = random.below(Atoms::kCount, static_cast<std::uint64_t>(i));
      std::copy_n(Atoms::kInputs[atom], 2, x.row(i));
      const double u = random.uniform(static_cast<std::uint64_t>(i), 1);
      y(i, 0) = u < chance(atom, 0) ? 0 : u < chance(atom, 0) + chance(atom, 1) ? 1 : 2;
    }
    const Data data = array(x, y);
    const Model model = fit({data,
                             {.family = "rw-sign", .features = 12, .sigma = 1, .gamma = 2},
                             {.method = LogisticOptions{}, .lambda = 1e-2},
                             encode,
                             {.threads = 1}});
    double risk = 0;
    model.for_each_prediction(array(atoms), {}, [&](const PredictionBlock& block) {
      for (Index i = 0; i < Atoms::kCount; ++i) {
        double total = 0;
        for (Index k = 0; k < 3; ++k) total += std::exp(block.scores(i, k));
        for (Index k = 0; k < 3; ++k) risk += chance(i, k) * (std::log(total) - block.scores(i, k)) / Atoms::kCount;
      }
    });
    for (const BoundLine& line : certify(model, data, {.delta = 0.5}, {.threads = 1}).lines) {
      wrong[line.radius + " " + line.theta] += risk > line.bound ? 1 : 0;
      wrong[line.radius + " " + line.theta + ", from below"] += risk < *line.lower ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong.size(), 12u);
  for (const auto& [line, count] : wrong) EXPECT_LE(count, 0.5 * kSets) << line;
}

// Theorem 6.6 for plain features: how much worse than the best of the ball of its own norm, whose risk is a quadratic
// form that is solved densely.
TEST(Coverage, Theorem66) {
  const Study study{kNumbers, {.lambda = 1e-3, .intercept = false}, Loss(Loss::Kind::squared), 80, 300, "rks-relu"};
  Matrix x(study.rows, 2), y(study.rows, 1), atoms(Atoms::kCount, 2);
  for (Index i = 0; i < Atoms::kCount; ++i) std::copy_n(Atoms::kInputs[i], 2, atoms.row(i));
  double wrong = 0;
  for (std::uint64_t set = 1; set <= study.sets; ++set) {
    study.atoms.draw(set, x, y);
    const Model model = fitted(study, array(x, y));
    const Matrix inputs = load_inputs(model.parts().encoder, array(atoms));
    Matrix phi(12, Atoms::kCount);
    model.parts().map.smoothings(inputs, phi.view());
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> z(phi.data(), 12,
                                                                                                     Atoms::kCount);
    Eigen::VectorXd means(Atoms::kCount);
    for (Index i = 0; i < Atoms::kCount; ++i)
      means(i) = Atoms::kHigh[i] * study.atoms.high + (1 - Atoms::kHigh[i]) * study.atoms.low;
    double own = 0;
    for (Index t = 0; t < 12; ++t) own += std::pow(model.parts().coefficients(t, 0), 2);
    // The best of the ball: the multiplier at which the norm is that of the model.
    Eigen::VectorXd best;
    double low = -40, high = 20;
    for (int k = 0; k < 80; ++k) {
      const double middle = 0.5 * (low + high);
      best = solve(z * z.transpose() / Atoms::kCount + std::exp(middle) * Eigen::MatrixXd::Identity(12, 12),
                   z * means / Atoms::kCount);
      (best.squaredNorm() > own ? low : high) = middle;
    }
    ModelParts parts = model.parts();
    for (Index t = 0; t < 12; ++t) parts.coefficients(t, 0) = best(t);
    const double excess = study.atoms.risk(model, study.loss) - study.atoms.risk(Model(parts), study.loss);
    const Certificate result =
        certify(model, array(x, y), {.delta = 0.5, .bound = Theorem::theorem_6_6}, {.threads = 1});
    ASSERT_FALSE(result.lines.front().inapplicable);
    EXPECT_GE(excess, -1e-9);
    wrong += excess > result.lines.front().bound ? 1 : 0;
  }
  EXPECT_LE(wrong, 0.5 * static_cast<double>(study.sets));
}

// The original comes from rows of its own, as the theorem asks; the other model is learned on the rows given.
TEST(Coverage, Theorem8) {
  const Study study{kNumbers, {.lambda = 1e-3}};
  Matrix x(study.rows, 2);
  Matrix y(study.rows, 1);
  study.atoms.draw(123456, x, y);
  const Model original = fitted(study, array(x, y));
  const double risk = study.atoms.risk(original, study.loss);
  std::map<std::string, double> counts;
  for (std::uint64_t set = 1; set <= study.sets; ++set) {
    study.atoms.draw(set, x, y);
    const Data data = array(x, y);
    ModelParts parts = original.parts();
    const Model learned = fitted(study, data);
    parts.coefficients = learned.parts().coefficients;
    parts.intercepts = learned.parts().intercepts;
    const Model model(std::move(parts));
    const double truth = study.atoms.risk(model, study.loss) - risk;
    for (const BoundLine& line :
         certify(model, data, {.delta = 0.1, .bound = Theorem::theorem_8}, {.threads = 1}, &original).lines)
      counts[line.radius + " " + line.theta] += truth > line.bound ? 1 : 0;
  }
  ASSERT_EQ(counts.size(), 4u);
  for (const auto& [line, count] : counts)
    EXPECT_LE(count, 0.1 * static_cast<double>(study.sets) + 3 * std::sqrt(0.09 * static_cast<double>(study.sets)))
        << line;
}

// A penalty that leaves nothing of the model: the loss is y², 0 or 4, and only its chance matters. Here the bounds are
// nearly tight, and the printed Theorem 6.2, whose gap is then 0, is wrong almost half the time.
TEST(Coverage, TheZeroFunction) {
  const Study study{{-2, 2, TargetKind::regression, 0.5}, {.lambda = 1e9, .intercept = false}};
  expect_covered(study, "zero");
  EXPECT_GT(violations(study, 0.5).at("Dubé & Marchand 2023, Theorem 10 fixed exact"), 0)
      << "nothing was put to the test";
  Matrix x(study.rows, 2);
  Matrix y(study.rows, 1);
  double wrong = 0;
  for (std::uint64_t set = 1; set <= study.sets; ++set) {
    study.atoms.draw(set, x, y);
    double mean_square = 0;
    for (Index i = 0; i < study.rows; ++i) mean_square += y(i, 0) * y(i, 0) / static_cast<double>(study.rows);
    wrong += mean_square < 2 ? 1 : 0;
  }
  EXPECT_GT(wrong / static_cast<double>(study.sets), 0.4);
}

}  // namespace

}  // namespace weft::testing
