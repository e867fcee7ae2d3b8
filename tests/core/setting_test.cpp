#include <weft/fields.hpp>

#include <gtest/gtest.h>

namespace weft {
namespace {

struct Options {
  Setting<std::string> name = default_value("auto");
  Setting<long> count = default_value(10);
  Setting<double> width = default_value(1);
  Setting<bool> on = default_value(false);
  std::optional<double> strength = {};
};

TEST(Setting, AValueAtItsDefaultIsGivenWhenSomebodyGaveIt) {
  Options options;
  EXPECT_FALSE(options.width.given());
  options.width = 1;
  EXPECT_TRUE(options.width.given());
  EXPECT_EQ(options.width, 1);
  options.width = default_value(3);
  EXPECT_FALSE(options.width.given());
  EXPECT_EQ(options.width, 3);
}

TEST(Setting, InitialisersGive) {
  const Options options{.name = "x", .on = true};
  EXPECT_TRUE(options.name.given());
  EXPECT_TRUE(options.on.given());
  EXPECT_FALSE(options.count.given());
  const Options copy = options;
  EXPECT_TRUE(copy.name.given());
  EXPECT_FALSE(copy.count.given());
}

TEST(Setting, ReadsLikeItsValue) {
  const Options options{.name = "word", .count = 4};
  const std::string text = options.name;
  EXPECT_EQ(text + "s", "words");
  EXPECT_EQ(options.name->size(), 4U);
  EXPECT_EQ(2.5 * options.width + static_cast<double>(options.count), 6.5);
  EXPECT_TRUE(options.name != "auto" && options.count > 3 && !options.on);
}

TEST(Setting, IsGivenAsAnOptionalIs) {
  Options options;
  EXPECT_FALSE(is_given(options.strength));
  EXPECT_FALSE(is_given(options.count));
  options.strength = 0;
  options.count = 10;
  EXPECT_TRUE(is_given(options.strength));
  EXPECT_TRUE(is_given(options.count));
}

}  // namespace
}  // namespace weft
