// Anonymous 2026. Figures 3/4: training loss against γ, with the interval
// that the rule for γ takes it from; Figures 5/6: few features; Figures 9/10: few features left by the lasso. RKHS
// weightings of ReLU against the same without a kernel.

#include "curves.hpp"
#include "paired_tests.hpp"
#include "statistics.hpp"
#include "trained.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

namespace weft::papers {

namespace {

const std::vector<std::string> kFeaturesSets = {
    "adult",   "breast_cancer", "bank_marketing",     "mnist17",  "phishing",          "skin", "magic",
    "abalone", "diabetes",      "california_housing", "concrete", "superconductivity", "wine"};
const std::vector<std::string> kQuickSets = {"breast_cancer", "phishing", "magic", "abalone", "concrete", "wine"};

Json compute_gamma(const Json& key, const Bench& bench) {
  const CellData cell = open_cell(key, bench);
  FamilyOptions family = drawn(text_of(key, "series"), integer_of(key, "features"), cell);
  family.gamma = key.at("x").get<double>();
  FitOptions fit = cell.fit_options(*family.family);
  fit.lambda = 1e-6;
  const Trained trained = train_and_test(cell, family, fit, bench.run);
  return {{"train_mse", *trained.train.mse / cell.variance}, {"test", loss_of(trained.test, cell.variance)}};
}

std::vector<Json> plan_gamma(const Bench& bench) {
  std::vector<double> gammas;
  for (double log_gamma = -3; log_gamma <= 3.001; log_gamma += bench.sized(3.0, 1.0, 0.25))
    gammas.push_back(std::pow(10, log_gamma));
  return figure_plan(bench, bench.full() ? kFeaturesSets : kQuickSets, {"rw-sign", "rw-relu", "rw-stumps"}, gammas,
                     bench.sized(1, 1, 10),
                     {{"features", bench.sized(20, 200, 1000)}, {"rows", bench.sized(200, 2000, 0)}});
}

/// γ of θ = 0.01 and 0.9, between which dense families are searched.
std::optional<std::pair<double, double>> gamma_interval(const std::string& set, const Bench& bench) {
  const Encoder encoder = Encoder::fit(bench.data.open(set), encoding_of(set), bench.run);
  const auto gamma = [&](double theta) {
    FamilyOptions family;
    family.family = "rw-sign";
    family.theta = theta;
    return FeatureMap::without_centres(family, encoder.inputs()).parts().front().gamma;
  };
  const double a = gamma(0.01), b = gamma(0.9);
  return std::pair{std::min(a, b), std::max(a, b)};
}

Json compute_few(const Json& key, const Bench& bench) {
  const CellData cell = open_cell(key, bench);
  const FamilyOptions family = drawn(text_of(key, "series"), static_cast<Index>(key.at("x").get<double>()), cell);
  const Trained trained = tune_and_test(cell, family, integer_of(key, "configurations"), bench.run).trained;
  return {{"test", loss_of(trained.test, cell.variance)}};
}

std::vector<Json> plan_few(const Bench& bench) {
  const std::vector<double> counts =
      bench.sized<std::vector<double>>({5, 20}, {5, 20, 100}, {5, 10, 20, 50, 100, 200, 500});
  return figure_plan(bench, bench.full() ? kFeaturesSets : kQuickSets, {"rw-relu", "rks-relu"}, counts,
                     bench.sized(1, 2, 10),
                     {{"configurations", bench.sized(2, 5, 50)}, {"rows", bench.sized(200, 2000, 0)}});
}

Json compute_lasso(const Json& key, const Bench& bench) {
  const CellData cell = open_cell(key, bench);
  const FamilyOptions family = drawn(text_of(key, "series"), integer_of(key, "features"), cell);
  FitOptions fit;
  fit.intercept = !cell.paper;
  fit.use<LassoOptions>().nonzeros = static_cast<Index>(key.at("x").get<double>());
  const Trained trained = tune_and_test(cell, family, fit, integer_of(key, "configurations"), bench.run).trained;
  return {{"test", loss_of(trained.test, cell.variance)}};
}

std::vector<Json> plan_lasso(const Bench& bench) {
  const std::vector<double> counts = bench.sized<std::vector<double>>({3, 5}, {10, 50}, {5, 10, 20, 50, 100, 200});
  return figure_plan(bench, bench.full() ? kFeaturesSets : kQuickSets, {"rw-relu", "rks-relu"}, counts,
                     bench.sized(1, 1, 10),
                     {{"features", bench.sized(20, 300, 1000)},
                      {"configurations", bench.sized(1, 2, 50)},
                      {"rows", bench.sized(200, 2000, 0)}});
}

/// Weighting less kitchen sinks at every x, over data sets and seeds.
std::vector<ReportTable> compare_pairs(const std::vector<Cell>& cells, const Bench&) {
  std::map<double, std::map<std::string, std::vector<double>>> by_set;  // x, then the set: differences over seeds
  for (const Cell& cell : cells) {
    if (text_of(cell.key, "series") != "rw-relu") continue;
    Json other = cell.key;
    other["series"] = "rks-relu";
    if (other.erase("protocol") > 0) {  // which is not the same for both
      other.erase("split");
      other = under_protocol(std::move(other));
    }
    for (const Cell& plain : cells)
      if (plain.key == other)
        by_set[cell.key.at("x").get<double>()][text_of(cell.key, "set")].push_back(
            cell.values.at("test").get<double>() - plain.values.at("test").get<double>());
  }
  std::vector<Comparison> comparisons;
  for (const auto& [x, sets] : by_set) {
    Comparison comparison{.labels = {{fmt::format("{:g}", x), x}}, .differences = {}};
    for (const auto& [set, differences] : sets) comparison.differences.push_back(summary_of(differences).mean);
    comparison.p = wilcoxon_p(comparison.differences);
    comparisons.push_back(std::move(comparison));
  }
  return {comparison_table(
      "rw-relu less rks-relu over data sets, the mean of each: Wilcoxon's signed-rank test, exact; negative: the "
      "weighting is better",
      {"features"}, comparisons)};
}

}  // namespace

Experiment rkhs_figures_3_4() {
  return protocol_figure({"rkhs-figures-3-4", source_of("rkhs", "Figures 3 and 4"),
                          "the loss against gamma, and where the rule looks", kFeaturesSets},
                         plan_gamma, compute_gamma,
                         {.x_label = "gamma",
                          .log_x = true,
                          .panels = {{"train_mse", "training mse", true}, {"test", "test error or mse", true}},
                          .shaded = gamma_interval});
}

Experiment rkhs_figures_5_6() {
  return protocol_figure({"rkhs-figures-5-6", source_of("rkhs", "Figures 5 and 6"),
                          "few features, with and without a weight kernel", kFeaturesSets},
                         plan_few, compute_few,
                         {.x_label = "features T",
                          .log_x = true,
                          .panels = {{"test", "test error or mse", true}},
                          .tables = compare_pairs});
}

Experiment rkhs_figures_9_10() {
  return protocol_figure(
      {"rkhs-figures-9-10", source_of("rkhs", "Figures 9 and 10"), "few features left by the lasso", kFeaturesSets},
      plan_lasso, compute_lasso,
      {.x_label = "features kept",
       .log_x = true,
       .panels = {{"test", "test error or mse", true}},
       .tables = compare_pairs});
}

}  // namespace weft::papers
