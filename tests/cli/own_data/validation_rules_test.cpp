// --group, --time and --folds-column: errors of held-out rows are those of new groups and of the future.
#include "cli/own_data/messy_table.hpp"

#include <random>
#include <sstream>

namespace weft::testing {

namespace {

using Json = nlohmann::json;

/// Numbers that depend on their position alone.
class Draws {
 public:
  explicit Draws(unsigned seed) : seed_(seed) {}
  double uniform(int i, int j) const { return std::uniform_real_distribution<double>()(*engine(i, j)); }
  double normal(int i, int j) const { return std::normal_distribution<double>()(*engine(i, j)); }

 private:
  std::unique_ptr<std::mt19937_64> engine(int i, int j) const {
    std::seed_seq seeds{seed_, static_cast<unsigned>(i), static_cast<unsigned>(j)};
    return std::make_unique<std::mt19937_64>(seeds);
  }
  unsigned seed_;
};

class ValidationRules : public OwnData {
 protected:
  Json train(const std::string& table, Words more) const {
    Words arguments = {"train", table, "--target", "y", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Json::parse(weft_out(arguments));
  }
  double test_error(const std::string& table, Words more) const { return train(table, more)["test"]["mse"]; }

  /// Shops with levels of their own, which the number of the shop's street tells as long as the shop is known.
  std::string shops(unsigned seed, int count = 50, int rows = 20) const {
    const Draws random(seed);
    std::string text = "street,shop,size,y\n";
    for (int i = 0; i < count * rows; ++i) {
      const int shop = i % count;
      const double size = random.normal(1000 + i, 0);
      const double y = 2 * random.normal(shop, 1) + std::sin(size) + 0.1 * random.normal(i, 3);
      text += std::to_string(random.uniform(shop, 2)) + ",shop " + std::to_string(shop) + "," + std::to_string(size) +
              "," + std::to_string(y) + "\n";
    }
    return text;
  }

  /// Every fortnight has a level of its own, which the price of fuel tells as long as the fortnight is known. Days as
  /// people write them, in no order.
  static std::string days(int first, int count) {
    const Draws random(8);
    std::string text = "date,day,fuel,size,y\n";
    for (int i = 0; i < count; ++i) {
      const int day = first + (i * 7) % count;
      const int fortnight = day / 14;
      const double size = random.normal(day, 1);
      const double y = 2 * random.normal(fortnight, 0) + std::sin(size) + 0.1 * random.normal(day, 2);
      text += date(day) + "," + std::to_string(day) + "," + std::to_string(random.uniform(fortnight, 3)) + "," +
              std::to_string(size) + "," + std::to_string(y) + "\n";
    }
    return text;
  }
  /// Months of 28 days, each twelve of them a year from 2001 on.
  static std::string date(int day) {
    char text[32];
    std::snprintf(text, sizeof text, "%04d-%02d-%02d", 2001 + day / 336, 1 + day / 28 % 12, 1 + day % 28);
    return text;
  }
};

TEST_F(ValidationRules, GroupedErrorsAreThoseOfNewGroups) {
  write("t.csv", shops(1));
  write("new.csv", shops(2));
  for (const Words& method : {Words{"--fast", "--features", "200"}, Words{}}) {
    const auto with = [&](Words more) {
      more.insert(more.end(), method.begin(), method.end());
      return more;
    };
    const double mixed = test_error("t.csv", with({"--holdout", "0.25", "--drop", "shop"}));
    const double grouped = test_error("t.csv", with({"--holdout", "0.25", "--group", "shop"}));
    const double fresh = test_error("t.csv", with({"--test", "new.csv", "--group", "shop"}));
    const double fresh_mixed = test_error("t.csv", with({"--test", "new.csv", "--drop", "shop"}));
    EXPECT_LT(mixed, 0.6 * fresh) << "known shops are predicted too well";
    EXPECT_GT(grouped, 0.5 * fresh);
    EXPECT_LT(grouped, 2 * fresh);
    EXPECT_LT(fresh, 1.05 * fresh_mixed) << "choices made on new groups serve new groups";
  }
}

TEST_F(ValidationRules, TimedErrorsAreThoseOfTheFuture) {
  write("t.csv", days(0, 1500));
  write("future.csv", days(1500, 500));
  const double mixed = test_error("t.csv", {"--holdout", "0.2", "--drop", "date,day"});
  const double timed = test_error("t.csv", {"--holdout", "0.2", "--time", "date", "--drop", "day"});
  const double future = test_error("t.csv", {"--test", "future.csv", "--time", "date", "--drop", "day"});
  EXPECT_LT(mixed, 0.1 * future) << "known fortnights are predicted too well";
  EXPECT_GT(timed, 0.5 * future);
  EXPECT_LT(timed, 2 * future);
}

TEST_F(ValidationRules, IntervalsHoldTheValuesOfNewGroups) {
  write("t.csv", shops(1));
  write("new.csv", shops(2));
  const auto coverage = [&](Words more) -> double {
    more.insert(more.end(), {"--model", "m.weft"});
    train("t.csv", more);
    return Json::parse(weft_out({"evaluate", "m.weft", "new.csv", "--interval", "0.9", "--json"}))["coverage"];
  };
  // Errors within a shop are alike: coverage is known to 2.5 standard deviations of 50 shops on either side.
  const double known = 2.5 * std::sqrt(0.09 * (1.0 / 50 + 1.0 / 50));
  for (const Words& method : {Words{}, Words{"--fast", "--features", "200"}, Words{"--fit", "kernel-ridge"}}) {
    Words grouped = method, mixed = method;
    grouped.insert(grouped.end(), {"--group", "shop"});
    mixed.insert(mixed.end(), {"--drop", "shop"});
    const double promised = coverage(grouped);
    EXPECT_NEAR(promised, 0.9, known);
    EXPECT_LT(coverage(mixed), method.empty() ? 0.3 : promised) << "known shops promise too much";
  }
}

TEST_F(ValidationRules, EffectsOfCategoriesDoNotTellTheGroup) {
  // Every shop has an address of its own: of new shops it says nothing.
  const auto with_address = [](const std::string& table, const std::string& town) {
    std::string text;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t shop = line.find(',') + 1;
      const std::string name = line.substr(shop, line.find(',', shop) - shop);
      text += (text.empty() ? "address" : town + " " + name) + "," + line + "\n";
    }
    return text;
  };
  write("t.csv", with_address(shops(1, 150, 8), "A"));
  // In variances of the target; the levels of shops are four fifths of it.
  const auto held_out_error = [&](Words more) -> double {
    more.insert(more.end(), {"--fast", "--features", "100"});
    return train("t.csv", more)["report"]["held_out_error"];
  };
  EXPECT_GT(held_out_error({"--group", "shop"}), 0.7);
  EXPECT_LT(held_out_error({"--drop", "shop"}), 0.1) << "known addresses tell the shop";
  weft_out({"train", "t.csv", "--target", "y", "--fast", "--features", "30", "--group", "shop", "--model", "m.weft"});
  weft_out({"prune", "m.weft", "t.csv", "--out", "s.weft"});
}

TEST_F(ValidationRules, DatesAreComparedAsDates) {
  write("t.csv", days(0, 400));
  const Words train = {"--fast", "--features", "30", "--holdout", "0.25", "--time"};
  const auto by = [&](const std::string& column, const std::string& drop) {
    Words more = train;
    more.insert(more.end(), {column, "--drop", drop, "--model", column + ".weft"});
    return this->train("t.csv", more)["test"];
  };
  const Json dates = by("date", "day");
  EXPECT_EQ(dates["rows"], 100);
  EXPECT_EQ(dates, by("day", "date")) << "the same rows, whatever the days are called";
}

TEST_F(ValidationRules, TheModelRemembersHowItsRowsWereHeldOut) {
  write("t.csv", shops(1, 10, 20));
  const Words train = {"train", "t.csv", "--target", "y", "--fast", "--features", "30", "--group", "shop"};
  Words printed = train;
  printed.insert(printed.end(), {"--model", "m.weft", "--report", "r.html"});
  const std::string rule = "rows of the same shop stay together (10 groups)";
  expect_words(weft_out(printed), {"note: validation: " + rule + "; shop is not an input"});
  expect_words(weft_out({"info", "m.weft"}), {rule, "group", "shop is not an input"});
  const Json info = Json::parse(weft_out({"info", "m.weft", "--json"}));
  EXPECT_EQ(info["options"]["group"], "shop");
  expect_words(text("r.html"), {rule});
  write("p.csv", "street,size\n0.5,1\n");
  EXPECT_EQ(csv_numbers(weft_out({"predict", "m.weft", "p.csv"})).size(), 1u) << "the column is not needed";
  // A time may be an input as well.
  write("d.csv", days(0, 200));
  const auto inputs = [&](Words more) {
    more.insert(more.end(), {"--fast", "--features", "20", "--drop", "date", "--time", "day", "--model", "d.weft"});
    this->train("d.csv", more);
    return Json::parse(weft_out({"info", "d.weft", "--json"}))["inputs"].dump();
  };
  EXPECT_EQ(inputs({}).find("day"), std::string::npos);
  EXPECT_NE(inputs({"--time-input"}).find("day"), std::string::npos);
}

TEST_F(ValidationRules, SearchesScoreTheFoldsThatTheColumnNames) {
  std::string text = "a,b,part,y\n";
  for (int i = 0; i < 120; ++i)
    text += std::to_string(std::sin(i * 1.3)) + "," + std::to_string(std::cos(i * 0.7)) + ",p" + std::to_string(i % 3) +
            "," + std::to_string(std::sin(i * 1.3) * std::cos(i * 0.7)) + "\n";
  write("t.csv", text);
  const Words tune = {"tune", "t.csv",  "--target",         "y", "--family", "rw-relu", "--features",
                      "40",   "--json", "--configurations", "2"};
  const auto found = [&](Words more) {
    more.insert(more.begin(), tune.begin(), tune.end());
    return Json::parse(weft_out(more));
  };
  const Json search = found({"--folds-column", "part"});
  EXPECT_EQ(search["best"]["fold_scores"].size(), 3u);
  Json one = found({"--folds-column", "part", "--threads", "1"});
  Json two = found({"--folds-column", "part", "--threads", "2"});
  EXPECT_EQ(one["best"]["fold_scores"], two["best"]["fold_scores"]);
  expect_refused({"tune", "t.csv", "--target", "y", "--family", "rw-relu", "--folds-column", "part", "--folds", "4"},
                 {"--folds", "3 folds", "part"});
}

TEST_F(ValidationRules, OneNumberOfThreadsIsAsGoodAsAnother) {
  write("t.csv", shops(1, 30, 20));
  write("d.csv", days(0, 500));
  for (const Words& rule : {Words{"t.csv", "--group", "shop"}, Words{"d.csv", "--time", "date"}}) {
    std::string first;
    for (const char* threads : {"1", "2", "3"}) {
      Words arguments = {"train", rule[0],     "--target", "y",       rule[1],
                         rule[2], "--threads", threads,    "--model", "m.weft"};
      weft_out(arguments);
      const std::string predictions = weft_out({"predict", "m.weft", rule[0]});
      if (first.empty()) first = predictions;
      EXPECT_EQ(predictions, first) << rule[1] << threads;
    }
  }
}

TEST_F(ValidationRules, MistakesAreRefusedWithTheirPlace) {
  write("t.csv",
        "size,town,when,same,price\n1,a,2020-01-01,k,2\n2,,2020-01-01,k,3\n3,b,later,k,4\n4,b,2020-01-04,k,5\n");
  refused({"--group", "county"}, {"--group", "no column 'county'", "town"});
  refused({"--group", "town"}, {"t.csv:3:2", "'town' has no value"});
  refused({"--group", "same"}, {"--group", "one group", "'same'"});
  refused({"--time", "when"}, {"t.csv:4:3", "'later'", "neither a number nor a date"});
  refused({"--time", "when", "--group", "town"}, {"--time", "--group is given too"});
  refused({"--time-input"}, {"--time-input", "--time"});
  refused({"--group", "price"}, {"--group", "'price' is the target"});
  refused({"--group", "town", "--drop", "town"}, {"--group", "also dropped"});
  refused({"--folds-column", "town"}, {"t.csv:3:2", "'town' has no value"});
}

}  // namespace

}  // namespace weft::testing
