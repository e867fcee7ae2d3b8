// Every public header exports what it declares, and none opens the namespace of the internals.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(PublicHeaders, ExportTheirNames) {
  int headers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_TESTS "/../include/weft")) {
    const std::string text = text_of(entry.path());
    ++headers;
    EXPECT_EQ(text.find("\nnamespace weft {"), std::string::npos)
        << entry.path() << ": write namespace WEFT_PUBLIC weft";
    EXPECT_EQ(text.find("\nnamespace weft::"), std::string::npos) << entry.path() << ": internals belong in src";
  }
  EXPECT_GT(headers, 15);
}

}  // namespace
}  // namespace weft
