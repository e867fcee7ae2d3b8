#include "cell_log.hpp"

#include <weft/error.hpp>

#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace weft::papers {
namespace {

using detail::TemporaryFolder;

class CellLogFile : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = folder_.file("log.jsonl");
};

TEST_F(CellLogFile, FindsTheCellsOfAnEarlierRun) {
  const Json key = {{"set", "adult"}, {"seed", 3}};
  CellLog(path_).add({key, {{"error", 0.25}}, 1.5});
  const CellLog again(path_);
  ASSERT_NE(again.find(key), nullptr);
  EXPECT_EQ(again.find(key)->values, (Json{{"error", 0.25}}));
  EXPECT_EQ(again.find(key)->seconds, 1.5);
  EXPECT_EQ(again.find({{"set", "adult"}, {"seed", 4}}), nullptr);
}

TEST_F(CellLogFile, DropsALineThatWasBeingWritten) {
  const Json key = {{"seed", 3}};
  CellLog(path_).add({key, {{"error", 0.25}}, 1.5});
  std::ofstream(path_, std::ios::app) << "{\"key\":{\"seed\":4},";
  CellLog again(path_);
  EXPECT_NE(again.find(key), nullptr);
  again.add({{{"seed", 5}}, {{"error", std::numeric_limits<double>::infinity()}}, 1});
  EXPECT_NE(CellLog(path_).find({{"seed", 5}}), nullptr);
}

TEST_F(CellLogFile, RefusesAnotherFile) {
  std::ofstream(path_) << "{\"weft\":\"weft tune log\"}\n";
  try {
    CellLog log(path_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path_ + ":1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace weft::papers
