#include "catalogue.hpp"

#include "data/expect_error.hpp"
#include "paths.hpp"
#include "temporary_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace weft::papers {
namespace {

using detail::TemporaryFolder;

using weft::testing::expect_error;

const DataFile* find_file(const std::string& name) {
  for (const DataSet& set : catalogue())
    for (const DataFile& file : set.files)
      if (file.name == name) return &file;
  return nullptr;
}

TEST(Catalogue, IsConsistent) {
  std::set<std::string> names;
  for (const DataSet& set : catalogue()) {
    SCOPED_TRACE(set.name);
    EXPECT_TRUE(names.insert(set.name).second);
    EXPECT_EQ(&find_data_set(set.name), &set);
    EXPECT_TRUE(set.task == TargetKind::classification || set.task == TargetKind::regression);
    EXPECT_TRUE(set.origin.starts_with("http"));
    for (const std::string& text : {set.about, set.source, set.prepared}) EXPECT_FALSE(text.empty());
    ASSERT_FALSE(set.files.empty());
    std::set<std::string> parts;
    for (const DataFile& file : set.files) {
      EXPECT_TRUE(names.insert(file.name).second);
      EXPECT_TRUE(file.bytes > 0 && file.rows > 0 && file.columns > 0);
      parts.insert(file.part);
    }
    EXPECT_EQ(parts, set.has_official_split() ? std::set<std::string>({"test", "train"}) : std::set<std::string>({""}));
  }
  expect_error([] { find_data_set("no-such"); }, ErrorKind::option, {"'no-such'", "weft-papers data"});
}

// The list of files that comes with the data: | `name` | bytes | rows | columns or idx | missing | `sha256` |
TEST(Catalogue, AgreesWithTheManifest) {
  std::ifstream manifest(weft::testing::shared_data() + "/MANIFEST.md");
  if (!manifest) GTEST_SKIP() << "the data sets are not here";
  const std::regex row(R"(\| `([^`]+)` \| (\d+) \| (\d+) \| (\w+) \| [^|]+ \| `([0-9a-f]{64})` \|)");
  std::size_t files = 0;
  std::smatch cells;
  for (std::string line; std::getline(manifest, line);) {
    if (!std::regex_match(line, cells, row)) continue;
    ++files;
    SCOPED_TRACE(line);
    const DataFile* const file = find_file(cells[1]);
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(file->bytes, std::stoul(cells[2]));
    EXPECT_EQ(file->rows, std::stol(cells[3]));
    EXPECT_TRUE(cells[4] == "idx" || file->columns == std::stol(cells[4]));
  }
  std::size_t known = 0;
  for (const DataSet& set : catalogue()) known += set.files.size();
  EXPECT_EQ(files, known);
}

TEST(Catalogue, KnowsItsFiles) {
  if (!std::filesystem::exists(weft::testing::shared_data())) GTEST_SKIP() << "the data sets are not here";
  for (const DataSet& set : catalogue())
    for (const DataFile& file : set.files)
      EXPECT_EQ(file_state(weft::testing::shared_data(), file), FileState::present) << file.name;
}

TEST(FileState, IsMissingOfAnotherSizeOrPresent) {
  const TemporaryFolder folder;
  const DataFile file{.name = "abc", .part = "", .bytes = 3};
  EXPECT_EQ(file_state(folder.path(), file), FileState::missing);
  std::ofstream(folder.file("abc")) << "abcd";
  EXPECT_EQ(file_state(folder.path(), file), FileState::other_size);
  std::ofstream(folder.file("abc")) << "abc";
  EXPECT_EQ(file_state(folder.path(), file), FileState::present);
}

TEST(DataFolderName, IsGivenOrInTheEnvironment) {
  ::unsetenv("WEFT_DATA");
  EXPECT_EQ(data_folder("here"), "here");
  EXPECT_EQ(data_folder_or_none(""), "");
  expect_error([] { data_folder(""); }, ErrorKind::option, {"--data", "$WEFT_DATA"});
  ::setenv("WEFT_DATA", "there", 1);
  EXPECT_EQ(data_folder(""), "there");
  EXPECT_EQ(data_folder("here"), "here");
  ::unsetenv("WEFT_DATA");
}

}  // namespace
}  // namespace weft::papers
