#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

class DataCommand : public WeftTest {
 protected:
  DataCommand() { ::unsetenv("WEFT_DATA"); }
  /// The state of a file according to weft-papers data.
  nlohmann::json state(const std::string& file, const Words& options) const {
    Words arguments = {"data", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto list = nlohmann::json::parse(weft_out(arguments));
    for (const auto& set : list["sets"])
      for (const auto& entry : set["files"])
        if (entry["name"] == file) return entry["state"];
    ADD_FAILURE() << file << " is not listed";
    return {};
  }
};

TEST_F(DataCommand, ListsWhatIsThereAndWhereTheRestComesFrom) {
  EXPECT_EQ(state("wine.csv.gz", {}), nullptr);
  write("wine.csv.gz", "too short");
  write("concrete.csv.gz", std::string(10526, 'x'));
  EXPECT_EQ(state("abalone.csv.gz", {"--data", "."}), "missing");
  EXPECT_EQ(state("wine.csv.gz", {"--data", "."}), "other size");
  EXPECT_EQ(state("concrete.csv.gz", {"--data", "."}), "present");
  const std::string list = weft_out({"data", "--data", "."});
  for (const char* words : {"abalone.csv.gz", "missing", "other size", "https://archive.ics.uci.edu/dataset/1/abalone",
                            "1 of 26 files are in ."})
    EXPECT_NE(list.find(words), std::string::npos) << words << "\n" << list;
}

class RunCommand : public DataCommand {};

TEST_F(RunCommand, ListsTheExperiments) {
  const auto list = nlohmann::json::parse(weft_out({"list", "--json"}));
  EXPECT_EQ(list.size(), 25U);
  EXPECT_EQ(list[0]["name"], "rkhs-tables-10-11");
  EXPECT_NE(weft_out({"list"}).find("Wang 2019, Figure 1"), std::string::npos);
}

TEST_F(RunCommand, AFullDiskOnStandardOutputIsReported) {
  for (const char* command : {"weft list", "weft list --json", "weft data", "weft --help"}) {
    EXPECT_EQ(shell(std::string(command) + " > /dev/full 2> err"), 1) << command;
    EXPECT_NE(text("err").find("weft-papers: standard output"), std::string::npos) << text("err");
  }
}

TEST_F(RunCommand, RunsAllThatHaveData) {
  std::string rows = "a,b,target\n";
  for (int i = 0; i < 90; ++i)
    rows += std::to_string(i % 7) + "," + std::to_string(i * i % 11) + "," + std::to_string(2 + i % 5) + "\n";
  write("abalone.csv.gz", rows);
  const Outcome outcome = weft({"run", "all", "--tiny", "--data", ".", "--out", "out", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("elss-figure-2 is left out"), std::string::npos) << outcome.err;
  const auto results = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(results.size(), 9U);
  for (const auto& result : results) EXPECT_EQ(result["unfinished"], 0);
  EXPECT_NE(text("out/all.html").find("rkhs-tables-10-11"), std::string::npos);
  const std::string again = weft_out({"run", "rkhs-figure-2", "--tiny", "--data", ".", "--out", "out"});
  EXPECT_NE(again.find("6 of 6 cells from the log"), std::string::npos) << again;
}

TEST_F(RunCommand, MistakesAreNamed) {
  expect_refused({"run"}, {"weft-papers run --help"});
  expect_refused({"fetch"}, {"'fetch'", "weft-papers --help"});
  expect_refused({"run", "no-such", "--data", "."}, {"'no-such'", "weft-papers list"});
  expect_refused({"run", "rkhs-figure-2"}, {"--data", "$WEFT_DATA"});
  expect_refused({"run", "rkhs-figure-2", "--data", "."}, {"abalone", "weft-papers data"});
  expect_refused({"run", "all", "--data", "nowhere"}, {"nowhere", "not a folder"});
  expect_refused({"run", "rkhs-figure-2", "--data", ".", "--quick", "--full"}, {"--full"});
  expect_refused({"run", "all", "--data", ".", "--only", "seed=1"}, {"--only", "one experiment"});
}

TEST_F(RunCommand, HelpShowsExamples) {
  for (const std::string name : {"list", "run", "data", "rfm"})
    EXPECT_NE(weft_out({name, "--help"}).find("Example:\n  weft-papers " + name), std::string::npos) << name;
}

}  // namespace

}  // namespace weft::testing
