// Wang 2019: mean squared difference between kernel ridge regression and its random features against their number s,
// for three λ (Figures 1 and 2), and the bound of Theorem 1 over the truth against the number of rows (Figures 3 and
// 4).

#include "rfm.hpp"

#include "curves.hpp"

#include <cmath>

#include <fmt/format.h>

namespace weft::papers {

namespace {

const std::vector<std::string> kRfmSets = {"year_msd_7k", "covtype_60k", "california_housing", "cpusmall"};
/// λ√n, as the paper sets it.
const std::vector<double> kStrengths = {5, 1, 0.2};

std::string series_of(double strength) {
  return fmt::format("lambda = {:g}/sqrt(n)", strength);
}

/// The paper takes 10,000 rows to fit and as many to compare, of cpusmall 5000 and 3192; of MSD 7000 rows are here.
Index rfm_rows(const std::string& set, const Bench& bench) {
  if (!bench.full()) return bench.sized(60, 1000, 0);
  return set == "year_msd_7k" || set == "cpusmall" ? 5000 : 10000;
}
Index rfm_test_rows(const std::string& set, const Bench& bench) {
  if (!bench.full()) return bench.sized(20, 500, 0);
  return set == "year_msd_7k" ? 2000 : set == "cpusmall" ? 3192 : 10000;
}

RfmStudy study_of(const Json& key, double strength, const Bench& bench) {
  const std::string set = text_of(key, "set");
  RfmOptions options;
  options.kernel = choice_of<RfmKernel>(key, "kernel");
  options.rows = integer_of(key, "rows");
  options.test_rows = integer_of(key, "test_rows");
  options.features = text_of(key, "features");
  options.repeats = integer_of(key, "repeats");
  options.seed = static_cast<std::uint64_t>(integer_of(key, "seed"));
  options.lambda = strength / std::sqrt(static_cast<double>(options.rows));
  EncodeOptions encode;
  encode.scale = Scaling::minmax;
  encode.bias = false;
  encode.task = TargetKind::regression;  // the class of covtype is a number to the paper
  return rfm_study(bench.data.open(set), options, encode, bench.run);
}

std::vector<Json> plan_rate(const Bench& bench, const std::string& kernel) {
  std::vector<Json> keys;
  for (const std::string& set : kRfmSets)
    if (bench.data.has(set))
      for (const double strength : kStrengths)
        keys.push_back({{"set", set},
                        {"kernel", kernel},
                        {"strength", strength},
                        {"rows", rfm_rows(set, bench)},
                        {"test_rows", rfm_test_rows(set, bench)},
                        {"features", bench.sized("5,20", "25,100,400", "25,50,100,200,400,800,1600")},
                        {"repeats", bench.sized(3, 10, 100)},
                        {"seed", 1}});
  return keys;
}

Json compute_rate(const Json& key, const Bench& bench) {
  const RfmStudy study = study_of(key, key.at("strength").get<double>(), bench);
  Json values = {
      {"slope", *study.slope}, {"effective_dimension", study.effective_dimension}, {"points", Json::array()}};
  for (const RfmPoint& point : study.points)
    values["points"].push_back({{"features", point.features},
                                {"mse", point.mse},
                                {"standard_error", point.standard_error},
                                {"rate_line", point.rate_line},
                                {"ratio", point.ratio()}});
  return values;
}

std::vector<ReportSection> present_rate(const std::vector<Cell>& cells, const Bench&) {
  ReportTable slopes{
      .caption =
          "slope of log mse against log s; Theorem 1: -1. Of the paper's MSD 7000 rows are here: 5000 to fit, "
          "2000 to compare, in place of 10,000 each",
      .columns = {"data set", "lambda", "effective dimension", "slope", "bound / mse, smallest"}};
  std::vector<ReportSection> sections = {{.heading = "The rate"}};
  for (const Cell& cell : cells) {
    const std::string set = text_of(cell.key, "set");
    const double strength = cell.key.at("strength").get<double>();
    double smallest = std::numeric_limits<double>::infinity();
    ChartSeries line{.name = series_of(strength), .mark = Mark::points};
    ChartSeries rate{.name = series_of(strength) + ", 1/s", .mark = Mark::dashed};
    for (const Json& point : cell.values.at("points")) {
      const double s = point.at("features").get<double>(), mse = point.at("mse").get<double>();
      const double error = point.at("standard_error").get<double>();
      line.points.push_back({s, mse, mse - error, mse + error});
      rate.points.push_back({s, point.at("rate_line").get<double>()});
      smallest = std::min(smallest, point.at("ratio").get<double>());
    }
    const double slope = cell.values.at("slope").get<double>();
    const double dimension = cell.values.at("effective_dimension").get<double>();
    slopes.rows.push_back({set,
                           series_of(strength),
                           {fmt::format("{:.1f}", dimension), dimension},
                           {fmt::format("{:.3f}", slope), slope, std::abs(slope + 1) <= 0.1 ? "matches" : "worse"},
                           {fmt::format("{:.1f}", smallest), smallest}});
    if (sections.back().heading != set) {
      sections.push_back({.heading = set});
      sections.back().charts.push_back({.title = set,
                                        .x_label = "random features s",
                                        .y_label = "mean squared difference to the exact prediction",
                                        .log_x = true,
                                        .log_y = true});
    }
    sections.back().charts.back().series.push_back(std::move(line));
    sections.back().charts.back().series.push_back(std::move(rate));
  }
  sections.front().tables.push_back(std::move(slopes));
  return sections;
}

std::vector<Json> plan_tightness(const Bench& bench, const std::string& kernel) {
  const std::vector<double> rows = bench.sized<std::vector<double>>({40, 60}, {300, 900}, {200, 500, 1000, 2000, 5000});
  std::vector<std::string> series;
  for (const double strength : kStrengths) series.push_back(series_of(strength));
  return figure_plan(bench, kRfmSets, series, rows, bench.sized(1, 1, 10),
                     {{"kernel", kernel},
                      {"bound", "eq. 31 and Theorem 1"},
                      {"test_rows", bench.sized(20, 500, 500)},
                      {"features", bench.sized("10", "100", "100")},
                      {"repeats", bench.sized(3, 10, 50)}});
}

Json compute_tightness(Json key, const Bench& bench) {
  double strength = 0;
  for (const double candidate : kStrengths)
    if (series_of(candidate) == text_of(key, "series")) strength = candidate;
  key["rows"] = static_cast<Index>(key.at("x").get<double>());
  const RfmPoint point = study_of(key, strength, bench).points.front();
  return {{"plain_ratio", point.plain_ratio()}, {"ratio", point.ratio()}};
}

Experiment rate(const std::string& name, const std::string& source, const std::string& kernel) {
  return {{name, source, "the 1/s rate with the " + kernel + " kernel", kRfmSets},
          [kernel](const Bench& bench) { return plan_rate(bench, kernel); },
          compute_rate,
          present_rate};
}

Experiment tightness(const std::string& name, const std::string& source, const std::string& kernel) {
  return figure_experiment({name, source, "how tight the bound is with the " + kernel + " kernel", kRfmSets},
                           [kernel](const Bench& bench) { return plan_tightness(bench, kernel); }, compute_tightness,
                           {.x_label = "rows n",
                            .panels = {{"plain_ratio", "bound of eq. 31, as plotted in the paper / mse"},
                                       {"ratio", "bound of Theorem 1, with its 4b / mse"}}});
}

}  // namespace

Experiment rfm_figure_1() {
  return rate("rfm-figure-1", source_of("rfm", "Figure 1"), "rbf");
}
Experiment rfm_figure_2() {
  return rate("rfm-figure-2", source_of("rfm", "Figure 2"), "laplace");
}
Experiment rfm_figure_3() {
  return tightness("rfm-figure-3", source_of("rfm", "Figure 3"), "rbf");
}
Experiment rfm_figure_4() {
  return tightness("rfm-figure-4", source_of("rfm", "Figure 4"), "laplace");
}

}  // namespace weft::papers
