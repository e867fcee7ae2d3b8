// Kernel machines on the command line: the same model file, predict, evaluate and info as every other fit.
#include "cli/run_weft.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class KernelCommand : public WeftTest {
 protected:
  KernelCommand() { weft_out({"generate", "moons", "--rows", "300", "--noise", "0.2", "--out", "moons.csv"}); }

  json train(Words options) const {
    Words command = {"train",        "moons.csv", "--target", "target", "--fit",
                     "kernel-ridge", "--model",   "m.weft",   "--json"};
    command.insert(command.end(), options.begin(), options.end());
    return json::parse(weft_out(command));
  }
};

TEST_F(KernelCommand, TrainsSavesEvaluatesAndPredicts) {
  for (const Words& options :
       std::vector<Words>{{"--kernel", "rbf"},
                          {"--kernel", "laplace", "--bandwidth", "median", "--lambda", "1e-3"},
                          {"--kernel", "laplace-l2", "--exponent", "0.7"},
                          {"--kernel", "implicit:rw-sign", "--theta", "0.3"},
                          {"--kernel", "angular", "--no-intercept"},
                          {"--landmarks", "60"},
                          {"--landmarks", "60", "--solver", "cg", "--landmark-sampling", "leverage"},
                          {"--landmarks", "60", "--landmark-sampling", "pivoted"}}) {
    SCOPED_TRACE(options[1]);
    const json trained = train(options);
    EXPECT_LT(trained["train"]["error"], 0.15);
    const json evaluated = json::parse(weft_out({"evaluate", "m.weft", "moons.csv", "--json"}));
    EXPECT_EQ(evaluated["error"], trained["train"]["error"]);
    weft_out({"predict", "m.weft", "moons.csv", "--out", "p.csv"});
    const json info = json::parse(weft_out({"info", "m.weft", "--json"}));
    EXPECT_EQ(info["kernel"]["landmarks"], options[0] == "--landmarks" ? 60 : 300);
    if (options.size() > 2 && options[2] == "--exponent") {
      EXPECT_EQ(info["kernel"]["exponent"], 0.7);
    }
    EXPECT_GT(info["norms"]["rkhs"][0], 0);
    weft_out({"info", "m.weft"});
  }
}

TEST_F(KernelCommand, CalibratedProbabilitiesComeFromLeftOutScores) {
  train({"--calibrate"});
  weft_out({"predict", "m.weft", "moons.csv", "--proba", "--out", "p.csv"});
  EXPECT_NE(text("p.csv").find(','), std::string::npos);
}

TEST_F(KernelCommand, MistakesAreRefused) {
  const auto refused = [&](Words options, const Words& words) {
    Words command = {"train", "moons.csv", "--target", "target", "--fit", "kernel-ridge"};
    command.insert(command.end(), options.begin(), options.end());
    expect_refused(command, words);
  };
  refused({"--kernel", "gauss"}, {"--kernel", "gauss", "rbf"});
  refused({"--kernel", "implicit:rw-none"}, {"--kernel", "'none'"});
  refused({"--bandwidth", "wide"}, {"--bandwidth", "wide", "median"});
  refused({"--bandwidth", "-1"}, {"--bandwidth"});
  refused({"--kernel", "angular", "--bandwidth", "2"}, {"--bandwidth", "angular"});
  refused({"--exponent", "0.7"}, {"--exponent", "rbf"});
  refused({"--kernel", "laplace", "--exponent", "2.5"}, {"--exponent", "at least 0.1 and at most 2"});
  refused({"--family", "rw-sign"}, {"--family", "--kernel implicit:rw-sign"});
  refused({"--features", "10"}, {"--features", "--landmarks"});
  refused({"--sigma", "2"}, {"--sigma", "implicit"});
  refused({"--regularizer", "ridge"}, {"--regularizer", "least-squares"});
  refused({"--solver", "cg"}, {"--solver", "--landmarks"});
  refused({"--landmarks", "20", "--solver", "sgd"}, {"--solver", "direct, cg"});
  refused({"--landmark-sampling", "leverage"}, {"--landmark-sampling", "--landmarks"});
  refused({"--landmarks", "20", "--tolerance", "1e-3"}, {"--tolerance", "--solver cg"});
  refused({"--landmarks", "20", "--solver", "cg", "--calibrate"}, {"--calibrate", "direct"});
  refused({"--lambda", "0"}, {"--lambda", "greater than 0"});
  refused({"--lambda", "-1"}, {"--lambda", "greater than 0"});
  refused({"--max-memory", "1M"}, {"300 rows", "2 MiB", "--max-memory has 1 MiB", "more memory"});
  refused({"--max-memory", "2000K"}, {"300 rows", "--max-memory has 2 MiB", "--landmarks up to 100 fit"});
  refused({"--landmarks", "290", "--max-memory", "1M"}, {"290 landmarks", "--landmarks"});
  expect_refused({"train", "moons.csv", "--target", "target", "--kernel", "laplace"}, {"--kernel", "kernel-ridge"});
}

TEST_F(KernelCommand, WritesKernelsOfEveryName) {
  write("a.csv", "p,q\n0,0\n1,2\n");
  const auto value = [&](Words options) {
    Words command = {"kernel", "a.csv", "a.csv"};
    command.insert(command.end(), options.begin(), options.end());
    return csv_numbers(weft_out(command))[0][1];
  };
  EXPECT_NEAR(value({"--kernel", "rbf", "--bandwidth", "2"}), std::exp(-5.0 / 8), 1e-15);
  EXPECT_NEAR(value({"--kernel", "laplace", "--bandwidth", "2"}), std::exp(-1.5), 1e-15);
  EXPECT_NEAR(value({"--kernel", "laplace", "--bandwidth", "2", "--exponent", "2"}), std::exp(-2.25), 1e-15);
  EXPECT_NEAR(value({"--kernel", "laplace-l2", "--bandwidth", "2"}), std::exp(-std::sqrt(5.0) / 2), 1e-15);
  EXPECT_EQ(value({"--kernel", "implicit:rw-relu", "--gamma", "2"}), value({"--family", "rw-relu", "--gamma", "2"}));
  expect_refused({"kernel", "a.csv", "a.csv", "--kernel", "rbf"}, {"--bandwidth"});
  expect_refused({"kernel", "a.csv", "a.csv", "--kernel", "rbf", "--bandwidth", "1", "--exponent", "1"},
                 {"--exponent"});
  expect_refused({"kernel", "a.csv", "a.csv", "--kernel", "angular", "--bandwidth", "1"}, {"--bandwidth"});
}

}  // namespace

}  // namespace weft::testing
