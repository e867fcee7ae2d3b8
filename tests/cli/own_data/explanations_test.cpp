// Explanations of tables as people have them: rows count as in the file, categories may be written as numbers.
#include "cli/own_data/messy_table.hpp"

#include <fmt/format.h>

namespace weft::testing {

namespace {

using Json = nlohmann::json;

class OwnExplanations : public OwnData {};

/// The cells of row `row`, counted from 0 below the header.
Words cells_of_row(const std::string& table, std::size_t row) {
  std::istringstream lines(table);
  std::string line;
  for (std::size_t k = 0; k < row + 2; ++k) std::getline(lines, line);
  Words cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

TEST_F(OwnExplanations, RowsOfCurvesAreThoseOfTheFile) {
  const std::string table = MessyTable{.holes = false, .without_target = 70, .rows = 160}.text();
  write("t.csv", table);
  train({});
  const Outcome outcome = weft({"explain", "m.weft", "t.csv", "--variables", "size", "--json"});
  expect_words(outcome.err, {"left out: 70 of 160"});
  const Json curve = Json::parse(outcome.out).at("curves").at(0);
  const std::vector<std::size_t> rows = curve.at("individual").at("rows");
  ASSERT_GT(rows.size(), 10u);
  // The curve of a row is the prediction of its own cells with other sizes.
  for (const std::size_t k : {std::size_t{0}, rows.size() / 2, rows.size() - 1}) {
    EXPECT_GE(rows[k], 70u);
    const Words cells = cells_of_row(table, rows[k]);
    std::string same = "size,town,age\n";
    for (const double size : curve.at("values").get<std::vector<double>>())
      same += fmt::format("{},{},{}\n", size, cells[1], cells[2]);
    write("same.csv", same);
    const auto predicted = csv_numbers(weft_out({"predict", "m.weft", "same.csv"}));
    const std::vector<double> drawn = curve.at("individual").at("values").at(k);
    for (std::size_t g = 0; g < drawn.size(); ++g) EXPECT_NEAR(drawn[g], predicted[g][0], 1e-9);
  }
}

TEST_F(OwnExplanations, CategoriesWrittenAsNumbersStayCategories) {
  std::string text = "id,code,price\n";
  for (int i = 0; i < 300; ++i)
    text += fmt::format("{},{},{}\n", i % 7 == 3 ? "none" : fmt::format("k{}", i),
                        i % 17 == 3 ? "oops" : std::to_string(i % 5), i % 5);
  write("t.csv", text);
  train({"--categorical", "code", "--drop", "id"});
  const Json found = Json::parse(weft_out({"explain", "m.weft", "t.csv", "--variables", "code", "--json"}));
  EXPECT_EQ(found.at("curves").at(0).at("categories").size(), 6u);
  EXPECT_EQ(
      Json::parse(weft_out({"explain", "m.weft", "t.csv", "--row", "4", "--json"})).at("variables").at(0).at("cell"),
      "oops");
}

}  // namespace

}  // namespace weft::testing
