// Columns of dates and booleans in a user's table: what is said, shown and predicted.
#include "cli/own_data/messy_table.hpp"

#include <ctime>

#include <fmt/format.h>

namespace weft::testing {

namespace {

class OwnDates : public OwnData {
 protected:
  /// Rows of different days; the price is high on weekends and for members. `dates` false: the parts of the dates as
  /// numbers, and members as 1 and 0, as a user would compute them.
  static std::string table(bool dates, int rows = 300) {
    std::string text = dates ? "when,member,price\n" : "year,month,day,weekday,seconds,member,price\n";
    std::time_t first = 0;
    for (int i = 0; i < rows; ++i) {
      const auto time = static_cast<std::time_t>(1672531200 + 86400 * ((i * 37) % rows));  // from 2023-01-01 on
      if (i == 0) first = time;
      std::tm day{};
      gmtime_r(&time, &day);
      const int weekday = day.tm_wday == 0 ? 7 : day.tm_wday;
      const bool member = i % 3 == 0;
      text += dates ? fmt::format("{}-{:02}-{:02},{}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday,
                                  member ? "TRUE" : "false")
                    : fmt::format("{},{},{},{},{},{}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday, weekday,
                                  time - first, member ? 1 : 0);
      text += fmt::format(",{}\n", (weekday > 5 ? 3 : 0) + (member ? 1 : 0));
    }
    return text;
  }

  Words kernel_ridge(const std::string& target) const {
    return {"train",    "t.csv", "--target", target, "--task",      "regression", "--fit",   "kernel-ridge",
            "--lambda", "1e-3",  "--kernel", "rbf",  "--bandwidth", "1",          "--model", "m.weft"};
  }
};

TEST_F(OwnDates, PredictAsTheirPartsDo) {
  std::vector<std::vector<std::vector<double>>> predictions;
  for (const bool dates : {true, false}) {
    write("t.csv", table(dates, 500));
    const Outcome outcome = weft(kernel_ridge("price"));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out.find("column when: dates, read as year, month, day, weekday, seconds\n") != std::string::npos,
              dates)
        << outcome.out;
    predictions.push_back(csv_numbers(weft_out({"predict", "m.weft", "t.csv"})));
  }
  ASSERT_EQ(predictions[0].size(), 500u);
  for (std::size_t i = 0; i < 500; ++i) EXPECT_NEAR(predictions[0][i][0], predictions[1][i][0], 1e-8);
}

TEST_F(OwnDates, AreOneVariable) {
  write("t.csv", table(true));
  const auto json = nlohmann::json::parse(train({"--task", "regression", "--json"}).out);
  EXPECT_EQ(json["dates"]["when"], (Words{"month", "day", "weekday", "seconds"})) << "all in one year";
  expect_words(weft_out({"info", "m.weft"}), {"when.weekday", "when.seconds", "member"});
  const auto explained = nlohmann::json::parse(weft_out({"explain", "m.weft", "t.csv", "--json"}));
  ASSERT_EQ(explained["variables"].size(), 2u) << explained.dump();
  expect_words(explained.dump(), {"\"when\"", "\"member\""});
  EXPECT_EQ(explained.dump().find("when.weekday"), std::string::npos);
}

TEST_F(OwnDates, MistakesAreNamedWithTheirLine) {
  std::string text = table(true);
  text.insert(text.find('\n', text.find('\n') + 1) + 1, "2023-02-30,true,1\n");
  write("t.csv", text);
  refused({}, {"t.csv:3:1", "300 of 301 cells are dates, '2023-02-30' is not", "--na-values", "--categorical when"});
  expect_words(train({"--na-values", "2023-02-30", "--task", "regression"}).out, {"column when: dates", "when 1"});
  write("new.csv", "when,member\n2024-01-01,true\nlater,false\n");
  expect_refused({"predict", "m.weft", "new.csv"}, {"new.csv:3:1", "'later' is not a date", "'when'"});
  write("new.csv", "when,member\n2024-01-01 10:00,yes\n,no\n");
  EXPECT_EQ(csv_numbers(weft_out({"predict", "m.weft", "new.csv"})).size(), 2u);
}

TEST_F(OwnDates, MayBeCategories) {
  std::string text = "when,price\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("2024-03-{:02},{}.5\n", i % 3 + 1, i % 3);
  write("t.csv", text);
  train({"--categorical", "when"});
  expect_words(weft_out({"info", "m.weft"}), {"when=2024-03-01"});
  EXPECT_EQ(weft({"predict", "m.weft", "t.csv"}).exit_code, 0);
}

}  // namespace

}  // namespace weft::testing
