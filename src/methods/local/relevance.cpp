#include "methods/local/relevance.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "features/gradient_outer.hpp"
#include "linalg/symmetric_eigen.hpp"
#include "methods/local/grid_descent.hpp"
#include "methods/local/kernel_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace weft::detail {

namespace {

const std::vector<double> kFactors = {0.125, 0.25, 0.5, 1, 2, 4, 8, 16};
const std::vector<double> kLambdas = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10};
constexpr GridPoint kStart{4, 3};
constexpr Index kGradientRows = 1500;
constexpr Index kMedianRows = 400;
constexpr double kWorse = 1.02;       // a round this much worse than the best is the last one
constexpr double kNegligible = 1e-8;  // directions of less than this share of the largest eigenvalue are left out
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The median distance between some of the rows of z, inputs × rows.
double median_distance(const Matrix& z, bool l1) {
  const Index step = std::max<Index>(1, z.cols() / kMedianRows);
  std::vector<double> all;
  std::vector<double> distances;
  for (Index i = step; i < z.cols(); i += step) {
    distances.assign(at(i / step), 0.0);
    for (Index j = 0; j < z.rows(); ++j)
      for (Index k = 0; k < static_cast<Index>(distances.size()); ++k) {
        const double d = z(j, i) - z(j, k * step);
        distances[at(k)] += l1 ? std::abs(d) : d * d;
      }
    all.insert(all.end(), distances.begin(), distances.end());
  }
  if (all.empty()) return 1;
  const auto middle = all.begin() + static_cast<Index>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  const double largest = *std::max_element(all.begin(), all.end());
  const double median = *middle > 0 ? *middle : largest > 0 ? largest : 1;  // most rows may be equal
  return l1 ? median : std::sqrt(median);
}

std::vector<double> deviations(const Matrix& x) {
  std::vector<double> result;
  const auto n = static_cast<double>(x.cols());
  for (Index j = 0; j < x.rows(); ++j) {
    double sum = 0, squares = 0;
    for (Index i = 0; i < x.cols(); ++i) sum += x(j, i);
    for (Index i = 0; i < x.cols(); ++i) squares += (x(j, i) - sum / n) * (x(j, i) - sum / n);
    result.push_back(std::sqrt(squares / n));
  }
  return result;
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
    const std::optional<KernelFit> fit = solve(factor, lambda);
    if (!fit) return kNaN;
    Matrix scores(held_->outputs(), held_->rows());
    cpu().scores(fit->coefficients, fit->intercepts.data(), held_kernel_, scores, run_.thread_count());
    Matrix by_row(scores.cols(), scores.rows());
    transpose(scores.view(), by_row.view());
    return mean_squared_error(*held_, by_row);
  }

  /// Learns from the fit of these numbers, and fills in what a step says of it.
  bool learn(double factor, double lambda, RelevanceStep& step) {
    step.learned = {transform(), factor * median_};
    const std::optional<KernelFit> fit = solve(factor, lambda);
    if (!fit) return false;
    const FeatureMap map =
        FeatureMap::from_sections({form_.kernel(step.learned.bandwidth), z_}, Inputs::plain(z_.rows()));
    const View<const double> rows = z_.view().col_range(0, std::min(kGradientRows, z_.cols()));
    const double* weights = fit_.weights.empty() ? nullptr : fit_.weights.data();
    std::vector<double> squares = form_.full
                                      ? learn_matrix(gradient_outer(map, fit->coefficients, rows, weights, run_))
                                      : learn_factors(gradient_squares(map, fit->coefficients, rows, weights, run_));
    describe(squares, static_cast<double>(rows.cols), step);
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
    median_ = bandwidth_ ? *bandwidth_ : median_distance(z_, form_.kind == Kernel::Kind::laplace);
    factor_ = 0;
  }

  std::optional<KernelFit> solve(double factor, double lambda) {
    run_.check_cancelled();
    if (factor != factor_) {  // values of one bandwidth serve all λ
      const Kernel kernel = form_.kernel(factor * median_);
      kernel_ = kernel.gram(z_, run_, Precision::float32);
      if (held_ != nullptr) {
        held_kernel_.reshape(z_.cols(), held_z_.cols());
        kernel.values(z_, kernel.prepare(z_, Precision::float32), held_z_, held_kernel_, run_);
      }
      factor_ = factor;
    }
    Matrix factored = kernel_;
    return solve_exact(factored, fit_.y, fit_.weights, lambda, false, run_.thread_count());
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

  void describe(const std::vector<double>& squares, double rows, RelevanceStep& step) const {
    step.sensitivity.assign(at(fit_.x.rows()), 0.0);
    const std::vector<double> spread = deviations(base_);
    for (std::size_t j = 0; j < squares.size(); ++j) {
      const Index column = form_.base.columns.empty() ? static_cast<Index>(j) : form_.base.columns[j];
      step.sensitivity[at(column)] = std::sqrt(std::max(0.0, squares[j]) / rows) * spread[j];
    }
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
  double factor_ = 0;  // of the kernel values below
  Matrix kernel_, held_kernel_;
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
  Run inner = run;
  if (folds.size() > 1) inner.threads = 1;  // folds side by side
  std::vector<Learner> learners;
  for (const Fold& fold : folds) learners.emplace_back(form, fold.fit, &fold.held, options.bandwidth, inner);
  if (whole != nullptr) learners.emplace_back(form, *whole, nullptr, options.bandwidth, inner);
  std::vector<RelevanceStep> steps;
  const std::vector<double> factors = options.bandwidth ? std::vector{1.0} : kFactors;
  const std::vector<double> lambdas = options.lambda ? std::vector{*options.lambda} : kLambdas;
  GridPoint start{options.bandwidth ? 0 : kStart.first, options.lambda ? 0 : kStart.second};
  for (Index round = 0; round <= options.rounds && (round == 0 || !run.out_of_time()); ++round) {
    std::map<GridPoint, double> errors;
    const auto value = [&](GridPoint point) {
      std::vector<double> each(folds.size());
      parallel_for(static_cast<Index>(folds.size()), run.thread_count(), [&](Index k) {
        each[at(k)] = learners[at(k)].error(factors[at(point.first)], lambdas[at(point.second)]);
      });
      return errors[point] = std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size());
    };
    start = descend(start, static_cast<Index>(factors.size()), static_cast<Index>(lambdas.size()), value);
    RelevanceStep step;
    step.factor = factors[at(start.first)];
    step.lambda = lambdas[at(start.second)];
    step.error = errors[start];
    if (std::isnan(step.error)) break;
    std::vector<RelevanceStep> own(learners.size(), step);
    std::vector<std::uint8_t> learned(learners.size());
    parallel_for(static_cast<Index>(learners.size()), run.thread_count(),
                 [&](Index k) { learned[at(k)] = learners[at(k)].learn(step.factor, step.lambda, own[at(k)]); });
    step = own.back();  // of all rows where there are folds
    step.folds.clear();
    for (std::size_t k = 0; k < folds.size(); ++k) step.folds.push_back(own[k].learned);
    steps.push_back(std::move(step));
    if (std::count(learned.begin(), learned.end(), 0) > 0 ||
        (round >= 2 && steps.back().error > kWorse * best_step(steps).error))
      break;
  }
  return steps;
}

const RelevanceStep& best_step(const std::vector<RelevanceStep>& steps) {
  return *std::min_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
}

}  // namespace weft::detail
