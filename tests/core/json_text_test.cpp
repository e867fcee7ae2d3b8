#include "core/json_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace weft {

using namespace detail;
namespace {

TEST(JsonText, TextsComeBackWhateverTheirBytes) {
  for (const std::string& text : {std::string(), std::string("Zürich, \"quoted\"\n"), std::string("\xff\x00\x80", 3)}) {
    const std::string dumped = text_to_json(text).dump();
    EXPECT_EQ(text_from_json(Json::parse(dumped)), text);
  }
  EXPECT_ANY_THROW(text_from_json(Json{{"hex", "0g"}}));
}

TEST(JsonText, NumbersComeBackBitForBit) {
  for (const double number : {0.1, -0.0, 1.0 / 3, 5e-324, std::numeric_limits<double>::max(), HUGE_VAL, -HUGE_VAL}) {
    const double back = number_from_json(Json::parse(number_to_json(number).dump()));
    EXPECT_EQ(back, number);
    EXPECT_EQ(std::signbit(back), std::signbit(number));
  }
  EXPECT_TRUE(std::isnan(number_from_json(number_to_json(std::nan("")))));
}

TEST(JsonText, ANumberThatIsNotThereIsNull) {
  EXPECT_EQ(number_to_json(std::optional<double>()).dump(), "null");
  EXPECT_EQ(number_to_json(std::optional<double>(HUGE_VAL)).dump(), "\"inf\"");
  EXPECT_EQ(numbers_to_json({0.5, -HUGE_VAL}).dump(), "[0.5,\"-inf\"]");
  EXPECT_EQ(numbers_to_json({}).dump(), "[]");
}

TEST(JsonText, DeepNestingIsSeenWithoutParsing) {
  const std::string hundred(100, '[');
  EXPECT_TRUE(nests_too_deeply(hundred));
  EXPECT_TRUE(nests_too_deeply(R"({"a\\":)" + hundred));
  EXPECT_FALSE(nests_too_deeply('"' + hundred + R"(\")" + hundred + '"')) << "brackets in a text";
  std::string flat;
  for (int i = 0; i < 100; ++i) flat += "[{},[]],";
  EXPECT_FALSE(nests_too_deeply(flat));
  EXPECT_FALSE(nests_too_deeply(""));
}

}  // namespace
}  // namespace weft
