#include "paired_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft::papers {
namespace {

/// All 2ⁿ signs of the ranks, counted one by one.
double enumerated_wilcoxon(const std::vector<double>& differences) {
  const std::size_t n = differences.size();
  std::vector<double> ranks;
  for (const double a : differences) {
    double rank = 0.5;
    for (const double b : differences) rank += std::abs(b) < std::abs(a) ? 1 : std::abs(b) == std::abs(a) ? 0.5 : 0;
    ranks.push_back(rank);
  }
  double positive = 0, total = 0;
  for (std::size_t k = 0; k < n; ++k) {
    total += ranks[k];
    if (differences[k] > 0) positive += ranks[k];
  }
  const double found = std::min(positive, total - positive);
  int extreme = 0;
  for (unsigned signs = 0; signs < 1U << n; ++signs) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k)
      if ((signs >> k & 1U) != 0) sum += ranks[k];
    extreme += sum <= found + 1e-9 || sum >= total - found - 1e-9;
  }
  return extreme / std::pow(2.0, static_cast<double>(n));
}

TEST(PairedTests, WilcoxonIsTheEnumerationOfAllSigns) {
  const std::vector<std::vector<double>> cases = {
      {1, 2, 3, 4, 5},
      {-1, 2, -3, 4, 5, 6, 7.5, -0.1},
      {1, 1, -1, 2, 2, -2, 3, 5, 5, -8},                      // ties
      {0.3, -0.2, 0.1, 0.1, -0.4, 0.7, 0.9, 1.1, -0.2, 0.05}  // some of them
  };
  for (const auto& differences : cases) EXPECT_NEAR(wilcoxon_p(differences), enumerated_wilcoxon(differences), 1e-12);
  EXPECT_NEAR(wilcoxon_p({-1, -2, -3, -4, -5, -6, -7, -8, -9, -10}), 2 / 1024.0, 1e-15);
  EXPECT_EQ(wilcoxon_p({0, 0, 0}), 1);
  EXPECT_EQ(wilcoxon_p({0, 1, 2, 0}), wilcoxon_p({1, 2}));
}

TEST(PairedTests, TIsThatOfPrintedTables) {
  // The t of {1, …, 5} is 3/(1.5811/√5) = 4.2426; with 4 degrees of freedom p = 0.013236 (R: t.test(1:5)).
  EXPECT_NEAR(paired_t_p({1, 2, 3, 4, 5}), 0.013236, 1e-6);
  // At t = 2.776445, the 97.5 % point of 4 degrees of freedom, p = 0.05.
  const double shift = 2.776445105 * std::sqrt(2.5 / 5) - 3;
  EXPECT_NEAR(paired_t_p({1 + shift, 2 + shift, 3 + shift, 4 + shift, 5 + shift}), 0.05, 1e-8);
  // Splits of which a quarter is the test: variance 1/5 + 1/3 in place of 1/5.
  const double wider = 2.776445105 * std::sqrt(2.5 * (1.0 / 5 + 1.0 / 3)) - 3;
  EXPECT_NEAR(paired_t_p({1 + wider, 2 + wider, 3 + wider, 4 + wider, 5 + wider}, 1.0 / 3), 0.05, 1e-8);
  EXPECT_EQ(paired_t_p({1}), 1);
  EXPECT_EQ(paired_t_p({0, 0}), 1);
}

TEST(PairedTests, HolmMultipliesByWhatIsLeftAndStaysMonotone) {
  // Holm 1979: 4·0.005, 3·0.01, 2·0.03, and 0.04 raised to the one before.
  const std::vector<double> adjusted = holm({0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(adjusted[0], 0.03, 1e-15);
  EXPECT_NEAR(adjusted[1], 0.06, 1e-15);
  EXPECT_NEAR(adjusted[2], 0.06, 1e-15);
  EXPECT_NEAR(adjusted[3], 0.02, 1e-15);
  EXPECT_EQ(holm({0.9, 0.8}), (std::vector<double>{1, 1}));
}

TEST(PairedTests, ATableJudgesAllItsRowsTogether) {
  const ReportTable table = comparison_table(
      "", {"pair"}, {{{"a"}, {-1, -2, -3}, 0.02}, {{"b"}, {1, 1, 1}, 0.04}, {{"c"}, {-1, 1, -2}, 0.9}});
  ASSERT_EQ(table.rows.size(), 3);
  EXPECT_EQ(table.rows[0].back().text, "");  // 0.06 by Holm
  const ReportTable fewer = comparison_table("", {"pair"}, {{{"a"}, {-1, -2, -3}, 0.02}, {{"b"}, {1, 1, 1}, 0.04}});
  EXPECT_EQ(fewer.rows[0].back().text, "better");
  EXPECT_EQ(fewer.rows[1].back().text, "worse");
}

}  // namespace
}  // namespace weft::papers
