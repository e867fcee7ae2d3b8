#include "reproduce/cell_log.hpp"

#include "core/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace weft {

using namespace detail;
namespace {

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
}  // namespace weft
