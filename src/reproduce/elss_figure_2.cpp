// [001] Figure 2: test error against the number of features M for samplers that look at the data (ELSS Algorithms 1 and
// 2, EERF, LKRF) and plain random kitchen sinks, all of them cos features of the rbf kernel chosen from pools of 10·M.
//
// The paper fixes a bandwidth per data set; here bandwidth, ridge λ and, for ELSS, the λ of the scores are tuned for
// every sampler and M by the same five folds, each fold choosing its features without its held-out rows, and by what
// the figure shows: the error of classes, the mse of numbers. One pass over the rows gives the sums of the largest pool
// for every bandwidth and fold; all the rest happens on those sums, but for the errors, which take the held-out rows.

#include "data/rows/gather_rows.hpp"
#include "linalg/linear_scores.hpp"
#include "methods/fold_rows.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/pool_choice.hpp"
#include "reproduce/statistics.hpp"
#include "train/search/shared_sums.hpp"
#include "train/training_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

const std::vector<std::string> kSets = {"year_msd_7k", "online_news_8k", "adult", "epileptic_seizure"};
const std::vector<std::string> kSamplers = {"plain", "leverage", "leverage-top", "lkrf", "eerf"};
const std::vector<Index> kFeatures = {20, 30, 50, 70, 100};
constexpr Index kPoolFactor = 10;
constexpr Index kFolds = 5;

/// Multiples of 1/√(2n), the rbf bandwidth of the mean squared distance of standardised rows.
std::vector<double> sigma_factors() {
  return {0.03125, 0.0625, 0.125, 0.25, 0.5, 1, 1.5, 2, 3};
}

std::vector<double> ridge_lambdas() {
  std::vector<double> lambdas;
  for (int k = -20; k <= 0; ++k) lambdas.push_back(std::pow(10.0, 0.5 * k));
  return lambdas;
}

/// Of the scores: about 1/N, the default, and larger ones.
std::vector<double> score_lambdas(const std::string& sampler) {
  if (!sampler.starts_with("leverage")) return {0};
  return {1e-6, 1e-5, 1e-4, 1e-3};
}

struct Pools {
  std::vector<FeatureMap> maps;  ///< one per bandwidth
  std::vector<PartSums> sums;
};

Pools draw_pools(const BlockSource& rows, const Inputs& inputs, const std::vector<Index>& fold_of, std::uint64_t seed,
                 const Run& run) {
  FamilyOptions family;
  family.family = "rff-rbf";
  family.features = kPoolFactor * kFeatures.back();
  family.seed = seed;
  const FeatureMap unit = FeatureMap::draw(family, inputs);
  Pools pools;
  for (const double factor : sigma_factors()) {
    family.sigma = factor / std::sqrt(2 * static_cast<double>(inputs.columns()));
    pools.maps.push_back(FeatureMap::draw(family, inputs));
  }
  std::vector<const FeatureMap*> maps;
  for (const FeatureMap& map : pools.maps) maps.push_back(&map);
  MapGroup group(maps, unit);
  pools.sums = accumulate_parts(
      group, rows, {}, kFolds, [&](Index row) { return fold_of[static_cast<std::size_t>(row)]; }, run);
  return pools;
}

struct Best {
  std::size_t map = 0;
  PoolChoice choice = {};
  double lambda = 0;
  double score = std::numeric_limits<double>::infinity();
};

/// The held-out rows of a fold with all features of the largest pool, for errors; empty for numbers.
struct HeldOut {
  GatheredRows rows;
  Matrix phi;
};

std::vector<HeldOut> held_out_rows(const BlockSource& rows, const std::vector<Index>& fold_of) {
  std::vector<HeldOut> folds;
  for (Index fold = 0; fold < kFolds; ++fold) {
    std::vector<Index> positions;
    for (std::size_t row = 0; row < fold_of.size(); ++row)
      if (fold_of[row] == fold) positions.push_back(static_cast<Index>(row));
    folds.push_back({gather_rows(rows, positions), {}});
  }
  return folds;
}

/// Share of the held-out rows whose sign each fit of a path gets wrong.
std::vector<double> errors_of(const HeldOut& fold, const Choice& choice, const std::vector<LinearFit>& path,
                              double shift, int threads) {
  const auto count = static_cast<Index>(choice.positions.size());
  const auto alternatives = static_cast<Index>(path.size());
  Matrix phi(count, fold.phi.cols()), coefficients(count, alternatives), scores(alternatives, fold.phi.cols());
  std::vector<double> intercepts;
  for (const LinearFit& fit : path) intercepts.push_back(fit.intercept + shift);
  for (Index t = 0; t < count; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const double scale = choice.scales.empty() ? 1 : choice.scales[at];
    std::copy_n(fold.phi.row(choice.positions[at]), phi.cols(), phi.row(t));
    for (Index k = 0; k < alternatives; ++k)
      coefficients(t, k) = scale * path[static_cast<std::size_t>(k)].coefficients[at];
  }
  linear_scores(coefficients, intercepts, phi, scores, threads);
  std::vector<double> errors;
  for (Index k = 0; k < alternatives; ++k) {
    double wrong = 0;
    for (Index i = 0; i < scores.cols(); ++i) wrong += (scores(k, i) >= 0) != (fold.rows.y(0, i) > 0);
    errors.push_back(wrong / static_cast<double>(scores.cols()));
  }
  return errors;
}

/// What the folds of one bandwidth are judged on: their sums, and for classes their rows.
struct Folds {
  const PartSums& sums;
  std::vector<Accumulator> without;  ///< training sums of each fold
  const std::vector<HeldOut>& rows;  ///< none for numbers
};

/// Mean over folds of the held-out error or mse, per λ.
std::vector<double> cross_validate(const Folds& folds, const PoolChoice& wanted, int threads) {
  std::vector<double> scores(ridge_lambdas().size());
  for (std::size_t fold = 0; fold < folds.without.size(); ++fold) {
    const Choice choice = choose_from_sums(folds.without[fold], wanted, threads);
    const Accumulator held_out = folds.sums.parts[fold].subset(choice.positions, choice.scales);
    const std::vector<LinearFit> path =
        ridge_path(folds.without[fold].subset(choice.positions, choice.scales), ridge_lambdas(), threads);
    std::vector<double> losses;
    if (folds.rows.empty())
      for (const LinearFit& fit : path) losses.push_back(mean_square(held_out, fit));
    else
      losses = errors_of(folds.rows[fold], choice, path, folds.sums.shift[0], threads);
    for (std::size_t k = 0; k < path.size(); ++k) scores[k] += losses[k] / static_cast<double>(folds.without.size());
  }
  return scores;
}

/// The best bandwidth, ridge λ and score λ of every sampler (outer) and M (inner).
std::vector<Best> tune_all(const Pools& pools, std::vector<HeldOut> rows, std::uint64_t seed, const Run& run) {
  std::vector<Best> best(kSamplers.size() * kFeatures.size());
  for (std::size_t map = 0; map < pools.maps.size(); ++map) {
    Folds folds{pools.sums[map], {}, rows};
    for (std::size_t fold = 0; fold < static_cast<std::size_t>(kFolds); ++fold)
      folds.without.push_back(sum_without(pools.sums[map], fold));
    for (HeldOut& fold : rows) {
      fold.phi.reshape(pools.maps[map].features(), fold.rows.x.cols());
      pools.maps[map].smoothings(fold.rows.x, fold.phi, run);
    }
    for (std::size_t i = 0; i < best.size(); ++i) {
      run.check_cancelled();
      const Index features = kFeatures[i % kFeatures.size()];
      const std::string& sampler = kSamplers[i / kFeatures.size()];
      for (const double score_lambda : score_lambdas(sampler)) {
        const PoolChoice wanted{.sampling = sampler,
                                .features = features,
                                .pool = kPoolFactor * features,
                                .lambda = score_lambda,
                                .seed = seed,
                                .with_replacement = true};
        const std::vector<double> scores = cross_validate(folds, wanted, run.thread_count());
        for (std::size_t k = 0; k < scores.size(); ++k)
          if (scores[k] < best[i].score) best[i] = {map, wanted, ridge_lambdas()[k], scores[k]};
      }
    }
  }
  return best;
}

/// Test error of a fit: wrong signs for classes, else mse over the variance of the target.
double test_error(const FeatureMap& map, const LinearFit& fit, const BlockSource& test, bool classes, const Run& run) {
  double wrong = 0, sum = 0, squares = 0;
  Matrix phi;
  test.for_each([&](const TrainingBlock& block) {
    phi.reshape(map.features(), block.rows());
    map.smoothings(block.x, phi, run);
    for (Index i = 0; i < block.rows(); ++i) {
      double value = fit.intercept;
      for (Index t = 0; t < phi.rows(); ++t) value += fit.coefficients[static_cast<std::size_t>(t)] * phi(t, i);
      const double y = block.y(0, i);
      wrong += classes ? ((value >= 0) != (y > 0)) : (value - y) * (value - y);
      sum += y;
      squares += y * y;
    }
    return true;
  });
  const auto count = static_cast<double>(test.rows());
  return classes ? wrong / count : wrong / (squares - sum * sum / count);
}

Json compute(const Json& key, const Bench& bench) {
  const std::string set = text_of(key, "set");
  const auto seed = static_cast<std::uint64_t>(integer_of(key, "seed"));
  const DataSplit data = bench.data.split(set, seed, bench.run);
  EncodeOptions encode = encoding_of(set);
  encode.scale = "standard";
  encode.bias = false;
  encode.unseen = "ignore";
  const Encoder encoder = Encoder::fit(data.train, encode, bench.run);
  const auto rows = training_rows(encoder, data.train, "none", 4e9, bench.run);
  const auto test = training_rows(encoder, data.test, "none", 4e9, bench.run, count_rows(data.test));
  const std::vector<Index> folds =
      assign_folds(rows->rows(), row_classes(encoder, data.train, bench.run), kFolds, seed);
  const Pools pools = draw_pools(*rows, encoder.inputs(), folds, seed, bench.run);

  const bool classes = is_classification(set);
  std::vector<HeldOut> held_out = classes ? held_out_rows(*rows, folds) : std::vector<HeldOut>{};

  Json values;
  for (const Best& best : tune_all(pools, std::move(held_out), seed, bench.run)) {
    const Accumulator all = sum_of_all(pools.sums[best.map]);
    const Choice choice = choose_from_sums(all, best.choice, bench.run.thread_count());
    LinearFit fit =
        ridge_path(all.subset(choice.positions, choice.scales), {best.lambda}, bench.run.thread_count()).front();
    fit.intercept += pools.sums[best.map].shift[0];
    const FeatureMap map = pools.maps[best.map].subset(choice.positions, choice.scales);
    values[best.choice.sampling].push_back({{"features", best.choice.features},
                                            {"test", test_error(map, fit, *test, classes, bench.run)},
                                            {"sigma_factor", sigma_factors()[best.map]},
                                            {"lambda", best.lambda},
                                            {"score_lambda", best.choice.lambda},
                                            {"cross_validated", best.score}});
  }
  return values;
}

std::vector<Json> plan(const Bench& bench) {
  std::vector<Json> keys;
  for (int seed = 1; seed <= (bench.full ? 20 : 2); ++seed)
    for (const std::string& set : kSets)
      if (bench.data.has(set))
        keys.push_back({{"set", set}, {"seed", seed}, {"tuned_by", is_classification(set) ? "error" : "mse"}});
  return keys;
}

/// Over the cells of a set: test errors of a sampler with kFeatures[m] features.
Summary summarise(const std::vector<Cell>& cells, const std::string& set, const std::string& sampler, std::size_t m) {
  std::vector<double> errors;
  for (const Cell& cell : cells)
    if (text_of(cell.key, "set") == set) errors.push_back(cell.values.at(sampler).at(m).at("test").get<double>());
  return summary_of(errors);
}

/// Better or worse than plain by more than a standard error of the difference of paired repeats.
std::string against_plain(const std::vector<Cell>& cells, const std::string& set, const std::string& sampler,
                          std::size_t m) {
  std::vector<double> differences;
  for (const Cell& cell : cells)
    if (text_of(cell.key, "set") == set)
      differences.push_back(cell.values.at(sampler).at(m).at("test").get<double>() -
                            cell.values.at("plain").at(m).at("test").get<double>());
  return verdict_of_difference(summary_of(differences));
}

ReportSection section_of(const std::vector<Cell>& cells, const std::string& set) {
  ReportSection section{.heading = set};
  ReportTable table{.caption = fmt::format("{}, mean ± standard error; marks compare with plain over paired repeats",
                                           is_classification(set) ? "test error" : "test mse over variance"),
                    .columns = {"sampling"}};
  ReportChart chart{
      .title = set, .x_label = "features M", .y_label = is_classification(set) ? "test error" : "test mse / variance"};
  for (const Index features : kFeatures) table.columns.push_back(fmt::format("M = {}", features));
  for (const std::string& sampler : kSamplers) {
    std::vector<ReportCell> row = {sampler};
    ChartSeries series{.name = sampler};
    for (std::size_t m = 0; m < kFeatures.size(); ++m) {
      const Summary s = summarise(cells, set, sampler, m);
      row.emplace_back(fmt::format("{:.4f} ± {:.4f}", s.mean, s.standard_error), s.mean,
                       sampler == "plain" ? "" : against_plain(cells, set, sampler, m));
      series.points.push_back(
          {static_cast<double>(kFeatures[m]), s.mean, s.mean - s.standard_error, s.mean + s.standard_error});
    }
    table.rows.push_back(std::move(row));
    chart.series.push_back(std::move(series));
  }
  section.tables.push_back(std::move(table));
  section.charts.push_back(std::move(chart));
  return section;
}

std::vector<ReportSection> present(const std::vector<Cell>& cells, const Bench& bench) {
  std::vector<ReportSection> sections;
  for (const std::string& set : kSets)
    if (bench.data.has(set)) sections.push_back(section_of(cells, set));
  return sections;
}

}  // namespace

Experiment elss_figure_2() {
  return {{"elss-figure-2", "[001] Figure 2", "features chosen by leverage scores or by the target against plain ones",
           kSets},
          plan,
          compute,
          present};
}

}  // namespace weft
