#include "core/json_lines.hpp"

#include "temporary_folder.hpp"

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace weft {

using namespace detail;
namespace {

class JsonLinesFile : public ::testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  std::string contents() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }
  std::vector<Json> lines() const {
    std::vector<Json> all;
    JsonLines(path_).read([&](const Json& line, const std::string&) { all.push_back(line); });
    return all;
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.file("log.jsonl");
};

TEST_F(JsonLinesFile, GivesBackWhatWasAppended) {
  const JsonLines log(path_);
  EXPECT_FALSE(log.read([](const Json&, const std::string&) { FAIL(); }));
  log.append({{"a", 1}});
  log.append({{"b", "two\nlines"}});
  EXPECT_EQ(lines(), (std::vector<Json>{{{"a", 1}}, {{"b", "two\nlines"}}}));
}

TEST_F(JsonLinesFile, DropsALineThatWasBeingWritten) {
  write("{\"a\":1}\n{\"b\":");
  EXPECT_EQ(lines(), (std::vector<Json>{{{"a", 1}}}));
  EXPECT_EQ(contents(), "{\"a\":1}\n");
  JsonLines(path_).append({{"c", 3}});
  EXPECT_EQ(lines().size(), 2U);
}

TEST_F(JsonLinesFile, TellsOfWhatIsNoJsonAndWhere) {
  write("{\"a\":1}\nnonsense\n");
  std::string place;
  JsonLines(path_).read([&](const Json& line, const std::string& at) {
    if (line.is_discarded()) place = at;
  });
  EXPECT_EQ(place, path_ + ":2");
}

TEST_F(JsonLinesFile, LeavesAForeignFileAlone) {
  write("a text without an end of line");
  EXPECT_THROW(JsonLines(path_).read([](const Json& line, const std::string& place) {
    if (line.is_discarded()) throw Error(ErrorKind::data, "foreign", place, "");
  }),
               Error);
  EXPECT_EQ(contents(), "a text without an end of line");
}

TEST(JsonLines, WithoutAPathKeepsNothing) {
  const JsonLines log{""};
  log.append({{"a", 1}});
  EXPECT_FALSE(log.read([](const Json&, const std::string&) { FAIL(); }));
}

}  // namespace
}  // namespace weft
