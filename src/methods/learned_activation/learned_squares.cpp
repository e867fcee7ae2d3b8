// The half-steps for the squared loss: two ridge problems known by their sums over rows.
#include "linalg/normal_equations.hpp"
#include "linalg/ridge.hpp"
#include "methods/fold_rows.hpp"
#include "methods/learned_activation/learned_steps.hpp"
#include "objective/lambda_path.hpp"
#include "objective/ridge_choice.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kPathLength = 10;
constexpr double kFirstLambda = 1000;  // times the λ that suits the fixed activation of the start
constexpr double kPathRatio = 0.2;
constexpr int kPathSweeps = 2;
constexpr int kPatience = 2;  // λs in a row that do not improve

class SquaredSteps final : public HalfSteps {
 public:
  explicit SquaredSteps(const LearnedProblem& learned)
      : learned_(learned), problem_(learned.problem), threads_(learned.problem.run.thread_count()) {}

  /// λs from strong to weak, a few sweeps each from the one before, on the rows that are not held out: what decides on
  /// a λ has seen neither weights nor activation. The first error to beat is that of the start with a λ of its own.
  LearnedChoice choose_lambda(LearnedPoint& point, FitReport& report) override {
    held_out_ = held_out_part(problem_);
    const PartSums fixed = accumulate(point);
    check_parts(fixed);
    const RidgeChoice start = choose_ridge({problem_.options.intercept, *LeastSquaresOptions{}.epsilon},
                                           learned_.penalty, fixed.parts[0], fixed.parts[1], problem_.run);
    LearnedChoice best{start.effective / learned_.squared_norm(point.a), false};
    double least = std::numeric_limits<double>::infinity();
    LearnedPoint moving = point;
    double last = 0;
    int step = 0;
    const auto error_of = [&](double lambda) -> std::optional<double> {
      const std::optional<double> error = sweep_held_out(moving, lambda);
      if (!error) return std::nullopt;
      report.numbers.emplace_back(fmt::format("path {} lambda", ++step), learned_.penalty.user_lambda(lambda));
      report.numbers.emplace_back(fmt::format("path {} held-out error", step), *error);
      last = *error;
      return error;
    };
    follow_path(geometric_path(best.lambda * kFirstLambda, kPathRatio, kPathLength),
                {.patience = kPatience, .worthwhile = kWorthwhile}, error_of, [&](double lambda) {
                  least = last;
                  if (!(least < kWorthwhile * start.error)) return;
                  best = {lambda, true};
                  point.a = moving.a;
                });
    held_out_ = {};
    report.set("fixed_held_out_error", start.error);
    report.set("held_out_error", std::min(least, start.error));
    return best;
  }

  bool fit_weights(LearnedPoint& point, double lambda) override {
    const PartSums sums = accumulate(point);
    if (sums.stopped_at > 0 && point.v.rows() > 0) return false;
    solve_weights(sums, lambda, point);
    return true;
  }

  bool fit_activation(LearnedPoint& point, double lambda) override {
    const double form = penalty_form(learned_.penalty, point.v, threads_);
    if (form == 0) return true;  // nothing to shape: every activation gives the intercepts
    const std::vector<Accumulator> sums = activation_sums(point);
    if (sums.empty()) return false;
    const Index functions = learned_.basis.count;
    Matrix gram(functions, functions);
    Matrix cross(functions, 1);
    std::vector<NormalEquations> equations;
    for (const Accumulator& output : sums) {
      equations.push_back(normal_equations(output, problem_.options.intercept));
      for (Index i = 0; i < functions; ++i) {
        for (Index j = 0; j < functions; ++j) gram(i, j) += equations.back().gram(i, j);
        cross(i, 0) += equations.back().cross(i, 0);
      }
    }
    const double weight = sums.front().weight();
    const Matrix a = solve_regularised(gram, learned_.norm, lambda * form * weight, 0, cross, threads_).coefficients;
    point.a.assign(a.data(), a.data() + functions);
    point.objective = lambda * learned_.squared_norm(point.a) * form;
    for (std::size_t o = 0; o < sums.size(); ++o) {
      const double intercept = equations[o].intercepts(a)[0];
      point.objective += squared_error(sums[o], a, {intercept}, 0);
      point.intercepts[o] = intercept + shift_[o];
    }
    return true;
  }

 private:
  /// Sweeps on the fitted rows; the relative squared error of the held-out ones. None: time limit reached.
  std::optional<double> sweep_held_out(LearnedPoint& point, double lambda) {
    for (int sweep = 0;; ++sweep) {
      const PartSums sums = accumulate(point);
      if (sums.stopped_at > 0) return std::nullopt;
      solve_weights(sums, lambda, point);
      if (sweep == kPathSweeps) return held_out_error(sums, point);
      balance(point, learned_);
      if (!fit_activation(point, lambda)) return std::nullopt;
    }
  }

  static double held_out_error(const PartSums& sums, const LearnedPoint& point) {
    std::vector<double> intercepts = point.intercepts;
    double error = 0;
    for (Index o = 0; o < point.v.cols(); ++o) {
      intercepts[static_cast<std::size_t>(o)] -= sums.shift[static_cast<std::size_t>(o)];
      if (const double variance = total_variance(sums.parts[0], o); variance > 0)
        error += squared_error(sums.parts[1], point.v, intercepts, o) / variance;
    }
    return error / static_cast<double>(point.v.cols());
  }

  PartSums accumulate(const LearnedPoint& point) {
    const FeatureMap map = learned_.map(point.a);
    PartSums sums =
        accumulate_parts({map, problem_.rows, problem_.task, problem_.options, problem_.family, problem_.run},
                         held_out_ ? 2 : 1, held_out_);
    shift_ = sums.shift;
    return sums;
  }

  static void check_parts(const PartSums& sums) {
    for (const Accumulator& part : sums.parts)
      if (!(part.weight() > 0))
        throw Error(ErrorKind::data, "there are too few rows (of positive weight) to hold some out for choosing lambda",
                    "‹lambda›", "give a lambda, or more rows");
  }

  void solve_weights(const PartSums& sums, double lambda, LearnedPoint& point) const {
    const Accumulator& rows = sums.parts.front();
    const NormalEquations equations = normal_equations(rows, problem_.options.intercept);
    const double strength = lambda * learned_.squared_norm(point.a);
    point.v = solve_regularised(equations.gram, learned_.penalty.matrix, strength * equations.weight, 0,
                                equations.cross, threads_)
                  .coefficients;
    point.intercepts = equations.intercepts(point.v);
    point.objective = strength * penalty_form(learned_.penalty, point.v, threads_);
    for (Index o = 0; o < point.v.cols(); ++o) point.objective += squared_error(rows, point.v, point.intercepts, o);
    for (std::size_t o = 0; o < point.intercepts.size(); ++o) point.intercepts[o] += sums.shift[o];
  }

  /// Sums of u_o against the targets of output o, one per output. None when the time limit is reached.
  std::vector<Accumulator> activation_sums(const LearnedPoint& point) const {
    const Index functions = learned_.basis.count;
    std::vector<Accumulator> sums;
    for (const double shift : shift_) sums.emplace_back(functions, 1, std::vector<double>{shift});
    Matrix u;
    bool in_time = true;
    problem_.rows.for_each([&](const TrainingBlock& block) {
      problem_.run.check_cancelled();
      in_time = !problem_.run.out_of_time();
      if (!in_time) return false;
      basis_sums(learned_, block.x, point.v, u);
      const std::vector<double> weights = fitted_weights(block);
      for (Index o = 0; o < block.y.rows; ++o)
        sums[static_cast<std::size_t>(o)].add(View<const double>(u.view().row_range(o * functions, functions)),
                                              block.y.row_range(o, 1), weights.empty() ? nullptr : weights.data(),
                                              threads_);
      problem_.run.report("activation", static_cast<double>(block.first_row + block.rows()),
                          static_cast<double>(problem_.rows.rows()));
      return true;
    });
    if (!in_time) sums.clear();
    return sums;
  }

  /// 0 for rows that are held out; empty when all are 1.
  std::vector<double> fitted_weights(const TrainingBlock& block) const {
    std::vector<double> weights;
    if (!held_out_ && block.weights == nullptr) return weights;
    for (Index i = 0; i < block.rows(); ++i) {
      const bool out = held_out_ && held_out_(block.first_row + i) == 1;
      weights.push_back(out ? 0 : block.weights != nullptr ? block.weights[i] : 1);
    }
    return weights;
  }

  const LearnedProblem& learned_;
  const Problem& problem_;
  int threads_;
  PartOf held_out_;            // rows that do not count; empty: all count
  std::vector<double> shift_;  // of the targets, as the last sums had it
};

}  // namespace

std::unique_ptr<HalfSteps> squared_steps(const LearnedProblem& learned) {
  return std::make_unique<SquaredSteps>(learned);
}

}  // namespace weft::detail
