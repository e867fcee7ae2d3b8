// The learning algorithms side by side: against the number of features (Anonymous 2026 and Dubé & Marchand 2023, Figure
// 1 of both), the parts of their time (Anonymous 2026, Figure 2) and several features per step of sfgd (Figures 7/8).
// λ = 1e-6, batches of 100 rows (Dubé & Marchand: 50), RWSign; inputs and targets as the papers prepare them.

#include "curves.hpp"
#include "trained.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft::papers {

namespace {

constexpr double kLambda = 1e-6;
constexpr double kRadius = 1000;  // B of Figures 7 and 8; without it sfgd diverges at this lambda

struct Settings {
  FamilyOptions family;
  FitOptions fit;
};

/// "least squares", "lasso", "sfgd", "optimal-step", or "rks": least squares on features without a kernel. An intercept
/// is not in the papers.
Settings settings_of(const std::string& algorithm, Index features, std::uint64_t seed) {
  Settings settings;
  settings.fit.intercept = false;
  settings.family.family = algorithm == "rks" ? "rks-sign" : "rw-sign";
  settings.family.features = features;
  settings.family.seed = seed;
  if (algorithm != "rks") settings.fit.method = method_options(algorithm);
  settings.fit.lambda = kLambda;
  if (auto* sfgd = std::get_if<FunctionalGradientOptions>(&settings.fit.method)) sfgd->radius = kRadius;
  return settings;
}

/// Dubé & Marchand 2023: batches of 50 and a constant input.
constexpr Index kJmlrBatch = 50;
void follow_jmlr(Settings& settings, CellData& cell) {
  cell.encode.bias = true;
  if (auto* steps = std::get_if<OptimalStepOptions>(&settings.fit.method)) steps->batch = kJmlrBatch;
  if (auto* sfgd = std::get_if<FunctionalGradientOptions>(&settings.fit.method)) sfgd->batch = kJmlrBatch;
  if (auto* lasso = std::get_if<LassoOptions>(&settings.fit.method)) lasso->lasso_scale = LassoScale::half_mean;
}

Index nonzeros(const Model& model) {
  const Matrix& coefficients = model.parts().coefficients;
  Index count = 0;
  for (Index t = 0; t < coefficients.rows(); ++t)
    count += std::any_of(coefficients.row(t), coefficients.row(t) + coefficients.cols(),
                         [](double value) { return value != 0; });
  return count;
}

Json measure(const Trained& trained, double variance) {
  Json values = {{"train", loss_of(trained.train, variance)},
                 {"test", loss_of(trained.test, variance)},
                 {"seconds", trained.fit_seconds},
                 {"nonzeros", nonzeros(trained.model)}};
  if (trained.train.mse) values["train_mse"] = *trained.train.mse / variance;
  return values;
}

Json compute_against_features(const Json& key, const Bench& bench) {
  Settings settings = settings_of(text_of(key, "series"), static_cast<Index>(key.at("x").get<double>()),
                                  static_cast<std::uint64_t>(integer_of(key, "seed")));
  CellData cell = open_cell(key, bench);
  if (text_of(key, "paper") == "jmlr") follow_jmlr(settings, cell);
  return measure(train_and_test(cell, settings.family, settings.fit, bench.run), cell.variance);
}

const Figure kAgainstFeatures = {.x_label = "features T",
                                 .log_x = true,
                                 .panels = {{"train", "training error", true},
                                            {"test", "test error", true},
                                            {"seconds", "seconds to fit", true},
                                            {"nonzeros", "features with a coefficient", true}},
                                 .remarks = [](const std::vector<Cell>&, const Bench&) -> std::vector<std::string> {
                                   return {"lambda is 1e-6 for every algorithm; the paper chooses it by five folds."};
                                 }};

Experiment against_features(ExperimentInfo info, const std::vector<std::string>& algorithms) {
  const std::string paper = info.name.substr(0, info.name.find('-'));
  const auto plan = [algorithms, paper](const Bench& bench) {
    const std::vector<double> counts =
        bench.sized<std::vector<double>>({5, 20}, {10, 50, 200}, {10, 30, 100, 300, 1000, 2000});
    std::vector<Json> keys = figure_plan(bench, {"mnist17"}, algorithms, counts, bench.sized(1, 1, 10),
                                         {{"rows", bench.sized(200, 3000, 0)}, {"paper", paper}});
    for (Json& key : keys) {
      key = under_protocol(key);
      if (paper == "jmlr") key["split"] = kAuthorsSplit;  // of the training rows, as in their Table 2
    }
    return keys;
  };
  return figure_experiment(std::move(info), plan, compute_against_features, kAgainstFeatures);
}

Json compute_breakdown(const Json& key, const Bench& bench) {
  const Settings settings = settings_of(text_of(key, "algorithm"), integer_of(key, "features"),
                                        static_cast<std::uint64_t>(integer_of(key, "seed")));
  const Trained trained = train_and_test(open_cell(key, bench), settings.family, settings.fit, bench.run);
  Json stages = Json::object();
  for (const auto& [stage, seconds] : trained.model.parts().report.seconds)
    stages[stage] = stages.value(stage, 0.0) + seconds;
  return {{"stages", stages}, {"seconds", trained.fit_seconds}};
}

/// One cell per algorithm and T holds all stages; charts want one series per stage.
std::vector<ReportSection> present_breakdown(const std::vector<Cell>& cells, const Bench& bench) {
  std::vector<Cell> stages;
  for (const Cell& cell : cells) {
    Json key = {{"set", text_of(cell.key, "algorithm")}, {"x", cell.key.at("features")}, {"seed", cell.key.at("seed")}};
    const auto add = [&](const std::string& stage, double seconds) {
      key["series"] = stage;
      stages.push_back({key, {{"seconds", seconds}}});
    };
    for (const auto& [stage, seconds] : cell.values.at("stages").items()) add(stage, seconds.get<double>());
    add("all, with reading and encoding", cell.values.at("seconds").get<double>());
  }
  const Figure figure = {.x_label = "features T", .log_x = true, .panels = {{"seconds", "seconds", true}}};
  return present_figure(figure, stages, bench);
}

std::vector<Json> plan_breakdown(const Bench& bench) {
  std::vector<Json> keys;
  if (!bench.data.has("abalone")) return keys;
  const std::vector<Index> counts = bench.sized<std::vector<Index>>({10, 20}, {100, 500}, {100, 300, 1000, 3000});
  for (int seed = 1; seed <= bench.sized(1, 1, 10); ++seed)
    for (const char* algorithm : {"sfgd", "least-squares", "rks"})
      for (const Index features : counts)
        keys.push_back({{"set", "abalone"},
                        {"algorithm", algorithm},
                        {"features", features},
                        {"seed", seed},
                        {"rows", 0},
                        {"protocol", "paper"}});
  return keys;
}

Json compute_steps(const Json& key, const Bench& bench) {
  Settings settings = settings_of("sfgd", static_cast<Index>(key.at("x").get<double>()),
                                  static_cast<std::uint64_t>(integer_of(key, "seed")));
  settings.fit.use<FunctionalGradientOptions>().features_per_step = std::stol(text_of(key, "series"));
  const CellData cell = open_cell(key, bench);
  return measure(train_and_test(cell, settings.family, settings.fit, bench.run), cell.variance);
}

const std::vector<std::string> kStepSets = {"adult", "breast_cancer", "mnist17", "phishing", "magic"};

std::vector<Json> plan_steps(const Bench& bench) {
  const std::vector<double> counts = bench.sized<std::vector<double>>({10, 20}, {100, 300}, {100, 300, 1000, 3000});
  std::vector<Json> keys =
      figure_plan(bench, bench.full() ? kStepSets : std::vector<std::string>{"breast_cancer", "phishing"},
                  {"1", "2", "5", "10"}, counts, bench.sized(1, 1, 10), {{"rows", bench.sized(200, 3000, 0)}});
  for (Json& key : keys) key = under_protocol(key);
  return keys;
}

const Figure kSteps = {.x_label = "features T",
                       .log_x = true,
                       .panels = {{"train", "training error", false, "seconds", "seconds to fit"},
                                  {"train_mse", "training mse", true, "seconds", "seconds to fit"},
                                  {"train_mse", "training mse", true}}};

}  // namespace

Experiment rkhs_figure_1() {
  return against_features(
      {"rkhs-figure-1", source_of("rkhs", "Figure 1"), "three algorithms and random kitchen sinks", {"mnist17"}},
      {"sfgd", "least-squares", "lasso", "rks"});
}

Experiment jmlr_figure_1() {
  return against_features(
      {"jmlr-figure-1", source_of("jmlr", "Figure 1"), "four algorithms against the features", {"mnist17"}},
      {"sfgd", "optimal-step", "least-squares", "lasso"});
}

Experiment rkhs_figure_2() {
  return {
      .info = {"rkhs-figure-2", source_of("rkhs", "Figure 2"), "where the time of the algorithms goes", {"abalone"}},
      .plan = plan_breakdown,
      .compute = compute_breakdown,
      .present = present_breakdown,
      .timed = true};
}

Experiment rkhs_figures_7_8() {
  return figure_experiment(
      {"rkhs-figures-7-8", source_of("rkhs", "Figures 7 and 8"), "several features per step of sfgd", kStepSets},
      plan_steps, compute_steps, kSteps);
}

}  // namespace weft::papers
