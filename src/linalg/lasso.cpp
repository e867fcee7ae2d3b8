#include "linalg/lasso.hpp"

#include "compute/device.hpp"
#include "core/parallel.hpp"
#include "linalg/working_lasso.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>

namespace weft::detail {

namespace {

constexpr Index kFirstWorkingSet = 64;
constexpr double kInnerShare = 0.1;    // how far below the whole problem's gap a working set is solved
constexpr int kPasses = 100;           // of coordinate descent before the active-set method takes over
constexpr Index kAdmitShare = 8;       // one eighth of the support may join between two rounds of Newton steps
constexpr double kContinuation = 0.3;  // each λ of a cold start to the one before
constexpr double kCoarseTolerance = 1e-3;
constexpr int kPatience = 3;         // rounds without progress before a solver gives up
constexpr double kProgress = 1e-15;  // of yᵀy: a smaller decrease of the objective is rounding

void check_problem(const LassoProblem& problem) {
  assert(problem.gram.rows == problem.gram.cols && static_cast<Index>(problem.cross.size()) == problem.gram.rows);
  assert(problem.divisor == 1 || problem.divisor == 2);
  bool finite = std::isfinite(problem.yy) && problem.yy >= 0 && std::isfinite(problem.rows) && problem.rows > 0;
  for (Index j = 0; finite && j < problem.gram.rows; ++j) {
    finite = std::isfinite(problem.cross[j]);
    for (Index k = 0; finite && k < problem.gram.cols; ++k) finite = std::isfinite(problem.gram(j, k));
    if (!finite)
      throw Error(ErrorKind::data, "a product of features is not finite", "feature " + std::to_string(j + 1),
                  "look for overflowing or missing values in that feature");
  }
  if (!finite)
    throw Error(ErrorKind::data, "the targets have no finite sum of squares, or there are no rows", {},
                "look for overflowing or missing targets");
}

/// One λ: the state of the search over working sets, in units of ½‖Φa − y‖² + μ‖a‖₁ with μ = λ·c·m/2.
class WorkingSetSearch {
 public:
  WorkingSetSearch(const LassoProblem& problem, double lambda, std::span<const double> start,
                   const LassoSolverOptions& options, const Run& run)
      : problem_(problem),
        options_(options),
        run_(run),
        unit_(2 / (problem.divisor * problem.rows)),
        mu_(lambda / unit_),
        target_(0.5 * options.tolerance * problem.yy),
        alive_(problem.cross.size(), true) {
    result_.coefficients.assign(start.begin(), start.end());
    result_.coefficients.resize(problem.cross.size());
    for (std::size_t j = 0; j < alive_.size(); ++j)
      if (!(norm_squared(j) > 0)) {  // a zero column: its coefficient could only cost
        alive_[j] = false;
        result_.coefficients[j] = 0;
      }
  }

  LassoResult solve() {
    double best_gap = INFINITY;
    bool everything = false;
    for (int idle = 0;;) {
      refresh_gradient();
      certificate_ = certify_lasso(result_.coefficients, g_, problem_.cross, problem_.yy, mu_);
      check_residual();
      if (certificate_.gap <= target_) return finish(LassoStop::converged);
      if (out_of_time()) return finish(LassoStop::max_seconds);
      if (out_of_steps()) return finish(LassoStop::max_steps);
      const bool progress = certificate_.gap < 0.9 * best_gap;
      idle = progress || !everything ? 0 : idle + 1;
      if (idle >= kPatience) return finish(LassoStop::stalled);
      best_gap = std::min(best_gap, certificate_.gap);
      screen();
      everything = choose_working_set(!progress);
      solve_working_set();
    }
  }

 private:
  double norm_squared(std::size_t j) const { return problem_.gram(static_cast<Index>(j), static_cast<Index>(j)); }

  bool out_of_time() const {
    run_.check_cancelled();
    return run_.out_of_time();
  }

  bool out_of_steps() const { return result_.epochs + result_.newton_steps >= options_.max_steps; }

  void refresh_gradient() {
    g_.assign(problem_.cross.begin(), problem_.cross.end());
    for (std::size_t j = 0; j < alive_.size(); ++j)
      if (result_.coefficients[j] != 0)
        cpu().add_scaled(problem_.gram.cols, -result_.coefficients[j], problem_.gram.row(static_cast<Index>(j)),
                         g_.data());
    for (std::size_t j = 0; j < alive_.size(); ++j)
      if (!(norm_squared(j) > 0)) g_[j] = 0;
  }

  void check_residual() const {
    double residual = problem_.yy;
    for (std::size_t j = 0; j < alive_.size(); ++j) residual -= result_.coefficients[j] * (problem_.cross[j] + g_[j]);
    if (residual < -1e-3 * problem_.yy)
      throw Error(ErrorKind::data, "the residual's sum of squares is negative", {},
                  "the Gram matrix is not positive semidefinite or does not belong to these targets");
  }

  /// ½‖θ − θ*‖² ≤ gap for the dual point θ = s·r, so |φ_jᵀθ| + ‖φ_j‖√(2·gap) < μ proves a_j* = 0.
  void screen() {
    for (std::size_t j = 0; j < alive_.size(); ++j)
      if (alive_[j] && result_.coefficients[j] == 0 &&
          std::abs(certificate_.dual_scale * g_[j]) + std::sqrt(2 * certificate_.gap * norm_squared(j)) < mu_)
        alive_[j] = false;
  }

  /// The support and, up to twice its size, the columns whose dual constraints are closest. True: all that are alive.
  bool choose_working_set(bool grow) {
    std::vector<double> distance(alive_.size(), INFINITY);
    std::vector<Index> candidates;
    Index support = 0;
    for (std::size_t j = 0; j < alive_.size(); ++j) {
      if (!alive_[j]) continue;
      candidates.push_back(static_cast<Index>(j));
      const bool used = result_.coefficients[j] != 0;
      support += used;
      distance[j] = used ? -INFINITY : (mu_ - std::abs(certificate_.dual_scale * g_[j])) / std::sqrt(norm_squared(j));
    }
    const auto before = static_cast<Index>(working_.size());
    const Index wanted = std::max({kFirstWorkingSet, 2 * support, grow ? 2 * before : before});
    const auto alive = static_cast<Index>(candidates.size());
    const Index size = std::min(alive, wanted);
    std::nth_element(candidates.begin(), candidates.begin() + size, candidates.end(),
                     [&](Index i, Index j) { return distance[i] != distance[j] ? distance[i] < distance[j] : i < j; });
    candidates.resize(static_cast<std::size_t>(size));
    std::sort(candidates.begin(), candidates.end());
    working_ = std::move(candidates);
    return size == alive;
  }

  WorkingLasso pack_working_set() const {
    const auto size = static_cast<Index>(working_.size());
    Matrix gram(size, size);
    std::vector<double> cross(working_.size());
    std::vector<double> start(working_.size());
    for (Index i = 0; i < size; ++i) {
      const double* row = problem_.gram.row(working_[i]);
      for (Index j = 0; j < size; ++j) gram(i, j) = row[working_[j]];
      cross[i] = problem_.cross[working_[i]];
      start[i] = result_.coefficients[working_[i]];
    }
    return {std::move(gram), std::move(cross), std::move(start), problem_.yy, mu_};
  }

  void solve_working_set() {
    WorkingLasso working = pack_working_set();
    const double target = std::max(kInnerShare * certificate_.gap, 0.5 * target_);
    if (!stiff_) stiff_ = !descend(working, target);
    if (stiff_) settle(working, target);
    for (std::size_t i = 0; i < working_.size(); ++i) result_.coefficients[working_[i]] = working.coefficients()[i];
  }

  /// Coordinate descent; false when it does not get there soon.
  bool descend(WorkingLasso& working, double target) {
    for (int pass = 1; pass <= kPasses && !out_of_steps() && !out_of_time(); ++pass) {
      working.descend();
      ++result_.epochs;
      if (working.certify().gap <= target) return true;
    }
    return false;
  }

  void settle(WorkingLasso& working, double target) {
    double objective = working.objective();
    for (int idle = 0; idle < kPatience && !out_of_steps() && !out_of_time();) {
      Index steps = working.support_size() + 1;
      for (bool more = true; more && steps > 0; --steps, ++result_.newton_steps) more = working.newton_step();
      if (working.certify().gap <= target) return;
      working.admit(1 + working.support_size() / kAdmitShare);
      const double lower = working.objective();
      idle = lower < objective - kProgress * problem_.yy ? 0 : idle + 1;
      objective = lower;
    }
  }

  LassoResult finish(LassoStop stop) {
    double norm = 0;
    for (std::size_t j = 0; j < g_.size(); ++j) {
      const double a = result_.coefficients[j];
      norm += std::abs(a);
      result_.nonzeros += a != 0;
      const double violation = a != 0 ? std::abs(g_[j] - std::copysign(mu_, a)) : std::abs(g_[j]) - mu_;
      result_.kkt_violation = std::max(result_.kkt_violation, violation / mu_);
    }
    result_.objective = unit_ * (0.5 * certificate_.squared_residual + mu_ * norm);
    result_.gap = unit_ * certificate_.gap;
    result_.stop = stop;
    return std::move(result_);
  }

  const LassoProblem& problem_;
  const LassoSolverOptions& options_;
  const Run& run_;
  double unit_;  // objective = unit_ · (½‖Φa − y‖² + μ‖a‖₁)
  double mu_;
  double target_;            // for the gap
  bool stiff_ = false;       // coordinate descent was too slow
  std::vector<bool> alive_;  // not proved zero
  std::vector<Index> working_;
  std::vector<double> g_;  // Φᵀ(y − Φa)
  LassoCertificate certificate_;
  LassoResult result_;
};

/// Comes down from λ_max in coarse steps: begun at zero, a small λ would fill the support far beyond the rank of Q, and
/// the surplus would have to leave one column at a time.
LassoResult solve_cold(const LassoProblem& problem, double lambda, const LassoSolverOptions& options, const Run& run) {
  LassoSolverOptions coarse = options;
  coarse.tolerance = std::max(options.tolerance, kCoarseTolerance);
  LassoResult before;
  Index epochs = 0;
  Index newton_steps = 0;
  for (double larger = kContinuation * lasso_lambda_max(problem); larger > lambda; larger *= kContinuation) {
    before = WorkingSetSearch(problem, larger, before.coefficients, coarse, run).solve();
    epochs += before.epochs;
    newton_steps += before.newton_steps;
  }
  LassoResult result = WorkingSetSearch(problem, lambda, before.coefficients, options, run).solve();
  result.epochs += epochs;
  result.newton_steps += newton_steps;
  return result;
}

void check_lambda(double lambda) {
  if (!(lambda > 0) || !std::isfinite(lambda))
    throw Error(ErrorKind::option, "the lasso needs a positive, finite lambda", "‹lambda›",
                "use least squares for an unpenalised fit");
}

}  // namespace

std::string_view to_string(LassoStop stop) {
  switch (stop) {
    case LassoStop::converged:
      return "converged";
    case LassoStop::max_steps:
      return "max_steps";
    case LassoStop::max_seconds:
      return "max_seconds";
    case LassoStop::stalled:
      return "stalled";
  }
  return "";
}

double lasso_lambda_max(const LassoProblem& problem) {
  double largest = 0;
  for (Index j = 0; j < problem.gram.rows; ++j)
    if (problem.gram(j, j) > 0) largest = std::max(largest, std::abs(problem.cross[j]));
  return 2 * largest / (problem.divisor * problem.rows);
}

LassoResult lasso(const LassoProblem& problem, double lambda, std::span<const double> start,
                  const LassoSolverOptions& options, const Run& run) {
  check_problem(problem);
  check_lambda(lambda);
  const SerialBlas serial_blas;
  return start.empty() ? solve_cold(problem, lambda, options, run)
                       : WorkingSetSearch(problem, lambda, start, options, run).solve();
}

std::vector<LassoResult> lasso_path(const LassoProblem& problem, std::span<const double> lambdas,
                                    const LassoSolverOptions& options, const Run& run) {
  check_problem(problem);
  for (const double lambda : lambdas) check_lambda(lambda);
  const SerialBlas serial_blas;
  std::vector<LassoResult> results;
  for (const double lambda : lambdas)
    results.push_back(results.empty()
                          ? solve_cold(problem, lambda, options, run)
                          : WorkingSetSearch(problem, lambda, results.back().coefficients, options, run).solve());
  return results;
}

}  // namespace weft::detail
