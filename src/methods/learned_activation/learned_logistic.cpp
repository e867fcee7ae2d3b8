// The half-steps for classes: the weights by the logistic fit's own objective and method, the activation by Newton's
// method in its N coefficients, intercepts held.
#include "compute/device.hpp"
#include "core/memory.hpp"
#include "data/rows/row_filter.hpp"
#include "linalg/accumulator.hpp"
#include "methods/fold_rows.hpp"
#include "methods/learned_activation/learned_steps.hpp"
#include "methods/newton/logistic.hpp"
#include "methods/newton/newton_objective.hpp"
#include "objective/lambda_path.hpp"
#include "objective/logistic_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kWeightSteps = 25;     // of L-BFGS, per half-step: the activation moves on anyhow
constexpr Index kActivationSteps = 3;  // of Newton
constexpr Index kTrialSweeps = 3;
constexpr double kTriedFactors[] = {1, 2, 4, 8};  // of the λ that suits the start: learning needs a stronger one

/// J as a function of a alone. The Hessian of softmax is (1/W) Σ w (Σ_k p_k u_k u_kᵀ − ūūᵀ) + 2λq·P, ū = Σ_k p_k u_k,
/// q = tr VᵀRV; with one output (1/W) Σ w p(1−p) uuᵀ + 2λq·P.
class ActivationObjective final : public SmoothObjective {
 public:
  /// The sums u depend on V alone: they are kept between evaluations where they take at most `cache_bytes`.
  ActivationObjective(const LearnedProblem& learned, const LearnedPoint& point, double strength, double cache_bytes)
      : learned_(learned),
        problem_(learned.problem),
        point_(point),
        strength_(strength),
        keep_(8.0 * static_cast<double>(learned.basis.count * point.v.cols()) *
                  static_cast<double>(problem_.rows.rows()) <=
              cache_bytes) {}

  bool evaluate(const Matrix& a, ObjectiveValue& out) override {
    Sums sums(learned_.basis.count);
    bool in_time = true;
    std::size_t number = 0;
    problem_.rows.for_each([&](const TrainingBlock& block) {
      problem_.run.check_cancelled();
      in_time = !problem_.run.out_of_time();
      if (in_time) add(block, sums_of(block, keep_ ? number++ : 0), a, sums);
      return in_time;
    });
    if (!in_time) return false;
    out.value = sums.loss / sums.weight;
    out.gradient = std::move(sums.gradient);
    for (Index i = 0; i < a.rows(); ++i) {
      double slope = 0;
      for (Index j = 0; j < a.rows(); ++j) slope += strength_ * learned_.norm(i, j) * a(j, 0);
      out.value += a(i, 0) * slope;
      out.gradient(i, 0) = out.gradient(i, 0) / sums.weight + 2 * slope;
    }
    hessian_ = sums.curvature.gram();
    const Matrix mean = sums.mean_curvature.gram();
    for (Index i = 0; i < hessian_.rows() * hessian_.cols(); ++i) hessian_.data()[i] -= mean.data()[i];
    weight_ = sums.weight;
    measured_at_ = a;
    return true;
  }

  void precondition(Matrix& v) const override {
    for (Index i = 0; i < v.rows(); ++i) v(i, 0) *= weight_;
    factor_.solve(v, 1);
  }
  bool stale() const override { return true; }

  bool renew(const Matrix& a) override {
    ObjectiveValue unused;
    const bool here = std::equal(a.data(), a.data() + a.rows(), measured_at_.data());
    if (!here && !evaluate(a, unused)) return false;
    factor_ =
        solve_regularised(hessian_, learned_.norm, 2 * strength_ * weight_, 0, Matrix(hessian_.rows(), 0), 1).factor;
    return true;
  }

 private:
  struct Sums {
    explicit Sums(Index functions) : gradient(functions, 1), curvature(functions, 0), mean_curvature(functions, 0) {}
    double weight = 0, loss = 0;
    Matrix gradient;
    Accumulator curvature;       // Σ w p_k u_k u_kᵀ
    Accumulator mean_curvature;  // Σ w ū ūᵀ
  };

  /// u of the block with this number.
  const Matrix& sums_of(const TrainingBlock& block, std::size_t number) {
    if (keep_ && number < kept_.size()) return kept_[number];
    kept_.resize(number + 1);
    basis_sums(learned_, block.x, point_.v, kept_[number]);
    return kept_[number];
  }

  void add(const TrainingBlock& block, const Matrix& u, const Matrix& a, Sums& sums) const {
    const Index outputs = block.y.rows;
    const Index functions = a.rows();
    Matrix slopes(outputs, block.rows());
    Matrix curvature(outputs + 1, block.rows());
    for (Index o = 0; o < outputs; ++o) {
      std::fill_n(slopes.row(o), block.rows(), point_.intercepts[static_cast<std::size_t>(o)]);
      cpu().multiply_vector(1, transpose(u.view().row_range(o * functions, functions)), a.data(), 1, slopes.row(o));
    }
    for (Index i = 0; i < block.rows(); ++i) {
      const double weight = block.weights != nullptr ? block.weights[i] : 1;
      sums.weight += weight;
      sums.loss += weight * (outputs == 1 ? binary_row(block.y(0, i), slopes(0, i), curvature, i)
                                          : softmax_row(block.y, slopes, curvature, i));
    }
    add_curvature(block, u, slopes, curvature, sums);
    for (Index o = 0; o < outputs; ++o) {
      if (block.weights != nullptr)
        for (Index i = 0; i < block.rows(); ++i) slopes(o, i) *= block.weights[i];
      cpu().multiply_vector(1, u.view().row_range(o * functions, functions), slopes.row(o), 1, sums.gradient.data());
    }
  }

  void add_curvature(const TrainingBlock& block, const Matrix& u, const Matrix& slopes, const Matrix& curvature,
                     Sums& sums) const {
    const Index outputs = block.y.rows;
    const Index functions = learned_.basis.count;
    const View<const double> none(nullptr, 0, block.rows());
    const int threads = problem_.run.thread_count();
    Matrix mean(functions, block.rows());
    std::vector<double> share(static_cast<std::size_t>(block.rows()));  // p_o
    std::vector<double> weights(share.size());
    for (Index o = 0; o < outputs; ++o) {
      for (Index i = 0; i < block.rows(); ++i) {
        const double p = outputs == 1 ? curvature(0, i) : slopes(o, i) + (block.y(o, i) > 0 ? 1 : 0);
        share[static_cast<std::size_t>(i)] = p;
        weights[static_cast<std::size_t>(i)] = std::max(p, 0.0) * (block.weights != nullptr ? block.weights[i] : 1);
      }
      for (Index f = 0; f < functions && outputs > 1; ++f)
        for (Index i = 0; i < block.rows(); ++i)
          mean(f, i) += share[static_cast<std::size_t>(i)] * u(o * functions + f, i);
      sums.curvature.add(View<const double>(u.view().row_range(o * functions, functions)), none, weights.data(),
                         threads);
    }
    if (outputs > 1) sums.mean_curvature.add(View<const double>(mean.view()), none, block.weights, threads);
  }

  const LearnedProblem& learned_;
  const Problem& problem_;
  const LearnedPoint& point_;
  double strength_;  // λ·tr VᵀRV
  bool keep_;        // whether kept_ has u of every block seen, else that of the last one
  std::vector<Matrix> kept_;
  Matrix hessian_;  // times the weight, without the penalty
  Matrix measured_at_;
  double weight_ = 0;
  ScaledFactor factor_;
};

class LogisticSteps final : public HalfSteps {
 public:
  explicit LogisticSteps(const LearnedProblem& learned)
      : learned_(learned), problem_(learned.problem), own_(problem_.options.own<LearnedActivationOptions>()) {}

  /// As the logistic fit of the point's activation chooses it; its weights are a start. Whether to learn at all, and
  /// whether with a stronger λ, is decided by a few sweeps on the rows that are not held out.
  LearnedChoice choose_lambda(LearnedPoint& point, FitReport& report) override {
    const FeatureMap map = learned_.map(point.a);
    FitOptions options = problem_.options;
    options.method = LogisticOptions{.regularizer = own_.regularizer, .tolerance = own_.tolerance};
    FitResult result = fit_logistic({map, problem_.rows, problem_.task, options, problem_.family, problem_.run});
    point.v = std::move(result.coefficients);
    point.intercepts = std::move(result.intercepts);
    report.set("fixed_objective", result.report.number("objective").value_or(0));
    const double lambda = learned_.penalty.effective(*result.report.number("lambda")) / learned_.squared_norm(point.a);
    return choose_learning(point, lambda, report);
  }

  bool fit_weights(LearnedPoint& point, double lambda) override {
    const FeatureMap map = learned_.map(point.a);
    const Problem problem{map, problem_.rows, problem_.task, problem_.options, problem_.family, problem_.run};
    FeatureRows rows(problem, cache_bytes());
    const ClassLoss loss(problem.rows.outputs());
    NewtonObjective objective(problem, loss, rows, learned_.penalty, 0, false);
    objective.set_lambda(lambda * learned_.squared_norm(point.a));
    const Minimum minimum = minimise(objective, {stacked(point)}, {own_.tolerance, kWeightSteps});
    const bool evaluated = std::isfinite(minimum.at.value);
    if (evaluated) point.objective = minimum.at.value;
    if (evaluated || point.v.rows() == 0) unstack(minimum.x, point);
    return minimum.stop != Stop::time_budget;
  }

  bool fit_activation(LearnedPoint& point, double lambda) override {
    const double form = penalty_form(learned_.penalty, point.v, problem_.run.thread_count());
    if (form == 0) return true;
    ActivationObjective objective(learned_, point, lambda * form, cache_bytes());
    Matrix start(learned_.basis.count, 1);
    std::copy(point.a.begin(), point.a.end(), start.data());
    const Minimum minimum = minimise(objective, {std::move(start)}, {own_.tolerance, kActivationSteps});
    if (!std::isfinite(minimum.at.value)) return false;
    point.a.assign(minimum.x.data(), minimum.x.data() + minimum.x.rows());
    point.objective = minimum.at.value;
    return minimum.stop != Stop::time_budget;
  }

 private:
  LearnedChoice choose_learning(LearnedPoint& point, double lambda, FitReport& report) const {
    const PartOf part = held_out_part(problem_);
    std::vector<bool> keep;
    for (Index row = 0; row < problem_.rows.rows(); ++row) keep.push_back(part(row) == 0);
    const auto fitted = filter_rows(problem_.rows, keep);
    keep.flip();
    const auto held_out = filter_rows(problem_.rows, std::move(keep));
    const Problem some{problem_.map, *fitted, problem_.task, problem_.options, problem_.family, problem_.run};
    const LearnedProblem learned(some, learned_.basis, learned_.norm);
    LogisticSteps steps(learned);
    LearnedPoint start{point.a};
    steps.fit_weights(start, lambda);
    const double fixed = mean_loss(start, *held_out);
    LearnedChoice best{lambda, false};
    double least = kWorthwhile * fixed;
    LearnedPoint moving = start;
    const std::vector<double> factors(std::begin(kTriedFactors), std::end(kTriedFactors));
    double loss = 0;
    const auto held_out_loss = [&](double factor) -> std::optional<double> {
      for (Index sweep = 0; sweep < kTrialSweeps; ++sweep) {
        balance(moving, learned);
        if (!steps.fit_activation(moving, factor * lambda) || !steps.fit_weights(moving, factor * lambda))
          return std::nullopt;
      }
      loss = mean_loss(moving, *held_out);
      report.numbers.emplace_back(fmt::format("{} times lambda, held-out loss", factor), loss);
      return loss;
    };
    const LambdaPath path = follow_path(factors, {.patience = 1}, held_out_loss, [&](double factor) {
      if (!(loss < least)) return;
      least = loss;
      best = {factor * lambda, true};
      point = moving;
    });
    if (path.stopped) return best;
    report.set("fixed_held_out_loss", fixed);
    report.set("held_out_loss", best.learn ? least : fixed);
    return best;
  }

  /// Infinite when the time limit is reached.
  double mean_loss(const LearnedPoint& point, const BlockSource& rows) const {
    const FeatureMap map = learned_.map(point.a);
    const Problem problem{map, rows, problem_.task, problem_.options, problem_.family, problem_.run};
    FeatureRows features(problem, 0);
    const ClassLoss loss(problem.rows.outputs());
    NewtonObjective objective(problem, loss, features, learned_.penalty, 0, false);
    objective.set_lambda(0);
    ObjectiveValue at;
    return objective.evaluate(stacked(point), at) ? at.value : std::numeric_limits<double>::infinity();
  }

  double cache_bytes() const { return MemoryPlan(problem_.run).spare(); }

  /// The intercepts as the last row, as NewtonObjective has them.
  Matrix stacked(const LearnedPoint& point) const {
    Matrix x(problem_.map.features() + 1, problem_.rows.outputs());
    if (point.v.rows() == 0) return x;
    std::copy_n(point.v.data(), point.v.rows() * point.v.cols(), x.data());
    std::copy(point.intercepts.begin(), point.intercepts.end(), x.row(point.v.rows()));
    return x;
  }

  static void unstack(const Matrix& x, LearnedPoint& point) {
    const Index features = x.rows() - 1;
    point.v = Matrix(features, x.cols());
    std::copy_n(x.data(), features * x.cols(), point.v.data());
    point.intercepts.assign(x.row(features), x.row(features) + x.cols());
  }

  const LearnedProblem& learned_;
  const Problem& problem_;
  const LearnedActivationOptions& own_;
};

}  // namespace

std::unique_ptr<HalfSteps> logistic_steps(const LearnedProblem& learned) {
  return std::make_unique<LogisticSteps>(learned);
}

}  // namespace weft::detail
