#include "data/table_testing.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::contains;
using testing::error_of;
using testing::expect_rows;
using testing::kMissing;
using testing::read_all;

TEST(ArraySource, JoinsInputsTargetsAndWeights) {
  const double x[] = {1, 2, -9, 3, 4, -9, 5, kMissing, -9};
  const double y[] = {10, 20, 30, 40, 50, 60};
  const double w[] = {0.5, 1, 2};
  const Data data = array({x, 3, 2, 3}, {y, 3, 2}, {w, 3, 1});
  EXPECT_EQ(data.options().target, "target0,target1");
  EXPECT_EQ(data.options().weights, "weights");
  for (const Index block : {1, 2, 4096}) {
    const auto table = read_all(data, block);
    EXPECT_EQ(table.names, (std::vector<std::string>{"x0", "x1", "target0", "target1", "weights"}));
    expect_rows(table.rows, {{1, 2, 10, 20, 0.5}, {3, 4, 30, 40, 1}, {5, kMissing, 50, 60, 2}});
  }
}

TEST(ArraySource, DeliversColumns) {
  const double x[] = {1, 2, 3, 4};
  const Data data = array({x, 2, 2});
  EXPECT_EQ(data.options().target, "");
  const auto reader = data.open();
  RawBlock block;
  ASSERT_TRUE(reader->next(block, 10));
  EXPECT_EQ(block.columns(0, 0), 1);
  EXPECT_EQ(block.columns(1, 0), 2);
  EXPECT_EQ(block.columns(0, 1), 3);
  EXPECT_EQ(block.columns(1, 1), 4);
}

TEST(ArraySource, OneTargetIsCalledTarget) {
  const double x[] = {1, 2};
  EXPECT_EQ(array({x, 2, 1}, {x, 2, 1}).options().target, "target");
}

TEST(ArraySource, ShapesMustFitAndCellsBeFinite) {
  const double x[] = {1, std::numeric_limits<double>::infinity()};
  EXPECT_TRUE(contains(error_of([&] { array({x, 2, 1}, {x, 1, 1}); }).message(), "y has 1 rows where x has 2"));
  EXPECT_TRUE(contains(error_of([&] { array({x, 1, 1}, {}, {x, 1, 2}); }).message(), "weights"));
  EXPECT_TRUE(contains(error_of([&] { array({x, 0, 1}); }).message(), "empty"));
  EXPECT_EQ(error_of([&] { read_all(array({x, 2, 1})); }).place(), "array:2:1");
}

}  // namespace
}  // namespace weft
