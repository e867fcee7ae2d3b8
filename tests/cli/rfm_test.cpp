#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class Rfm : public WeftTest {};

TEST_F(Rfm, TableJsonAndCsv) {
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

TEST_F(Rfm, MistakesAreNamed) {
  expect_refused({"rfm", "builtin:friedman1:rows=300"}, {"--test-rows", "too few"});
  expect_refused({"rfm", "builtin:friedman1:rows=300", "--features", "ten"}, {"--features", "16,64,256"});
  expect_refused({"rfm", "builtin:friedman1:rows=300", "--kernel", "cubic"}, {"--kernel", "rbf, laplace"});
}

}  // namespace

}  // namespace weft::testing
