#include "data/rows/row_rule.hpp"

#include "data/expect_error.hpp"
#include "data/memory_table.hpp"

#include <weft/encoder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace weft {

using namespace detail;
namespace {

using namespace testing;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

/// Keys of sizes that differ: group k has 1 + k % 7 rows, spread over the table.
std::vector<Index> uneven_keys(Index groups) {
  std::vector<Index> keys;
  for (Index round = 0; round < 7; ++round)
    for (Index k = 0; k < groups; ++k)
      if (round <= k % 7) keys.push_back(k);
  return keys;
}

std::map<Index, std::set<Index>> parts_of_keys(const RowRule& rule, const std::vector<Index>& part) {
  std::map<Index, std::set<Index>> result;
  for (std::size_t i = 0; i < part.size(); ++i) result[rule.keys()[i]].insert(part[i]);
  return result;
}

std::vector<Index> marks(const RowRule& rule, double share, std::uint64_t seed) {
  const PartOf part = rule.held_out(Random(seed, RandomStream::split), share);
  std::vector<Index> result;
  for (std::size_t i = 0; i < rule.keys().size(); ++i) result.push_back(part(static_cast<Index>(i)));
  return result;
}

TEST(RowRule, WithoutOneRowsAreDrawnAsBefore) {
  const RowRule none;
  EXPECT_TRUE(none.none());
  const Random draws(3, RandomStream::split);
  const PartOf part = none.held_out(draws, 0.3);
  for (Index i = 0; i < 500; ++i) EXPECT_EQ(part(i), draws.uniform(static_cast<std::uint64_t>(i)) < 0.3 ? 1 : 0);
  EXPECT_EQ(none.folds(50, 5, {}, 2).of_row, assign_folds(50, {}, 5, 2));
  EXPECT_EQ(none.describe(), "");
}

TEST(RowRule, GroupsStayTogetherAndFoldsAreBalanced) {
  const RowRule rule(RowRule::Kind::groups, "shop", uneven_keys(30));
  std::set<std::vector<Index>> different;
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const Folds folds = rule.folds(static_cast<Index>(rule.keys().size()), 5, {}, seed);
    ASSERT_EQ(folds.parts, 5);
    EXPECT_FALSE(folds.forward);
    for (const auto& [key, parts] : parts_of_keys(rule, folds.of_row)) EXPECT_EQ(parts.size(), 1u) << key;
    std::vector<Index> sizes(5);
    for (const Index part : folds.of_row) ++sizes[static_cast<std::size_t>(part)];
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    EXPECT_LE(*most - *least, 2) << "the smallest groups come last";
    different.insert(folds.of_row);
  }
  EXPECT_GT(different.size(), 1u) << "the seed decides";
}

TEST(RowRule, ClassesAreSpreadOverGroupedFolds) {
  // Ten groups of one class and ten of the other, three rows each: two groups of either class in every fold.
  std::vector<Index> keys, classes;
  for (Index i = 0; i < 60; ++i) {
    keys.push_back(i % 20);
    classes.push_back(i % 20 < 10 ? 0 : 1);
  }
  const Folds folds = RowRule(RowRule::Kind::groups, "g", keys).folds(60, 5, classes, 1);
  std::map<std::pair<Index, Index>, Index> counts;
  for (std::size_t i = 0; i < 60; ++i) ++counts[{folds.of_row[i], classes[i]}];
  for (Index f = 0; f < 5; ++f)
    for (Index c = 0; c < 2; ++c) EXPECT_EQ((counts[{f, c}]), 6) << f << c;
}

TEST(RowRule, WholeGroupsAreHeldOutAboutTheirShareOfTheRows) {
  const RowRule rule(RowRule::Kind::groups, "shop", uneven_keys(60));
  const auto rows = static_cast<double>(rule.keys().size());
  for (const double share : {0.1, 0.25, 0.5, 0.9})
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const std::vector<Index> held = marks(rule, share, seed);
      for (const auto& [key, parts] : parts_of_keys(rule, held)) EXPECT_EQ(parts.size(), 1u) << key;
      EXPECT_NEAR(static_cast<double>(std::count(held.begin(), held.end(), 1)), share * rows, 3.5)
          << "half of the largest group";
    }
  // One group is as large as nine tenths of the rows: the other one is held out.
  std::vector<Index> two(100, 0);
  for (std::size_t i = 90; i < 100; ++i) two[i] = 1;
  const std::vector<Index> held = marks(RowRule(RowRule::Kind::groups, "g", two), 0.25, 1);
  EXPECT_EQ(held, two);
}

TEST(RowRule, TimesAreCutInOrderAndEqualOnesStayTogether) {
  std::vector<Index> keys;
  for (Index i = 0; i < 300; ++i) keys.push_back((i * 77) % 101);
  const RowRule rule(RowRule::Kind::times, "day", keys);
  const Folds folds = rule.folds(300, 4, {}, 1);
  ASSERT_EQ(folds.parts, 5);
  ASSERT_TRUE(folds.forward);
  EXPECT_EQ(folds.first(), 1);
  EXPECT_TRUE(folds.trains(0, 1) && folds.trains(1, 2) && !folds.trains(2, 2) && !folds.trains(3, 2));
  std::vector<Index> sizes(5);
  for (std::size_t i = 0; i < 300; ++i) {
    ++sizes[static_cast<std::size_t>(folds.of_row[i])];
    for (std::size_t j = 0; j < 300; ++j) {
      if (keys[i] == keys[j]) {
        EXPECT_EQ(folds.of_row[i], folds.of_row[j]);
      }
      if (keys[i] < keys[j]) {
        EXPECT_LE(folds.of_row[i], folds.of_row[j]);
      }
    }
  }
  for (const Index size : sizes) EXPECT_NEAR(static_cast<double>(size), 60, 3);
  // Few times: one part each.
  EXPECT_EQ(RowRule(RowRule::Kind::times, "t", {2, 0, 1, 1, 1, 1}).folds(6, 5, {}, 1).of_row,
            (std::vector<Index>{2, 0, 1, 1, 1, 1}));
}

TEST(RowRule, TheLatestRowsAreHeldOut) {
  std::vector<Index> keys;
  for (Index i = 0; i < 200; ++i) keys.push_back((i * 71) % 200);
  const std::vector<Index> held = marks(RowRule(RowRule::Kind::times, "t", keys), 0.2, 1);
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(held[i], keys[i] >= 160 ? 1 : 0);
  EXPECT_EQ(marks(RowRule(RowRule::Kind::times, "t", {0, 0, 0, 1, 1, 1}), 0.01, 1),
            (std::vector<Index>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(marks(RowRule(RowRule::Kind::times, "t", {0, 1, 1, 1, 1, 1}), 0.99, 1),
            (std::vector<Index>{0, 1, 1, 1, 1, 1}));
}

TEST(RowRule, NamedFoldsAreTakenAsTheyAreOrDealtOutWhole) {
  std::vector<Index> keys;
  for (Index i = 0; i < 120; ++i) keys.push_back(i % 6);
  const RowRule rule(RowRule::Kind::folds, "fold", keys);
  EXPECT_EQ(rule.folds(120, 6, {}, 1).of_row, keys);
  EXPECT_EQ(rule.folds(120, 120, {}, 1).of_row, keys);
  const Folds three = rule.folds(120, 3, {}, 1);
  EXPECT_EQ(three.parts, 3);
  for (const auto& [key, parts] : parts_of_keys(rule, three.of_row)) EXPECT_EQ(parts.size(), 1u);
  const std::vector<Index> held = marks(rule, 0.2, 1);
  EXPECT_EQ(std::count(held.begin(), held.end(), 1), 20);
}

TEST(RowRule, SelectionsKeepTheKeysOfTheirRows) {
  const RowRule rule(RowRule::Kind::groups, "g", {4, 5, 6, 7});
  EXPECT_EQ(rule.subset(std::vector<bool>{true, false, false, true}).keys(), (std::vector<Index>{4, 7}));
  EXPECT_EQ(rule.subset(std::vector<Index>{2, 0}).keys(), (std::vector<Index>{6, 4}));
  EXPECT_TRUE(rule.subset(std::vector<Index>{2, 2}).none()) << "rows of one group can only be held out one by one";
  EXPECT_TRUE(RowRule().subset(std::vector<bool>{true}).none());
}

Data table_with(const std::vector<TableColumn>& columns, const RowRuleOptions& rule) {
  const Data plain = memory_table(columns, "y");
  ReadOptions options = plain.options();
  options.rule = rule;
  return {plain.name(), options, [plain] { return plain.open(); }};
}

TEST(RowRule, ComesFromTheColumnThatTheOptionsName) {
  const std::vector<TableColumn> table = {
      {"x", Numbers{1, 2, 3, 4}},
      {"g", Texts{"b", "a", "b", "c"}},
      {"n", Numbers{7, -1, 7, 2.5}},
      {"t", Texts{"2024-03-01", "2023-12-31T23:59:59", "2024-03-01T00:00", "1999-01"}},
      {"y", Numbers{1, 2, 3, 4}}};
  EXPECT_TRUE(RowRule::of(memory_table(table, "y")).none());
  EXPECT_EQ(RowRule::of(table_with(table, {.group = "g"})).keys(), (std::vector<Index>{1, 0, 1, 2}));
  EXPECT_EQ(RowRule::of(table_with(table, {.group = "n"})).keys(), (std::vector<Index>{2, 0, 2, 1}));
  EXPECT_EQ(RowRule::of(table_with(table, {.folds_column = "g"})).kind(), RowRule::Kind::folds);
  EXPECT_EQ(RowRule::of(table_with(table, {.time = "t"})).keys(), (std::vector<Index>{2, 1, 2, 0}));
  EXPECT_EQ(RowRule::of(table_with(table, {.time = "n"})).keys(), (std::vector<Index>{2, 0, 2, 1}));
  // None of them is an input, unless a time is asked for.
  const auto is_input = [&](const RowRuleOptions& rule, const std::string& name) {
    const Texts names = Encoder::fit(table_with(table, rule), {}).variable_names();
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  EXPECT_TRUE(is_input({}, "n") && is_input({}, "g"));
  EXPECT_FALSE(is_input({.group = "g"}, "g"));
  EXPECT_FALSE(is_input({.folds_column = "n"}, "n"));
  EXPECT_FALSE(is_input({.time = "n"}, "n"));
  EXPECT_TRUE(is_input({.time = "n", .time_input = true}, "n"));
}

TEST(RowRule, MistakesAreNamed) {
  const std::vector<TableColumn> table = {{"x", Numbers{1, 2, 3}},
                                          {"hole", Texts{"a", "", "b"}},
                                          {"one", Texts{"a", "a", "a"}},
                                          {"text", Texts{"2024-01-01", "soon", "2024-01-03"}},
                                          {"y", Numbers{1, 2, 3}}};
  const auto refused = [&](const RowRuleOptions& rule, ErrorKind kind, const Texts& words) {
    expect_error([&] { RowRule::of(table_with(table, rule)); }, kind, words);
  };
  refused({.group = "z"}, ErrorKind::option, {"group", "there is no column 'z'"});
  refused({.group = "hole"}, ErrorKind::data, {"table:1:1", "'hole' has no value"});
  refused({.group = "one"}, ErrorKind::data, {"one group", "'one'"});
  refused({.time = "text"}, ErrorKind::data, {"table:1:3", "'soon'", "neither a number nor a date"});
  refused({.group = "hole", .time = "text"}, ErrorKind::option, {"group", "time", "one of"});
  refused({.group = "hole", .time_input = true}, ErrorKind::option, {"time_input"});
  expect_error([&] { Encoder::fit(table_with(table, {.group = "y"}), {}); }, ErrorKind::option, {"'y'", "target"});
  Numbers many;
  for (int i = 0; i < 101; ++i) many.push_back(0.5 * i);
  expect_error(
      [&] {
        RowRule::of(table_with({{"f", many}, {"y", many}}, {.folds_column = "f"}));
      },
      ErrorKind::data, {"folds_column", "'f' names 101 folds", "group"});
}

TEST(RowRule, TimesAreComparedAsTheCalendarHasThem) {
  // In this order: datetime.fromisoformat(text).timestamp() of Python.
  const Texts texts = {"0001-01-01",
                       "1969-12-31T23:59:58.25",
                       "1970-01-01",
                       "2024-02-29T12:30:15+02:00",
                       "2024-02-29 12:30",
                       "2024-02-29T12:30:15.123456Z",
                       "2024-02-29T12:30:15.123459Z",
                       "2024-02-29T12:30:15-0130",
                       "2024-03",
                       "2024-03-01 00:00:01"};
  Texts shuffled;
  Numbers y;
  std::vector<Index> keys;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    keys.push_back(static_cast<Index>(k * 7 % texts.size()));
    shuffled.push_back(texts[k * 7 % texts.size()]);
    y.push_back(static_cast<double>(k));
  }
  EXPECT_EQ(RowRule::of(table_with({{"t", shuffled}, {"y", y}}, {.time = "t"})).keys(), keys);
  for (const char* text :
       {"soon", "2023-02-29", "2024-13", "2024-03-01T", "2024-03-01T12", "2024-03-01x", "01/03/2024"})
    expect_error(
        [&] {
          RowRule::of(table_with({{"t", Texts{"2024-01-01", text}}, {"y", Numbers{1, 2}}}, {.time = "t"}));
        },
        ErrorKind::data, {text, "neither a number nor a date"});
}

}  // namespace
}  // namespace weft
