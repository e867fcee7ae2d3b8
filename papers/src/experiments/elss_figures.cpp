// Shahrampour & Kolouri 2019: histograms of leverage scores (Figure 1), errors against the λ of the scores (Figure 3)
// and few labels (Figure 4).

#include <weft/leverage.hpp>

#include "curves.hpp"
#include "trained.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::papers {

namespace {

EncodeOptions standardised(const std::string& set) {
  EncodeOptions encode = encoding_of(set);
  encode.scale = Scaling::standard;
  encode.bias = false;
  encode.unseen = UnseenCategories::ignore;
  return encode;
}

/// rff-rbf with the bandwidth of the mean squared distance of n standardised inputs, times a factor.
FamilyOptions fourier(Index inputs, double factor, Index features, std::uint64_t seed) {
  FamilyOptions family;
  family.family = "rff-rbf";
  family.sigma = factor / std::sqrt(2 * static_cast<double>(inputs));
  family.features = features;
  family.seed = seed;
  return family;
}

constexpr Index kYearInputs = 90;

Json compute_histogram(const Json& key, const Bench& bench) {
  FamilyOptions family = fourier(kYearInputs, 1, integer_of(key, "features"), 1);
  family.candidates = family.features;
  family.sampling = Sampling::leverage;
  const Data data = some_rows(bench.data.open("year_msd_7k"), integer_of(key, "rows"), 1);
  const double lambda = key.at("lambda").get<double>();
  const LeverageScores scores =
      leverage(data, family, {lambda}, standardised("year_msd_7k"), bench.run).by_lambda.front();
  // q·M₀, which is 1 where sampling is uniform.
  const double mean = scores.effective_dimension / static_cast<double>(scores.scores.size());
  std::vector<int> counts(40);
  for (const double score : scores.scores) {
    const auto bin = static_cast<std::size_t>(score / mean * 20);  // bins of 0.05 up to 2
    ++counts[std::min(bin, counts.size() - 1)];
  }
  return {{"counts", counts},
          {"max_over_mean", scores.max_over_mean},
          {"uniformity", scores.uniformity},
          {"effective_dimension", scores.effective_dimension}};
}

std::vector<Json> plan_histogram(const Bench& bench) {
  std::vector<Json> keys;
  if (bench.data.has("year_msd_7k"))
    for (const double lambda : {1e-6, 1e-4, 1e-2, 1e4})
      keys.push_back(
          {{"lambda", lambda}, {"features", bench.sized(50, 500, 2000)}, {"rows", bench.sized(200, 2000, 0)}});
  return keys;
}

std::vector<ReportSection> present_histogram(const std::vector<Cell>& cells, const Bench&) {
  ReportSection section{.heading = "year_msd_7k"};
  ReportTable table{.caption = "how far from uniform the scores are; 1: uniform",
                    .columns = {"lambda", "effective dimension", "largest over mean", "exp(entropy) over features"}};
  for (const Cell& cell : cells) {
    const double lambda = cell.key.at("lambda").get<double>();
    ChartSeries bars{.name = "features", .mark = Mark::bars};
    const auto counts = cell.values.at("counts").get<std::vector<double>>();
    for (std::size_t b = 0; b < counts.size(); ++b) bars.points.push_back({0.05 * static_cast<double>(b), counts[b]});
    section.charts.push_back({.title = fmt::format("lambda = {:g}", lambda),
                              .x_label = "score over the mean score (last bar: and more)",
                              .y_label = "features",
                              .series = {std::move(bars)}});
    std::vector<ReportCell> row = {{fmt::format("{:g}", lambda), lambda}};
    for (const char* value : {"effective_dimension", "max_over_mean", "uniformity"}) {
      const double number = cell.values.at(value).get<double>();
      row.emplace_back(fmt::format("{:.4g}", number), number);
    }
    table.rows.push_back(std::move(row));
  }
  section.tables.push_back(std::move(table));
  return {std::move(section)};
}

Json compute_lambda(const Json& key, const Bench& bench) {
  CellData cell = open_cell(key, bench);
  cell.encode = standardised("year_msd_7k");
  FamilyOptions family = fourier(kYearInputs, 0.25, integer_of(key, "features"), cell.seed);
  family.sampling = choice_of<Sampling>(key, "series");
  family.sampling_lambda = key.at("x").get<double>();
  const Trained trained = train_and_test(cell, family, {}, bench.run);
  return {{"train", loss_of(trained.train, cell.variance)}, {"test", loss_of(trained.test, cell.variance)}};
}

std::vector<Json> plan_lambda(const Bench& bench) {
  std::vector<double> lambdas;
  for (double power = -8; power <= 4; power += bench.sized(6, 4, 1)) lambdas.push_back(std::pow(10, power));
  return figure_plan(bench, {"year_msd_7k"}, {"leverage", "leverage-top"}, lambdas, bench.sized(1, 3, 50),
                     {{"features", bench.sized(10, 100, 100)}, {"rows", bench.sized(200, 2000, 0)}});
}

const std::vector<std::string> kFewSets = {"epileptic_seizure", "adult"};

/// Logistic regression on 25 features that unlabelled rows chose, on 25 plain ones, and on the inputs themselves.
Json compute_few_labels(const Json& key, const Bench& bench) {
  const std::string set = text_of(key, "set");
  const std::string series = text_of(key, "series");
  const auto seed = static_cast<std::uint64_t>(integer_of(key, "seed"));
  const auto labels = static_cast<Index>(key.at("x").get<double>());
  const DataSplit data = bench.data.split(set, seed, bench.run);
  EncodeOptions encode = standardised(set);
  const Encoder encoder = Encoder::fit(data.train, encode, bench.run);
  const Data labelled =
      select_rows(data.train, choose_labelled(row_classes(encoder, data.train, bench.run), labels, seed), 1);
  const Index inputs = encoder.inputs().columns();
  FamilyOptions family = fourier(inputs, 1, 25, seed);
  family.sigma = 0.03;  // wider kernels than tuning for all labels would take: few labels carry less
  if (series == "linear") {
    family.family = "rks-identity";  // as many directions as inputs: every linear function
    family.sigma = 1;
    family.features = inputs;
  } else {
    family.sampling = choice_of<Sampling>(key, "series");
  }
  FitOptions fit;
  fit.method = LogisticOptions{};
  fit.lambda = 1e-3;
  FitRequest request{labelled, family, fit, encode, bench.run};
  request.unlabelled = data.train;
  const Model model = weft::fit(request);
  return {{"accuracy", *evaluate(model, data.test, bench.run).accuracy}};
}

std::vector<Json> plan_few_labels(const Bench& bench) {
  const std::vector<double> labels =
      bench.sized<std::vector<double>>({5, 10}, {10, 100}, {5, 10, 20, 50, 100, 200, 400});
  return figure_plan(bench, kFewSets, {"linear", "plain", "leverage", "leverage-top"}, labels, bench.sized(1, 2, 100));
}

}  // namespace

Experiment elss_figure_1() {
  return {{"elss-figure-1", source_of("elss", "Figure 1"), "histograms of leverage scores", {"year_msd_7k"}},
          plan_histogram,
          compute_histogram,
          present_histogram};
}

Experiment elss_figure_3() {
  return figure_experiment(
      {"elss-figure-3", source_of("elss", "Figure 3"), "errors against the lambda of the scores", {"year_msd_7k"}},
      plan_lambda, compute_lambda,
      {.x_label = "lambda of the scores",
       .log_x = true,
       .panels = {{"train", "training mse / variance"}, {"test", "test mse / variance"}}});
}

Experiment elss_figure_4() {
  return figure_experiment(
      {"elss-figure-4", source_of("elss", "Figure 4"), "few labels, features chosen by unlabelled rows", kFewSets},
      plan_few_labels, compute_few_labels,
      {.x_label = "labelled rows per class", .log_x = true, .panels = {{"accuracy", "test accuracy"}}});
}

}  // namespace weft::papers
