#include "data/encode/categories.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using Texts = std::vector<std::string>;

TEST(Categories, NumbersAreOrderedByValueAndOthersByText) {
  EXPECT_EQ(Categories({"10", "9", "-1", "2.5"}).labels(), (Texts{"-1", "2.5", "9", "10"}));
  EXPECT_EQ(Categories({"10", "9", "b", "A"}).labels(), (Texts{"10", "9", "A", "b"}));
}

TEST(Categories, AreFoundByTextElseByNumber) {
  const Categories categories({"1", "2.50", "red"});
  EXPECT_EQ(categories.find("red"), 2);
  EXPECT_EQ(categories.find("2.50"), 1);
  EXPECT_EQ(categories.find("2.5"), 1);
  EXPECT_EQ(categories.find(2.5), 1);
  EXPECT_EQ(categories.find(1.0), 0);
  EXPECT_EQ(categories.find("1e0"), 0);
  EXPECT_EQ(categories.find("blue"), Categories::kUnseen);
  EXPECT_EQ(categories.find(3.0), Categories::kUnseen);
  EXPECT_EQ(categories.find("nan"), Categories::kUnseen);
}

TEST(Categories, ANumberMeansItsShortestSpelling) {
  const Categories categories({"1.0", "1", "01"});
  EXPECT_EQ(categories.labels(), (Texts{"01", "1", "1.0"}));
  EXPECT_EQ(categories.find(1.0), 1);
  EXPECT_EQ(categories.find("01"), 0);
  EXPECT_EQ(categories.find("1.00"), 1);
}

TEST(Categories, ShortestTextReadsBack) {
  EXPECT_EQ(shortest_text(1), "1");
  EXPECT_EQ(shortest_text(-0.0), "0");
  EXPECT_EQ(shortest_text(0.1), "0.1");
  for (const double value : {1.0 / 3, 1e300, -2.5e-310}) EXPECT_EQ(parse_number(shortest_text(value)), value);
  for (const char* text : {"", "a", "1a", " 1", "inf", "nan", "1e999"}) EXPECT_FALSE(parse_number(text)) << text;
}

}  // namespace
}  // namespace weft
