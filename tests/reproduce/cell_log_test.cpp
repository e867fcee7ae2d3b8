#include "reproduce/cell_log.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace weft {
namespace {

class CellLogFile : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }
  // Tests run side by side, each in a process of its own.
  const std::string path_ =
      testing::TempDir() + "/cell_log_test_" + testing::UnitTest::GetInstance()->current_test_info()->name() + ".jsonl";
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
