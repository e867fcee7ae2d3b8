// certify on models that train wrote.
#include <weft/certify.hpp>

#include "cli/run_weft.hpp"

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class Certify : public WeftTest {
 protected:
  Certify() {
    weft_out({"generate", "moons", "--rows", "2000", "--out", "moons.csv"});
    weft_out({"train", "moons.csv", "--target", "target", "--family", "rw-sign", "--features", "60", "--gamma", "2",
              "--lambda", "0.01", "--model", "m.weft"});
  }
};

TEST_F(Certify, JsonIsTheLibrarys) {
  const json printed = json::parse(weft_out({"certify", "m.weft", "moons.csv", "--delta", "0.1", "--json"}));
  const Data data = read(path("moons.csv"));
  const Certificate result = certify(Model::load(path("m.weft")), data, {.delta = 0.1});
  EXPECT_EQ(printed, json::parse(result.to_json()));
  EXPECT_EQ(printed["rows"], 2000);
  EXPECT_EQ(printed["delta"], 0.1);
  EXPECT_EQ(printed["loss"], "squared");
  EXPECT_TRUE(printed["notes"].empty());
  const json& best = printed["bounds"][printed["best"].get<std::size_t>()];
  EXPECT_EQ(best["radius"], "learned");
  EXPECT_FALSE(best["vacuous"]);
  EXPECT_LT(best["error"], 1.0);
  EXPECT_NEAR(best["bound"].get<double>(), printed["train_loss"].get<double>() + best["gap"].get<double>(), 1e-12);
  EXPECT_NEAR(best["relative"].get<double>() * printed["trivial_loss"].get<double>(), best["bound"], 1e-12);
  for (const json& line : printed["bounds"])
    EXPECT_TRUE(line.contains("inapplicable") ? !line.contains("bound") : line.contains("assumes")) << line;
}

TEST_F(Certify, PeopleAreToldWhatIsPromised) {
  const std::string text = weft_out({"certify", "m.weft", "moons.csv"});
  for (const char* words :
       {"Anonymous 2026, Theorem 6.2", "Dubé & Marchand 2023, Theorem 10", "exact", "paper", "learned",
        "With probability at least 95 %", "2000 rows", "expected squared loss on new rows is at most", "misclassified",
        "It assumes", "Anonymous 2026, Theorem 6.7 does not apply: the model was not fitted by sfgd"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  EXPECT_EQ(text.find("vacuous"), std::string::npos);
}

TEST_F(Certify, VacuousBoundsAreCalledSo) {
  weft_out({"generate", "friedman1", "--rows", "100", "--out", "f.csv"});
  weft_out({"train", "f.csv", "--target", "target", "--features", "40", "--model", "f.weft"});
  EXPECT_NE(weft_out({"certify", "f.weft", "f.csv"}).find("vacuous"), std::string::npos);
}

TEST_F(Certify, OneTheoremAtATime) {
  const json one = json::parse(weft_out({"certify", "m.weft", "moons.csv", "--bound", "6.5", "--json"}));
  ASSERT_EQ(one["bounds"].size(), 2u);
  EXPECT_EQ(one["bounds"][0]["name"], "Anonymous 2026, Theorem 6.5");
  expect_refused({"certify", "m.weft", "moons.csv", "--bound", "6.7"}, {"--bound:", "not fitted by sfgd"});
  expect_refused({"certify", "m.weft", "moons.csv", "--bound", "8"}, {"--bound:", "--original"});
  expect_refused({"certify", "m.weft", "moons.csv", "--bound", "7"}, {"--bound:", "6.2"});
}

TEST_F(Certify, TheOriginalIsAModelFile) {
  const json same =
      json::parse(weft_out({"certify", "m.weft", "moons.csv", "--original", "m.weft", "--bound", "8", "--json"}));
  EXPECT_EQ(same["norms"]["to_original"][0], 0.0);
  EXPECT_EQ(same["bounds"][0]["bound"], 0.0);
  expect_refused({"certify", "m.weft", "moons.csv", "--original", "none.weft"}, {"none.weft"});
  expect_refused({"certify", "m.weft", "moons.csv", "--original", "moons.csv"}, {"moons.csv"});
}

TEST_F(Certify, OtherRowsAreNoted) {
  weft_out({"generate", "moons", "--rows", "300", "--seed", "9", "--out", "other.csv"});
  EXPECT_NE(weft_out({"certify", "m.weft", "other.csv"}).find("Note: the model was fitted on 2000 rows"),
            std::string::npos);
}

TEST_F(Certify, BadInput) {
  expect_refused({"certify", "none.weft", "moons.csv"}, {"none.weft"});
  expect_refused({"certify", "m.weft", "none.csv"}, {"none.csv"});
  for (const char* delta : {"0", "1", "-0.5"})
    expect_refused({"certify", "m.weft", "moons.csv", "--delta", delta}, {"--delta:"});
  write("unlabelled.csv", "x0,x1\n0.5,1\n");
  expect_refused({"certify", "m.weft", "unlabelled.csv"}, {"unlabelled.csv", "target"});
  expect_refused({"certify", "m.weft", "moons.csv", "--weights", "x0"}, {"--weights:", "leave it out"});
  expect_refused({"certify", "m.weft", "-"}, {"standard input", "only once"}, path("moons.csv"));
}

}  // namespace

}  // namespace weft::testing
