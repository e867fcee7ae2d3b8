#include <weft/content_id.hpp>

#include "cli/run_weft.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class Resume : public WeftTest {
 protected:
  json train(Words arguments, const Words& more) const {
    arguments.insert(arguments.begin(), "train");
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.push_back("--json");
    return json::parse(weft_out(arguments));
  }

  /// Until the file is there; false when the command ended before.
  bool wait_for(const Child& child, const std::string& name) const {
    while (child.running()) {
      if (std::filesystem::exists(path(name))) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
};

TEST_F(Resume, FunctionalGradientAfterTheTimeBudget) {
  weft_out({"generate", "friedman1", "--rows", "500", "--out", "numbers.csv"});
  const Words job = {"numbers.csv", "--target", "target", "--fit", "sfgd", "--lambda", "0.05", "--features", "1200"};
  EXPECT_EQ(train(job, {"--model", "whole.weft"})["report"]["stopped"], "all features used");
  const json part = train(job, {"--model", "part.weft", "--checkpoint", "state", "--max-time", "1e-6"});
  EXPECT_EQ(part["report"]["stopped"], "time budget");
  EXPECT_LT(part["report"]["steps"], 1200);
  EXPECT_EQ(train(job, {"--model", "resumed.weft", "--checkpoint", "state", "--resume"})["report"]["steps"], 1200);
  const Model whole = Model::load(path("whole.weft"));
  const Model resumed = Model::load(path("resumed.weft"));
  EXPECT_EQ(rows_of(whole.parts().coefficients), rows_of(resumed.parts().coefficients));
  EXPECT_EQ(whole.parts().intercepts, resumed.parts().intercepts);
  EXPECT_EQ(content_id(whole), content_id(resumed));
  EXPECT_NE(rows_of(whole.parts().coefficients), rows_of(Model::load(path("part.weft")).parts().coefficients));
}

TEST_F(Resume, LogisticAfterAnInterrupt) {
  weft_out({"generate", "moons", "--rows", "20000", "--noise", "0.4", "--out", "classes.csv"});
  const Words job = {"classes.csv", "--target", "-1",       "--task", "classification", "--fit", "logistic",
                     "--features",  "200",      "--lambda", "1e-6",   "--tolerance",    "1e-12"};
  const json whole = train(job, {});
  EXPECT_EQ(whole["report"]["stopped"], "converged");
  Words first = job;
  first.insert(first.begin(), "train");
  first.insert(first.end(), {"--checkpoint", "state"});
  Child child(folder(), first);
  ASSERT_TRUE(wait_for(child, "state")) << "the job was over before it could be stopped";
  child.send(SIGINT);
  EXPECT_EQ(child.wait().exit_code, 130);
  const json resumed = train(job, {"--checkpoint", "state", "--resume"});
  EXPECT_EQ(resumed["report"]["stopped"], "converged");
  EXPECT_NEAR(resumed["report"]["objective"], whole["report"]["objective"].get<double>(), 1e-9);
  write("state", "not a checkpoint");  // it is read indeed
  first.push_back("--resume");
  expect_refused(first, {"state"});
}

TEST_F(Resume, NeedsACheckpointOfAFitThatKeepsOne) {
  weft_out({"generate", "friedman1", "--rows", "100", "--out", "numbers.csv"});
  expect_refused({"train", "numbers.csv", "--target", "target", "--fit", "sfgd", "--resume"},
                 {"--resume:", "--checkpoint"});
  expect_refused({"train", "numbers.csv", "--target", "target", "--checkpoint", "state"},
                 {"--checkpoint:", "least-squares", "sfgd or optimal-step or logistic"});
}

}  // namespace

}  // namespace weft::testing
