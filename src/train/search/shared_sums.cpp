#include "train/search/shared_sums.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/stopwatch.hpp"
#include "linalg/normal_equations.hpp"
#include "linalg/ridge_path.hpp"
#include "objective/lambda_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::detail {

namespace {

/// The fits of one fold, λs side by side.
void fit_fold(const Accumulator& training, const Penalty& penalty, const PathRegulariser& regulariser,
              std::span<const double> lambdas, const FitOptions& options, const Run& run, Matrix& coefficients,
              std::vector<double>& intercepts) {
  NormalEquations equations = normal_equations(training, options.intercept);
  penalty.add_ridge(equations);
  const Index outputs = training.targets();
  coefficients = Matrix(training.features(), static_cast<Index>(lambdas.size()) * outputs);
  std::vector<double> scaled;
  for (const double lambda : lambdas)
    if (std::isfinite(lambda * equations.weight)) scaled.push_back(lambda * equations.weight);
  const RidgePath path =
      ridge_path(equations.gram, regulariser, scaled, options.own<LeastSquaresOptions>().epsilon * equations.weight,
                 equations.cross, Worker::for_equations(run, equations.gram.rows()));
  const Matrix zero(training.features(), outputs);
  std::size_t solved = 0;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    const bool vanished = !std::isfinite(lambdas[k] * equations.weight);
    const Matrix& solution = vanished ? zero : path.coefficients[solved++];
    for (Index t = 0; t < solution.rows(); ++t)
      std::copy_n(solution.row(t), outputs, coefficients.row(t) + static_cast<Index>(k) * outputs);
    const std::vector<double> at = equations.intercepts(solution);
    intercepts.insert(intercepts.end(), at.begin(), at.end());
  }
}

constexpr Index kFeaturesPerRow = 2;  // from there on rows × rows matrices cost less than those of the features

}  // namespace

bool fits_in_row_coordinates(const FeatureMap& map, const Validation& validation, const FitOptions& options) {
  const auto& own = options.own<LeastSquaresOptions>();
  const Index rows = validation.rows.rows();
  return rows <= kBlockRows && kFeaturesPerRow * rows <= map.features() && validation.rows.share() == nullptr &&
         own.precision == Precision::float64 && own.coefficient_ridge == 0 &&
         penalty_without_matrix(map, own.regularizer).kind == Regularizer::ridge;
}

std::vector<PartSums> accumulate_folds(MapSet& maps, const Validation& validation, const FitOptions& options,
                                       const Run& run) {
  const Folds& folds = validation.folds;
  return accumulate_parts(maps, validation.rows, options, folds.parts, folds.part_of(), run);
}

Accumulator training_sums(const PartSums& sums, const Folds& folds, std::size_t fold) {
  std::vector<const Accumulator*> others;
  for (std::size_t k = 0; k < sums.parts.size(); ++k)
    if (folds.trains(static_cast<Index>(k), static_cast<Index>(fold))) others.push_back(&sums.parts[k]);
  return Accumulator::sum(others);
}

Accumulator sum_of_all(const PartSums& sums) {
  std::vector<const Accumulator*> all;
  for (const Accumulator& part : sums.parts) all.push_back(&part);
  return Accumulator::sum(all);
}

void add_shift(const PartSums& sums, FoldFits& fits) {
  for (std::vector<double>& intercepts : fits.intercepts)
    for (std::size_t a = 0; a < intercepts.size(); ++a) intercepts[a] += sums.shift[a % sums.shift.size()];
}

FoldFits fit_path(const PartSums& sums, const Folds& folds, const Penalty& penalty, std::span<const double> lambdas,
                  const FitOptions& options, const Run& run) {
  FoldFits fits{static_cast<Index>(lambdas.size()), std::vector<Matrix>(sums.parts.size()),
                std::vector<std::vector<double>>(sums.parts.size())};
  const PathRegulariser regulariser(penalty.matrix, lambdas.size(),
                                    Worker::for_equations(run, sums.parts.front().features()));
  for (auto f = static_cast<std::size_t>(folds.first()); f < sums.parts.size(); ++f) {
    run.check_cancelled();
    fit_fold(training_sums(sums, folds, f), penalty, regulariser, lambdas, options, run, fits.coefficients[f],
             fits.intercepts[f]);
  }
  return fits;
}

std::vector<ValidationScore> validation_scores(const PartSums& sums, const Folds& folds, const FoldFits& fits,
                                               const Run& run) {
  const Index predicted = folds.parts - folds.first();
  const Index outputs = sums.parts.front().targets();
  Matrix errors(fits.alternatives, predicted);
  parallel_for(fits.alternatives * predicted, run.thread_count(), [&](Index k) {
    const Index a = k / predicted;
    const auto f = static_cast<std::size_t>(folds.first() + k % predicted);
    const View<const double> coefficients = fits.coefficients[f].view().col_range(a * outputs, outputs);
    const auto first = fits.intercepts[f].begin() + a * outputs;
    const std::vector<double> intercepts(first, first + outputs);
    for (Index o = 0; o < outputs; ++o)
      errors(a, k % predicted) +=
          squared_error(sums.parts[f], coefficients, intercepts, o) / static_cast<double>(outputs);
  });
  std::vector<ValidationScore> results;
  for (Index a = 0; a < fits.alternatives; ++a)
    results.push_back(validation_score({errors.row(a), errors.row(a) + predicted}));
  return results;
}

std::vector<double> lambda_grid_of_rows(const FeatureMap& map, const Validation& validation, bool intercept,
                                        Index count, const Run& run) {
  double balance = 0;  // the largest variance, or mean square, of a feature
  Matrix phi(map.features(), validation.rows.rows());
  validation.rows.for_each([&](const TrainingBlock& block) {
    map.smoothings(block.x, phi.view(), run);
    const std::vector<double> weights(block.weights == nullptr
                                          ? std::vector<double>(at(block.rows()), 1.0)
                                          : std::vector<double>(block.weights, block.weights + block.rows()));
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (Index t = 0; t < phi.rows(); ++t) {
      const double* values = phi.row(t);
      const double mean = intercept ? std::inner_product(weights.begin(), weights.end(), values, 0.0) / total : 0;
      double squares = 0;
      for (Index i = 0; i < phi.cols(); ++i) squares += weights[at(i)] * (values[i] - mean) * (values[i] - mean);
      balance = std::max(balance, squares / total);
    }
    return true;
  });
  return lambda_grid(balance, count);
}

namespace {

/// Candidates of one family and draw on their way from sums to scores.
class Batch {
 public:
  Batch(const std::vector<Candidate>& candidates, const Inputs& inputs, const Validation& validation,
        const FitOptions& fit, const Run& run)
      : candidates_(candidates), validation_(validation), fit_(fit), run_(run), unit_(unit_draw(inputs)) {
    for (const Candidate& candidate : candidates) {
      maps_.push_back(FeatureMap::draw(candidate.family, inputs));
      trials_.push_back(trial_of(candidate, fit));
    }
    for (const FeatureMap& map : maps_) pointers_.push_back(&map);
    few_rows_ = fits_in_row_coordinates(maps_.front(), validation, fit);
  }

  /// The sums of every fold and candidate, in one pass. False when the time ended.
  bool accumulate(Sharing& sharing) {
    const Stopwatch clock;
    MapSet maps = map_set();
    sums_ = accumulate_folds(maps, validation_, fit_, run_);
    sharing.accumulating += clock.seconds();
    // Without one another's sums, every fold would be fitted from all rows but its own.
    sharing.accumulating_alone += clock.seconds() * static_cast<double>(validation_.folds.parts - 1);
    sharing.projecting += maps.projecting_seconds();
    sharing.projecting_alone += maps.projecting_seconds() * static_cast<double>(maps_.size());
    return sums_.front().stopped_at == 0;
  }

  bool fit_paths(Index lambdas) {
    for (std::size_t k = 0; k < maps_.size(); ++k) {
      if (run_.out_of_time()) return false;
      const auto& own = fit_.own<LeastSquaresOptions>();
      penalties_.push_back(make_penalty(maps_[k], own.regularizer, run_, own.coefficient_ridge));
      lambdas_.push_back(lambdas_of(k, lambdas));
      try {
        fits_.push_back(fit_path(sums_[k], validation_.folds, penalties_[k], lambdas_[k], fit_, run_));
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::data) throw;
        trials_[k].failure = error.what();  // one that cannot be solved must not end a search of many
        fits_.push_back(no_fits());
      }
    }
    return true;
  }

  bool validate_all() {
    if (validation_.metric == Metric::mse) {
      for (std::size_t k = 0; k < maps_.size(); ++k)
        choose(k, validation_scores(sums_[k], validation_.folds, fits_[k], run_));
      return true;
    }
    for (std::size_t k = 0; k < maps_.size(); ++k) add_shift(sums_[k], fits_[k]);
    MapSet maps = map_set();
    const std::vector<Matrix> scores = held_out_scores(maps, fits_, validation_, run_);
    if (scores.empty()) return false;
    for (std::size_t k = 0; k < maps_.size(); ++k)
      choose(k, validation_scores(validation_, scores[k], fits_[k].alternatives));
    return true;
  }

  std::vector<Trial> trials(double seconds) && {
    for (Trial& trial : trials_) trial.seconds = seconds / static_cast<double>(trials_.size());
    return std::move(trials_);
  }

 private:
  MapSet map_set() const {
    MapSet maps(pointers_, unit_);
    if (few_rows_) maps.in_row_coordinates(validation_.rows.rows());
    return maps;
  }

  /// λs to try, effective: the candidate's own, or the grid that suits the sums of all rows.
  std::vector<double> lambdas_of(std::size_t k, Index count) const {
    if (candidates_[k].lambda) return {penalties_[k].effective(*candidates_[k].lambda)};
    if (few_rows_) return lambda_grid_of_rows(maps_[k], validation_, fit_.intercept, count, run_);
    return lambda_grid(normal_equations(sum_of_all(sums_[k]), fit_.intercept), penalties_[k], count);
  }

  FeatureMap unit_draw(const Inputs& inputs) const {
    FamilyOptions unit = candidates_.front().family;
    unit.sigma = 1;
    return FeatureMap::draw(unit, inputs);
  }

  FoldFits no_fits() const {
    const auto folds = static_cast<std::size_t>(validation_.folds.parts);
    return {0, std::vector<Matrix>(folds), std::vector<std::vector<double>>(folds)};
  }

  void choose(std::size_t k, const std::vector<ValidationScore>& results) {
    if (results.empty()) return;
    const std::size_t best = best_of(validation_.metric, results);
    if (!candidates_[k].lambda) trials_[k].lambda = penalties_[k].user_lambda(lambdas_[k][best]);
    set_scores(trials_[k], results[best]);
    for (std::size_t a = 0; a < results.size(); ++a)
      trials_[k].path.push_back({maps_[k].features(), penalties_[k].user_lambda(lambdas_[k][a]), results[a].score,
                                 results[a].standard_error});
  }

  const std::vector<Candidate>& candidates_;
  const Validation& validation_;
  const FitOptions& fit_;
  const Run& run_;
  FeatureMap unit_;
  std::vector<FeatureMap> maps_;
  std::vector<const FeatureMap*> pointers_;
  bool few_rows_ = false;
  std::vector<PartSums> sums_;
  std::vector<Penalty> penalties_;
  std::vector<std::vector<double>> lambdas_;
  std::vector<FoldFits> fits_;
  std::vector<Trial> trials_;
};

}  // namespace

std::optional<std::vector<Trial>> validate_batch(const std::vector<Candidate>& candidates, const Inputs& inputs,
                                                 const Validation& validation, const FitOptions& fit, Index lambdas,
                                                 const Run& run, Sharing& sharing) {
  const Stopwatch clock;
  Batch batch(candidates, inputs, validation, fit, run);
  if (!batch.accumulate(sharing) || !batch.fit_paths(lambdas) || !batch.validate_all()) return std::nullopt;
  return std::move(batch).trials(clock.seconds());
}

double batch_bytes(double features, double rows, double outputs, double lambdas, double folds, bool by_sums) {
  const double alternatives = lambdas * outputs;
  return 8 * (folds * features * features + features * features + folds * alternatives * features +
              (by_sums ? 0 : alternatives * rows));
}

}  // namespace weft::detail
