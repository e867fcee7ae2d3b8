// Shahrampour & Kolouri 2019, Figure 2: test error against the number of features M for samplers that look at the data
// (ELSS Algorithms 1 and 2, EERF, LKRF) and plain random kitchen sinks, all of them cos features of the rbf kernel
// chosen from pools of 10·M.
//
// The paper fixes a bandwidth per data set; here bandwidth, ridge λ and, for ELSS, the λ of the scores are tuned for
// every sampler and M by the same five folds, each fold choosing its features without its held-out rows, and by what
// the figure shows: the error of classes, the mse of numbers. One pass over the rows gives the sums of the largest pool
// for every bandwidth and fold; all the rest happens on those sums, but for the errors, which take the held-out rows.

#include "dense.hpp"
#include "experiment.hpp"
#include "paired_tests.hpp"
#include "pool_choice.hpp"
#include "rows.hpp"
#include "statistics.hpp"
#include "trained.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace weft::papers {

namespace {

const std::vector<std::string> kElssSets = {"year_msd_7k", "online_news_8k", "adult", "epileptic_seizure"};
const std::vector<Sampling> kSamplers = {Sampling::plain, Sampling::leverage, Sampling::leverage_top, Sampling::lkrf,
                                         Sampling::eerf};
constexpr Index kPoolFactor = 10;
constexpr Index kFolds = 5;
constexpr Index kBlockRows = 2048;

/// M.
std::vector<Index> feature_counts(const Bench& bench) {
  return bench.sized<std::vector<Index>>({5, 10}, {20, 50, 100}, {20, 30, 50, 70, 100});
}

/// Multiples of 1/√(2n), the rbf bandwidth of the mean squared distance of standardised rows.
std::vector<double> sigma_factors(const Bench& bench) {
  if (!bench.full()) return {0.0625, 0.25, 1, 3};
  return {0.03125, 0.0625, 0.125, 0.25, 0.5, 1, 1.5, 2, 3};
}

std::vector<double> ridge_lambdas() {
  std::vector<double> lambdas;
  for (int k = -20; k <= 0; ++k) lambdas.push_back(std::pow(10.0, 0.5 * k));
  return lambdas;
}

/// Of the scores: about 1/N, the default, and larger ones.
std::vector<double> score_lambdas(Sampling sampler) {
  if (sampler != Sampling::leverage && sampler != Sampling::leverage_top) return {0};
  return {1e-6, 1e-5, 1e-4, 1e-3};
}

/// The rows of each fold.
std::vector<Rows> split_folds(const Rows& rows, const std::vector<Index>& fold_of) {
  std::vector<Rows> folds;
  for (Index fold = 0; fold < kFolds; ++fold) {
    std::vector<Index> positions;
    for (std::size_t row = 0; row < fold_of.size(); ++row)
      if (fold_of[row] == fold) positions.push_back(static_cast<Index>(row));
    folds.push_back(take_rows(rows, positions));
  }
  return folds;
}

FeatureMap draw_pool(const Inputs& inputs, double sigma_factor, Index pool, std::uint64_t seed) {
  FamilyOptions family;
  family.family = "rff-rbf";
  family.features = pool;
  family.sigma = sigma_factor / std::sqrt(2 * static_cast<double>(inputs.columns()));
  family.seed = seed;
  return FeatureMap::draw(family, inputs);
}

PoolSums sums_of(const FeatureMap& map, const Rows& rows, const Run& run) {
  PoolSums sums(map.features());
  Matrix phi;
  for (Index first = 0; first < rows.count(); first += kBlockRows) {
    run.check_cancelled();
    const Index count = std::min(kBlockRows, rows.count() - first);
    phi.reshape(map.features(), count);
    map.smoothings(rows.x.view().col_range(first, count), phi, run);
    sums.add(View<const double>(phi), rows.y.row(0) + first);
  }
  return sums;
}

/// What the folds of one bandwidth are validated on: their sums, and for classes their rows.
struct Folds {
  explicit Folds(const std::vector<Rows>& rows_) : rows(rows_) {}

  std::vector<PoolSums> held_out;
  std::vector<PoolSums> fitted;  ///< of the other folds
  std::vector<Matrix> phi;       ///< features of the largest pool × held-out rows; none for numbers
  const std::vector<Rows>& rows;

  /// Leverage scores are the same for both samplers, and most of the work: they are made once.
  const std::vector<double>& scores(std::size_t fold, const PoolChoice& wanted) {
    const bool plain = wanted.sampling == Sampling::plain;
    const bool leverage = wanted.sampling == Sampling::leverage || wanted.sampling == Sampling::leverage_top;
    const Place place{fold, plain ? 0 : wanted.pool, plain ? -2 : leverage ? wanted.lambda : -1};
    const auto found = scores_.find(place);
    if (found != scores_.end()) return found->second;
    return scores_.emplace(place, scores_from_sums(fitted[fold], wanted)).first->second;
  }

 private:
  using Place = std::tuple<std::size_t, Index, double>;  // fold, pool, λ (−1: alignments, −2: nothing)
  std::map<Place, std::vector<double>> scores_ = {};
};

Folds make_folds(const FeatureMap& map, const std::vector<Rows>& rows, bool classes, const Run& run) {
  Folds folds(rows);
  for (const Rows& fold : rows) {
    folds.held_out.push_back(sums_of(map, fold, run));
    if (!classes) continue;
    folds.phi.emplace_back(map.features(), fold.count());
    map.smoothings(fold.x, folds.phi.back(), run);
  }
  for (std::size_t fold = 0; fold < rows.size(); ++fold) {
    PoolSums others(map.features());
    for (std::size_t other = 0; other < rows.size(); ++other)
      if (other != fold) others.merge(folds.held_out[other]);
    folds.fitted.push_back(std::move(others));
  }
  return folds;
}

/// Share of the held-out rows whose sign each of the fits gets wrong.
std::vector<double> errors_of(const Matrix& pool, const Matrix& y, const ChosenFeatures& chosen,
                              const std::vector<LinearFit>& fits, double shift) {
  const auto count = static_cast<Index>(chosen.positions.size());
  const auto alternatives = static_cast<Index>(fits.size());
  Matrix phi(count, pool.cols()), coefficients(count, alternatives);
  for (Index t = 0; t < count; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const double scale = chosen.scales.empty() ? 1 : chosen.scales[at];
    std::copy_n(pool.row(chosen.positions[at]), phi.cols(), phi.row(t));
    for (Index k = 0; k < alternatives; ++k)
      coefficients(t, k) = scale * fits[static_cast<std::size_t>(k)].coefficients[at];
  }
  const Matrix scores = transposed_product(coefficients, phi);
  std::vector<double> errors;
  for (Index k = 0; k < alternatives; ++k) {
    const double intercept = fits[static_cast<std::size_t>(k)].intercept + shift;
    double wrong = 0;
    for (Index i = 0; i < scores.cols(); ++i) wrong += (scores(k, i) + intercept >= 0) != (y(0, i) + shift > 0);
    errors.push_back(wrong / static_cast<double>(scores.cols()));
  }
  return errors;
}

/// Mean over folds of the held-out error or mse, per λ. `shift` was subtracted from the targets.
std::vector<double> cross_validate(Folds& folds, const PoolChoice& wanted, double shift) {
  std::vector<double> scores(ridge_lambdas().size());
  for (std::size_t fold = 0; fold < folds.fitted.size(); ++fold) {
    const ChosenFeatures chosen = choose_by_scores(folds.scores(fold, wanted), wanted);
    const std::vector<LinearFit> fits = ridge_fits(folds.fitted[fold].subset(chosen), ridge_lambdas());
    std::vector<double> losses;
    if (folds.phi.empty()) {
      const PoolSums held_out = folds.held_out[fold].subset(chosen);
      for (const LinearFit& fit : fits) losses.push_back(mean_square(held_out, fit));
    } else {
      losses = errors_of(folds.phi[fold], folds.rows[fold].y, chosen, fits, shift);
    }
    for (std::size_t k = 0; k < fits.size(); ++k) scores[k] += losses[k] / static_cast<double>(folds.fitted.size());
  }
  return scores;
}

/// The best bandwidth, ridge λ and score λ of a sampler and M.
struct Best {
  double sigma_factor = 0;
  PoolChoice choice = {};
  double lambda = 0;
  double score = std::numeric_limits<double>::infinity();
};

/// Of every sampler (outer) and M (inner), and the sums of all rows by bandwidth.
struct TunedSamplers {
  std::vector<Best> best;
  std::map<double, PoolSums> sums = {};
};

TunedSamplers tune_all(const std::vector<Rows>& rows, const Inputs& inputs, std::uint64_t seed, bool classes,
                       double shift, const Bench& bench) {
  const Run& run = bench.run;
  const std::vector<Index> counts = feature_counts(bench);
  TunedSamplers tuned{std::vector<Best>(kSamplers.size() * counts.size())};
  for (const double sigma_factor : sigma_factors(bench)) {
    const FeatureMap map = draw_pool(inputs, sigma_factor, kPoolFactor * counts.back(), seed);
    Folds folds = make_folds(map, rows, classes, run);
    PoolSums all = folds.fitted.front();
    all.merge(folds.held_out.front());
    tuned.sums.emplace(sigma_factor, std::move(all));
    for (std::size_t i = 0; i < tuned.best.size(); ++i) {
      run.check_cancelled();
      const Index features = counts[i % counts.size()];
      const Sampling sampler = kSamplers[i / counts.size()];
      for (const double score_lambda : score_lambdas(sampler)) {
        const PoolChoice wanted{.sampling = sampler,
                                .features = features,
                                .pool = kPoolFactor * features,
                                .lambda = score_lambda,
                                .seed = seed};
        const std::vector<double> scores = cross_validate(folds, wanted, shift);
        for (std::size_t k = 0; k < scores.size(); ++k)
          if (scores[k] < tuned.best[i].score) tuned.best[i] = {sigma_factor, wanted, ridge_lambdas()[k], scores[k]};
      }
    }
  }
  return tuned;
}

/// Test error of a fit: wrong signs for classes, else mse over the variance of the target.
double test_error(const FeatureMap& map, const LinearFit& fit, const Rows& test, bool classes, const Run& run) {
  Matrix phi(map.features(), test.count());
  map.smoothings(test.x, phi, run);
  double wrong = 0, sum = 0, squares = 0;
  for (Index i = 0; i < test.count(); ++i) {
    double value = fit.intercept;
    for (Index t = 0; t < phi.rows(); ++t) value += fit.coefficients[static_cast<std::size_t>(t)] * phi(t, i);
    const double y = test.y(0, i);
    wrong += classes ? ((value >= 0) != (y > 0)) : (value - y) * (value - y);
    sum += y;
    squares += y * y;
  }
  const auto count = static_cast<double>(test.count());
  return classes ? wrong / count : wrong / (squares - sum * sum / count);
}

/// Fits the best configuration to all rows, whose sums these are.
Json test_best(const Best& best, const PoolSums& sums, const Rows& test, const Inputs& inputs, bool classes,
               double shift, const Run& run) {
  const FeatureMap map = draw_pool(inputs, best.sigma_factor, sums.features(), best.choice.seed);
  const ChosenFeatures chosen = choose_from_sums(sums, best.choice);
  LinearFit fit = ridge_fits(sums.subset(chosen), {best.lambda}).front();
  fit.intercept += shift;
  return {{"features", best.choice.features},
          {"test", test_error(map.subset(chosen.positions, chosen.scales), fit, test, classes, run)},
          {"sigma_factor", best.sigma_factor},
          {"lambda", best.lambda},
          {"score_lambda", best.choice.lambda},
          {"cross_validated", best.score}};
}

Json compute_elss(const Json& key, const Bench& bench) {
  const std::string set = text_of(key, "set");
  const bool classes = is_classification(set);
  const auto seed = static_cast<std::uint64_t>(integer_of(key, "seed"));
  DataSplit data = bench.data.split(set, seed, bench.run);
  data.train = some_rows(data.train, key.value("rows", Index{0}), seed);
  EncodeOptions encode = encoding_of(set);
  encode.scale = Scaling::standard;
  encode.bias = false;
  encode.unseen = UnseenCategories::ignore;
  const Encoder encoder = Encoder::fit(data.train, encode, bench.run);
  Rows all = load_rows(encoder, data.train, bench.run);
  const Rows test = load_rows(encoder, data.test, bench.run);
  // Sums about 0 would lose digits of targets such as years.
  const double shift =
      std::accumulate(all.y.row(0), all.y.row(0) + all.count(), 0.0) / static_cast<double>(all.count());
  for (Index i = 0; i < all.count(); ++i) all.y(0, i) -= shift;
  const std::vector<Rows> folds =
      split_folds(all, assign_folds(all.count(), row_classes(encoder, data.train, bench.run), kFolds, seed));
  const TunedSamplers tuned = tune_all(folds, encoder.inputs(), seed, classes, shift, bench);
  Json values;
  for (const Best& best : tuned.best)
    values[name_of(best.choice.sampling)].push_back(
        test_best(best, tuned.sums.at(best.sigma_factor), test, encoder.inputs(), classes, shift, bench.run));
  return values;
}

std::vector<Json> plan_elss(const Bench& bench) {
  std::vector<Json> keys;
  for (int seed = 1; seed <= bench.sized(2, 2, 50); ++seed)
    for (const std::string& set : kElssSets) {
      if (!bench.data.has(set)) continue;
      keys.push_back({{"set", set}, {"seed", seed}, {"tuned_by", is_classification(set) ? "error" : "mse"}});
      if (bench.full()) continue;
      keys.back()["features"] = feature_counts(bench);
      keys.back()["rows"] = bench.sized(0, 3000, 0);
      keys.back()["bandwidths"] = sigma_factors(bench).size();
    }
  return keys;
}

/// Over the cells of a set: test errors of a sampler with the m-th number of features.
Summary summarise(const std::vector<Cell>& cells, const std::string& set, Sampling sampler, std::size_t m) {
  std::vector<double> errors;
  for (const Cell& cell : cells)
    if (text_of(cell.key, "set") == set)
      errors.push_back(cell.values.at(name_of(sampler)).at(m).at("test").get<double>());
  return summary_of(errors);
}

/// Less plain, in paired repeats.
PairedRepeats against_plain(const std::vector<Cell>& cells, const std::string& set, Sampling sampler, std::size_t m) {
  PairedRepeats repeats{.differences = {}, .overlap = split_overlap(set)};
  for (const Cell& cell : cells)
    if (text_of(cell.key, "set") == set)
      repeats.differences.push_back(cell.values.at(name_of(sampler)).at(m).at("test").get<double>() -
                                    cell.values.at("plain").at(m).at("test").get<double>());
  return repeats;
}

/// Of all samplers but the first, which is plain, and all M; in the order of the table.
std::vector<std::string> table_verdicts(const std::vector<Cell>& cells, const std::string& set, std::size_t counts) {
  std::vector<PairedRepeats> repeats;
  for (const Sampling sampler : kSamplers)
    for (std::size_t m = 0; m < counts && sampler != Sampling::plain; ++m)
      repeats.push_back(against_plain(cells, set, sampler, m));
  return verdicts_of(repeats);
}

ReportSection section_of(const std::vector<Cell>& cells, const std::string& set, const std::vector<Index>& counts) {
  ReportSection section{.heading = set};
  ReportTable table{
      .caption = fmt::format("{}, mean ± standard error; marks compare with plain over paired repeats: Student's t "
                             "at 0.05, by Holm over the table",
                             is_classification(set) ? "test error" : "test mse over variance"),
      .columns = {"sampling"}};
  ReportChart chart{
      .title = set, .x_label = "features M", .y_label = is_classification(set) ? "test error" : "test mse / variance"};
  for (const Index features : counts) table.columns.push_back(fmt::format("M = {}", features));
  const std::vector<std::string> verdicts = table_verdicts(cells, set, counts.size());
  std::size_t compared = 0;
  for (const Sampling sampler : kSamplers) {
    std::vector<ReportCell> row = {name_of(sampler)};
    ChartSeries series{.name = name_of(sampler)};
    for (std::size_t m = 0; m < counts.size(); ++m) {
      const Summary s = summarise(cells, set, sampler, m);
      row.emplace_back(fmt::format("{:.4f} ± {:.4f}", s.mean, s.standard_error), s.mean,
                       sampler == Sampling::plain ? "" : verdicts[compared++]);
      series.points.push_back(
          {static_cast<double>(counts[m]), s.mean, s.mean - s.standard_error, s.mean + s.standard_error});
    }
    table.rows.push_back(std::move(row));
    chart.series.push_back(std::move(series));
  }
  section.tables.push_back(std::move(table));
  section.charts.push_back(std::move(chart));
  return section;
}

std::vector<ReportSection> present_elss(const std::vector<Cell>& cells, const Bench& bench) {
  std::vector<ReportSection> sections;
  for (const std::string& set : kElssSets)
    if (bench.data.has(set)) sections.push_back(section_of(cells, set, feature_counts(bench)));
  return sections;
}

}  // namespace

Experiment elss_figure_2() {
  return {{"elss-figure-2", source_of("elss", "Figure 2"),
           "features chosen by leverage scores or by the target against plain ones", kElssSets},
          plan_elss,
          compute_elss,
          present_elss};
}

}  // namespace weft::papers
