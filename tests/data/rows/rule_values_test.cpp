// Rows in parts are held out as RowRule holds out those of the whole table.
#include "data/rows/rule_values.hpp"

#include "data/expect_error.hpp"
#include "data/memory_table.hpp"
#include "properties/for_all.hpp"

#include <weft/encoder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace weft {

using namespace detail;
using namespace testing;
namespace {

enum class Cells { numbers, texts, dates };

struct GroupedTable {
  Cells kind;
  RowRuleOptions rule;
  std::vector<double> keys, y;
};

Data slice(const GroupedTable& table, std::size_t first, std::size_t end) {
  const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(end);
  TableColumn column{"g", std::vector<double>(table.keys.begin() + from, table.keys.begin() + to)};
  if (table.kind != Cells::numbers) {
    std::vector<std::string> texts;
    for (std::size_t i = first; i < end; ++i) {
      const int key = static_cast<int>(table.keys[i]);
      texts.push_back(table.kind == Cells::texts ? fmt::format("shop {}", key * 7919 % 1000)
                                                 : fmt::format("20{:02d}-03-{:02d}", key / 28 % 100, 1 + key % 28));
    }
    column.cells = std::move(texts);
  }
  const Data plain =
      memory_table({column, {"y", std::vector<double>(table.y.begin() + from, table.y.begin() + to)}}, "y");
  ReadOptions options = plain.options();
  options.rule = table.rule;
  return rows_with_target({fmt::format("rows {} to {}", first, end), options, [plain] { return plain.open(); }}, {},
                          {});
}

GroupedTable drawn_table(test::Draw& draw) {
  GroupedTable table{draw.one_of({Cells::numbers, Cells::texts, Cells::dates}), {}, {}, {}};
  std::string RowRuleOptions::*option = &RowRuleOptions::time;
  if (table.kind != Cells::dates)
    option = draw.one_of({&RowRuleOptions::group, &RowRuleOptions::time, &RowRuleOptions::folds_column});
  if (table.kind == Cells::texts && option == &RowRuleOptions::time) option = &RowRuleOptions::group;
  table.rule.*option = "g";
  const Index rows = draw.count(20, 400), groups = draw.count(2, 90);
  for (Index i = 0; i < rows; ++i) {
    table.keys.push_back(static_cast<double>(draw.below(1 + draw.below(groups))));
    // Some groups have no row with a target.
    const bool missing =
        draw.below(9) == 0 || (table.keys.back() > 0 && draw.below(20) == static_cast<Index>(table.keys.back()) % 20);
    table.y.push_back(missing ? kMissing : 1);
  }
  table.keys[0] = 0;
  table.keys[1] = 1;
  table.y[0] = table.y[1] = 1;
  return table;
}

/// Rows of a table without any target are refused where it is read.
bool any_target(const GroupedTable& table, std::size_t first, std::size_t end) {
  return std::any_of(table.y.begin() + static_cast<std::ptrdiff_t>(first),
                     table.y.begin() + static_cast<std::ptrdiff_t>(end), [](double y) { return !std::isnan(y); });
}

TEST(RuleValues, HoldOutWhatTheRuleOfTheWholeTableHoldsOut) {
  test::for_all(60, [](test::Draw& draw) {
    const GroupedTable table = drawn_table(draw);
    const double share = draw.between(0.05, 0.6);
    const Random draws(draw.seed(), RandomStream::split);
    const Data whole = slice(table, 0, table.keys.size());
    const RowRule rule = RowRule::of(whole);
    const PartOf expected = rule.held_out(draws, share);

    std::vector<std::size_t> cuts = {0, table.keys.size()};
    for (int k = 0; k < 3; ++k)
      cuts.push_back(static_cast<std::size_t>(draw.below(static_cast<Index>(table.keys.size()))));
    std::sort(cuts.begin(), cuts.end());
    std::optional<RuleValues> values;
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      if (!any_target(table, cuts[k], cuts[k + 1])) continue;
      const RuleValues next = RuleValues::of(slice(table, cuts[k], cuts[k + 1]), {});
      if (values)
        values->merge(next, "next");
      else
        values = next;
    }
    const HeldOutValues held = values->held_out(draws, share);
    ASSERT_EQ(held.describe(), rule.describe());

    Index row = 0, held_rows = 0;
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
      if (!any_target(table, cuts[k], cuts[k + 1])) continue;
      const Data part = slice(table, cuts[k], cuts[k + 1]);
      const Index first = row;
      const PartOf part_of = held.part_of(part, {}, first);
      for (std::size_t i = cuts[k]; i < cuts[k + 1]; ++i)
        if (!std::isnan(table.y[i])) {
          ASSERT_EQ(part_of(row), expected(row)) << row;
          held_rows += part_of(row++);
        }
    }
    EXPECT_EQ(held_rows, held.rows);
  });
}

TEST(RuleValues, NameTheColumnThatHoldsNothingOut) {
  GroupedTable table{Cells::numbers, {.group = "g"}, {3, 3, 3}, {1, 2, 3}};
  const RuleValues one = RuleValues::of(slice(table, 0, 3), {});
  expect_error([&] { one.held_out(Random(1, RandomStream::split), 0.2); }, ErrorKind::data, {"one group", "group"});
  GroupedTable texts = table;
  texts.kind = Cells::texts;
  RuleValues both = one;
  expect_error([&] { both.merge(RuleValues::of(slice(texts, 0, 3), {}), "b.csv"); }, ErrorKind::data,
               {"b.csv", "texts here"});
  GroupedTable times = table;
  times.rule = {.time = "g"};
  expect_error([&] { both.merge(RuleValues::of(slice(times, 0, 3), {}), "b.csv"); }, ErrorKind::option,
               {"b.csv", "another option"});
  table.keys[1] = kMissing;
  expect_error([&] { RuleValues::of(slice(table, 0, 3), {}); }, ErrorKind::data, {"has no value"});
}

}  // namespace
}  // namespace weft
