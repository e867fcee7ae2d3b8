// The papers' protocol: how a cell is prepared.
#include "scaled_target.hpp"
#include "stand_ins.hpp"
#include "temporary_folder.hpp"
#include "trained.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft::papers {
namespace {

std::vector<double> targets_of(const Data& data) {
  std::vector<double> values;
  const auto reader = data.open();
  RawBlock block;
  while (reader->next(block, 7))
    for (Index i = 0; i < block.rows(); ++i) values.push_back(block.columns(block.columns.rows - 1, i));
  return values;
}

class Protocol : public ::testing::Test {
 protected:
  void SetUp() override { testing::write_stand_ins(folder_.path().string()); }
  Bench bench() const { return {DataFolder(folder_.path().string()), Size::tiny}; }

  const detail::TemporaryFolder folder_;
};

TEST_F(Protocol, StandardisesTheTargetByTheTrainingRows) {
  const Json key = {{"set", "concrete"}, {"seed", 3}};
  Json paper = key;
  paper["protocol"] = "paper";
  const CellData raw = open_cell(key, bench()), cell = open_cell(paper, bench());
  const std::vector<double> before = targets_of(raw.data.train), after = targets_of(cell.data.train);
  const auto count = static_cast<double>(after.size());
  double mean = 0, square = 0;
  for (const double value : after) {
    mean += value / count;
    square += value * value / count;
  }
  EXPECT_NEAR(mean, 0, 1e-12);
  EXPECT_NEAR(square, 1, 1e-12);
  // The test rows by the same line: two points of the training rows determine it.
  const double slope = (after[1] - after[0]) / (before[1] - before[0]);
  const std::vector<double> test_before = targets_of(raw.data.test), test = targets_of(cell.data.test);
  ASSERT_EQ(test.size(), test_before.size());
  for (std::size_t i = 0; i < test.size(); ++i)
    EXPECT_NEAR(test[i], after[0] + slope * (test_before[i] - before[0]), 1e-9);
  EXPECT_EQ(cell.variance, 1);
}

TEST_F(Protocol, HasNoBiasNoInterceptAndThePapersRidge) {
  const CellData cell = open_cell({{"set", "breast_cancer"}, {"seed", 1}, {"protocol", "paper"}}, bench());
  EXPECT_FALSE(cell.encode.bias);
  EXPECT_EQ(*cell.encode.scale, Scaling::standard);
  const FitOptions fit = cell.fit_options("rw-sign");
  EXPECT_FALSE(*fit.intercept);
  EXPECT_EQ(*fit.own<LeastSquaresOptions>().coefficient_ridge, 1e-10);
  EXPECT_EQ(*fit.own<LeastSquaresOptions>().epsilon, 0);
  EXPECT_EQ(*cell.fit_options("rks-sign").own<LeastSquaresOptions>().coefficient_ridge, 0);
  const Tuned tuned = tune_and_test(cell, drawn("rw-sign", 10, cell), 3, {});
  EXPECT_EQ(tuned.winner.path.size(), 1U);  // one λ per configuration
  EXPECT_GE(*tuned.winner.lambda, 1e-12);
  EXPECT_LE(*tuned.winner.lambda, 1e-4);
  EXPECT_EQ(tuned.trained.model.parts().intercepts.front(), 0);
}

TEST_F(Protocol, SearchesKitchenSinksUpToAHundredth) {
  const Json key = {{"set", "concrete"}, {"seed", 1}, {"family", "rks-relu"}, {"configurations", 30}};
  const Json paper = both_protocols(key).front();
  EXPECT_EQ(paper.at("lambda_range"), "1e-5:1e-2");
  EXPECT_FALSE(both_protocols(key).back().contains("lambda_range"));
  const CellData cell = open_cell(paper, bench());
  const Tuned tuned = tune_and_test(cell, drawn("rks-relu", 10, cell), 30, {});
  EXPECT_GE(*tuned.winner.lambda, 1e-5);
  EXPECT_LE(*tuned.winner.lambda, 1e-2);
}

}  // namespace
}  // namespace weft::papers
