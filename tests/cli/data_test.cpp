#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

class DataCommand : public WeftTest {
 protected:
  DataCommand() {
    ::unsetenv("WEFT_DATA");
    ::unsetenv("WEFT_DATA_URL");
  }
  /// The state of a file according to weft data list.
  nlohmann::json state(const std::string& file, Words options) const {
    Words arguments = {"data", "list", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto list = nlohmann::json::parse(weft_out(arguments));
    for (const auto& set : list["sets"])
      for (const auto& entry : set["files"])
        if (entry["name"] == file) return entry["state"];
    ADD_FAILURE() << file << " is not listed";
    return {};
  }
};

TEST_F(DataCommand, ListsWhatIsThereAndWhereTheRestIs) {
  EXPECT_EQ(state("wine.csv.gz", {}), nullptr);
  write("wine.csv.gz", "too short");
  write("concrete.csv.gz", std::string(10526, 'x'));
  EXPECT_EQ(state("abalone.csv.gz", {"--data", "."}), "missing");
  EXPECT_EQ(state("wine.csv.gz", {"--data", "."}), "wrong size");
  EXPECT_EQ(state("concrete.csv.gz", {"--data", "."}), "present");
  EXPECT_EQ(state("concrete.csv.gz", {"--data", ".", "--verify"}), "wrong checksum");
  const std::string list = weft_out({"data", "list", "--data", "."});
  for (const char* words : {"abalone.csv.gz", "missing", "wrong size", "https://archive.ics.uci.edu/dataset/1/abalone",
                            "1 of 26 files are in ."})
    EXPECT_NE(list.find(words), std::string::npos) << words << "\n" << list;
}

TEST_F(DataCommand, FetchesFromAFolder) {
  if (!std::filesystem::exists(testing::shared_data())) GTEST_SKIP() << "the data sets are not here";
  const std::string mirror = "file://" + std::filesystem::absolute(testing::shared_data()).lexically_normal().string();
  const Words command = {"data", "fetch", "wine", "adult", "--data", "made", "--from", mirror, "--json"};
  const Outcome outcome = weft(command);
  if (outcome.err.find("without libcurl") != std::string::npos) GTEST_SKIP() << outcome.err;
  const auto files = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0]["file"], "made/wine.csv.gz");
  for (const auto& file : files) EXPECT_EQ(file["downloaded"], true);
  for (const auto& file : nlohmann::json::parse(weft_out(command))) EXPECT_EQ(file["downloaded"], false);
  EXPECT_EQ(text("made/adult.test.csv.gz"), file_text(testing::shared_data() + "/adult.test.csv.gz"));
}

TEST_F(DataCommand, RefusesWithARemedy) {
  expect_refused({"data"}, {"weft data --help"});
  expect_refused({"data", "fetch"}, {"--help"});
  expect_refused({"data", "fetch", "nothing", "--data", "."}, {"'nothing'", "weft data list"});
  expect_refused({"data", "fetch", "wine"}, {"--data", "$WEFT_DATA"});
  expect_refused({"data", "fetch", "wine", "--data", "."}, {"--from", "https://archive.ics.uci.edu/dataset/109/wine"});
  expect_refused({"data", "fetch", "wine", "--data", ".", "--from", "nowhere"}, {"'nowhere'", "https://"});
  expect_refused({"data", "fetch", "wine", "--data", ".", "--timeout", "0"}, {"timeout", "1"});
}

TEST_F(DataCommand, HelpShowsExamples) {
  for (const char* name : {"list", "fetch"})
    EXPECT_NE(weft_out({"data", name, "--help"}).find(std::string("Example:\n  weft data ") + name), std::string::npos);
}

}  // namespace

}  // namespace weft::testing
