#include "data/rows/training_rows.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

TEST(TrainingRows, CodesClassesAndBalancesThem) {
  Matrix x(6, 1), y(6, 1);
  for (Index i = 0; i < 6; ++i) {
    x(i, 0) = static_cast<double>(i);
    y(i, 0) = i < 4 ? 3 : 5;  // four of one class, two of the other
  }
  const Data data = array(x.view(), y.view());
  EncodeOptions encode;
  encode.task = TargetKind::classification;
  const Encoder encoder = Encoder::fit(data, encode);
  const auto rows = training_rows(encoder, data, ClassWeighting::balanced, 1e9, {});
  ASSERT_NE(rows->in_memory(), nullptr);
  const TrainingBlock& block = *rows->in_memory();
  ASSERT_EQ(block.y.rows, 1);
  EXPECT_EQ(block.y(0, 0), -1);
  EXPECT_EQ(block.y(0, 5), 1);
  EXPECT_DOUBLE_EQ(block.weights[0], 6.0 / (2 * 4));
  EXPECT_DOUBLE_EQ(block.weights[5], 6.0 / (2 * 2));
}

TEST(TrainingRows, StreamedAndHeldRowsAreTheSame) {
  // A selection delivers ragged blocks; the fit must not notice.
  const Data data = select_rows(generate("friedman1", {.rows = 7500}), [](Index row) { return row % 3 != 1; });
  const Encoder encoder = Encoder::fit(data, {});
  const auto held = training_rows(encoder, data, ClassWeighting::none, 1e9, {});
  const auto streamed = training_rows(encoder, data, ClassWeighting::none, 1000, {});
  ASSERT_NE(held->in_memory(), nullptr);
  EXPECT_EQ(streamed->in_memory(), nullptr);
  EXPECT_EQ(streamed->rows(), 5000);
  const TrainingBlock& all = *held->in_memory();
  Index seen = 0;
  streamed->for_each([&](const TrainingBlock& block) {
    EXPECT_EQ(block.first_row, seen);
    EXPECT_EQ(block.rows(), std::min<Index>(kBlockRows, 5000 - seen));
    for (Index i = 0; i < block.rows(); ++i) {
      EXPECT_EQ(block.y(0, i), all.y(0, seen + i));
      for (Index j = 0; j < block.x.rows; ++j) EXPECT_EQ(block.x(j, i), all.x(j, seen + i));
    }
    seen += block.rows();
    return true;
  });
  EXPECT_EQ(seen, 5000);
}

// The first pass that goes to its end fills the memory; until then every pass, also one within another, reads.
TEST(TrainingRows, AreHeldWhateverPassesCameBefore) {
  const Data data = generate("friedman1", {.rows = 5000});
  const Encoder encoder = Encoder::fit(data, {});
  const auto first_targets = [](const BlockSource& rows, Index passes_within) {
    std::vector<double> targets;
    rows.for_each([&](const TrainingBlock& block) {
      for (Index pass = 0; pass < passes_within; ++pass)
        rows.for_each([](const TrainingBlock& inner) { return inner.first_row == 0; });
      targets.insert(targets.end(), block.y.row(0), block.y.row(0) + block.rows());
      return true;
    });
    return targets;
  };
  const auto streamed = training_rows(encoder, data, ClassWeighting::none, 1000, {});
  const std::vector<double> expected = first_targets(*streamed, 0);
  ASSERT_EQ(expected.size(), 5000u);
  const auto held = training_rows(encoder, data, ClassWeighting::none, 1e9, {});
  held->for_each([](const TrainingBlock&) { return false; });
  EXPECT_EQ(first_targets(*held, 2), expected);
  ASSERT_NE(held->in_memory(), nullptr);
  EXPECT_EQ(std::vector<double>(held->in_memory()->y.row(0), held->in_memory()->y.row(0) + 5000), expected);
  EXPECT_EQ(first_targets(*held, 1), expected);
}

TEST(TrainingRows, MoreThanTwoClassesHaveOneOutputEach) {
  const Data data = generate("gaussian-quantiles", {.rows = 300});
  const Encoder encoder = Encoder::fit(data, {});
  const auto rows = training_rows(encoder, data, ClassWeighting::none, 1e9, {});
  ASSERT_EQ(rows->outputs(), 3);
  for (Index i = 0; i < 300; ++i) {
    double sum = 0;
    for (Index o = 0; o < 3; ++o) sum += rows->in_memory()->y(o, i);
    EXPECT_EQ(sum, -1);  // one +1, two −1
  }
}

TEST(TrainingRows, DataThatGrowOrShrinkMeanwhileAreAnError) {
  const Data before = generate("friedman1", {.rows = 300});
  const Encoder encoder = Encoder::fit(before, {});
  for (const Index rows : {299, 301, 5000}) {
    const Data after = generate("friedman1", {.rows = rows});
    const auto held = training_rows(encoder, after, ClassWeighting::none, 1e9, {});
    EXPECT_THROW(held->for_each([](const TrainingBlock&) { return true; }), Error);
    EXPECT_THROW(held->in_memory(), Error);
    const auto streamed = training_rows(encoder, after, ClassWeighting::none, 0, {});
    EXPECT_THROW(streamed->for_each([](const TrainingBlock&) { return true; }), Error);
  }
}

TEST(TrainingRows, ClassWeightsNeedClasses) {
  const Data data = generate("friedman1", {.rows = 100});
  EXPECT_THROW(training_rows(Encoder::fit(data, {}), data, ClassWeighting::balanced, 1e9, {}), Error);
}

}  // namespace
}  // namespace weft
