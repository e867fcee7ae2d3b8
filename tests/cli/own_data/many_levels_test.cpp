// Categories with many levels: the accuracy of estimates that know the noise, whatever fits the model.
#include "cli/own_data/messy_table.hpp"

#include "core/random.hpp"

#include <map>

#include <fmt/format.h>

namespace weft::testing {

namespace {

using Json = nlohmann::json;

/// y = 2 x + an effect of the shop (variance 1) + noise; z is not used.
struct ShopRows {
  Index shops = 1500;
  Index rows = 6000;
  double noise = 0.5;
  double effects = 1;
  Index classes = 0;  ///< the target is one of two: whether y is above 0
  std::uint64_t seed = 7;

  Index shop(Index i) const { return Random(seed, RandomStream::fit).below(shops, static_cast<std::uint64_t>(i), 0); }
  double x(Index i) const { return Random(seed, RandomStream::fit).normal(static_cast<std::uint64_t>(i), 1); }
  double rest(Index i) const {
    const Random random(7, RandomStream::noise);
    return effects * random.normal(static_cast<std::uint64_t>(shop(i))) +
           noise * Random(seed, RandomStream::fit).normal(static_cast<std::uint64_t>(i), 2);
  }
  double y(Index i) const { return 2 * x(i) + rest(i); }

  std::string text() const {
    const Random random(seed, RandomStream::fit);
    std::string lines = "x,shop,z,y\n";
    for (Index i = 0; i < rows; ++i)
      lines += fmt::format("{:.6f},shop {},{:.4f},{}\n", x(i), shop(i), random.normal(static_cast<std::uint64_t>(i), 3),
                           classes > 0 ? (y(i) > 0 ? "yes" : "no") : fmt::format("{:.6f}", y(i)));
    return lines;
  }

  /// R² on other rows of predictions that know the slope and the variances: shrunken means of y − 2x.
  double attainable(const ShopRows& other) const {
    std::map<Index, std::pair<double, double>> sums;
    for (Index i = 0; i < rows; ++i) {
      sums[shop(i)].first += rest(i);
      sums[shop(i)].second += 1;
    }
    double errors = 0, mean = 0, squares = 0;
    for (Index i = 0; i < other.rows; ++i) {
      const auto found = sums.find(other.shop(i));
      const double effect =
          found == sums.end() ? 0 : found->second.first / (found->second.second + noise * noise / (effects * effects));
      errors += std::pow(other.rest(i) - effect, 2);
      mean += other.y(i) / static_cast<double>(other.rows);
      squares += other.y(i) * other.y(i);
    }
    return 1 - errors / (squares - static_cast<double>(other.rows) * mean * mean);
  }
};

class OwnManyLevels : public OwnData {
 protected:
  Json trained(const Words& more) const {
    Words arguments = {"train", "t.csv", "--target", "y", "--test", "test.csv", "--model", "m.weft", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = weft(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

TEST_F(OwnManyLevels, ReachTheAccuracyOfKnownVariances) {
  for (const Index shops : {300, 3000}) {
    const ShopRows rows{.shops = shops};
    const ShopRows test{.shops = shops, .rows = 3000, .seed = 8};
    write("t.csv", rows.text());
    write("test.csv", test.text());
    const double attainable = rows.attainable(test);
    EXPECT_GT(trained({"--fast"}).at("test").at("r2").get<double>(), attainable - 0.02) << shops;
    EXPECT_GT(trained({}).at("test").at("r2").get<double>(), attainable - 0.02) << shops;
  }
}

TEST_F(OwnManyLevels, AreOneVariableAndSaidSo) {
  write("t.csv", ShopRows{}.text());
  write("test.csv", ShopRows{.rows = 500, .seed = 8}.text());
  write("some.csv", ShopRows{.rows = 100}.text());
  const Json json = trained({});
  expect_words(json.at("report").at("levels").get<std::string>(),
               {"column shop: ", " levels, encoded by their effects"});
  expect_words(weft_out({"train", "t.csv", "--target", "y", "--fast", "--features", "30"}), {"note: column shop: "});
  const Json info = Json::parse(weft_out({"info", "m.weft", "--json"}));
  ASSERT_EQ(info.at("relevance").size(), 3u);
  const Json explained = Json::parse(weft({"explain", "m.weft", "some.csv", "--json"}).out);
  ASSERT_EQ(explained.at("variables").size(), 3u);
  expect_words(weft_out({"info", "m.weft"}), {"shop (effect)", "levels"});
}

TEST_F(OwnManyLevels, ThatMeanNothingDoNoHarm) {
  const ShopRows rows{.shops = 3000, .noise = 1, .effects = 0};
  write("t.csv", rows.text());
  write("test.csv", ShopRows{.shops = 3000, .rows = 3000, .noise = 1, .effects = 0, .seed = 8}.text());
  for (const Words& how : {Words{"--fast"}, Words{}}) {
    const Json with = trained(how);
    Words without = how;
    without.insert(without.end(), {"--drop", "shop"});
    const double r2 = with.at("test").at("r2").get<double>();
    EXPECT_GT(r2, trained(without).at("test").at("r2").get<double>() - 0.01);
    EXPECT_LT(with.at("train").at("r2").get<double>(), r2 + 0.05) << "a row does not know its own target";
  }
}

TEST_F(OwnManyLevels, OfClassifiers) {
  const ShopRows rows{.shops = 1000, .effects = 2, .classes = 2};
  write("t.csv", rows.text());
  const ShopRows test{.shops = 1000, .rows = 3000, .effects = 2, .classes = 2, .seed = 8};
  write("test.csv", test.text());
  // The sign of 2x + the shrunken mean of its shop.
  for (const Words& how : {Words{"--fast"}, Words{}}) {
    const double accuracy = trained(how).at("test").at("accuracy").get<double>();
    Words without = how;
    without.insert(without.end(), {"--drop", "shop"});
    EXPECT_GT(accuracy, trained(without).at("test").at("accuracy").get<double>() + 0.08);
    EXPECT_GT(accuracy, 0.86);
  }
}

TEST_F(OwnManyLevels, UnseenOnesAreCounted) {
  write("t.csv", ShopRows{}.text());
  write("test.csv", ShopRows{.rows = 100, .seed = 8}.text());
  trained({"--fast"});
  write("new.csv", "x,shop,z\n0,shop 1,0\n0,mall,0\n");
  const Outcome outcome = weft({"predict", "m.weft", "new.csv"});
  expect_lines(outcome.err, 1);
  expect_words(outcome.err, {"shop 'mall' 1"});
  const auto predictions = csv_numbers(outcome.out);
  ASSERT_EQ(predictions.size(), 2u);
  EXPECT_NEAR(predictions[1][0], 0, 0.3) << "no effect: the mean of the levels";
  expect_refused({"predict", "m.weft", "new.csv", "--unseen", "error"}, {"'mall'", "did not occur in training"});
}

TEST_F(OwnManyLevels, TheLimitIsAnOption) {
  write("t.csv", ShopRows{.shops = 60, .rows = 900}.text());
  expect_words(train({}, "y").out, {"note: column shop: 60 levels"});
  expect_words(train({"--max-levels", "60"}, "y").out, {"63 inputs"});
  expect_words(train({"--max-levels", "0"}, "y").out, {"63 inputs"});
  refused({"--max-levels", "-1"}, {"--max-levels"}, "y");
}

TEST_F(OwnManyLevels, PrunedModelsKeepThem) {
  write("t.csv", ShopRows{.shops = 300, .rows = 3000}.text());
  write("test.csv", ShopRows{.shops = 300, .rows = 2000, .seed = 8}.text());
  const double before = trained({"--fast"}).at("test").at("r2").get<double>();
  weft_out({"prune", "m.weft", "t.csv", "--features", "100", "--out", "p.weft"});
  const Json after = Json::parse(weft_out({"evaluate", "p.weft", "test.csv", "--json"}));
  EXPECT_GT(after.at("r2").get<double>(), before - 0.05);
}

TEST_F(OwnManyLevels, TheTableIsStillParsedTwice) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer reads /proc for every thread, which counts";
#endif
  write("t.csv", ShopRows{.shops = 20000, .rows = 60000}.text());
  const double size = static_cast<double>(std::filesystem::file_size(path("t.csv")));
  const Outcome start = weft({"version"});
  if (start.bytes_read < 0) GTEST_SKIP() << "the kernel does not count what a process reads";
  for (const Words& more : {Words{}, Words{"--holdout", "0.25"}}) {
    const Outcome outcome = train(more, "y");
    EXPECT_LT((outcome.bytes_read - start.bytes_read) / size, 2.6);
  }
}

}  // namespace

}  // namespace weft::testing
