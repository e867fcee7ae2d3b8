#include <weft/encoder.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace weft {
namespace {

std::vector<double> targets(const Data& data) {
  const auto reader = data.open();
  std::vector<double> cells;
  RawBlock block;
  while (reader->next(block, 2))
    for (Index i = 0; i < block.rows(); ++i) cells.push_back(block.cells(i, block.cells.cols - 1));
  return cells;
}

Data table(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  ReadOptions options;
  options.target = "target";
  return read(path, options);
}

TEST(OneAgainstRest, TurnsNumbersIntoTwoClasses) {
  const Data data = one_against_rest(table("numbers.csv", "x,target\n1,1\n2,3\n3,1\n4,2\n5,3\n"), "target", "1.0");
  EXPECT_EQ(targets(data), (std::vector<double>{1, 0, 1, 0, 0}));
  EXPECT_EQ(Encoder::fit(data, {}).target().classes, (std::vector<std::string>{"0", "1"}));
}

TEST(OneAgainstRest, TurnsTextsIntoTwoClasses) {
  const Data data = one_against_rest(table("texts.csv", "x,target\n1,a\n2,b\n3,c\n4,b\n"), "target", "b");
  EXPECT_EQ(targets(data), (std::vector<double>{0, 1, 0, 1}));
  EXPECT_EQ(Encoder::fit(data, {}).target().task, Task::binary);
}

TEST(OneAgainstRest, NamesAColumnThatIsNotThere) {
  const Data data = one_against_rest(table("missing.csv", "x,target\n1,a\n2,b\n"), "label", "b");
  EXPECT_THROW(data.open(), Error);
}

}  // namespace
}  // namespace weft
