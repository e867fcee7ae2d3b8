#include <weft/encoder.hpp>

#include "data/table_testing.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

std::vector<double> targets(const Data& data) {
  const auto reader = data.open();
  std::vector<double> cells;
  RawBlock block;
  while (reader->next(block, 2))
    for (Index i = 0; i < block.rows(); ++i) cells.push_back(block.columns(block.columns.rows - 1, i));
  return cells;
}

class OneAgainstRest : public ::testing::Test {
 protected:
  Data table(const std::string& text) const {
    ReadOptions options;
    options.target = "target";
    return read(folder_.write("table.csv", text), options);
  }

 private:
  const testing::TemporaryFolder folder_{};
};

TEST_F(OneAgainstRest, TurnsNumbersIntoTwoClasses) {
  const Data data = one_against_rest(table("x,target\n1,1\n2,3\n3,1\n4,2\n5,3\n"), "target", "1.0");
  EXPECT_EQ(targets(data), (std::vector<double>{1, 0, 1, 0, 0}));
  EXPECT_EQ(Encoder::fit(data, {}).target().classes, (std::vector<std::string>{"0", "1"}));
}

TEST_F(OneAgainstRest, TurnsTextsIntoTwoClasses) {
  const Data data = one_against_rest(table("x,target\n1,a\n2,b\n3,c\n4,b\n"), "target", "b");
  EXPECT_EQ(targets(data), (std::vector<double>{0, 1, 0, 1}));
  EXPECT_EQ(Encoder::fit(data, {}).target().task, Task::binary);
}

TEST_F(OneAgainstRest, NamesAColumnThatIsNotThere) {
  const Data data = one_against_rest(table("x,target\n1,a\n2,b\n"), "label", "b");
  EXPECT_THROW(data.open(), Error);
}

}  // namespace
}  // namespace weft
