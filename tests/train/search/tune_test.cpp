#include <weft/tune.hpp>

#include "temporary_folder.hpp"
#include "train/search/search_space.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace weft {
namespace {

Data moons(Index rows = 400) {
  return generate("moons", {.rows = rows, .seed = 3, .noise = 0.2});
}

FamilyOptions tuned_family(const std::string& name) {
  FamilyOptions options;
  options.family = name;
  options.features = 40;
  return options;
}

TuneOptions few() {
  TuneOptions options;
  options.configurations = 6;
  options.lambdas = 5;
  return options;
}

std::string temporary(const char* name) {
  static const TemporaryFolder folder;
  std::filesystem::remove(folder.path() / name);
  return folder.file(name);
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_same(const TuneResult& a, const TuneResult& b) {
  ASSERT_EQ(a.trials.size(), b.trials.size());
  EXPECT_EQ(a.best, b.best);
  for (std::size_t k = 0; k < a.trials.size(); ++k) {
    EXPECT_EQ(a.trials[k].number, b.trials[k].number);
    EXPECT_EQ(a.trials[k].family.sigma, b.trials[k].family.sigma);
    EXPECT_EQ(a.trials[k].bandwidth, b.trials[k].bandwidth);
    EXPECT_EQ(a.trials[k].fold_scores, b.trials[k].fold_scores);
    EXPECT_EQ(a.trials[k].lambda, b.trials[k].lambda);
  }
  EXPECT_EQ(a.curve.size(), b.curve.size());
  EXPECT_EQ(a.recommended, b.recommended);
  EXPECT_EQ(a.leave_one_out, b.leave_one_out);
}

TEST(Tune, WinnerHasTheBestScoreAndRefits) {
  TuneRequest request{moons(), tuned_family("rw-sign,rks-cos"), {}, {}, few()};
  const TuneResult result = tune(request);
  ASSERT_EQ(result.trials.size(), 12U);
  EXPECT_EQ(result.planned, 12);
  EXPECT_EQ(result.metric, Metric::error);
  for (const Trial& trial : result.trials) EXPECT_GE(trial.score, result.winner().score);
  const Model model = fit_winner(request, result);
  EXPECT_LT(*evaluate(model, generate("moons", {.rows = 500, .seed = 9, .noise = 0.2})).error, 0.08);
  EXPECT_EQ(model.parts().report.number("lambda"), *result.winner().lambda);
  EXPECT_EQ(model.parts().provenance.at("alternatives"), "12");
  request.options.smallest = true;
  const Model small = fit_winner(request, result);
  EXPECT_EQ(small.parts().map.features(), result.curve[result.recommended].features);
}

TEST(Tune, IsTheSameOnAnyNumberOfThreads) {
  TuneOptions options = few();
  options.metric = Metric::auc;
  for (const char* names : {"rw-relu", "rw-relu,rks-cos"}) {
    const TuneResult one = tune({moons(), tuned_family(names), {}, {}, options, {.threads = 1}});
    for (const int threads : {2, 5})  // batches of other sizes, several at a time
      expect_same(one, tune({moons(), tuned_family(names), {}, {}, options, {.threads = threads}}));
  }
}

TEST(Tune, OtherFitsAreValidatedByRefits) {
  TuneOptions options = few();
  options.configurations = 2;
  options.metric = Metric::logloss;
  FitOptions logistic;
  logistic.method = LogisticOptions{};
  const TuneResult result = tune({moons(200), tuned_family("rks-cos"), logistic, {}, options});
  EXPECT_EQ(result.trials.size(), 2U);
  EXPECT_LT(result.winner().score, 0.4);
  EXPECT_TRUE(result.curve.empty());
}

TEST(Tune, FeaturesChosenByTheRowsAreChosenInEveryFold) {
  TuneOptions options = few();
  options.configurations = 2;
  FamilyOptions sampled = tuned_family("rks-cos");
  sampled.sampling = Sampling::eerf;
  sampled.candidates = 100;
  const TuneResult result = tune({moons(200), sampled, {}, {}, options});
  EXPECT_EQ(result.trials.size(), 2U);
  EXPECT_LT(result.winner().score, 0.2);
  EXPECT_TRUE(result.curve.empty());
}

TEST(Tune, TheBalancedObjectiveIsSearchedAndItsWinnerFitted) {
  TuneOptions options = few();
  options.configurations = 3;
  const FitOptions balanced{.method = LearnedActivationOptions{.objective = LearnedObjective::balanced}};
  TuneRequest request{moons(200), tuned_family("rks-relu"), balanced, {}, options};
  const TuneResult result = tune(request);
  ASSERT_EQ(result.trials.size(), 3U);
  for (const Trial& trial : result.trials) {
    EXPECT_FALSE(trial.lambda);
    EXPECT_FALSE(trial.failed()) << trial.failure;
  }
  EXPECT_LT(result.winner().score, 0.1);
  for (const Trial& trial : result.trials) {  // each of them can be fitted, whichever wins
    FitRequest one = winner_request(request, result);
    one.family = trial.family;
    EXPECT_EQ(fit(one).parts().report.number("lambda"), 0.0);
  }
  const Model winner = fit_winner(request, result);
  EXPECT_LT(*evaluate(winner, moons(200)).error, 0.1);
}

TEST(Tune, KernelMachinesAreSearchedToo) {
  TuneOptions options = few();
  options.configurations = 3;
  TuneRequest request{moons(120), {}, {.method = KernelRidgeOptions{}}, {}, options};
  const TuneResult rbf = tune(request);
  EXPECT_EQ(rbf.trials.size(), 3U);
  EXPECT_LT(rbf.winner().score, 0.1);
  const Model machine = fit_winner(request, rbf);
  EXPECT_EQ(machine.parts().report.number("bandwidth"), rbf.winner().bandwidth);
  EXPECT_EQ(machine.parts().report.number("lambda"), rbf.winner().lambda);
  request.fit.method = KernelRidgeOptions{.kernel = "implicit:rw-sign"};
  const TuneResult limit = tune(request);
  EXPECT_EQ(limit.trials.size(), 3U);
  EXPECT_LT(*evaluate(fit_winner(request, limit), moons(120)).error, 0.1);
}

TEST(Tune, ExactKernelMachinesAreValidatedByLeavingOneOut) {
  // The fold scores are means over shares of the rows, which differ in size by one at most: their mean is the fit's
  // own.
  TuneOptions options = few();
  options.search = SearchStrategy::grid;
  options.configurations = 4;
  options.metric = Metric::mse;
  const FitOptions ridge{.method = KernelRidgeOptions{.kernel = "laplace"}};
  const Data data = generate("friedman1", {.rows = 100, .seed = 3});
  const TuneResult result = tune({data, {}, ridge, {}, options});
  ASSERT_EQ(result.trials.size(), 4U);
  for (const Trial& trial : result.trials) {
    FitOptions options_of_trial = ridge;
    options_of_trial.use<KernelRidgeOptions>().bandwidth = std::to_string(*trial.bandwidth);
    options_of_trial.lambda = trial.lambda;
    const double truth = *fit({data, {}, options_of_trial}).parts().report.number("loo_mse");
    EXPECT_NEAR(trial.score, truth, 1e-4 * truth);
    EXPECT_EQ(trial.name(), "laplace");
  }
}

TEST(Tune, KernelMachinesResumeRefuseAndCalibrate) {
  TuneOptions options = few();
  options.metric = Metric::logloss;
  options.log = temporary("kernel.jsonl");
  TuneRequest request{moons(120), {}, {.method = KernelRidgeOptions{.landmarks = 30}}, {}, options};
  const TuneResult first = tune(request);
  const TuneResult again = tune(request);
  expect_same(first, again);
  EXPECT_EQ(again.resumed, 6);
  EXPECT_EQ(again.winner().name(), "rbf");
  EXPECT_TRUE(winner_request(request, first).fit.own<KernelRidgeOptions>().calibrate);
  request.fit.use<KernelRidgeOptions>().solver = LandmarkSolver::cg;  // which has no closed form to calibrate by
  EXPECT_FALSE(winner_request(request, first).fit.own<KernelRidgeOptions>().calibrate);
  request.fit.method = KernelRidgeOptions{};
  request.options.log = "";
  request.run.max_memory = 1e5;
  EXPECT_THROW(tune(request), Error);
}

TEST(Tune, AResumedSearchEndsWhereAnUninterruptedOneDoes) {
  for (const SearchStrategy search : {SearchStrategy::random, SearchStrategy::halving}) {
    TuneOptions options = few();
    options.search = search;
    const Data data = moons(search == SearchStrategy::halving ? 1200 : 400);
    const TuneResult whole = tune({data, tuned_family("rw-sign,rw-stumps"), {}, {}, options});
    options.log = temporary("resumed.jsonl");
    std::atomic<bool> stop{false};
    int seen = 0;
    EXPECT_THROW(tune({data,
                       tuned_family("rw-sign,rw-stumps"),
                       {},
                       {},
                       options,
                       {.cancel = &stop},
                       [&](const Trial&) { stop = stop || ++seen == 5; }}),
                 Error);
    // As if the process had died while it wrote.
    std::ofstream(options.log, std::ios::app) << R"({"number":3,"family":"rw)";
    const TuneResult resumed = tune({data, tuned_family("rw-sign,rw-stumps"), {}, {}, options});
    EXPECT_GE(resumed.resumed, 5);
    expect_same(whole, resumed);
    const TuneResult again = tune({data, tuned_family("rw-sign,rw-stumps"), {}, {}, options});
    EXPECT_GE(again.resumed, again.planned);
    expect_same(whole, again);
  }
}

TEST(Tune, HalvingEvaluatesFewOnAllRows) {
  TuneOptions options = few();
  options.search = SearchStrategy::halving;
  options.configurations = 9;
  const TuneResult result = tune({moons(1200), tuned_family("rw-sign"), {}, {}, options});
  int whole = 0;
  for (const Trial& trial : result.trials) whole += trial.rows == 1 ? 1 : 0;
  EXPECT_EQ(whole, 1);
  EXPECT_EQ(result.winner().rows, 1);
}

TEST(Tune, LogsThatAreForeignOrDamagedAreRefusedAndKept) {
  TuneOptions options = few();
  options.log = temporary("log.jsonl");
  tune({moons(), tuned_family("rw-sign"), {}, {}, options});
  const std::string good = contents(options.log);
  const auto refused = [&](const FamilyOptions& asked, const std::string& what) {
    const std::string before = contents(options.log);
    try {
      tune({moons(), asked, {}, {}, options});
      ADD_FAILURE() << what;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
      EXPECT_NE(error.place().find("log.jsonl"), std::string::npos);
    }
    EXPECT_EQ(contents(options.log), before);
  };
  refused(tuned_family("rw-relu"), "another search");
  FamilyOptions seeded = tuned_family("rw-sign");
  seeded.seed = 2;
  refused(seeded, "its seed is \"1\", not \"2\"");
  std::ofstream(options.log, std::ios::binary) << good << "not json\n";
  refused(tuned_family("rw-sign"), "not a finished configuration");
  std::ofstream(options.log, std::ios::binary) << "a,b,c\n1,2,3\n";
  refused(tuned_family("rw-sign"), "not a log of weft tune");
  std::ofstream(options.log, std::ios::binary) << "something";
  refused(tuned_family("rw-sign"), "not a log of weft tune");
}

TEST(Tune, ABudgetTooSmallForOneConfigurationIsSaid) {
  TuneOptions options = few();
  options.minutes = 1e-9;
  try {
    tune({moons(20000), tuned_family("rw-sign"), {}, {}, options});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.field(), "minutes");
  }
}

TEST(Tune, ABudgetKeepsTheBestSoFar) {
  TuneOptions options;
  options.configurations = 100000;
  options.minutes = 4.0 / 60;
  // The first configuration takes milliseconds on a free machine; whoever is told of it then uses up the budget, so
  // that a busy one changes nothing.
  bool told = false;
  const TuneResult result = tune({moons(), tuned_family("rw-sign"), {}, {}, options, {}, [&](const Trial&) {
                                    if (!std::exchange(told, true))
                                      std::this_thread::sleep_for(std::chrono::milliseconds(4100));
                                  }});
  EXPECT_TRUE(result.out_of_time);
  EXPECT_GE(result.trials.size(), 1U);
  EXPECT_LT(result.trials.size(), 100000U);
}

TEST(Tune, OptionsOfTheSearchThatItDoesNotUseAreRefused) {
  const auto place = [](const FitOptions& fit, const TuneOptions& options, FamilyOptions of) -> std::string {
    try {
      tune({moons(60), of, fit, {}, options});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::option);
      return error.field();
    }
    return "";
  };
  TuneOptions options = few();
  options.configurations = 1;
  const auto with = [&](auto member, const auto& value) {
    TuneOptions changed = options;
    changed.*member = value;
    return changed;
  };
  EXPECT_EQ(place({}, with(&TuneOptions::bandwidth_range, "0.1:10"), tuned_family("rw-sign")), "bandwidth_range");
  EXPECT_EQ(place({}, with(&TuneOptions::kappa_range, "1.5:50"), tuned_family("rw-sign")), "kappa_range");
  EXPECT_EQ(place({}, with(&TuneOptions::lambda_range, "1e-5:1e-3"), tuned_family("rw-sign")), "lambda_range");
  FamilyOptions fixed = tuned_family("rw-sign");
  fixed.sigma = 1;
  EXPECT_EQ(place({}, with(&TuneOptions::sigma_range, "0.1:1"), fixed), "sigma_range");
  EXPECT_EQ(place({.method = LassoOptions{}}, with(&TuneOptions::smallest, true), tuned_family("rw-sign")), "smallest");
  EXPECT_EQ(place({}, with(&TuneOptions::theta_range, "0.1:0.5"), tuned_family("rw-sign")), "");
}

TEST(Tune, TheWinnerIsFittedWithTheEncoderOfTheSearch) {
  const Data source = moons();
  int passes = 0;
  const Data data(source.name(), source.options(), [&] {
    ++passes;
    return source.open();
  });
  const TuneRequest request{data, tuned_family("rw-sign"), {}, {}, few()};
  const TuneResult result = tune(request);
  passes = 0;
  const Model alone = fit(winner_request(request, result));
  const int passes_alone = std::exchange(passes, 0);
  const Model model = fit_winner(request, result);
  EXPECT_EQ(passes, passes_alone - 1);
  EXPECT_EQ(model.parts().encoder.to_json(), alone.parts().encoder.to_json());
  const Matrix& a = alone.parts().coefficients;
  const Matrix& b = model.parts().coefficients;
  ASSERT_EQ(a.rows(), b.rows());
  EXPECT_TRUE(std::equal(a.data(), a.data() + a.rows() * a.cols(), b.data()));
}

TEST(Tune, LoglossCalibratesTheFinalModel) {
  TuneOptions options = few();
  options.metric = Metric::logloss;
  const TuneRequest request{moons(), tuned_family("rw-sign"), {}, {}, options};
  const TuneResult result = tune(request);
  EXPECT_TRUE(fit_winner(request, result).has_probabilities());
}

TEST(Tune, FamiliesAreListed) {
  EXPECT_EQ(detail::tuned_families("rw-sign,rks-cos"), (std::vector<std::string>{"rw-sign", "rks-cos"}));
  EXPECT_GE(detail::tuned_families("all").size(), 9U);
  EXPECT_THROW(detail::tuned_families("rw-sign,,rks-cos"), Error);
  EXPECT_THROW(detail::tuned_families("rw-sign,nonsense"), Error);
}

}  // namespace
}  // namespace weft
