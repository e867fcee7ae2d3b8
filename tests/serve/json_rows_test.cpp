// Rows in JSON: the forms they have, and what is said about mistakes.
#include "serve/json_rows.hpp"

#include "core/random.hpp"
#include "data/expect_error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace weft::testing {
namespace {

using namespace detail;

RowColumns sample_columns() {
  return {{"age", "city", "old"}, {CellRule::number, CellRule::text, CellRule::unused}, "unknown,-99"};
}

/// Cells as texts, "-" for a missing one.
std::vector<std::vector<std::string>> rows_of(std::string_view text, Index most = 10) {
  std::vector<std::vector<std::string>> rows;
  for_each_json_row(text, sample_columns(), most, [&](Index row, std::span<const Cell> cells) {
    EXPECT_EQ(row, static_cast<Index>(rows.size()));
    rows.emplace_back();
    for (const Cell& cell : cells) {
      const bool missing = !cell.is_text() && std::isnan(cell.number());
      rows.back().push_back(missing          ? "-"
                            : cell.is_text() ? std::string(cell.text())
                                             : fmt::format("{}", cell.number()));
    }
  });
  return rows;
}

using Rows = std::vector<std::vector<std::string>>;

TEST(JsonRows, HaveThreeForms) {
  EXPECT_EQ(rows_of(R"({"age": 3.5, "city": "Ulm", "old": 1})"), (Rows{{"3.5", "Ulm", "1"}}));
  EXPECT_EQ(rows_of(R"([{"city": "Ulm", "id": 12, "age": -7}, {"age": 1e2, "city": null}])"),
            (Rows{{"-7", "Ulm", "-"}, {"100", "-", "-"}}));
  EXPECT_EQ(rows_of(R"([[1, "a", 0], [null, true, 0]])"), (Rows{{"1", "a", "0"}, {"-", "true", "0"}}));
}

TEST(JsonRows, TextsAreReadAsInFiles) {
  EXPECT_EQ(
      rows_of(R"([{"age": " 12 ", "city": " x"}, {"age": "NA", "city": "NA"}, {"age": "unknown", "city": "unknown"},
                       {"age": "-99.0", "city": ""}, {"age": -99, "city": 5}, {"age": "ten", "city": "\u00e4\ud83d\ude00"}])"),
      (Rows{{"12", " x", "-"},
            {"-", "NA", "-"},
            {"-", "-", "-"},
            {"-", "-", "-"},
            {"-", "5", "-"},
            {"ten", "\xc3\xa4\xf0\x9f\x98\x80", "-"}}));
}

TEST(JsonRows, ARowDoesNotRememberTheOneBefore) {
  EXPECT_EQ(rows_of(R"([{"age": 1, "city": "a", "old": 5}, {"age": 2, "city": "b"}])"),
            (Rows{{"1", "a", "5"}, {"2", "b", "-"}}));
}

TEST(JsonRows, MistakesHaveAPlaceAndARemedy) {
  const auto refused = [](const std::string& text, const std::vector<std::string>& words) {
    SCOPED_TRACE(text);
    expect_error([&] { rows_of(text); }, ErrorKind::data, words);
  };
  refused("", {"JSON", "line 1"});
  refused("hello", {"JSON", "line 1, column 1", "send one row"});
  refused("[]", {"no rows"});
  refused("3", {"body", "a number stands where a row should"});
  refused(R"(["Ulm"])", {"row 1", "a text stands where a row should"});
  refused(R"({"age": 1})", {"row 1", "no column 'city'", "null"});
  refused(R"([{"age": 1, "city": "a"}, {"city": "a"}])", {"row 2", "'age'"});
  refused(R"({"age": 1, "city": "a", "age": 2})", {"'age' is given twice"});
  refused(R"({"age": [1], "city": "a"})", {"row 1, column 'age'", "a list"});
  refused(R"({"age": {"is": 1}, "city": "a"})", {"an object"});
  refused(R"([[1, "a"]])", {"2 cells", "3 columns"});
  refused(R"([[1, "a", 2, 3]])", {"more cells"});
  refused("{\"age\": NaN, \"city\": 1}", {"no NaN", "null"});
  refused("{\"age\": -Infinity, \"city\": 1}", {"no NaN"});
  refused("{\"age\": 1e999, \"city\": 1}", {"JSON"});
  refused("{\"age\": 1, \"city\": \"\xff\"}", {"JSON"});
  refused("{\"age\": 1, \"city\": \"a\"} x", {"JSON"});
  refused("{\"age\": 1, \"city\": \"a", {"JSON"});
  refused(std::string(100000, '['), {"a list"});
  refused("[" + std::string(100000, '{'), {"JSON"});
}

TEST(JsonRows, MoreThanAllowedAreRefused) {
  EXPECT_EQ(rows_of("[[1,2,3],[1,2,3]]", 2).size(), 2U);
  expect_error([] { rows_of("[[1,2,3],[1,2,3],[1,2,3]]", 2); }, ErrorKind::memory, {"more than 2 rows", "max_rows"});
}

/// Damaged JSON is rows or an error.
TEST(JsonRows, SurviveDamage) {
  const std::string whole = R"([{"age": 1.5e1, "city": "\u00e4b"}, {"city": "c", "age": null}, [1, true, "x"]])";
  const Random random(3, RandomStream::fit);
  int errors = 0;
  for (std::uint64_t k = 0; k < 20000; ++k) {
    std::string text = whole;
    for (std::uint32_t change = 0; change < 1 + k % 3; ++change)
      text[static_cast<std::size_t>(random.below(static_cast<Index>(text.size()), k, 2 * change))] =
          static_cast<char>(random.below(256, k, 2 * change + 1));
    try {
      rows_of(text);
    } catch (const Error& error) {
      ++errors;
      ASSERT_FALSE(error.hint().empty());
    }
  }
  EXPECT_GT(errors, 10000);
}

}  // namespace
}  // namespace weft::testing
