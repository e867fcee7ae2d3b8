#include <weft/files.hpp>

#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace weft::testing {
namespace {

class Files : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.file(name)) << text; }
  std::string path(const std::string& name) const { return folder_.file(name); }

  /// Every cell as text, rows in lines.
  static std::string cells(const Data& data) {
    const auto reader = data.open();
    std::string text;
    for (RawBlock block; reader->next(block, 2);)
      for (Index i = 0; i < block.rows(); ++i) {
        for (Index c = 0; c < block.columns.rows; ++c) {
          const double cell = block.columns(c, i);
          const bool named = reader->columns()[static_cast<std::size_t>(c)].text && !std::isnan(cell);
          text +=
              (named ? reader->dictionary(c)[static_cast<std::size_t>(cell)] : std::to_string(cell).substr(0, 3)) + " ";
        }
        text += "\n";
      }
    return text;
  }
  static std::string message(const std::function<void()>& run) {
    try {
      run();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Files, OfAPatternAreOneTable) {
  write("part-1.csv", "a,c\n1,x\n2,y\n");
  write("part-2.csv", "c,a\nz,3\nx,4\n,5\n");
  write("part-3.csv", "a,c\n6,17\n");  // looks like numbers, and is text as in the first
  write("other.csv", "a,c\n9,9\n");
  const Data data = read(path("part-*.csv"), {.categorical = "c"});
  EXPECT_EQ(cells(data), "1.0 x \n2.0 y \n3.0 z \n4.0 x \n5.0 nan \n6.0 17 \n");
  EXPECT_EQ(cells(data), cells(data));
  EXPECT_EQ(cells(data.rows(1, 4)), "2.0 y \n3.0 z \n4.0 x \n");
  EXPECT_EQ(matching_files(path("part-*.csv")).size(), 3U);
  EXPECT_EQ(matching_files(path("nothing.csv")), std::vector<std::string>{path("nothing.csv")});
  EXPECT_NE(message([&] { matching_files(path("nothing-*.csv")); }).find("no file matches"), std::string::npos);
}

TEST_F(Files, MustHaveTheSameColumns) {
  write("part-1.csv", "a,b\n1,2\n");
  write("part-2.csv", "a,c\n1,2\n");
  const std::string missing = message([&] { cells(read(path("part-*.csv"))); });
  EXPECT_NE(missing.find("part-2.csv: there is no column 'b'"), std::string::npos) << missing;
  write("part-2.csv", "a,b\n1,red\n");
  const std::string mixed = message([&] { cells(read(path("part-*.csv"))); });
  EXPECT_NE(mixed.find("column 'b' holds texts, and numbers in the first file"), std::string::npos) << mixed;
}

}  // namespace
}  // namespace weft::testing
