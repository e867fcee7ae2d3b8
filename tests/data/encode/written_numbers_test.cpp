#include "data/encode/written_numbers.hpp"

#include <gtest/gtest.h>

namespace weft::detail {
namespace {

TEST(WrittenNumbers, AmountsPercentagesAndUnits) {
  for (const char* text : {"$12", "$1,250.00", "-$5", "€ 3.400,50", "12 €", "5%", "12.5 %", "1,234", "1 234 567",
                           "12'345.60", "80 kg", "USD 12", "1.234.567,89", "£0.5", "$-3"})
    EXPECT_TRUE(is_written_number(text)) << text;
}

TEST(WrittenNumbers, PlainNumbersCodesAndDatesAreNot) {
  for (const char* text : {"12", "1.5", "-3e5", "", "A12", "12A", "k7", "1.2.3", "01.02.2020", "2020-01-02", "12:30",
                           "1,23,4", "$", "%", "kg", "12 34", "yes", "10.0.0.1"})
    EXPECT_FALSE(is_written_number(text)) << text;
}

TEST(WrittenNumbers, NearlyAllTextsOfAColumn) {
  std::vector<std::string> texts(10, "$5");
  EXPECT_EQ(written_number_among(texts), "$5");
  texts.push_back("none");
  EXPECT_EQ(written_number_among(texts), "$5");
  texts.push_back("some");
  EXPECT_EQ(written_number_among(texts), "");
  EXPECT_EQ(written_number_among({"$1", "$2"}), "") << "two are little";
}

}  // namespace
}  // namespace weft::detail
