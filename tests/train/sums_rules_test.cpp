// Plans whose rows are held out by groups, times or folds, against fits of the whole table.
#include <weft/sums.hpp>

#include "core/random.hpp"
#include "data/expect_error.hpp"
#include "data/memory_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace weft::testing {

using namespace detail;
namespace {

constexpr Index kRows = 3000;
constexpr Index kShops = 60;

/// A number, a date and a fold for every shop, and an effect that its rows have in common.
struct Shops {
  std::vector<double> a, b, y, number, fold;
  std::vector<std::string> shop, day;

  explicit Shops(bool classes) {
    const Random random(21, RandomStream::generator);
    for (Index i = 0; i < kRows; ++i) {
      const auto at = static_cast<std::uint64_t>(i);
      const Index k = random.below(kShops, at, 3);
      a.push_back(random.normal(at, 0));
      b.push_back(random.normal(at, 1));
      const double value = std::sin(a.back()) + 0.3 * std::sin(static_cast<double>(k)) + 0.2 * random.normal(at, 2);
      y.push_back(classes ? (value > 0 ? 1 : 0) : value);
      number.push_back(static_cast<double>(k));
      fold.push_back(static_cast<double>(k % 6));
      shop.push_back(fmt::format("shop {}", k * 7919 % 1000));
      day.push_back(fmt::format("2024-03-{:02d}", 1 + k % 28));
    }
  }

  Data range(const RowRuleOptions& rule, Index first, Index end) const {
    const auto cut = [&](const auto& cells) { return std::vector(cells.begin() + first, cells.begin() + end); };
    std::vector<TableColumn> columns = {{"a", cut(a)}, {"b", cut(b)}, {"y", cut(y)}};
    if (rule.column() == "number") columns.push_back({"number", cut(number)});
    if (rule.column() == "fold") columns.push_back({"fold", cut(fold)});
    if (rule.column() == "shop") columns.push_back({"shop", cut(shop)});
    if (rule.column() == "day") columns.push_back({"day", cut(day)});
    const Data plain = memory_table(columns, "y");
    ReadOptions options = plain.options();
    options.rule = rule;
    return {fmt::format("{}.csv", first), options, [plain] { return plain.open(); }};
  }
  Data all(const RowRuleOptions& rule) const { return range(rule, 0, kRows); }
  std::vector<Data> parts(const RowRuleOptions& rule) const {
    return {range(rule, 0, 700), range(rule, 700, 701), range(rule, 701, 2200), range(rule, 2200, kRows)};
  }
};

const RowRuleOptions kRules[] = {{.group = "shop"}, {.group = "number"}, {.time = "day"}, {.folds_column = "fold"}};

FamilyOptions forty_features() {
  FamilyOptions options;
  options.features = 40;
  return options;
}

Sums summed(const Plan& plan, const std::vector<Data>& parts) {
  // Through bytes, and not in the order of the rows.
  const Plan read = Plan::from_bytes(plan.to_bytes());
  Sums sums = Sums::of(read, parts.back());
  for (std::size_t k = 0; k + 1 < parts.size(); ++k) sums.merge(Sums::from_bytes(Sums::of(read, parts[k]).to_bytes()));
  return sums;
}

void expect_near_all(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k) ASSERT_NEAR(a(i, k), b(i, k), tolerance) << i;
}

std::string word_of(const Model& model, const std::string& name) {
  for (const auto& [key, value] : model.parts().report.words)
    if (key == name) return value;
  return "";
}

TEST(SumsByRules, AreTheFitOfTheWholeTable) {
  const Shops shops(false);
  for (const RowRuleOptions& rule : kRules)
    for (const FitOptions& fit_options :
         {FitOptions{}, FitOptions{.lambda = 1e-3}, FitOptions{.lambda_holdout = 0.4},
          FitOptions{.method = LassoOptions{}},
          FitOptions{.method = KernelRidgeOptions{.kernel = "laplace", .landmarks = 40}}}) {
      SCOPED_TRACE(rule.column() + " " + method_name(fit_options.method));
      const bool landmarks = std::string(method_name(fit_options.method)) == "kernel-ridge";
      const FamilyOptions family = landmarks ? FamilyOptions() : forty_features();
      const Model whole = fit({shops.all(rule), family, fit_options});
      const Model model = solve(summed(Plan::of(shops.parts(rule), family, fit_options), shops.parts(rule)));
      EXPECT_NEAR(*model.parts().report.number("lambda") / *whole.parts().report.number("lambda"), 1, 1e-12);
      expect_near_all(model.predict(shops.all(rule)), whole.predict(shops.all(rule)), 1e-6);
      EXPECT_EQ(word_of(model, "validation"), word_of(whole, "validation"));
      EXPECT_NE(word_of(model, "validation"), "");
      EXPECT_EQ(model.parts().options.at(rule.name()), rule.column());
    }
}

TEST(SumsByRules, PlansOfStatisticsAreThoseOfTables) {
  const Shops shops(false);
  for (const RowRuleOptions& rule : kRules) {
    PlanRequest request{.statistics = {}, .family = forty_features()};
    Index first = 0;
    for (const Data& part : shops.parts(rule)) {
      request.statistics.push_back(PartStatistics::from_bytes(PartStatistics::of(part, {}, {}, first).to_bytes()));
      first += request.statistics.back().rows();
    }
    std::swap(request.statistics[0], request.statistics[3]);
    EXPECT_EQ(Plan::of(request).number(), Plan::of(shops.parts(rule), forty_features(), {}).number());
  }
}

/// The first of the latest days, which are as many as come nearest to a share of the rows.
std::string first_held_day(std::vector<std::string> days, double share) {
  std::sort(days.begin(), days.end(), std::greater<>());
  const double wanted = share * static_cast<double>(days.size());
  std::string first = days.front();
  double least = wanted;
  for (std::size_t k = 1; k < days.size(); ++k)
    if (const double off = std::abs(static_cast<double>(k) - wanted); days[k] != days[k - 1] && off < least) {
      least = off;
      first = days[k - 1];
    }
  return first;
}

/// Scores of intervals are those of the rows held out by a fit to the others alone.
TEST(SumsByRules, HeldOutRowsAreScoredByTheFitToTheOthers) {
  const Shops shops(false);
  const RowRuleOptions rule{.time = "day"};
  EncodeOptions plain;
  plain.scale = Scaling::none;
  FamilyOptions family = forty_features();
  family.family = "rks-cos";
  for (const std::optional<double> lambda : {std::optional<double>(1e-3), std::optional<double>()}) {
    FitOptions options;
    options.lambda = lambda;
    options.lambda_holdout = 0.3;
    const Model model = solve(summed(Plan::of(shops.parts(rule), family, options, plain), shops.parts(rule)));
    const std::string first_held = first_held_day(shops.day, 0.3);
    std::vector<bool> held;
    for (const std::string& day : shops.day) held.push_back(day >= first_held);
    const auto some = [&](bool out) {
      return select_rows(shops.all(rule),
                         [&held, out](Index row) { return held[static_cast<std::size_t>(row)] == out; });
    };
    options.lambda = model.parts().report.number("lambda");
    const Model others = fit({some(false), family, options, plain});
    const Matrix predicted = others.predict(some(true));
    std::vector<double> expected;
    for (Index i = 0, k = 0; i < kRows; ++i)
      if (held[static_cast<std::size_t>(i)])
        expected.push_back(shops.y[static_cast<std::size_t>(i)] - predicted(k++, 0));
    std::sort(expected.begin(), expected.end());
    const Conformity& conformity = model.parts().conformity;
    EXPECT_EQ(conformity.by, ScoredBy::held_out_rows);
    PredictOptions predict;
    predict.intervals.interval = 0.8;
    double width = 0;
    model.for_each_prediction(shops.all(rule), predict,
                              [&](const PredictionBlock& block) { width = block.upper(0, 0) - block.lower(0, 0); });
    // From the residual before so many of the largest to that after so many of the smallest (docs/intervals.md).
    const auto k = static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(expected.size() + 1)));
    EXPECT_NEAR(width, expected[k - 1] - expected[expected.size() - k], 1e-6);
  }
}

TEST(SumsByRules, ClassesHaveProbabilities) {
  const Shops shops(true);
  const RowRuleOptions rule{.group = "shop"};
  EncodeOptions classes;
  classes.task = TargetKind::classification;
  for (const std::optional<double> lambda : {std::optional<double>(1e-3), std::optional<double>()}) {
    FitOptions options;
    options.lambda = lambda;
    const Model model =
        solve(summed(Plan::of(shops.parts(rule), forty_features(), options, classes), shops.parts(rule)));
    const Model whole = fit({shops.all(rule), forty_features(), options, classes});
    // Of about 600 rows there, of all here: the same sigmoid but for their noise.
    expect_near_all(model.probabilities(shops.all(rule)), whole.probabilities(shops.all(rule)), 0.1);
    EXPECT_TRUE(model.parts().report.warnings.empty());
  }
}

TEST(SumsByRules, PartsMayBeMissing) {
  const Shops shops(false);
  const RowRuleOptions rule{.group = "shop"};
  const std::vector<Data> parts = shops.parts(rule);
  FitOptions options;
  options.lambda = 1e-3;
  const Plan plan = Plan::of(parts, forty_features(), options);
  const Model one = solve(Sums::of(plan, parts[1]), {.allow_missing = true});  // one row: either held out or not
  EXPECT_TRUE(one.parts().conformity.empty() || one.parts().conformity.by == ScoredBy::held_out_rows);
  EXPECT_FALSE(solve(Sums::of(plan, parts[2]), {.allow_missing = true}).parts().conformity.empty());
}

TEST(SumsByRules, OtherFilesAreThoseOfEarlierVersions) {
  const Shops shops(false);
  const auto version = [](const std::string& bytes) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data() + 8, sizeof number);
    return number;
  };
  for (const RowRuleOptions& rule : {RowRuleOptions{}, RowRuleOptions{.group = "shop"}}) {
    const Plan plan = Plan::of(shops.parts(rule), forty_features(), {});
    const std::uint32_t expected = rule.group.empty() ? 4 : 5;
    EXPECT_EQ(version(plan.to_bytes()), expected);
    EXPECT_EQ(version(Sums::of(plan, shops.parts(rule)[0]).to_bytes()), expected);
    EXPECT_EQ(version(PartStatistics::of(shops.parts(rule)[0], {}).to_bytes()), expected);
  }
}

TEST(SumsByRules, EffectsOfManyCategoriesNeedTheWholeTable) {
  Shops shops(false);
  const Random random(4, RandomStream::generator);
  std::vector<std::string> street;
  for (std::uint64_t i = 0; i < kRows; ++i) street.push_back(fmt::format("street {}", random.below(90, i)));
  const Data plain = memory_table({{"a", shops.a}, {"street", street}, {"fold", shops.fold}, {"y", shops.y}}, "y");
  ReadOptions options = plain.options();
  options.rule.folds_column = "fold";
  const Data table(plain.name(), options, [plain] { return plain.open(); });
  expect_error([&] { Plan::of({table}, forty_features(), {}); }, ErrorKind::option,
               {"folds_column", "street", "max_levels"});
}

}  // namespace
}  // namespace weft::testing
