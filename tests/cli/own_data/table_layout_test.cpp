// The same table, exported in the ways programs and countries have, gives the same model.
#include "cli/own_data/messy_table.hpp"

#include <fmt/format.h>

namespace weft::testing {

namespace {

class OwnLayouts : public OwnData {
 protected:
  struct Layout {
    std::string delimiter = ",";
    char decimal = '.';
    std::string above = "";
    std::string between = "";  // before every 50th row
  };

  static std::string table(const Layout& layout) {
    std::string text = layout.above + fmt::format("size{0}age{0}price\n", layout.delimiter);
    for (int i = 0; i < 200; ++i) {
      if (i % 50 == 7) text += layout.between;
      std::string size = fmt::format("{}", 0.0625 * ((i * 37) % 101));
      std::replace(size.begin(), size.end(), '.', layout.decimal);
      text += fmt::format("{1}{0}{2}{0}{3}\n", layout.delimiter, size, i % 9, (i * 37) % 101 + i % 9);
    }
    return text;
  }

  /// Trains on the table and predicts it.
  std::string predictions(const Layout& layout, const Words& options, std::string* said = nullptr) const {
    write("t.csv", table(layout));
    Words again = {"predict", "m.weft", "t.csv"};
    again.insert(again.end(), options.begin(), options.end());
    const Outcome trained = train(options);
    if (said != nullptr) *said = trained.err;
    const Outcome predicted = weft(again);
    EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
    EXPECT_EQ(predicted.err, trained.err) << "found again";
    return predicted.out;
  }
};

TEST_F(OwnLayouts, AreFoundAndSaidInOneLine) {
  std::string said;
  const std::string plain = predictions({}, {}, &said);
  EXPECT_EQ(said, "");
  EXPECT_EQ(predictions({";", ','}, {}, &said), plain);
  EXPECT_EQ(said, "weft: note: t.csv: read with --delimiter ';' --decimal ',', as its first lines suggest\n");
  EXPECT_EQ(predictions({"|", '.', "# exported\n# by hand\n"}, {}, &said), plain);
  EXPECT_EQ(said, "weft: note: t.csv: read with --delimiter '|' --skip-rows 2, as its first lines suggest\n");
  EXPECT_EQ(predictions({"\t", ','}, {}, &said), plain);
  expect_words(said, {"--delimiter tab --decimal ','"});
  EXPECT_EQ(predictions({"   "}, {}, &said), plain);
  expect_words(said, {"--delimiter space"});
}

TEST_F(OwnLayouts, AreGiven) {
  const std::string plain = predictions({}, {});
  std::string said;
  EXPECT_EQ(predictions({":", ',', "Prices, 2024\n\n", "% note\n"},
                        {"--delimiter", ":", "--decimal", ",", "--comment", "%", "--skip-rows", "2"}, &said),
            plain);
  EXPECT_EQ(said, "");
  EXPECT_EQ(predictions({"\t"}, {"--delimiter", "\\t"}, &said), plain);
  EXPECT_EQ(said, "");
}

TEST_F(OwnLayouts, OtherTablesOfACommandHaveTheirOwn) {
  write("t.csv", table({}));
  write("test.csv", table({";", ','}));
  const Outcome same =
      weft({"train", "t.csv", "--target", "price", "--fast", "--features", "60", "--test", "t.csv", "--json"});
  const Outcome other =
      weft({"train", "t.csv", "--target", "price", "--fast", "--features", "60", "--test", "test.csv", "--json"});
  expect_words(other.err, {"test.csv: read with --delimiter ';' --decimal ','"});
  EXPECT_EQ(nlohmann::json::parse(other.out)["test"]["mse"], nlohmann::json::parse(same.out)["test"]["mse"]);
  train({});
  for (const Words& command :
       {Words{"evaluate", "m.weft", "test.csv"}, Words{"explain", "m.weft", "test.csv"},
        Words{"prune", "m.weft", "test.csv", "--out", "p.weft"}, Words{"certify", "m.weft", "test.csv"},
        Words{"leverage", "test.csv", "--target", "price"}, Words{"features", "test.csv", "--target", "price"},
        Words{"kernel", "test.csv", "test.csv", "--target", "price"}}) {
    const Outcome outcome = weft(command);
    EXPECT_EQ(outcome.exit_code, 0) << command.front() << ": " << outcome.err;
    expect_words(outcome.err, {"test.csv: read with --delimiter ';' --decimal ','"});
  }
}

TEST_F(OwnLayouts, LinesInMessagesAreThoseOfTheFile) {
  std::string rows = "# one\n# two, three\nsize;price\n";
  for (int i = 0; i < 20; ++i) rows += fmt::format("{},5;{}\n", i, i * i);
  write("t.csv", rows + "1,5;oops\n");
  refused({"--delimiter", ";", "--decimal", ",", "--skip-rows", "2"},
          {"t.csv:24:2", "20 of 21 cells are numbers", "oops"});
  write("t.csv", "Prices of 2024\n\nsize,price\n1,2\n3,4,5\n");
  refused({"--skip-rows", "2"}, {"t.csv:5:3", "3 cells where the first line has 2"});
}

TEST_F(OwnLayouts, AHeaderOfNumbersIsHintedAt) {
  write("t.csv", "2019,2020\n1,2\n2,3\n3,5\n");
  refused({}, {"the first line was read as data", "--header yes"}, "2020");
  EXPECT_EQ(weft({"train", "t.csv", "--target", "2020", "--header", "yes", "--fast", "--features", "9"}).exit_code, 0);
}

TEST_F(OwnLayouts, WrongOptionsAreRefused) {
  write("t.csv", table({}));
  refused({"--delimiter", "ab"}, {"--delimiter", "'ab' cannot separate cells"});
  refused({"--decimal", ";"}, {"--decimal"});
  refused({"--skip-rows", "-1"}, {"--skip-rows"});
  refused({"--skip-rows", "1000"}, {"no line is left", "a smaller --skip-rows"});
}

}  // namespace

}  // namespace weft::testing
