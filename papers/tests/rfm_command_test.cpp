#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class RfmCommand : public WeftTest {};

TEST_F(RfmCommand, TableJsonAndCsv) {
  const Words study = {"rfm", "builtin:friedman1:rows=300", "--test-rows", "100", "--features", "16,64", "--repeats",
                       "3"};
  const std::string table = weft_out(study);
  for (const char* word : {"effective dimension", "Theorem 1", "slope of log mse"})
    EXPECT_NE(table.find(word), std::string::npos) << table;
  Words with_json = study;
  with_json.insert(with_json.end(), {"--json", "--out", "rate.csv"});
  const json said = json::parse(weft_out(with_json));
  EXPECT_EQ(said["rows"], 200);
  ASSERT_EQ(said["points"].size(), 2U);
  const auto rows = csv_numbers(text("rate.csv"));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[1][1], said["points"][1]["mse"].get<double>(), 1e-12);
  EXPECT_TRUE(said["points"][0]["proven"].get<bool>());
}

TEST_F(RfmCommand, TimeEndsBetweenPoints) {
  const json said = json::parse(weft_out({"rfm", "builtin:friedman1:rows=300", "--test-rows", "100", "--features",
                                          "16,64", "--repeats", "2", "--max-time", "1e-6", "--json"}));
  EXPECT_EQ(said["points"].size(), 1U);
  EXPECT_TRUE(said["out_of_time"].get<bool>());
}

TEST_F(RfmCommand, MistakesAreNamed) {
  expect_refused({"rfm", "builtin:friedman1:rows=300"}, {"--test-rows", "too few"});
  expect_refused({"rfm", "builtin:friedman1:rows=300", "--features", "ten"}, {"--features", "16,64,256"});
  expect_refused({"rfm", "builtin:friedman1:rows=300", "--kernel", "cubic"}, {"--kernel", "rbf, laplace"});
  const auto refused = [&](Words more, const Words& words) {
    const Words study = {"rfm", "builtin:friedman1:rows=300", "--test-rows", "100"};
    more.insert(more.begin(), study.begin(), study.end());
    expect_refused(more, words);
  };
  refused({"--kernel", "implicit:rw-sign"}, {"--kernel", "must be one of rbf, laplace, angular"});
  refused({"--kernel", "angular", "--bandwidth", "2"}, {"--bandwidth", "angular"});
  refused({"--lambda", "0"}, {"--lambda", "greater than 0"});
  refused({"--lambda", "-1"}, {"--lambda", "greater than 0"});
  refused({"--max-memory", "500K"}, {"200 rows", "need", "--rows"});
  refused({"--features", "16,20000", "--max-memory", "1G"}, {"20000 features", "need", "--features"});
  write("weighted.csv", "x,y,w\n1,2,1\n2,3,1\n3,5,2\n4,4,1\n5,1,1\n");
  expect_refused({"rfm", "weighted.csv", "--target", "y", "--weights", "w", "--test-rows", "2"}, {"--weights"});
}

}  // namespace

}  // namespace weft::testing
