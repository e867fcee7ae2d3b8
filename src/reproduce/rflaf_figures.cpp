// [004] Figures 1 to 4: random features with a learned activation, S of them drawn plainly against S resampled from a
// pool of 3000 by the leverage scores of Algorithm 1. Figure 1 (loss) and 3 (accuracy): rbf and B-spline bases, N = 16;
// Figure 2 and 4: N = 32 and 64. Once with alternating exact solves, once with the paper's stochastic gradient descent.
// mnist stands in for CIFAR-10; workloads is not to be had.

#include "fit/learned_pool.hpp"
#include "fit/training_rows.hpp"
#include "reproduce/curves.hpp"
#include "reproduce/statistics.hpp"
#include "reproduce/trained.hpp"

#include <map>

#include <fmt/format.h>

namespace weft {

namespace {

const std::vector<std::string> kSets = {"casp", "adult", "mnist"};

/// Rows that a cell fits: with all of them the Gram matrices of the pools would take most of the figure's time.
Index rows_of(const std::string& set, bool full) {
  if (!full) return 2000;
  return set == "mnist" ? 6000 : 10000;
}

const std::vector<std::pair<std::string, std::string>> kSolvers = {{"exact solves", "auto"}, {"sgd", "sgd"}};

std::vector<Json> plan(const Bench& bench, const std::vector<std::string>& bases, const std::vector<Index>& grids) {
  std::vector<Json> keys;
  for (int seed = 1; seed <= (bench.full ? 8 : 1); ++seed)
    for (const std::string& set : kSets) {
      if (!bench.data.has(set)) continue;
      for (const std::string& basis : bases)
        for (const Index grid : grids)
          keys.push_back(
              {{"set", set},
               {"basis", basis},
               {"grid_points", grid},
               {"seed", seed},
               {"pool", bench.full ? 3000 : 300},
               {"rows", rows_of(set, bench.full)},
               {"epochs", bench.full ? 50 : 5},
               {"features", bench.full ? std::vector<Index>{30, 50, 100, 300} : std::vector<Index>{30, 100}}});
    }
  return keys;
}

FitOptions fit_options(const Json& key, const std::string& solver) {
  FitOptions fit;
  fit.fit = "learned-activation";
  fit.basis = text_of(key, "basis");
  fit.grid_points = integer_of(key, "grid_points");
  fit.solver = solver;
  if (solver == "sgd") fit.epochs = integer_of(key, "epochs");
  return fit;
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

  FamilyOptions weighted(Index features) const {
    FamilyOptions family = family_;
    family.features = features;
    family.sampling = "leverage";
    return family;
  }

  /// Loss (mse over variance, or log loss) and accuracy on the test rows.
  Json test(const FeatureMap& map, const FitOptions& fit) const {
    FamilyOptions family = family_;
    family.features = map.features();
    FitResult result = fit_problem({map, *rows_, encoder_->target().task, fit, family, run_});
    ModelParts parts{.encoder = *encoder_, .map = map};
    store_result(std::move(result), parts);
    const Evaluation evaluation = evaluate(Model(std::move(parts)), cell_.data.test, run_);
    Json values = {{"loss", evaluation.logloss ? *evaluation.logloss : *evaluation.mse / cell_.variance}};
    if (evaluation.accuracy) values["accuracy"] = *evaluation.accuracy;
    return values;
  }

 private:
  Run run_;
  CellData cell_;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<BlockSource> rows_;
  FamilyOptions family_;
};

Json compute(const Json& key, const Bench& bench) {
  const Cellwise cell(key, bench);
  const ScoredPool pool = cell.pool(integer_of(key, "pool"), fit_options(key, "auto"));
  Json values;
  for (const auto& [name, solver] : kSolvers) {
    const FitOptions fit = fit_options(key, solver);
    for (const Json& count : key.at("features")) {
      const auto features = count.get<Index>();
      values[name]["plain"].push_back(cell.test(cell.plain(features), fit));
      values[name]["weighted"].push_back(cell.test(pool.choose(features, cell.weighted(features)), fit));
    }
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
    for (const auto& [name, solver] : kSolvers)
      for (const char* series : {"plain", "weighted"})
        for (std::size_t k = 0; k < cell.key.at("features").size(); ++k)
          points.push_back({{{"set", panel_name(cell.key, name)},
                             {"series", series},
                             {"x", cell.key.at("features").at(k)},
                             {"seed", cell.key.at("seed")}},
                            cell.values.at(name).at(series).at(k)});
  return points;
}

/// The weighted loss less the plain one, over paired seeds.
ReportTable gaps(const std::vector<Cell>& cells) {
  ReportTable table{.caption =
                        "loss with weighted less loss with plain features, mean ± standard error of paired seeds; "
                        "better or worse: by more than that",
                    .columns = {"panel"}};
  if (cells.empty()) return table;
  for (const Json& count : cells.front().key.at("features"))
    table.columns.push_back(fmt::format("S = {}", count.get<Index>()));
  std::map<std::string, std::vector<std::vector<double>>> differences;  // panel → S → seeds
  std::vector<std::string> panels;
  for (const Cell& cell : cells)
    for (const auto& [name, solver] : kSolvers) {
      const std::string panel = panel_name(cell.key, name);
      if (differences.try_emplace(panel, table.columns.size() - 1).second) panels.push_back(panel);
      for (std::size_t k = 0; k + 1 < table.columns.size(); ++k)
        differences[panel][k].push_back(cell.values.at(name).at("weighted").at(k).at("loss").get<double>() -
                                        cell.values.at(name).at("plain").at(k).at("loss").get<double>());
    }
  for (const std::string& panel : panels) {
    std::vector<ReportCell> row = {panel};
    for (const std::vector<double>& seeds : differences[panel]) {
      const Summary gap = summary_of(seeds);
      row.emplace_back(fmt::format("{:+.4f} ± {:.4f}", gap.mean, gap.standard_error), gap.mean,
                       verdict_of_difference(gap));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<ReportSection> present(const std::vector<Cell>& cells, const Bench& bench) {
  const Figure figure = {
      .x_label = "features S",
      .log_x = true,
      .panels = {{"loss", "test loss (mse over variance, or log loss)"}, {"accuracy", "test accuracy"}}};
  std::vector<ReportSection> sections = present_figure(figure, points_of(cells), bench);
  sections.insert(sections.begin(), ReportSection{.heading = "Weighted against plain", .tables = {gaps(cells)}});
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
