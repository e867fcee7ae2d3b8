// Every method that chooses something on held-out rows holds out what belongs together: with copies of rows on both
// sides it would choose to learn the noise by heart.
#include <weft/fit.hpp>
#include <weft/tune.hpp>

#include "core/random.hpp"
#include "data/expect_error.hpp"
#include "data/memory_table.hpp"

#include <weft/incremental.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace weft {

using namespace detail;
namespace {

using namespace testing;

constexpr Index kOriginals = 70;
constexpr Index kCopies = 8;

double truth(double a, double b) {
  return std::sin(2 * a) + 0.5 * b;
}

/// Copies of noisy rows; `original` says of which. Classes: the sign of the target.
Data copies(bool classes, bool grouped) {
  const Random random(5, RandomStream::generator);
  std::vector<double> a, b, y, original;
  for (Index i = 0; i < kOriginals * kCopies; ++i) {
    const auto k = static_cast<std::uint64_t>(i % kOriginals);
    a.push_back(random.normal(k, 0));
    b.push_back(random.normal(k, 1));
    const double noisy = truth(a.back(), b.back()) + random.normal(k, 2);
    y.push_back(classes ? (noisy > 0 ? 1 : 0) : noisy);
    original.push_back(static_cast<double>(k));
  }
  const Data plain = memory_table({{"a", a}, {"b", b}, {"original", original}, {"y", y}}, "y");
  ReadOptions options = plain.options();
  if (grouped)
    options.rule.group = "original";
  else
    return memory_table({{"a", a}, {"b", b}, {"y", y}}, "y");
  return {plain.name(), options, [plain] { return plain.open(); }};
}

/// Against what is behind the noise.
double error_of(const Model& model, bool classes) {
  const Random random(6, RandomStream::generator);
  std::vector<double> a, b, y;
  for (std::uint64_t i = 0; i < 1500; ++i) {
    a.push_back(random.normal(i, 0));
    b.push_back(random.normal(i, 1));
    const double value = truth(a.back(), b.back());
    y.push_back(classes ? (value > 0 ? 1 : 0) : value);
  }
  const Evaluation found = evaluate(model, memory_table({{"a", a}, {"b", b}, {"y", y}}, "y"));
  return classes ? *found.logloss : *found.mse;
}

struct RuleCase {
  const char* name;
  MethodOptions method;
  bool classes = false;
};

class EveryMethod : public ::testing::TestWithParam<RuleCase> {};

TEST_P(EveryMethod, ChoosesBetterWithoutCopiesOnBothSides) {
  const RuleCase& c = GetParam();
  const auto fitted = [&](bool grouped) {
    FitRequest request{copies(c.classes, grouped)};
    if (!std::holds_alternative<KernelRidgeOptions>(c.method) && !std::holds_alternative<PortfolioOptions>(c.method) &&
        !std::holds_alternative<LocalOptions>(c.method))
      request.family.features = 150;
    request.fit.method = c.method;
    request.encode.task = c.classes ? TargetKind::classification : TargetKind::regression;
    return fit(request);
  };
  const Model apart = fitted(true);
  const Model mixed = fitted(false);
  EXPECT_LT(error_of(apart, c.classes), error_of(mixed, c.classes));
  EXPECT_EQ(apart.parts().options.at("group"), "original");
  EXPECT_EQ(mixed.parts().options.count("group"), 0u);
  EXPECT_NE(apart.parts().report.to_json().find("rows of the same original stay together (70 groups)"),
            std::string::npos);
  EXPECT_EQ(apart.parts().encoder.variable_names(), (std::vector<std::string>{"a", "b"}));
}

INSTANTIATE_TEST_SUITE_P(
    Methods, EveryMethod,
    ::testing::Values(RuleCase{"least_squares", LeastSquaresOptions{}}, RuleCase{"lasso", LassoOptions{}},
                      RuleCase{"logistic", LogisticOptions{}, true}, RuleCase{"kernel_ridge", KernelRidgeOptions{}},
                      RuleCase{"kernel_ridge_classes", KernelRidgeOptions{}, true},
                      RuleCase{"landmarks", KernelRidgeOptions{.landmarks = 100, .solver = LandmarkSolver::cg}},
                      RuleCase{"landmarks_direct", KernelRidgeOptions{.landmarks = 100}},
                      RuleCase{"local", LocalOptions{}}, RuleCase{"learned_relevance", LearnedRelevanceOptions{}},
                      RuleCase{"portfolio", PortfolioOptions{}},
                      RuleCase{"portfolio_classes", PortfolioOptions{}, true}),
    [](const auto& made) { return std::string(made.param.name); });

TEST(RowRuleFit, ASearchDealsOutGroupsAndHasNoLeaveOneOutScore) {
  for (const bool grouped : {true, false}) {
    TuneRequest request{copies(false, grouped)};
    request.family.family = "rw-relu";
    request.family.features = 150;
    request.options.configurations = 2;
    const TuneResult found = tune(request);
    EXPECT_EQ(found.leave_one_out.has_value(), !grouped);
    if (grouped) {
      EXPECT_GT(found.winner().score, 1.0) << "the variance of the noise";
    } else {
      EXPECT_LT(found.winner().score, 0.5) << "copies are known";
    }
  }
  TuneRequest request{copies(false, true)};
  request.fit.method = KernelRidgeOptions{};
  request.options.configurations = 2;
  EXPECT_GT(tune(request).winner().score, 1.0);
  request.options.folds = 71;
  expect_error([&] { tune(request); }, ErrorKind::option, {"70 folds", "folds"});
}

/// Three values of a column that decides, each of 60 rows, and classes of which one is missing from the first.
Data three_parts(const char* rule) {
  const Random random(7, RandomStream::generator);
  std::vector<double> x, part, y;
  for (std::uint64_t i = 0; i < 180; ++i) {
    x.push_back(random.normal(i, 0));
    part.push_back(static_cast<double>(i % 3));
    y.push_back(i % 3 != 0 && x.back() > 1 ? 2 : x.back() > 0 ? 1 : 0);
  }
  const Data plain = memory_table({{"x", x}, {"part", part}, {"y", y}}, "y");
  ReadOptions options = plain.options();
  (rule == std::string("group") ? options.rule.group : options.rule.time) = "part";
  return {plain.name(), options, [plain] { return plain.open(); }};
}

TEST(RowRuleFit, FewGroupsAndTimesAreEnough) {
  // The first of two forward folds is predicted from one time, in which nothing can be held out by time.
  const MethodOptions methods[] = {KernelRidgeOptions{}, LeastSquaresOptions{}, LogisticOptions{}};
  for (const char* rule : {"group", "time"})
    for (const MethodOptions& method : methods)
      for (const TargetKind task : {TargetKind::regression, TargetKind::classification}) {
        if (task == TargetKind::regression && std::holds_alternative<LogisticOptions>(method)) continue;
        TuneRequest request{three_parts(rule)};
        request.fit.method = method;
        request.encode.task = task;
        if (!std::holds_alternative<KernelRidgeOptions>(method)) request.family.features = 40;
        request.options.configurations = 2;
        const Trial winner = tune(request).winner();
        EXPECT_EQ(winner.fold_scores.size(), rule == std::string("group") ? 3u : 2u);
        EXPECT_LT(winner.score, task == TargetKind::regression ? 0.3 : 0.35) << rule;
      }
}

TEST(RowRuleFit, BatchesAreRefused) {
  const Data data = copies(false, true);
  IncrementalFit batches(Encoder::fit(data, {}), {.features = 20}, {});
  expect_error([&] { batches.add(data); }, ErrorKind::option, {"group", "batches"});
}

}  // namespace
}  // namespace weft
