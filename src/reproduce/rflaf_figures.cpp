// [004] Figures 1 to 4: random features with a learned activation, S of them drawn plainly against S resampled from a
// pool of 3000 by the leverage scores of Algorithm 1. Figure 1 (loss) and 3 (accuracy): rbf and B-spline bases, N = 16;
// Figure 2 and 4: N = 32 and 64. Once with alternating exact solves, once with the paper's stochastic gradient descent.
// mnist stands in for CIFAR-10; workloads is not to be had.

#include "methods/learned_activation/learned_activation.hpp"
#include "methods/learned_activation/learned_pool.hpp"
#include "reproduce/curves.hpp"
#include "reproduce/statistics.hpp"
#include "reproduce/trained.hpp"
#include "train/stored_options.hpp"
#include "train/training_rows.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

const std::vector<std::string> kSets = {"casp", "adult", "mnist"};

/// Rows that a cell fits: with all of them the Gram matrices of the pools would take most of the figure's time.
Index rows_of(const std::string& set, bool full) {
  if (!full) return 2000;
  return set == "mnist" ? 6000 : 10000;
}

/// The paper's claim: as good with 100 weighted features as with this many plain ones.
constexpr Index kManyFeatures = 1000;

const std::vector<std::pair<std::string, std::string>> kSolvers = {{"exact solves", "auto"}, {"sgd", "sgd"}};

std::vector<Json> plan(const Bench& bench, const std::vector<std::string>& bases, const std::vector<Index>& grids) {
  std::vector<Json> keys;
  for (int seed = 1; seed <= (bench.full ? 8 : 1); ++seed)
    for (const std::string& set : kSets) {
      if (!bench.data.has(set)) continue;
      for (const std::string& basis : bases)
        for (const Index grid : grids) {
          const Json key = {
              {"set", set},
              {"basis", basis},
              {"grid_points", grid},
              {"seed", seed},
              {"pool", 0},  // nothing to choose from: plain features
              {"rows", rows_of(set, bench.full)},
              {"epochs", bench.full ? 50 : 5},
              {"features", bench.full ? std::vector<Index>{30, 50, 100, 300} : std::vector<Index>{30, 100}}};
          keys.push_back(key);
          keys.push_back(key);
          keys.back()["pool"] = bench.full ? 3000 : 300;
          keys.back()["draw"] = "distinct";
          if (!bench.full) continue;
          keys.push_back(key);
          keys.back()["features"] = std::vector<Index>{kManyFeatures};
        }
    }
  return keys;
}

FitOptions fit_options(const Json& key, const std::string& solver) {
  LearnedActivationOptions own{.basis = text_of(key, "basis"), .grid_points = integer_of(key, "grid_points")};
  own.solver = solver;
  if (solver == "sgd") own.epochs = integer_of(key, "epochs");
  return {.method = own};
}

class Cellwise {
 public:
  Cellwise(const Json& key, const Bench& bench) : run_(bench.run), cell_(open_cell(key, bench)) {
    encoder_ = std::make_unique<Encoder>(Encoder::fit(cell_.data.train, cell_.encode, run_));
    rows_ = training_rows(*encoder_, cell_.data.train, "none", 4e9, run_);
    family_.family = "rks-relu";  // where learning starts
    family_.seed = cell_.seed;
  }

  FeatureMap plain(Index features) const {
    FamilyOptions family = family_;
    family.features = features;
    return FeatureMap::draw(family, encoder_->inputs());
  }

  /// Its activation is learned by exact solves: what is compared is the choice of features.
  ScoredPool pool(Index size, const FitOptions& fit) const {
    FamilyOptions family = weighted(1);
    family.candidates = size;
    return score_pool(draw_candidates(family, encoder_->inputs(), run_, nullptr), {*rows_, *rows_},
                      encoder_->target().task, fit, family, run_);
  }

  FeatureMap chosen(const ScoredPool& pool, Index features) const {
    return pool.choose(features, weighted(features), run_);
  }

  /// Loss (mse over variance, or log loss) and accuracy on the test rows.
  Json test(const FeatureMap& map, const FitOptions& fit) const {
    FamilyOptions family = family_;
    family.features = map.features();
    FitResult result = fit_learned_activation({map, *rows_, encoder_->target().task, fit, family, run_});
    ModelParts parts{.encoder = *encoder_, .map = map};
    store_result(std::move(result), parts);
    const Evaluation evaluation = evaluate(Model(std::move(parts)), cell_.data.test, run_);
    Json values = {{"loss", evaluation.logloss ? *evaluation.logloss : *evaluation.mse / cell_.variance}};
    if (evaluation.accuracy) values["accuracy"] = *evaluation.accuracy;
    return values;
  }

 private:
  FamilyOptions weighted(Index features) const {
    FamilyOptions family = family_;
    family.features = features;
    family.sampling = "leverage";
    return family;
  }

  Run run_;
  CellData cell_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<BlockSource> rows_;
  FamilyOptions family_;
};

Json compute(const Json& key, const Bench& bench) {
  const Cellwise cell(key, bench);
  const auto counts = key.at("features").get<std::vector<Index>>();
  std::optional<ScoredPool> pool;
  if (const Index size = integer_of(key, "pool"); size > 0) pool = cell.pool(size, fit_options(key, "auto"));
  Json values;
  for (const auto& [name, solver] : kSolvers) {
    if (solver == "sgd" && counts.front() == kManyFeatures) continue;  // the claim is checked where fits converge
    const FitOptions fit = fit_options(key, solver);
    for (const Index features : counts)
      values[name][pool ? "weighted" : "plain"].push_back(
          cell.test(pool ? cell.chosen(*pool, features) : cell.plain(features), fit));
  }
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
Summary difference(const Losses& left, const Losses& right) {
  std::vector<double> differences;
  for (const auto& [seed, loss] : left)
    if (const auto other = right.find(seed); other != right.end()) differences.push_back(loss - other->second);
  return summary_of(differences);
}

ReportCell difference_cell(const Losses& left, const Losses& right) {
  const Summary gap = difference(left, right);
  if (gap.count == 0) return "";
  return {fmt::format("{:+.4f} ± {:.4f}", gap.mean, gap.standard_error), gap.mean, verdict_of_difference(gap)};
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
                        "better or worse: by more than that",
                    .columns = {"panel"}};
  for (const Index count : counts) table.columns.push_back(fmt::format("S = {}", count));
  for (const std::string& panel : panels_of(points)) {
    std::vector<ReportCell> row = {panel};
    for (const Index count : counts)
      row.push_back(difference_cell(losses(points, panel, "weighted", count), losses(points, panel, "plain", count)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Is S = 100 weighted as good as S = 1000 plain?
ReportTable claim(const std::vector<Cell>& points) {
  constexpr Index few = 100;
  ReportTable table{.caption = fmt::format("of the loss that {} plain features save over {}, how much {} weighted ones "
                                           "save; 100 % would be the paper's claim",
                                           kManyFeatures, few, few),
                    .columns = {"panel", fmt::format("plain, S = {}", few), fmt::format("weighted, S = {}", few),
                                fmt::format("plain, S = {}", kManyFeatures), "saved by weighting"}};
  for (const std::string& panel : panels_of(points)) {
    const Losses many = losses(points, panel, "plain", kManyFeatures);
    if (many.empty()) continue;
    const auto mean = [](const Losses& values) {
      const Summary summary = mean_of(values);
      return ReportCell(fmt::format("{:.4f} ± {:.4f}", summary.mean, summary.standard_error), summary.mean);
    };
    const Losses plain = losses(points, panel, "plain", few);
    const Losses weighted = losses(points, panel, "weighted", few);
    const double share = difference(plain, weighted).mean / difference(plain, many).mean;
    table.rows.push_back(
        {panel, mean(plain), mean(weighted), mean(many), ReportCell(fmt::format("{:+.0f} %", 100 * share), share)});
  }
  return table;
}

std::vector<ReportSection> present(const std::vector<Cell>& cells, const Bench& bench) {
  const Figure figure = {
      .x_label = "features S",
      .log_x = true,
      .panels = {{"loss", "test loss (mse over variance, or log loss)"}, {"accuracy", "test accuracy"}}};
  const std::vector<Cell> points = points_of(cells);
  std::vector<Index> counts;
  if (!cells.empty()) counts = cells.front().key.at("features").get<std::vector<Index>>();
  ReportSection summary{.heading = "Weighted against plain", .tables = {gaps(points, counts)}};
  if (ReportTable table = claim(points); !table.rows.empty()) summary.tables.push_back(std::move(table));
  std::vector<ReportSection> sections = present_figure(figure, points, bench);
  sections.insert(sections.begin(), std::move(summary));
  return sections;
}

Experiment figures(const std::string& name, const std::string& source, const std::string& title,
                   std::vector<std::string> bases, std::vector<Index> grids) {
  return {
      {name, source, title, kSets},
      [bases = std::move(bases), grids = std::move(grids)](const Bench& bench) { return plan(bench, bases, grids); },
      compute,
      present};
}

}  // namespace

Experiment rflaf_figures_1_3() {
  return figures("rflaf-figures-1-3", "[004] Figures 1 and 3", "features of a learned activation, weighted and plain",
                 {"rbf", "bspline"}, {16});
}

Experiment rflaf_figures_2_4() {
  return figures("rflaf-figures-2-4", "[004] Figures 2 and 4", "the same with larger grids", {"rbf"}, {32, 64});
}

}  // namespace weft
