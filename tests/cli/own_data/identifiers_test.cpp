// A text column whose cells are all different identifies rows: it is left out, and said so.
#include "cli/own_data/messy_table.hpp"

#include <fmt/format.h>

namespace weft::testing {

namespace {

class OwnIdentifiers : public OwnData {
 protected:
  /// y = 2x for rows whose ids are made by `id`.
  template <class Id>
  void write_rows(Index rows, Id id) const {
    std::string text = "id,x,price\n";
    for (Index i = 0; i < rows; ++i) text += fmt::format("{},{},{}\n", id(i), i % 17, 2 * (i % 17));
    write("t.csv", text);
  }
};

TEST_F(OwnIdentifiers, AreLeftOutWithAWord) {
  write_rows(200, [](Index i) { return fmt::format("k{}", i); });
  const Outcome outcome = train({});
  expect_lines(outcome.err, 1);
  expect_words(outcome.err, {"column 'id' is left out: its 200 texts are all different"});
  expect_words(outcome.out, {"2 inputs"});  // x and the bias
  write("new.csv", "x\n3\n5\n");
  EXPECT_EQ(csv_numbers(weft_out({"predict", "m.weft", "new.csv"})).size(), 2u) << "the column is not needed any more";
}

TEST_F(OwnIdentifiers, TextsThatOccurTwiceAreCategories) {
  write_rows(200, [](Index i) { return fmt::format("k{}", i / 2); });
  EXPECT_EQ(train({}).err, "");
}

TEST_F(OwnIdentifiers, FewRowsDifferByChance) {
  write_rows(12, [](Index i) { return fmt::format("k{}", i); });
  EXPECT_EQ(train({}).err, "");
}

TEST_F(OwnIdentifiers, MoreOfThemThanThereMayBeCategories) {
  write_rows(10050, [](Index i) { return fmt::format("k{}", i); });
  expect_words(train({}).err, {"column 'id' is left out"});
  write_rows(20100, [](Index i) { return fmt::format("k{}", i / 2); });
  expect_words(train({}).out, {"column id: 10050 levels, encoded by their effects on the target"});
  refused({"--max-levels", "0"}, {"column 'id' has more than 10000 categories", "--drop id"});
}

TEST_F(OwnIdentifiers, TheOnlyColumnIsKept) {
  std::string text = "id,price\n";
  for (Index i = 0; i < 50; ++i) text += fmt::format("k{},{}\n", i, 0.5 * static_cast<double>(i % 5));
  write("t.csv", text);
  EXPECT_EQ(train({}).err, "");
}

}  // namespace

}  // namespace weft::testing
