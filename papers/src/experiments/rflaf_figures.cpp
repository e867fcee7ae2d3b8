// Ma et al. 2025, Figures 1 to 4: random features with a learned activation, S of them drawn plainly against S
// chosen from a pool of 3000 by the leverage scores of Algorithm 1. Figure 1 (loss) and 3 (accuracy): rbf and B-spline
// bases, N = 16; Figure 2 and 4: N = 32 and 64. Once with alternating exact solves, once with the paper's stochastic
// gradient descent. mnist stands in for CIFAR-10; workloads is not available.

#include "curves.hpp"
#include "learned_sgd.hpp"
#include "paired_tests.hpp"
#include "statistics.hpp"
#include "trained.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace weft::papers {

namespace {

const std::vector<std::string> kRflafSets = {"casp", "adult", "mnist"};

/// Rows that a cell fits: with all of them the Gram matrices of the pools would take most of the figure's time.
Index rflaf_rows(const std::string& set, const Bench& bench) {
  if (!bench.full()) return bench.sized(150, 2000, 0);
  return set == "mnist" ? 6000 : 10000;
}

/// The paper's claim: as good with so few weighted features as with so many plain ones.
struct Claim {
  Index few;
  Index many;
};
Claim claim_of(const Bench& bench) {
  return bench.size == Size::tiny ? Claim{8, 20} : Claim{100, 1000};
}

std::vector<Json> plan_rflaf(const Bench& bench, const std::vector<std::string>& bases,
                             const std::vector<Index>& grids) {
  std::vector<Json> keys;
  for (int seed = 1; seed <= bench.sized(2, 1, 8); ++seed)
    for (const std::string& set : kRflafSets) {
      if (!bench.data.has(set)) continue;
      for (const std::string& basis : bases)
        for (const Index grid : grids) {
          const Json key = {{"set", set},
                            {"basis", basis},
                            {"grid_points", grid},
                            {"seed", seed},
                            {"pool", 0},  // nothing to choose from: plain features
                            {"rows", rflaf_rows(set, bench)},
                            {"epochs", bench.sized(2, 5, 50)},
                            {"features", bench.sized<std::vector<Index>>({5, 8}, {30, 100}, {30, 50, 100, 300})}};
          keys.push_back(key);
          keys.push_back(key);
          keys.back()["pool"] = bench.sized(40, 300, 3000);
          keys.back()["draw"] = "distinct";
          if (bench.size == Size::quick) continue;
          keys.push_back(key);
          keys.back()["features"] = std::vector<Index>{claim_of(bench).many};
        }
    }
  return keys;
}

/// rks-relu, where learning starts, plain or chosen from a pool.
FamilyOptions family_of(const Json& key, Index features) {
  FamilyOptions family;
  family.family = "rks-relu";
  family.features = features;
  family.seed = static_cast<std::uint64_t>(integer_of(key, "seed"));
  if (const Index pool = integer_of(key, "pool"); pool > 0) {
    family.sampling = Sampling::leverage;
    family.candidates = pool;
  }
  return family;
}

FitOptions exact_solves(const Json& key) {
  return {.method = LearnedActivationOptions{.basis = choice_of<ActivationBasis::Kind>(key, "basis"),
                                             .grid_points = integer_of(key, "grid_points")}};
}

SgdOptions stochastic_descent(const Json& key) {
  return {.basis = choice_of<ActivationBasis::Kind>(key, "basis"),
          .grid_points = integer_of(key, "grid_points"),
          .epochs = integer_of(key, "epochs"),
          .seed = static_cast<std::uint64_t>(integer_of(key, "seed"))};
}

/// Loss (mse over variance, or log loss) and accuracy on the test rows.
Json test(const Model& model, const CellData& cell, const Run& run) {
  const Evaluation evaluation = evaluate(model, cell.data.test, run);
  Json values = {{"loss", evaluation.logloss ? *evaluation.logloss : *evaluation.mse / cell.variance}};
  if (evaluation.accuracy) values["accuracy"] = *evaluation.accuracy;
  return values;
}

/// Both learn with the same features: those that the exact fit drew or chose.
Json compute_rflaf(const Json& key, const Bench& bench) {
  const CellData cell = open_cell(key, bench);
  const char* const series = integer_of(key, "pool") > 0 ? "weighted" : "plain";
  const auto counts = key.at("features").get<std::vector<Index>>();
  const bool stochastic = counts.front() != claim_of(bench).many;  // the claim is checked where fits converge
  Json exact = Json::array(), sgd = Json::array();
  for (const Index features : counts) {
    const Model model = fit({cell.data.train, family_of(key, features), exact_solves(key), cell.encode, bench.run});
    exact.push_back(test(model, cell, bench.run));
    if (!stochastic) continue;
    const ModelParts& parts = model.parts();
    const FeatureMap start = parts.map.with_activation(find_activation("relu"));
    sgd.push_back(
        test(descend_stochastically(parts.encoder, start, load_rows(parts.encoder, cell.data.train, bench.run),
                                    stochastic_descent(key), bench.run),
             cell, bench.run));
  }
  Json values = {{"exact solves", {{series, std::move(exact)}}}};
  if (stochastic) values["sgd"] = {{series, std::move(sgd)}};
  return values;
}

std::string panel_name(const Json& key, const std::string& solver) {
  return fmt::format("{}, {}, N = {}, {}", text_of(key, "set"), text_of(key, "basis"), integer_of(key, "grid_points"),
                     solver);
}

/// One cell per point of a curve.
std::vector<Cell> points_of(const std::vector<Cell>& cells) {
  std::vector<Cell> points;
  for (const Cell& cell : cells)
    for (const auto& [solver, curves] : cell.values.items())
      for (const auto& [series, values] : curves.items())
        for (std::size_t k = 0; k < values.size(); ++k)
          points.push_back({{{"set", panel_name(cell.key, solver)},
                             {"series", series},
                             {"x", cell.key.at("features").at(k)},
                             {"seed", cell.key.at("seed")}},
                            values.at(k)});
  return points;
}

using Losses = std::map<std::int64_t, double>;  // by seed

Losses losses(const std::vector<Cell>& points, const std::string& panel, const char* series, Index features) {
  Losses found;
  for (const Cell& point : points)
    if (text_of(point.key, "set") == panel && text_of(point.key, "series") == series &&
        integer_of(point.key, "x") == features)
      found[integer_of(point.key, "seed")] = point.values.at("loss").get<double>();
  return found;
}

Summary mean_of(const Losses& losses) {
  std::vector<double> values;
  for (const auto& [seed, loss] : losses) values.push_back(loss);
  return summary_of(values);
}

/// Over the seeds that both have.
std::vector<double> differences(const Losses& left, const Losses& right) {
  std::vector<double> differences;
  for (const auto& [seed, loss] : left)
    if (const auto other = right.find(seed); other != right.end()) differences.push_back(loss - other->second);
  return differences;
}

ReportCell difference_cell(const Summary& gap, const std::string& verdict) {
  if (gap.count == 0) return "";
  return {fmt::format("{:+.4f} ± {:.4f}", gap.mean, gap.standard_error), gap.mean, verdict};
}

std::vector<std::string> panels_of(const std::vector<Cell>& points) {
  std::vector<std::string> panels;
  for (const Cell& point : points)
    if (const std::string name = text_of(point.key, "set");
        std::find(panels.begin(), panels.end(), name) == panels.end())
      panels.push_back(name);
  return panels;
}

ReportTable gaps(const std::vector<Cell>& points, const std::vector<Index>& counts) {
  ReportTable table{.caption =
                        "loss with weighted less loss with plain features, mean ± standard error of paired seeds; "
                        "better or worse: Student's t at 0.05, by Holm over the table",
                    .columns = {"panel"}};
  for (const Index count : counts) table.columns.push_back(fmt::format("S = {}", count));
  const std::vector<std::string> panels = panels_of(points);
  std::vector<PairedRepeats> repeats;
  for (const std::string& panel : panels)
    for (const Index count : counts)
      repeats.push_back({differences(losses(points, panel, "weighted", count), losses(points, panel, "plain", count)),
                         split_overlap(panel.substr(0, panel.find(',')))});
  const std::vector<std::string> verdicts = verdicts_of(repeats);
  std::size_t compared = 0;
  for (const std::string& panel : panels) {
    std::vector<ReportCell> row = {panel};
    for (std::size_t k = 0; k < counts.size(); ++k, ++compared)
      row.push_back(difference_cell(summary_of(repeats[compared].differences), verdicts[compared]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

ReportTable claim(const std::vector<Cell>& points, const Claim& sizes) {
  const auto [few, many_features] = sizes;
  ReportTable table{.caption = fmt::format("of the loss that {} plain features save over {}, how much {} weighted ones "
                                           "save; 100 % would be the paper's claim",
                                           many_features, few, few),
                    .columns = {"panel", fmt::format("plain, S = {}", few), fmt::format("weighted, S = {}", few),
                                fmt::format("plain, S = {}", many_features), "saved by weighting"}};
  for (const std::string& panel : panels_of(points)) {
    const Losses many = losses(points, panel, "plain", many_features);
    if (many.empty()) continue;
    const auto mean = [](const Losses& values) {
      const Summary summary = mean_of(values);
      return ReportCell(fmt::format("{:.4f} ± {:.4f}", summary.mean, summary.standard_error), summary.mean);
    };
    const Losses plain = losses(points, panel, "plain", few);
    const Losses weighted = losses(points, panel, "weighted", few);
    const double share = summary_of(differences(plain, weighted)).mean / summary_of(differences(plain, many)).mean;
    table.rows.push_back(
        {panel, mean(plain), mean(weighted), mean(many), ReportCell(fmt::format("{:+.0f} %", 100 * share), share)});
  }
  return table;
}

std::vector<ReportSection> present_rflaf(const std::vector<Cell>& cells, const Bench& bench) {
  const Figure figure = {
      .x_label = "features S",
      .log_x = true,
      .panels = {{"loss", "test loss (mse over variance, or log loss)"}, {"accuracy", "test accuracy"}}};
  const std::vector<Cell> points = points_of(cells);
  std::vector<Index> counts;
  if (!cells.empty()) counts = cells.front().key.at("features").get<std::vector<Index>>();
  ReportSection summary{.heading = "Weighted against plain", .tables = {gaps(points, counts)}};
  if (ReportTable table = claim(points, claim_of(bench)); !table.rows.empty())
    summary.tables.push_back(std::move(table));
  std::vector<ReportSection> sections = present_figure(figure, points, bench);
  sections.insert(sections.begin(), std::move(summary));
  return sections;
}

Experiment figures(const std::string& name, const std::string& source, const std::string& title,
                   std::vector<std::string> bases, std::vector<Index> grids) {
  return {{name, source, title, kRflafSets},
          [bases = std::move(bases), grids = std::move(grids)](const Bench& bench) {
            return plan_rflaf(bench, bases, grids);
          },
          compute_rflaf,
          present_rflaf};
}

}  // namespace

Experiment rflaf_figures_1_3() {
  return figures("rflaf-figures-1-3", source_of("rflaf", "Figures 1 and 3"),
                 "features of a learned activation, weighted and plain", {"rbf", "bspline"}, {16});
}

Experiment rflaf_figures_2_4() {
  return figures("rflaf-figures-2-4", source_of("rflaf", "Figures 2 and 4"), "the same with larger grids", {"rbf"},
                 {32, 64});
}

}  // namespace weft::papers
