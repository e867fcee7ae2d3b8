#include <weft/data.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "data/expect_error.hpp"

namespace weft {
namespace {

Matrix all_rows(const Data& data, Index chunk = 1000) {
  const auto reader = data.open();
  std::vector<double> values;
  RawBlock block;
  while (reader->next(block, chunk))
    for (Index i = 0; i < block.rows(); ++i)
      for (Index j = 0; j < block.columns.rows; ++j) values.push_back(block.columns(j, i));
  const auto columns = static_cast<Index>(reader->columns().size());
  Matrix table(static_cast<Index>(values.size()) / columns, columns);
  std::copy(values.begin(), values.end(), table.data());
  return table;
}

bool same(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && std::equal(a.data(), a.data() + a.rows() * a.cols(), b.data());
}

TEST(Generators, AreFunctionsOfSeedAndRow) {
  for (const std::string& name : generator_names()) {
    const Matrix table = all_rows(generate(name, {.rows = 700, .seed = 5}));
    EXPECT_EQ(table.rows(), 700) << name;
    EXPECT_TRUE(same(table, all_rows(generate(name, {.rows = 700, .seed = 5}), 13))) << name;
    EXPECT_FALSE(same(table, all_rows(generate(name, {.rows = 700, .seed = 6})))) << name;
    const Matrix longer = all_rows(generate(name, {.rows = 900, .seed = 5}));
    EXPECT_TRUE(std::equal(table.data(), table.data() + 700 * table.cols(), longer.data())) << name;
  }
}

TEST(Generators, NameTheirColumns) {
  for (const std::string& name : generator_names()) {
    const Data data = generate(name);
    EXPECT_EQ(data.options().target, "target");
    EXPECT_EQ(data.name(), "builtin:" + name);
    const auto reader = data.open();
    EXPECT_EQ(reader->columns().front().name, "x0");
    EXPECT_EQ(reader->columns().back().name, "target");
    RawBlock block;
    ASSERT_TRUE(reader->next(block, 10));
    EXPECT_EQ(reader->fraction(), 0.01);
    EXPECT_EQ(block.columns.rows, static_cast<Index>(reader->columns().size()));
  }
}

TEST(Generators, ABillionRowsNeedNoMemory) {
  const auto reader = generate("friedman1", {.rows = 1'000'000'000}).open();
  RawBlock block;
  ASSERT_TRUE(reader->next(block, 100));
  EXPECT_EQ(block.rows(), 100);
  EXPECT_EQ(reader->place(3, 10), "builtin:friedman1:4:11");
}

TEST(Generators, Friedman1IsItsFormulaWithoutNoise) {
  const Matrix t = all_rows(generate("friedman1", {.rows = 500, .noise = 0}));
  ASSERT_EQ(t.cols(), 11);
  for (Index i = 0; i < t.rows(); ++i) {
    const double truth = 10 * std::sin(std::numbers::pi * t(i, 0) * t(i, 1)) + 20 * std::pow(t(i, 2) - 0.5, 2) +
                         10 * t(i, 3) + 5 * t(i, 4);
    EXPECT_NEAR(t(i, 10), truth, 1e-12);
    for (Index j = 0; j < 10; ++j) EXPECT_TRUE(t(i, j) >= 0 && t(i, j) < 1);
  }
}

TEST(Generators, Friedman1AddsNoiseOfTheStatedDeviation) {
  const Index rows = 20000;
  const Matrix clean = all_rows(generate("friedman1", {.rows = rows, .noise = 0}));
  const Matrix noisy = all_rows(generate("friedman1", {.rows = rows, .noise = 0.5}));
  double sum = 0;
  double squares = 0;
  for (Index i = 0; i < rows; ++i) {
    EXPECT_EQ(clean(i, 7), noisy(i, 7));
    const double noise = noisy(i, 10) - clean(i, 10);
    sum += noise / static_cast<double>(rows);
    squares += noise * noise / static_cast<double>(rows);
  }
  EXPECT_NEAR(sum, 0, 5 * 0.5 / std::sqrt(20000));
  EXPECT_NEAR(squares, 0.25, 5 * 0.25 * std::sqrt(2.0 / 20000));
}

TEST(Generators, MoonsLieOnHalfCirclesWithoutNoise) {
  const Matrix t = all_rows(generate("moons", {.rows = 2000, .noise = 0}));
  double ones = 0;
  for (Index i = 0; i < t.rows(); ++i) {
    const bool lower = t(i, 2) == 1;
    ones += t(i, 2);
    EXPECT_TRUE(t(i, 2) == 0 || t(i, 2) == 1);
    EXPECT_NEAR(std::hypot(t(i, 0) - (lower ? 1 : 0), t(i, 1) - (lower ? 0.5 : 0)), 1, 1e-12);
    EXPECT_GE((lower ? -1 : 1) * (t(i, 1) - (lower ? 0.5 : 0)), -1e-12);
  }
  EXPECT_NEAR(ones, 1000, 5 * std::sqrt(500));
}

TEST(Generators, SpiralsLieOnTheirArmsWithoutNoise) {
  const Matrix t = all_rows(generate("spirals", {.rows = 2000, .noise = 0}));
  double ones = 0;
  for (Index i = 0; i < t.rows(); ++i) {
    const double radius = std::hypot(t(i, 0), t(i, 1));
    const double side = t(i, 2) == 1 ? -1 : 1;
    ones += t(i, 2);
    EXPECT_LE(radius, 3 * std::numbers::pi);
    EXPECT_NEAR(t(i, 0), side * radius * std::cos(radius), 1e-9);
    EXPECT_NEAR(t(i, 1), side * radius * std::sin(radius), 1e-9);
  }
  EXPECT_NEAR(ones, 1000, 5 * std::sqrt(500));
}

TEST(Generators, CheckerboardIsExactWithoutNoiseAndBlurredAtTheEdgesWithIt) {
  const Index rows = 20000;
  const Matrix clean = all_rows(generate("checkerboard", {.rows = rows, .noise = 0}));
  const Matrix noisy = all_rows(generate("checkerboard", {.rows = rows, .noise = 0.1}));
  Index flipped = 0;
  for (Index i = 0; i < rows; ++i) {
    const int field = static_cast<int>(clean(i, 0) * 4) + static_cast<int>(clean(i, 1) * 4);
    EXPECT_EQ(clean(i, 2), field % 2);
    EXPECT_EQ(clean(i, 0), noisy(i, 0));
    if (clean(i, 2) == noisy(i, 2)) continue;
    ++flipped;
    const auto to_edge = [](double x) { return std::abs(4 * x - std::round(4 * x)); };
    EXPECT_LT(std::min(to_edge(clean(i, 0)), to_edge(clean(i, 1))), 0.5);
  }
  // A coordinate crosses an edge with probability 2 · 0.1 · E[max(N,0)] = 0.2/√(2π); one and only one of two must.
  const double cross = 0.2 / std::sqrt(2 * std::numbers::pi);
  const double share = 2 * cross * (1 - cross);
  EXPECT_NEAR(static_cast<double>(flipped), share * static_cast<double>(rows),
              5 * std::sqrt(static_cast<double>(rows) * share));
}

TEST(Generators, GaussianQuantilesAreThirdsByRadius) {
  const Index rows = 30000;
  const Matrix t = all_rows(generate("gaussian-quantiles", {.rows = rows, .noise = 0}));
  double counts[3] = {};
  for (Index i = 0; i < rows; ++i) {
    const double squared = t(i, 0) * t(i, 0) + t(i, 1) * t(i, 1);
    const double truth = squared < 2 * std::log(1.5) ? 0 : squared < 2 * std::log(3.0) ? 1 : 2;
    EXPECT_EQ(t(i, 2), truth);
    ++counts[static_cast<int>(t(i, 2))];
  }
  for (const double count : counts) EXPECT_NEAR(count, 10000, 5 * std::sqrt(30000 * 2.0 / 9));
}

TEST(Generators, RefuseWhatCannotBe) {
  testing::expect_error([] { generate("swiss-roll"); }, ErrorKind::option,
                        {"swiss-roll", "friedman1", "moons", "spirals", "checkerboard", "gaussian-quantiles"});
  testing::expect_error([] { generate("moons", {.noise = -1}); }, ErrorKind::option, {"noise"});
  testing::expect_error([] { generate("moons", {.rows = 0}); }, ErrorKind::option, {"rows"});
}

}  // namespace
}  // namespace weft
