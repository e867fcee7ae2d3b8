#include <weft/error.hpp>

#include <gtest/gtest.h>

namespace weft {
namespace {

std::string shouted(const std::string& text) {
  return with_options_named(text, [](const std::string& field) { return "<" + field + ">"; });
}

TEST(Error, NamesOptionsByTheirFields) {
  const Error error(ErrorKind::option, "needs classes", "‹class_weights›", "use ‹task› classification");
  EXPECT_EQ(error.field(), "class_weights");
  EXPECT_STREQ(error.what(), "class_weights: needs classes; use task classification");
  EXPECT_EQ(shouted(error.marked()), "<class_weights>: needs classes; use <task> classification");
}

TEST(Error, APlaceInAFileIsNoField) {
  const Error error(ErrorKind::data, "not a number", "table.csv:3:2", "fix it, or leave it out with ‹drop› a");
  EXPECT_EQ(error.field(), "");
  EXPECT_STREQ(error.what(), "table.csv:3:2: not a number; fix it, or leave it out with drop a");
}

TEST(Error, TextsOfUsersKeepTheirCharacters) {
  for (const char* text : {"column '‹'", "›‹", "‹Größe›", "‹two words›", "‹›", ""}) EXPECT_EQ(shouted(text), text);
  EXPECT_EQ(shouted("'‹x y› and ‹lambda›'"), "'‹x y› and <lambda>'");
  EXPECT_EQ(option_mark("lambda"), "‹lambda›");
}

}  // namespace
}  // namespace weft
