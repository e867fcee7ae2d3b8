#include <weft/fields.hpp>

#include "core/option_text.hpp"
#include "data/expect_error.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

enum class Fruit { apple, sour_cherry, none };
constexpr auto choice_names(Fruit) {
  return std::array{"apple", "sour-cherry", "none"};
}

struct Basket {
  Setting<Fruit> fruit = default_value(Fruit::apple);
  std::optional<double> weight = {};

  static auto fields() {
    using O = Basket;
    return std::tuple{Field{"fruit", &O::fruit, "what it holds"},
                      Field{"weight", &O::weight, Allowed::positive(), "in kg"}};
  }
};

TEST(Fields, AChoiceIsKeptByItsName) {
  EXPECT_EQ(option_text(Basket{}.fruit), "apple");
  EXPECT_EQ(option_text(Fruit::sour_cherry), "sour-cherry");
  for (const Fruit fruit : {Fruit::apple, Fruit::sour_cherry, Fruit::none})
    EXPECT_EQ(option_value<Fruit>(option_text(fruit)), fruit);
  EXPECT_THROW(option_value<Fruit>("plum"), std::logic_error);
}

TEST(Fields, AChoiceThatDoesNotExistIsRefusedWithThoseThatDo) {
  EXPECT_EQ(parse_choice<Fruit>("fruit", "none"), Fruit::none);
  for (const char* name : {"plum", "", "Apple", "sour_cherry", "apple "})
    testing::expect_error([&] { parse_choice<Fruit>("fruit", name); }, ErrorKind::option,
                          {"fruit", name, "one of apple, sour-cherry, none"});
}

TEST(Fields, RowsOfChoicesListTheirNames) {
  const auto rows = Basket::fields();
  const Allowed& allowed = std::get<0>(rows).allowed;
  EXPECT_EQ(allowed.choices, (std::vector<std::string>{"apple", "sour-cherry", "none"}));
  EXPECT_EQ(allowed.describe(), "one of apple, sour-cherry, none");
  EXPECT_TRUE(std::get<1>(rows).allowed.choices.empty());
}

}  // namespace
}  // namespace weft
