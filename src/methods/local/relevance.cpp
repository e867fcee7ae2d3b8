#include "methods/local/relevance.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "features/gradient_outer.hpp"
#include "linalg/symmetric_eigen.hpp"
#include "methods/kernel/pair_distances.hpp"
#include "methods/local/grid_descent.hpp"
#include "methods/local/trial_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace weft::detail {

namespace {

constexpr double kFactors[] = {0.125, 0.25, 0.5, 1, 2, 4, 8, 16};
constexpr double kRelevanceLambdas[] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10};
constexpr GridPoint kRelevanceStart{4, 3};
constexpr Index kGradientRows = 1500;
constexpr Index kMedianRows = 400;
constexpr double kWorse = 1.02;       // a round this much worse than the best is the last one
constexpr double kNegligible = 1e-8;  // directions of less than this share of the largest eigenvalue are left out
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The median distance between some of the rows of z, inputs × rows; 1 where they are all equal.
double median_distance(const Matrix& z, Kernel::Kind kind, const Run& run) {
  std::vector<Index> some;
  for (Index i = 0; i < z.cols(); i += std::max<Index>(1, z.cols() / kMedianRows)) some.push_back(i);
  const std::vector<double> all = pair_distances(gather_columns(z, some), kind, run);
  double typical = all.empty() ? 0 : median(all);
  if (!all.empty() && typical == 0) typical = *std::max_element(all.begin(), all.end());  // most rows may be equal
  if (!(typical > 0)) return 1;
  return kind == Kernel::Kind::rbf ? std::sqrt(typical) : typical;
}

/// One set of rows with the relevance learned from them.
class Learner {
 public:
  Learner(const KernelForm& form, const LabelledRows& fit, const LabelledRows* held, std::optional<double> bandwidth,
          const Run& run)
      : form_(form), fit_(fit), held_(held), bandwidth_(bandwidth), run_(run), base_(form.base.apply(fit.x)) {
    if (held != nullptr) held_base_ = form.base.apply(held->x);
    prepare();
  }

  /// The error of the held-out rows, NaN where the equations cannot be solved.
  double error(double factor, double lambda) {
    std::optional<KernelFit> fit = solve(factor, lambda);
    if (!fit) return kNaN;
    const double error = error_of_fit(*fit, kernel_.cross(), *held_, run_);
    known_.emplace(std::pair(factor, lambda), *std::move(fit));
    return error;
  }

  /// Learns from the fit of these numbers, and fills in what a step says of it.
  bool learn(double factor, double lambda, RelevanceStep& step) {
    step.learned = {transform(), factor * median_};
    const auto known = known_.find({factor, lambda});
    const std::optional<KernelFit> fit = known != known_.end() ? std::move(known->second) : solve(factor, lambda);
    if (!fit) return false;
    const FeatureMap map =
        FeatureMap::from_sections({form_.kernel(step.learned.bandwidth), z_}, Inputs::plain(z_.rows()));
    const View<const double> rows = z_.view().col_range(0, std::min(kGradientRows, z_.cols()));
    const double* weights = fit_.weights.empty() ? nullptr : fit_.weights.data();
    std::vector<double> squares = form_.full
                                      ? learn_matrix(gradient_outer(map, fit->coefficients, rows, weights, run_))
                                      : learn_factors(gradient_squares(map, fit->coefficients, rows, weights, run_));
    for (double& square : squares) square = std::sqrt(std::max(0.0, square) / static_cast<double>(rows.cols));
    step.sensitivity = sensitivity_of(squares, form_.base, base_, fit_.x.rows());
    prepare();
    return true;
  }

 private:
  InputTransform transform() const {
    InputTransform result = form_.base;
    if (!factors_.empty()) {
      if (result.factors.empty()) result.factors.assign(factors_.size(), 1.0);
      for (std::size_t j = 0; j < factors_.size(); ++j) result.factors[j] *= factors_[j];
    }
    result.matrix = matrix_;
    return result;
  }

  Matrix transformed(const Matrix& base) const {
    InputTransform own;
    own.factors = factors_;
    own.matrix = matrix_;
    return own.apply(base);
  }

  void prepare() {
    z_ = transformed(base_);
    if (held_ != nullptr) held_z_ = transformed(held_base_);
    median_ = bandwidth_ ? *bandwidth_ : median_distance(z_, form_.kind, run_);
    kernel_.forget();
    known_.clear();
  }

  std::optional<KernelFit> solve(double factor, double lambda) {
    run_.check_cancelled();
    kernel_.use(form_.kernel(factor * median_), z_, held_z_, run_);
    return solve_for_search(kernel_.lower(), fit_.y, fit_.weights, lambda, run_.thread_count());
  }

  /// From squares of derivatives in z = factor · base: those in the base inputs.
  std::vector<double> learn_factors(std::vector<double> squares) {
    for (std::size_t j = 0; j < factors_.size(); ++j) squares[j] *= factors_[j] * factors_[j];
    const double largest = *std::max_element(squares.begin(), squares.end());
    if (!(largest > 0)) return squares;
    factors_.assign(squares.size(), 0.0);
    for (std::size_t j = 0; j < squares.size(); ++j) factors_[j] = std::sqrt(squares[j] / largest);
    return squares;
  }

  /// From G in z = A · base: AᵀGA in the base inputs, whose eigenvectors, scaled, are the next A.
  std::vector<double> learn_matrix(Matrix outer) {
    if (matrix_.rows() > 0) {
      Matrix half(outer.rows(), matrix_.cols());
      cpu().multiply(1, outer, matrix_, 0, half);
      outer = Matrix(matrix_.cols(), matrix_.cols());
      cpu().multiply(1, transpose(matrix_.view()), half, 0, outer);
    }
    std::vector<double> squares;
    for (Index j = 0; j < outer.rows(); ++j) squares.push_back(outer(j, j));
    const SymmetricEigen eigen = symmetric_eigen(std::move(outer));
    const double largest = eigen.values.back();
    if (!(largest > 0)) return squares;
    const auto negligible = [&](double value) { return value <= kNegligible * largest; };
    const Index skipped = std::count_if(eigen.values.begin(), eigen.values.end(), negligible);
    const Index kept = static_cast<Index>(eigen.values.size()) - skipped;
    matrix_ = Matrix(kept, eigen.vectors.cols());
    for (Index k = 0; k < kept; ++k) {  // the most relevant direction first
      const Index from = static_cast<Index>(eigen.values.size()) - 1 - k;
      const double root = std::sqrt(eigen.values[at(from)] / largest);
      for (Index j = 0; j < matrix_.cols(); ++j) matrix_(k, j) = root * eigen.vectors(from, j);
    }
    return squares;
  }

  const KernelForm& form_;
  const LabelledRows& fit_;
  const LabelledRows* held_;
  std::optional<double> bandwidth_;
  const Run& run_;
  Matrix base_, held_base_;
  std::vector<double> factors_;  // diagonal relevance; empty: 1
  Matrix matrix_;                // full relevance; empty: the identity
  Matrix z_, held_z_;
  double median_ = 1;  // distance, or the bandwidth that is fixed
  TrialKernel kernel_;
  std::map<std::pair<double, double>, KernelFit> known_;  // by factor and λ, of this round
};

/// Round after round of all learners, each from where the last one ended.
class Rounds {
 public:
  Rounds(const KernelForm& form, std::span<const Fold> folds, const LabelledRows* whole,
         const RelevanceOptions& options, const Run& run)
      : folds_(static_cast<Index>(folds.size())), threads_(run.thread_count()), inner_(run) {
    if (folds_ > 1) inner_.threads = 1;  // folds side by side
    for (const Fold& fold : folds) learners_.emplace_back(form, fold.fit, &fold.held, options.bandwidth, inner_);
    if (whole != nullptr) learners_.emplace_back(form, *whole, nullptr, options.bandwidth, inner_);
    factors_.assign(std::begin(kFactors), std::end(kFactors));
    lambdas_.assign(std::begin(kRelevanceLambdas), std::end(kRelevanceLambdas));
    if (options.bandwidth) factors_ = {1};
    if (options.lambda) lambdas_ = {*options.lambda};
    start_ = kRelevanceStart;
    if (options.start != nullptr)
      start_ = {position(factors_, options.start->factor), position(lambdas_, options.start->lambda)};
    if (options.bandwidth) start_.first = 0;
    if (options.lambda) start_.second = 0;
  }
  Rounds(const Rounds&) = delete;  // learners refer to inner_
  Rounds& operator=(const Rounds&) = delete;

  /// None: the equations cannot be solved, in this round or, by one of the learners, in the last.
  std::optional<RelevanceStep> next() {
    if (stuck_) return std::nullopt;
    std::map<GridPoint, double> errors;
    start_ = descend(start_, static_cast<Index>(factors_.size()), static_cast<Index>(lambdas_.size()),
                     [&](GridPoint point) { return errors[point] = error(point); });
    RelevanceStep step;
    step.factor = factors_[at(start_.first)];
    step.lambda = lambdas_[at(start_.second)];
    step.error = errors[start_];
    if (std::isnan(step.error)) return std::nullopt;
    learn(step);
    return step;
  }

 private:
  static Index position(const std::vector<double>& grid, double value) {
    return std::find(grid.begin(), grid.end(), value) - grid.begin();
  }

  /// Mean over the folds.
  double error(GridPoint point) {
    std::vector<double> each(at(folds_));
    parallel_for(folds_, threads_, [&](Index k) {
      each[at(k)] = learners_[at(k)].error(factors_[at(point.first)], lambdas_[at(point.second)]);
    });
    return std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
  }

  void learn(RelevanceStep& step) {
    std::vector<RelevanceStep> own(learners_.size(), step);
    std::vector<std::uint8_t> learned(learners_.size());
    parallel_for(static_cast<Index>(learners_.size()), threads_,
                 [&](Index k) { learned[at(k)] = learners_[at(k)].learn(step.factor, step.lambda, own[at(k)]); });
    stuck_ = std::count(learned.begin(), learned.end(), 0) > 0;
    step = own.back();  // of all rows where there are folds
    for (Index k = 0; k < folds_; ++k) step.folds.push_back(own[at(k)].learned);
  }

  Index folds_;
  int threads_;
  Run inner_;
  std::vector<Learner> learners_;
  std::vector<double> factors_, lambdas_;
  GridPoint start_;
  bool stuck_ = false;  // a learner could not solve its equations
};

}  // namespace

Kernel KernelForm::kernel(double bandwidth) const {
  switch (kind) {
    case Kernel::Kind::rbf:
      return Kernel::rbf(bandwidth);
    case Kernel::Kind::laplace_l2:
      return Kernel::laplace_l2(bandwidth, exponent);
    default:
      return Kernel::laplace(bandwidth, exponent);
  }
}

double error_of_fit(const KernelFit& fit, const DeviceMatrix<double>& cross, const LabelledRows& held, const Run& run) {
  Matrix scores(held.outputs(), held.rows());
  cross.device().scores(fit.coefficients, fit.intercepts.data(), cross, scores, run.thread_count());
  Matrix by_row(scores.cols(), scores.rows());
  transpose(scores.view(), by_row.view());
  return mean_squared_error(held, by_row);
}

double mean_squared_error(const LabelledRows& rows, View<const double> scores) {
  double sum = 0, total = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    total += rows.weight(i);
    for (Index o = 0; o < rows.outputs(); ++o) {
      const double error = rows.y(i, o) - scores(i, o);
      sum += rows.weight(i) * error * error;
    }
  }
  return sum / (total * static_cast<double>(rows.outputs()));
}

std::vector<RelevanceStep> learn_relevance(const KernelForm& form, std::span<const Fold> folds,
                                           const LabelledRows* whole, const RelevanceOptions& options, const Run& run) {
  Rounds rounds(form, folds, whole, options, run);
  return steps_while_better(
      options.rounds, [&] { return rounds.next(); }, run);
}

std::vector<RelevanceStep> steps_while_better(Index rounds, const std::function<std::optional<RelevanceStep>()>& next,
                                              const Run& run) {
  std::vector<RelevanceStep> steps;
  for (Index round = 0; round <= rounds && (round == 0 || !run.out_of_time()); ++round) {
    std::optional<RelevanceStep> step = next();
    if (!step) break;
    steps.push_back(*std::move(step));
    if (round >= 2 && steps.back().error > kWorse * best_step(steps).error) break;
  }
  return steps;
}

std::vector<double> sensitivity_of(const std::vector<double>& derivatives, const InputTransform& base, const Matrix& x,
                                   Index encoded) {
  std::vector<double> result(at(encoded));
  const std::vector<double> spread = column_deviations(x);
  for (std::size_t j = 0; j < derivatives.size(); ++j)
    result[base.columns.empty() ? j : at(base.columns[j])] = derivatives[j] * spread[j];
  return result;
}

const RelevanceStep& best_step(const std::vector<RelevanceStep>& steps) {
  return *std::min_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
}

}  // namespace weft::detail
