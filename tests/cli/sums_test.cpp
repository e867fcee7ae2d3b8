// plan, sums, merge and solve as a user runs them.
#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace weft::testing {

namespace {

using nlohmann::json;

class SumsCommands : public WeftTest {
 protected:
  SumsCommands() {
    weft_out({"generate", "friedman1", "--rows", "3000", "--out", "all.csv"});
    const std::string all = text("all.csv");
    const std::size_t header = all.find('\n') + 1;
    std::size_t at = header;
    for (const auto& [name, rows] : {std::pair("a.csv", 1000), std::pair("b.csv", 500), std::pair("c.csv", 1500)}) {
      const std::size_t first = at;
      for (int i = 0; i < rows; ++i) at = all.find('\n', at) + 1;
      write(name, all.substr(0, header) + all.substr(first, at - first));
    }
  }
  void plan(Words more = {}) const {
    Words words = {"plan", "a.csv", "b.csv", "c.csv", "--target", "target", "--features", "50", "--out", "plan.weft"};
    words.insert(words.end(), more.begin(), more.end());
    weft_out(words);
  }
  void sum(const std::string& part) const {
    weft_out({"sums", part + ".csv", "--plan", "plan.weft", "--out", part + ".sums"});
  }
};

TEST_F(SumsCommands, GiveTheModelOfTheWholeTable) {
  plan();
  for (const char* part : {"c", "a", "b"}) sum(part);
  const json merged = json::parse(weft_out({"merge", "c.sums", "a.sums", "--out", "ca.sums", "--json"}));
  EXPECT_EQ(merged["rows"], 2500);
  EXPECT_EQ(merged["missing"][0]["name"], "b.csv");
  const std::string said = weft_out({"merge", "ca.sums", "b.sums", "--out", "all.sums"});
  EXPECT_NE(said.find("3000 of 3000 rows, 3 of 3 parts"), std::string::npos) << said;
  const json solved = json::parse(weft_out({"solve", "all.sums", "--model", "m.weft", "--json"}));
  EXPECT_EQ(solved["provenance"]["rows"], "3000");
  weft_out({"train", "all.csv", "--target", "target", "--fast", "--features", "50", "--model", "whole.weft"});
  const auto one = csv_numbers(weft_out({"predict", "m.weft", "all.csv", "--interval", "0.9"}));
  const auto other = csv_numbers(weft_out({"predict", "whole.weft", "all.csv", "--interval", "0.9"}));
  ASSERT_EQ(one.size(), 3000u);
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t k = 0; k < one[i].size(); ++k) ASSERT_NEAR(one[i][k], other[i][k], 1e-8) << i;
  // Another λ without another sum, from files that are merged on the way.
  weft_out({"solve", "a.sums", "b.sums", "c.sums", "--lambda", "10", "--model", "smooth.weft"});
  EXPECT_EQ(json::parse(weft_out({"info", "smooth.weft", "--json"}))["report"]["lambda"], 10);
}

TEST_F(SumsCommands, InfoDescribesTheFiles) {
  plan();
  sum("b");
  weft_out({"plan", "c.csv", "--target", "target", "--statistics", "--first-row", "1500", "--out", "c.stats"});
  const std::string of_plan = weft_out({"info", "plan.weft"});
  for (const char* expected : {"plan\n", "least-squares", "3: a.csv, b.csv, c.csv", "chosen on held-out rows"})
    EXPECT_NE(of_plan.find(expected), std::string::npos) << of_plan;
  const std::string of_sums = weft_out({"info", "b.sums"});
  for (const char* expected : {"sums\n", "1: b.csv", "2: a.csv, c.csv", "least-squares"})
    EXPECT_NE(of_sums.find(expected), std::string::npos) << of_sums;
  EXPECT_EQ(json::parse(weft_out({"info", "b.sums", "--json"}))["rows"], 500);
  EXPECT_EQ(json::parse(weft_out({"info", "plan.weft", "--json"}))["features"], 50);
  EXPECT_EQ(json::parse(weft_out({"info", "c.stats", "--json"}))["first_row"], 1500);
  EXPECT_NE(weft_out({"info", "c.stats"}).find("first row        1500"), std::string::npos);
}

TEST_F(SumsCommands, PartsHaveNoNamesAndStatisticsTakeTheirPlace) {
  const Words gather = {"plan", "--target", "target", "--statistics"};
  const auto statistics = [&](const std::string& part, const std::string& first) {
    Words words = gather;
    words.insert(words.end(), {part + ".csv", "--first-row", first, "--out", part + ".stats", "--json"});
    return json::parse(weft_out(words));
  };
  EXPECT_EQ(statistics("a", "0")["rows"], 1000);
  statistics("b", "1000");
  statistics("c", "1500");
  plan();
  weft_out({"plan", "c.stats", "a.stats", "b.stats", "--features", "50", "--out", "same.weft"});
  EXPECT_EQ(text("same.weft"), text("plan.weft"));
  write("moved.csv", text("b.csv"));
  const json sums = json::parse(weft_out({"sums", "moved.csv", "--plan", "same.weft", "--out", "b.sums", "--json"}));
  EXPECT_EQ(sums["parts"][0]["name"], "b.csv");
  EXPECT_EQ(sums["parts"][0]["first_row"], 1000);
  expect_refused({"plan", "a.stats", "c.stats", "--out", "x.weft"}, {"c.csv", "rows 1000 to 1499 are in no part"});
  expect_refused({"plan", "a.stats", "a.stats", "--out", "x.weft"}, {"a.csv", "--first-row"});
  expect_refused({"plan", "a.stats", "b.csv", "--out", "x.weft"}, {"cannot be mixed"});
  expect_refused({"plan", "a.stats", "--scale", "none", "--out", "x.weft"}, {"--scale", "gather them again"});
  expect_refused({"plan", "a.stats", "--fit", "kernel-ridge", "--landmarks", "20", "--out", "x.weft"},
                 {"--landmarks", "name the tables"});
  expect_refused({"plan", "a.csv", "--target", "target", "--first-row", "5", "--out", "x.weft"}, {"--statistics"});
}

TEST_F(SumsCommands, HoldOutWhatTrainHoldsOut) {
  // Groups of the last input, cut into 40 texts, which are spread over all parts.
  const auto grouped = [&](const std::string& name) {
    std::istringstream lines(text(name));
    std::string out, line;
    std::getline(lines, line);
    out = line + ",shop\n";
    while (std::getline(lines, line)) {
      const std::size_t last = line.rfind(',', line.rfind(',') - 1) + 1;
      out += line + ",s" + std::to_string(static_cast<int>(40 * std::stod(line.substr(last)))) + "\n";
    }
    write(name, out);
  };
  for (const char* name : {"a.csv", "b.csv", "c.csv", "all.csv"}) grouped(name);
  plan({"--group", "shop"});
  const std::string words = "rows of the same shop stay together (40 groups)";
  EXPECT_NE(weft_out({"info", "plan.weft"}).find(words), std::string::npos);
  EXPECT_EQ(json::parse(weft_out({"info", "plan.weft", "--json"}))["validation"], words);
  for (const char* part : {"c", "a", "b"}) sum(part);
  weft_out({"solve", "a.sums", "b.sums", "c.sums", "--model", "m.weft"});
  weft_out(
      {"train", "all.csv", "--target", "target", "--fast", "--features", "50", "--group", "shop", "--model", "w.weft"});
  const auto one = csv_numbers(weft_out({"predict", "m.weft", "all.csv"}));
  const auto other = csv_numbers(weft_out({"predict", "w.weft", "all.csv"}));
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i][0], other[i][0], 1e-7) << i;
  const json of_sums = json::parse(weft_out({"info", "m.weft", "--json"}));
  const json of_train = json::parse(weft_out({"info", "w.weft", "--json"}));
  EXPECT_EQ(of_sums["report"]["validation"], of_train["report"]["validation"]);
  EXPECT_NEAR(of_sums["report"]["held_out_error"].get<double>() / of_train["report"]["held_out_error"].get<double>(), 1,
              1e-8);

  const auto gather = [&](const std::string& part, const std::string& first) {
    weft_out({"plan", part + ".csv", "--target", "target", "--group", "shop", "--statistics", "--first-row", first,
              "--out", part + ".stats"});
  };
  gather("a", "0");
  gather("b", "1000");
  gather("c", "1500");
  weft_out({"plan", "c.stats", "a.stats", "b.stats", "--features", "50", "--out", "same.weft"});
  EXPECT_EQ(text("same.weft"), text("plan.weft"));
  expect_refused({"plan", "a.stats", "b.stats", "c.stats", "--time", "x0", "--out", "x.weft"},
                 {"--time", "gather them again"});
  expect_refused({"plan", "a.csv", "--target", "target", "--group", "nothing", "--out", "x.weft"},
                 {"--group", "nothing"});
  expect_refused({"plan", "a.csv", "--target", "target", "--group", "shop", "--time", "x0", "--out", "x.weft"},
                 {"--time"});
}

TEST_F(SumsCommands, MistakesAreNamed) {
  plan();
  sum("a");
  sum("b");
  write("other.csv", text("a.csv") + "0,0,0,0,0,0,0,0,0,0,1\n");
  write("cut.sums", text("a.sums").substr(0, 5000));
  weft_out({"plan", "a.csv", "--target", "target", "--features", "50", "--seed", "2", "--out", "second.weft"});
  weft_out({"sums", "a.csv", "--plan", "second.weft", "--out", "second.sums"});
  expect_refused({"merge", "a.sums", "a.sums", "--out", "x.sums"}, {"a.sums", "a.csv are in both"});
  expect_refused({"merge", "a.sums", "second.sums", "--out", "x.sums"}, {"second.sums", "another plan"});
  expect_refused({"merge", "a.sums", "cut.sums", "--out", "x.sums"}, {"cut.sums", "damaged"});
  expect_refused({"merge", "a.sums", "b.sums", "--out", "b.sums"}, {"--out", "b.sums"});
  expect_refused({"merge", "a.sums", "plan.weft", "--out", "x.sums"}, {"plan.weft", "weft plan"});
  expect_refused({"merge", "a.sums", "a.csv", "--out", "x.sums"}, {"a.csv", "not a weft sums"});
  expect_refused({"sums", "other.csv", "--plan", "plan.weft", "--out", "x.sums"}, {"other.csv", "none of the 3 parts"});
  expect_refused({"sums", "a.csv", "--plan", "a.sums", "--out", "x.sums"}, {"a.sums", "weft sums"});
  expect_refused({"solve", "a.sums", "b.sums", "--model", "x.weft"}, {"c.csv", "--allow-missing"});
  expect_refused({"solve", "a.sums", "--lambda", "-1", "--model", "x.weft"}, {"--lambda"});
  expect_refused({"plan", "a.csv", "--target", "target", "--fit", "portfolio", "--out", "x.weft"},
                 {"--fit", "least-squares"});
  expect_refused({"plan", "a.csv", "a.csv", "--target", "target", "--out", "x.weft"}, {"same rows", "a.csv"});
  expect_refused({"plan", "a.csv", "--out", "x.weft"}, {"--target"});
  write("a.csv", text("a.csv") + "0,0,0,0,0,0,0,0,0,0,1\n");
  expect_refused({"sums", "a.csv", "--plan", "plan.weft", "--out", "x.sums"}, {"a.csv", "1000 rows then, 1001 now"});
  const Outcome partial = weft({"solve", "a.sums", "b.sums", "--allow-missing", "--model", "p.weft"});
  EXPECT_EQ(partial.exit_code, 0) << partial.err;
  EXPECT_NE(partial.out.find("1500 of 3000 rows"), std::string::npos) << partial.out;
}

TEST_F(SumsCommands, ACommandThatIsStoppedWritesNothing) {
  weft_out({"generate", "friedman1", "--rows", "200000", "--out", "large.csv"});
  weft_out({"plan", "large.csv", "--target", "target", "--features", "1000", "--out", "plan.weft"});
  const Words before = listing();
  Child child(folder(), {"sums", "large.csv", "--plan", "plan.weft", "--out", "large.sums"});
  ::usleep(300000);
  ASSERT_TRUE(child.running());
  child.send(SIGINT);
  EXPECT_NE(child.wait().exit_code, 0);
  EXPECT_EQ(listing(), before);
  Child killed(folder(), {"sums", "large.csv", "--plan", "plan.weft", "--out", "large.sums"});
  ::usleep(300000);
  killed.send(SIGKILL);
  killed.wait();
  EXPECT_FALSE(std::filesystem::exists(path("large.sums")));
}

TEST_F(SumsCommands, ClassesOfRowsWithTargetsAndTheirProbabilities) {
  const auto write_table = [&](const std::string& name, int first, int count, bool header = true) {
    std::string rows = header ? "kind,x,label\n" : "";
    for (int i = first; i < first + count; ++i)
      rows += std::string(i % 3 == 0 ? "red" : "blue") + "," + std::to_string(i * 37 % 101) + "," +
              (i % 29 == 5                           ? ""
               : (i * 37 % 101 > 50) == (i % 3 == 0) ? "yes"
                                                     : "no") +
              "\n";
    return write(name, rows);
  };
  write_table("p.csv", 0, 400);
  write_table("q.csv", 400, 600);
  write_table("pq.csv", 0, 1000);
  const auto ok = [&](const Words& words) { EXPECT_EQ(weft(words).exit_code, 0) << weft(words).err; };
  ok({"plan", "p.csv", "q.csv", "--target", "label", "--features", "40", "--lambda", "0.001", "--out", "plan.weft"});
  ok({"sums", "p.csv", "--plan", "plan.weft", "--out", "p.sums"});
  ok({"sums", "q.csv", "--plan", "plan.weft", "--out", "q.sums"});
  ok({"solve", "q.sums", "p.sums", "--model", "m.weft"});
  ok({"train", "pq.csv", "--target", "label", "--features", "40", "--lambda", "0.001", "--model", "whole.weft"});
  ok({"predict", "m.weft", "pq.csv", "--proba", "--out", "one.csv"});
  ok({"predict", "whole.weft", "pq.csv", "--proba", "--out", "other.csv"});
  std::istringstream one(text("one.csv")), other(text("other.csv"));
  for (std::string a, b; std::getline(one, a) && std::getline(other, b);) {
    ASSERT_EQ(a.substr(0, a.find(',')), b.substr(0, b.find(',')));
    if (a.find("yes,") != 0 && a.find("no,") != 0) continue;
    EXPECT_NEAR(std::stod(a.substr(a.find(',') + 1)), std::stod(b.substr(b.find(',') + 1)), 1e-9);
  }
}

}  // namespace
}  // namespace weft::testing
