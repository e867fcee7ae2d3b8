// A column of which nearly all cells are numbers is a number column with mistakes.
#include "cli/own_data/messy_table.hpp"

namespace weft::testing {

namespace {

class OwnNumberColumns : public OwnData {
 protected:
  OwnNumberColumns() {
    std::string text = "a,y\n";
    for (int i = 0; i < 400; ++i)
      text += (i % 17 == 3 ? "oops" : std::to_string(i)) + "," + std::to_string(i * i) + "\n";
    write("t.csv", text);
  }
};

TEST_F(OwnNumberColumns, AMistakeIsNamedWithItsLineAndTheRemedies) {
  refused({},
          {"t.csv:5:1:", "column 'a': 376 of 400 cells are numbers, 'oops' (line 5) is not", "fix the cell",
           "--na-values 'oops'", "--categorical a"},
          "y");
}

TEST_F(OwnNumberColumns, TheRemediesWork) {
  expect_words(train({"--na-values", "oops"}, "y").out, {"a 24"});
  expect_words(train({"--categorical", "a"}, "y").out, {"inputs"});
  EXPECT_EQ(weft({"predict", "m.weft", "t.csv"}).exit_code, 0) << "a column stays what it was in training";
}

}  // namespace

}  // namespace weft::testing
