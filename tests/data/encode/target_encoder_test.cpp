#include "data/encode/target_encoder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/expect_error.hpp"
#include "data/memory_table.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::expect_error;
using testing::kMissing;
using testing::memory_table;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

// Encodes a table with one input and the given target.
template <class Cells>
Encoder fit(const Cells& target, TargetKind task = TargetKind::automatic) {
  const Data data = memory_table({{"x", Numbers(target.size(), 1)}, {"y", target}}, "y");
  return Encoder::fit(data, {.task = task});
}

Numbers repeated(const Numbers& values, int times) {
  Numbers result;
  for (int k = 0; k < times; ++k) result.insert(result.end(), values.begin(), values.end());
  return result;
}

TEST(TargetEncoder, AutoRule) {
  EXPECT_EQ(fit(Texts{"b", "a", "b"}).target().task, Task::binary);
  EXPECT_EQ(fit(Texts{"b", "a", "c"}).target().task, Task::multiclass);
  EXPECT_EQ(fit(Numbers{0.5, 2.5, 0.5}).target().task, Task::binary);
  EXPECT_EQ(fit(repeated({1, 2, 3}, 10)).target().task, Task::multiclass);
  EXPECT_EQ(fit(repeated({1, 2, 3}, 9)).target().task, Task::regression);
  EXPECT_EQ(fit(repeated({1, 2, 3.5}, 10)).target().task, Task::regression);
  EXPECT_EQ(fit(repeated({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 10)).target().task, Task::multiclass);
  EXPECT_EQ(fit(repeated({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 10)).target().task, Task::regression);
}

TEST(TargetEncoder, IntegersThatNumberClasses) {
  const auto task = [](int first, int last, int rows, int rarest) {
    Numbers values;
    for (int k = first; k <= last; ++k)
      values.insert(values.end(), static_cast<std::size_t>(k == last ? rarest : rows), k);
    return fit(values).target().task;
  };
  EXPECT_EQ(task(1, 26, 100, 100), Task::multiclass);
  EXPECT_EQ(task(0, 99, 20, 20), Task::multiclass);
  EXPECT_EQ(task(1, 101, 20, 20), Task::regression) << "more than 100";
  EXPECT_EQ(task(2, 27, 100, 100), Task::regression) << "codes start at 0 or 1";
  EXPECT_EQ(task(1, 26, 100, 19), Task::regression) << "a rare one, as in counts";
  EXPECT_EQ(task(1, 26, 1000, 90), Task::regression) << "less than a tenth of the average";
  EXPECT_EQ(fit(repeated({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12}, 50)).target().task, Task::regression) << "a gap";
}

TEST(TargetEncoder, ClassesThatHardlyRepeatAreRefused) {
  Texts names;
  for (int k = 0; k < 11; ++k) names.push_back("name" + std::to_string(k));
  expect_error([&] { fit(names); }, ErrorKind::data, {"'y'", "11 different values in 11 rows", "another target"});
  Numbers codes;
  for (int k = 0; k < 20; ++k) codes.push_back(k % 11);
  expect_error([&] { fit(codes, TargetKind::classification); }, ErrorKind::data,
               {"'y'", "11", "20", "task regression"});
  codes.insert(codes.end(), {0, 0});
  EXPECT_EQ(fit(codes, TargetKind::classification).target().classes.size(), 11u);
  // Where few labels per class were asked for, they are what was asked for.
  const Encoder inputs = Encoder::fit_inputs(memory_table({{"x", Numbers{1, 2, 3}}}), {});
  const Data labels = memory_table({{"x", Numbers(11, 1)}, {"y", names}}, "y");
  EXPECT_EQ(inputs.with_target_of(labels).target().classes.size(), 11u);
}

TEST(TargetEncoder, TheTaskCanBeForced) {
  EXPECT_EQ(fit(Numbers{0, 1, 0, 1}, TargetKind::regression).target().task, Task::regression);
  EXPECT_EQ(fit(Numbers{0.5, 1.5, 2.5}, TargetKind::classification).target().task, Task::multiclass);
  EXPECT_STREQ(task_name(Task::multiclass), "multiclass");
}

TEST(TargetEncoder, ClassesAreInOrder) {
  EXPECT_EQ(fit(repeated({10, 9, -1}, 10)).target().classes, (Texts{"-1", "9", "10"}));
  EXPECT_EQ(fit(Texts{"yes", "no", "yes"}).target().classes, (Texts{"no", "yes"}));
  EXPECT_EQ(fit(Numbers{-0.0, 1, 0.0}).target().classes, (Texts{"0", "1"}));
  EXPECT_EQ(fit(Numbers{-0.0, 1, 0.0}).target().names, (Texts{"y"}));
}

TEST(TargetEncoder, WithoutTargetThereIsNoTask) {
  const Encoder encoder = Encoder::fit(memory_table({{"x", Numbers{1, 2}}}), {});
  EXPECT_EQ(encoder.target().task, Task::none);
  Block block;
  ASSERT_TRUE(encoder.open(memory_table({{"x", Numbers{1, 2}}}), true)->next(block, 10));
  EXPECT_EQ(block.y.rows(), 0);
}

TEST(TargetEncoder, SeveralTargetsAreARegression) {
  const Data data = memory_table({{"a", Numbers{0, 1, 1}}, {"x", Numbers{1, 2, 3}}, {"b", Numbers{5, 6, 8}}}, "b, a");
  const Encoder encoder = Encoder::fit(data, {});
  EXPECT_EQ(encoder.target().task, Task::regression);
  EXPECT_EQ(encoder.target().names, (Texts{"b", "a"}));
  Block block;
  ASSERT_TRUE(encoder.open(data, true)->next(block, 10));
  EXPECT_EQ(Numbers(block.y.row(0), block.y.row(0) + 3), (Numbers{5, 6, 8}));
  EXPECT_EQ(Numbers(block.y.row(1), block.y.row(1) + 3), (Numbers{0, 1, 1}));
}

TEST(TargetEncoder, Errors) {
  expect_error(
      [] {
        fit(Texts{"a", "b"}, TargetKind::regression);
      },
      ErrorKind::data, {"'y'", "text", "task classification"});
  expect_error([] { fit(Texts{"a", "a"}); }, ErrorKind::data, {"'y'", "one class"});
  expect_error([] { fit(Numbers{2, 2}, TargetKind::classification); }, ErrorKind::data, {"'y'", "one class"});
  expect_error([] { fit(Numbers{2, 2}); }, ErrorKind::data, {"'y'", "same value", "target"});
  expect_error([] { fit(Numbers{1, kMissing, 2}); }, ErrorKind::data, {"table:1:1", "'y'", "missing"});
  expect_error([] { fit(Numbers{1, INFINITY, 2}); }, ErrorKind::data, {"table:1:1", "'y'", "not finite"});
  Numbers many;
  for (int k = 0; k < 1001; ++k) many.push_back(k);
  expect_error([&] { fit(many, TargetKind::classification); }, ErrorKind::data,
               {"'y'", "1000 classes", "task regression"});
  many.pop_back();
  EXPECT_EQ(fit(repeated(many, 2), TargetKind::classification).target().classes.size(), 1000u);

  const std::vector<testing::TableColumn> table = {
      {"x", Numbers{1, 2}}, {"a", Numbers{1, 2}}, {"b", Numbers{1, 2}}, {"t", Texts{"u", "v"}}, {"c", Numbers{3, 3}}};
  expect_error([&] { Encoder::fit(memory_table(table, "a,b"), {.task = TargetKind::classification}); },
               ErrorKind::option, {"target", "one target"});
  expect_error([&] { Encoder::fit(memory_table(table, "a,t"), {}); }, ErrorKind::data, {"'t'", "text"});
  expect_error([&] { Encoder::fit(memory_table(table, "a,c"), {}); }, ErrorKind::data, {"'c'", "same value"});
  expect_error([&] { Encoder::fit(memory_table(table, "a,a"), {}); }, ErrorKind::option, {"'a'", "twice", "target"});
  expect_error([&] { Encoder::fit(memory_table(table, "nobody"), {}); }, ErrorKind::option, {"nobody"});
}

TEST(TargetEncoder, ClassesOfAnotherTableAreMatchedByLabel) {
  const Encoder encoder = fit(repeated({1, 2, 3}, 10));
  Block block;
  const Data text = memory_table({{"y", Texts{"3", "1.0", "2"}}, {"x", Numbers{1, 1, 1}}});
  ASSERT_TRUE(encoder.open(text, true)->next(block, 10));
  EXPECT_EQ(Numbers(block.y.row(0), block.y.row(0) + 3), (Numbers{2, 0, 1}));
  const Data renamed = memory_table({{"label", Numbers{3, 2}}, {"x", Numbers{1, 1}}}, "label");
  ASSERT_TRUE(encoder.open(renamed, true)->next(block, 10));
  EXPECT_EQ(Numbers(block.y.row(0), block.y.row(0) + 2), (Numbers{2, 1}));
}

TEST(TargetEncoder, UnseenTargetsAreErrorsWithPlace) {
  const auto encode = [](const Encoder& encoder, const testing::TableColumn& target) {
    Block block;
    encoder.open(memory_table({target, {"x", Numbers{1, 1}}}), true)->next(block, 10);
  };
  const Encoder classes = fit(repeated({1, 2, 3}, 10));
  expect_error([&] { encode(classes, {"y", Numbers{1, 4}}); }, ErrorKind::data, {"table:1:0", "'4'", "'y'"});
  expect_error([&] { encode(classes, {"y", Texts{"x", "1"}}); }, ErrorKind::data, {"table:0:0", "'x'", "'y'"});
  expect_error([&] { encode(classes, {"y", Texts{"1", ""}}); }, ErrorKind::data, {"table:1:0", "missing", "'y'"});
  expect_error([&] { encode(classes, {"z", Numbers{1, 2}}); }, ErrorKind::data, {"'y'", "z, x"});
  const Encoder numbers = fit(Numbers{0.5, 1, 1.5});
  expect_error([&] { encode(numbers, {"y", Texts{"1", "oops"}}); }, ErrorKind::data, {"table:1:0", "'oops'", "'y'"});
}

TEST(TargetStats, StopsCollectingPastTheLimit) {
  TargetStats stats("y", false);
  Numbers values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 7;
  stats.add(values.data(), static_cast<Index>(values.size()));
  EXPECT_EQ(stats.distinct(), kMaxClasses + 1);
  EXPECT_TRUE(stats.too_many_for_classes());
}

}  // namespace
}  // namespace weft
