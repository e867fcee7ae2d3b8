#include "reproduction.hpp"

#include <weft/error.hpp>

#include "catalogue.hpp"
#include "expected.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <set>
#include <sstream>

namespace weft::papers {
namespace {

using detail::TemporaryFolder;

class Reproduce : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream file(folder_.file("wine.csv.gz"));  // read by its content, which is plain text
    file << "a,b,target\n";
    for (int i = 0; i < 80; ++i) file << i % 7 << ',' << (i * i) % 11 << ',' << 1 + i % 3 << '\n';
  }

  ReproduceOptions options() const {
    ReproduceOptions options;
    options.data = folder_.path();
    options.out = folder_.file("out");
    return options;
  }
  std::string contents(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_.path() / "out" / name).rdbuf();
    return text.str();
  }

  const TemporaryFolder folder_;
};

TEST_F(Reproduce, RunsWhatIsThereAndGoesOnFromItsLog) {
  const Reproduction first = reproduce("rkhs-tables-10-11", options());
  EXPECT_EQ(first.cells, 16);  // under either protocol
  EXPECT_EQ(first.resumed, 0);
  EXPECT_EQ(first.missing.size(), 12U);
  EXPECT_EQ(first.better + first.matches + first.worse, 8);
  EXPECT_NE(contents("rkhs-tables-10-11.html").find("rw-exp-relu"), std::string::npos);
  EXPECT_NE(contents("rkhs-tables-10-11.md").find("| wine | rw-sign |"), std::string::npos);
  EXPECT_NE(contents("rkhs-tables-10-11.html").find("weft-papers run rkhs-tables-10-11 --quick"), std::string::npos);
  EXPECT_EQ(combined_report({first}).facts.front().second, "weft-papers run all --quick --data DIR --out DIR");
  const Reproduction second = reproduce("rkhs-tables-10-11", options());
  EXPECT_EQ(second.resumed, 16);
  EXPECT_EQ(second.report.sections.front().tables.front().rows.front()[2].text,
            first.report.sections.front().tables.front().rows.front()[2].text);
}

TEST_F(Reproduce, KeepsFinishedCellsWhenItIsStopped) {
  std::atomic<bool> stop{false};
  weft::Run run;
  run.cancel = &stop;
  run.threads = 1;  // with more of them, cells that are nearly done are finished too
  run.on_progress = [&](const Progress& progress) { stop = progress.done >= 3; };
  EXPECT_THROW(reproduce("rkhs-tables-10-11", options(), run), Error);
  const Reproduction rest = reproduce("rkhs-tables-10-11", options());
  EXPECT_EQ(rest.resumed, 3);
  EXPECT_EQ(rest.cells, 16);
}

TEST_F(Reproduce, ACellThatFailsIsRecordedAndTriedAgain) {
  std::ofstream(folder_.file("diabetes.csv.gz")) << "a,b,target\n1,2,three\n4,5,six\n";  // no numbers to predict
  const Reproduction first = reproduce("rkhs-tables-10-11", options());
  EXPECT_EQ(first.cells, 32);
  ASSERT_EQ(first.failed.size(), 16U);
  EXPECT_EQ(first.unfinished, 0);
  EXPECT_EQ(first.better + first.matches + first.worse, 8);  // those of wine
  EXPECT_EQ(first.failed.front().key.at("set"), "diabetes");
  EXPECT_NE(contents("rkhs-tables-10-11.md").find("What failed"), std::string::npos);
  EXPECT_NE(contents("rkhs-tables-10-11.md").find(first.failed.front().values.at("failure").get<std::string>()),
            std::string::npos);
  const Reproduction again = reproduce("rkhs-tables-10-11", options());
  EXPECT_EQ(again.resumed, 16);
  EXPECT_EQ(again.failed.size(), 16U);
  std::filesystem::remove(folder_.file("wine.csv.gz"));
  EXPECT_THROW(reproduce("rkhs-tables-10-11", options()), Error);  // nothing is left to show
}

TEST_F(Reproduce, BeginsNoCellAfterItsTimeAndShowsWhatIsFinished) {
  weft::Run run;
  run.threads = 1;
  run.max_seconds = 1e-9;
  EXPECT_THROW(reproduce("rkhs-tables-10-11", options(), run), Error);  // nothing to show
  std::atomic<bool> stop{false};
  weft::Run first;
  first.cancel = &stop;
  first.threads = 1;
  first.on_progress = [&](const Progress& progress) { stop = progress.done >= 2; };
  EXPECT_THROW(reproduce("rkhs-tables-10-11", options(), first), Error);
  const Reproduction part = reproduce("rkhs-tables-10-11", options(), run);
  EXPECT_EQ(part.unfinished, 14);
  EXPECT_EQ(part.report.sections.front().tables.front().rows.size(), 1U);  // one family under either protocol
  EXPECT_EQ(reproduce("rkhs-tables-10-11", options()).unfinished, 0);
}

TEST_F(Reproduce, GivesTheSameValuesHoweverManyCellsRunAtOnce) {
  weft::Run run;
  run.threads = 1;
  reproduce("rkhs-tables-10-11", options(), run);
  const auto results = [&] {
    std::map<std::string, Json> values;
    std::istringstream lines(contents("rkhs-tables-10-11.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      Json cell = Json::parse(line);
      for (const char* time : {"seconds", "fit_seconds"}) cell["values"].erase(time);
      values[cell["key"].dump()] = cell["values"];
    }
    return values;
  };
  const auto one = results();
  std::filesystem::remove_all(folder_.path() / "out");
  run.threads = 3;
  reproduce("rkhs-tables-10-11", options(), run);
  EXPECT_EQ(one.size(), 16U);
  EXPECT_EQ(one, results());
}

TEST_F(Reproduce, APartIsRunAndShownAndIsPartOfTheWhole) {
  ReproduceOptions part = options();
  part.only = "protocol=paper,set=wine,seed=1,family=rw-sign";
  const Reproduction one = reproduce("rkhs-tables-10-11", part);
  EXPECT_EQ(one.cells, 1);
  EXPECT_EQ(one.report.facts.front().second,
            "weft-papers run rkhs-tables-10-11 --quick --only " + part.only + " --data DIR --out DIR");
  part.only = "protocol=paper";
  const Reproduction paper = reproduce("rkhs-tables-10-11", part);
  EXPECT_EQ(paper.cells, 8);
  EXPECT_EQ(paper.resumed, 1);
  EXPECT_EQ(paper.better + paper.matches + paper.worse, 8);
  EXPECT_EQ(reproduce("rkhs-tables-10-11", options()).resumed, 8);
  for (const char* wrong : {"protocol", "protocol=their", "seed=2", "no-such=1"}) {
    part.only = wrong;
    EXPECT_THROW(reproduce("rkhs-tables-10-11", part), Error) << wrong;
  }
}

TEST_F(Reproduce, SaysWhatIsWrong) {
  EXPECT_THROW(reproduce("no-such", options()), Error);
  ReproduceOptions nowhere = options();
  nowhere.data = folder_.file("nowhere");
  EXPECT_THROW(reproduce("rkhs-tables-10-11", nowhere), Error);
  EXPECT_THROW(reproduce("elss-figure-2", options()), Error);  // none of its sets is there
}

TEST(Experiments, HaveDifferentNamesAndSources) {
  std::set<std::string> names;
  for (const ExperimentInfo& info : experiments()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.data.empty()) << info.name;
    for (const std::string& set : info.data) EXPECT_NO_THROW(find_data_set(set)) << info.name << " uses " << set;
  }
}

TEST(Expected, HoldsThePapersTables) {
  const auto table = expected_table("rkhs_vs_rks_classification");
  EXPECT_EQ(table.size(), 35U);
  const ExpectedRow* row = find_row(table, {{"dataset", "adults"}, {"instantiation", "RWSign"}});
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(number_in(*row, "test_error_rw"), 0.220);
  EXPECT_EQ(number_in(*row, "gap_bound_th62_rw"), std::nullopt);  // ">1e3"
  EXPECT_EQ(find_row(table, {{"dataset", "none"}}), nullptr);
}

TEST(Expected, ComparesInUnitsOfTheDeviation) {
  const Expected theirs{0.2, 0.01};
  EXPECT_NEAR(deviations_from(theirs, 0.22), 2, 1e-12);
  EXPECT_EQ(verdict_of(theirs, 0.219), "matches");
  EXPECT_EQ(verdict_of(theirs, 0.225), "worse");
  EXPECT_EQ(verdict_of(theirs, 0.225, true), "better");
  EXPECT_EQ(verdict_of(theirs, 0.17), "better");
  EXPECT_EQ(verdict_of({0.2, 0}, 0.2004), "matches");  // within the rounding of what is printed
}

}  // namespace
}  // namespace weft::papers
