#include "data/encode/level_effects.hpp"

#include <weft/encoder.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "data/encode/encoder_state.hpp"

namespace weft {

using namespace detail;

namespace detail {

namespace {

using Statistics = LevelStatistics::State;

constexpr std::array kRatios = {1e6, 1e4, 1e3, 300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1};
constexpr double kFirstRatio = 10;
constexpr double kRidge = 1e-4;  // of the other inputs, relative to their variance
// Over several variables; one alone is solved exactly. The search starts from the solution for the ratio before.
constexpr int kSearchSweeps = 5;
constexpr int kLastSweeps = 30;

double mean_weight(const Statistics& statistics) {
  double weight = 0;
  for (const Statistics::Fold& fold : statistics.folds) weight += fold.moments(0, 0);
  return weight / static_cast<double>(statistics.rows);
}

/// Solves A b = r for a symmetric A, of which the upper triangle is given. Unknowns whose equations follow from those
/// before them, to rounding of A's diagonal as it was (`scale`), are 0.
class Cholesky {
 public:
  Cholesky(const Matrix& a, const std::vector<double>& scale) : factor_(a.rows(), a.rows()) {
    constexpr double kTiny = 1e-13;
    for (Index i = 0; i < a.rows(); ++i)
      for (Index j = 0; j <= i; ++j) {
        double sum = a(j, i);
        for (Index k = 0; k < j; ++k) sum -= factor_(i, k) * factor_(j, k);
        if (i != j)
          factor_(i, j) = sum / factor_(j, j);
        else
          factor_(i, i) = sum > kTiny * scale[at(i)] ? std::sqrt(sum) : std::numeric_limits<double>::infinity();
      }
  }

  void solve(double* values) const {
    const Index size = factor_.rows();
    for (Index i = 0; i < size; ++i) {
      for (Index k = 0; k < i; ++k) values[i] -= factor_(i, k) * values[k];
      values[i] /= factor_(i, i);
    }
    for (Index i = size - 1; i >= 0; --i) {
      for (Index k = i + 1; k < size; ++k) values[i] -= factor_(k, i) * values[k];
      values[i] /= factor_(i, i);
    }
  }

 private:
  Matrix factor_;
};

struct Solution {
  Matrix beta;                  // outputs × (1 + covariates)
  std::vector<Matrix> effects;  // of each variable: levels × outputs
};

/// The equations of the rows that one fold is predicted from: all others, or those before it.
class LevelEquations {
 public:
  /// `folds` of the rows, where their codes are kept.
  LevelEquations(const Statistics& statistics, const std::vector<Index>& folds, Index left_out)
      : all_(statistics),
        folds_(folds),
        left_out_(left_out),
        inputs_(1 + statistics.covariates),
        unit_(mean_weight(statistics)),
        moments_(statistics.width(), statistics.width()) {
    add_folds();
  }

  Solution start() const {
    Solution solution{Matrix(all_.outputs, inputs_), {}};
    for (const Index levels : all_.levels) solution.effects.emplace_back(levels, all_.outputs);
    return solution;
  }

  /// Solves for β and the effects of one variable after the other, given those of the others. Without rows, as before
  /// the first of times, effects are 0.
  void improve(const std::vector<double>& ratios, int sweeps, Solution& solution) const {
    if (!(moments_(0, 0) > 0)) return;
    std::vector<Cholesky> factors;
    for (std::size_t c = 0; c < sums_.size(); ++c) factors.push_back(without_effects(c, unit_ * ratios[c]));
    for (int sweep = 0; sweep < (sums_.size() > 1 ? sweeps : 1); ++sweep)
      for (std::size_t c = 0; c < sums_.size(); ++c) solve_variable(c, unit_ * ratios[c], factors[c], solution);
  }

  /// Σ w (y − prediction)² of the rows left out, by output.
  std::vector<double> errors(const Solution& solution) const;

 private:
  void add_folds() {
    const Index width = all_.width();
    for (const Index levels : all_.levels) sums_.emplace_back(levels, width);
    for (Index f = 0; f < kLevelFolds; ++f) {
      if (!all_.trains(f, left_out_)) continue;
      const Statistics::Fold& fold = all_.folds[at(f)];
      for (Index k = 0; k < width * width; ++k) moments_.data()[k] += fold.moments.data()[k];
      for (std::size_t c = 0; c < sums_.size(); ++c)
        for (Index level = 0; level < sums_[c].rows(); ++level)
          if (const double* values = fold.columns[c].find(at(level), width))
            for (Index a = 0; a < width; ++a) sums_[c](level, a) += values[a];
    }
  }

  /// The equations for β after the effects of variable c are eliminated: u = (Σ w (y − the rest)) / (Σ w + ratio).
  Cholesky without_effects(std::size_t c, double ratio) const {
    Matrix a(inputs_, inputs_);
    std::vector<double> scale;
    for (Index i = 0; i < inputs_; ++i) {
      std::copy_n(moments_.row(i) + i, inputs_ - i, a.row(i) + i);
      scale.push_back(a(i, i));
      if (i > 0) a(i, i) += kRidge * (a(i, i) - a(0, i) * a(0, i) / a(0, 0));
    }
    for (Index level = 0; level < sums_[c].rows(); ++level) {
      const double* const values = sums_[c].row(level);
      if (!(values[0] > 0)) continue;
      for (Index i = 0; i < inputs_; ++i) {
        const double scaled = values[i] / (values[0] + ratio);
        for (Index j = i; j < inputs_; ++j) a(i, j) -= scaled * values[j];
      }
    }
    return {a, scale};
  }

  void solve_variable(std::size_t c, double ratio, const Cholesky& factor, Solution& solution) const {
    Matrix& effects = solution.effects[c];
    const Matrix others = effects_of_others(c, solution);
    for (Index o = 0; o < all_.outputs; ++o) {
      double* const beta = solution.beta.row(o);
      for (Index a = 0; a < inputs_; ++a) beta[a] = moments_(a, inputs_ + o);
      // For a moment, effects of c as if β were 0.
      for (Index level = 0; level < effects.rows(); ++level) {
        const double* const values = sums_[c].row(level);
        const double rest = values[inputs_ + o] - (others.rows() > 0 ? others(level, o) : 0);
        effects(level, o) = values[0] > 0 ? rest / (values[0] + ratio) : 0;
      }
      for (std::size_t d = 0; d < sums_.size(); ++d)
        for (Index level = 0; level < sums_[d].rows(); ++level)
          for (Index a = 0; a < inputs_; ++a) beta[a] -= solution.effects[d](level, o) * sums_[d](level, a);
      factor.solve(beta);
      for (Index level = 0; level < effects.rows(); ++level) {
        const double* const values = sums_[c].row(level);
        double sum = 0;
        for (Index a = 0; a < inputs_; ++a) sum += values[a] * beta[a];
        if (values[0] > 0) effects(level, o) -= sum / (values[0] + ratio);
      }
    }
  }

  /// Σ w (effects of the other variables) by level of variable c; empty where there are no others.
  Matrix effects_of_others(std::size_t c, const Solution& solution) const {
    Matrix sums;
    if (all_.codes.empty()) return sums;
    sums = Matrix(all_.levels[c], all_.outputs);
    const std::size_t variables = sums_.size();
    for (std::size_t i = 0; i < folds_.size(); ++i) {
      const std::int32_t* const codes = all_.codes.data() + i * variables;
      if (!all_.trains(folds_[i], left_out_) || codes[c] < 0) continue;
      for (std::size_t d = 0; d < variables; ++d)
        if (d != c && codes[d] >= 0)
          for (Index o = 0; o < all_.outputs; ++o)
            sums(codes[c], o) += all_.weights[i] * solution.effects[d](codes[d], o);
    }
    return sums;
  }

  double products_of_effects(const Solution& solution, Index o) const;

  const Statistics& all_;
  const std::vector<Index>& folds_;
  Index left_out_;
  Index inputs_;
  double unit_;               // mean weight of a row
  Matrix moments_;            // width × width, upper triangle
  std::vector<Matrix> sums_;  // of each variable: levels × width
};

std::vector<double> LevelEquations::errors(const Solution& solution) const {
  const Statistics::Fold& fold = all_.folds[at(left_out_)];
  const Matrix& m = fold.moments;
  std::vector<double> errors;
  for (Index o = 0; o < all_.outputs; ++o) {
    const double* const beta = solution.beta.row(o);
    double error = m(inputs_ + o, inputs_ + o);
    for (Index a = 0; a < inputs_; ++a) {
      error += beta[a] * (beta[a] * m(a, a) - 2 * m(a, inputs_ + o));
      for (Index b = a + 1; b < inputs_; ++b) error += 2 * beta[a] * beta[b] * m(a, b);
    }
    for (std::size_t c = 0; c < sums_.size(); ++c)
      for (Index level = 0; level < sums_[c].rows(); ++level) {
        const double* const values = fold.columns[c].find(at(level), all_.width());
        if (values == nullptr) continue;
        double rest = values[inputs_ + o];
        for (Index a = 0; a < inputs_; ++a) rest -= values[a] * beta[a];
        const double effect = solution.effects[c](level, o);
        error += effect * (values[0] * effect - 2 * rest);
      }
    errors.push_back(error + products_of_effects(solution, o));
  }
  return errors;
}

/// 2 Σ w u_c u_d over pairs of variables, of the rows left out.
double LevelEquations::products_of_effects(const Solution& solution, Index o) const {
  if (all_.codes.empty()) return 0;
  double sum = 0;
  const std::size_t variables = sums_.size();
  for (std::size_t i = 0; i < folds_.size(); ++i) {
    if (folds_[i] != left_out_) continue;
    const std::int32_t* const codes = all_.codes.data() + i * variables;
    double total = 0, squares = 0;
    for (std::size_t c = 0; c < variables; ++c) {
      const double effect = codes[c] < 0 ? 0 : solution.effects[c](codes[c], o);
      total += effect;
      squares += effect * effect;
    }
    sum += all_.weights[i] * (total * total - squares);
  }
  return sum;
}

/// Where the parabola through the smallest error and its neighbours has its minimum, on a logarithmic scale.
double best_ratio(const std::vector<double>& errors) {
  const auto k = static_cast<std::size_t>(std::min_element(errors.begin(), errors.end()) - errors.begin());
  if (k == 0 || k + 1 == errors.size()) return kRatios[k];
  const double x[] = {std::log(kRatios[k - 1]), std::log(kRatios[k]), std::log(kRatios[k + 1])};
  const double before = (errors[k - 1] - errors[k]) / (x[0] - x[1]);
  const double after = (errors[k + 1] - errors[k]) / (x[2] - x[1]);
  const double curvature = (after - before) / (x[2] - x[0]);
  if (!(curvature > 0)) return kRatios[k];
  const double slope = before - curvature * (x[0] - x[1]);  // at x[1]
  return std::exp(std::clamp(x[1] - slope / (2 * curvature), x[2], x[0]));
}

std::vector<double> deviations(const Statistics& statistics) {
  const Index first = 1 + statistics.covariates;
  std::vector<double> result;
  for (Index o = first; o < statistics.width(); ++o) {
    double weight = 0, sum = 0, squares = 0;
    for (const Statistics::Fold& fold : statistics.folds) {
      weight += fold.moments(0, 0);
      sum += fold.moments(0, o);
      squares += fold.moments(o, o);
    }
    result.push_back(std::sqrt(std::max(0.0, squares / weight - sum / weight * (sum / weight))));
  }
  return result;
}

/// Equations and solutions without each fold.
class FoldSolutions {
 public:
  FoldSolutions(const Statistics& statistics, const Run& run) : statistics_(statistics), run_(run) {
    folds_ = statistics.row_folds;
    if (folds_.empty() && !statistics.codes.empty())
      for (Index i = 0; i < statistics.rows; ++i) folds_.push_back(level_fold(statistics.first_row + i));
    equations_.reserve(at(kLevelFolds));
    for (Index f = 0; f < kLevelFolds; ++f) {
      equations_.emplace_back(statistics, folds_, f);
      solutions_.push_back(equations_.back().start());
    }
    ratios_.assign(at(statistics.variables()), kFirstRatio);
  }

  /// One variable after the other, twice where they depend on each other.
  void choose_ratios(const std::vector<double>& deviation) {
    for (int round = 0; round < (ratios_.size() > 1 ? 2 : 1); ++round)
      for (double& ratio : ratios_) {
        run_.check_cancelled();
        ratio = best_ratio(errors_of(ratio, deviation));
      }
  }

  LevelEffects solve() {
    std::vector<Solution> all(1);
    parallel_for(kLevelFolds + 1, run_.thread_count(), [&](Index f) {
      if (f < kLevelFolds) return equations_[at(f)].improve(ratios_, kLastSweeps, solutions_[at(f)]);
      const LevelEquations whole(statistics_, folds_, -1);
      all.front() = whole.start();
      whole.improve(ratios_, kLastSweeps, all.front());
    });
    LevelEffects result;
    for (std::size_t c = 0; c < ratios_.size(); ++c) {
      const Index outputs = statistics_.outputs, levels = statistics_.levels[c];
      LevelEffects::Variable variable{Matrix(outputs, levels), Matrix(kLevelFolds * outputs, levels), ratios_[c]};
      transpose(all.front().effects[c], variable.effects);
      for (Index f = 0; f < kLevelFolds; ++f)
        transpose(solutions_[at(f)].effects[c], variable.by_fold.view().row_range(f * outputs, outputs));
      result.variables.push_back(std::move(variable));
    }
    return result;
  }

 private:
  /// For every value in place of `ratio`, one of ratios_: the sum over folds and outputs, in variances of the outputs.
  std::vector<double> errors_of(const double& ratio, const std::vector<double>& deviation) {
    const auto c = static_cast<std::size_t>(&ratio - ratios_.data());
    std::vector<std::vector<double>> by_fold(at(kLevelFolds));
    parallel_for(kLevelFolds, run_.thread_count(), [&](Index f) {
      std::vector<double> ratios = ratios_;
      for (const double candidate : kRatios) {
        ratios[c] = candidate;
        equations_[at(f)].improve(ratios, kSearchSweeps, solutions_[at(f)]);
        double sum = 0;
        const std::vector<double> errors = equations_[at(f)].errors(solutions_[at(f)]);
        for (std::size_t o = 0; o < errors.size(); ++o)
          if (deviation[o] > 0) sum += errors[o] / (deviation[o] * deviation[o]);
        by_fold[at(f)].push_back(sum);
      }
    });
    std::vector<double> total(kRatios.size());
    for (const std::vector<double>& errors : by_fold)
      for (std::size_t k = 0; k < total.size(); ++k) total[k] += errors[k];
    return total;
  }

  const Statistics& statistics_;
  const Run& run_;
  std::vector<Index> folds_;
  std::vector<LevelEquations> equations_;
  std::vector<Solution> solutions_;
  std::vector<double> ratios_;
};

}  // namespace

LevelEffects level_effects(const Statistics& statistics, const Run& run) {
  const std::vector<double> deviation = deviations(statistics);
  FoldSolutions folds(statistics, run);
  folds.choose_ratios(deviation);
  LevelEffects effects = folds.solve();
  effects.deviation = deviation;
  return effects;
}

}  // namespace detail

namespace {

/// Six digits are more than the estimates have, and take a third of the space in model files.
void round_digits(Matrix& numbers) {
  for (Index k = 0; k < numbers.rows() * numbers.cols(); ++k)
    numbers.data()[k] = *parse_number(fmt::format("{:.6g}", numbers.data()[k]));
}

}  // namespace

Encoder Encoder::with_effects(const LevelStatistics& statistics, const Run& run) const {
  LevelEffects found = level_effects(statistics.state(), run);
  State state = *state_;
  std::size_t next = 0;
  for (Variable& variable : state.variables) {
    if (!variable.many) continue;
    LevelEffects::Variable& effects = found.variables.at(next++);
    ManyLevels& many = *variable.many;
    round_digits(effects.effects);
    round_digits(effects.by_fold);
    many.effects = std::move(effects.effects);
    many.by_fold = std::move(effects.by_fold);
    // In standard deviations of the target: levels that hardly matter stay near 0.
    for (std::size_t o = 0; o < many.scalers.size(); ++o)
      many.scalers[o] = state.options.scale == Scaling::none ? Scaler()
                        : found.deviation[o] > 0             ? Scaler(0, 1 / found.deviation[o])
                                                             : Scaler(0, 0);
  }
  Encoder encoder;
  encoder.state_ = std::make_shared<const State>(std::move(state));
  return encoder;
}

}  // namespace weft
