#include "linalg/cyclic_ridge.hpp"

#include "core/at.hpp"

#include <weft/error.hpp>

#include <cmath>
#include <limits>

namespace weft::detail {

namespace {

class CyclicRidge {
 public:
  CyclicRidge(const CyclicEquations& equations, double lambda, double epsilon, CyclicMatrix& factor)
      : a_(equations), solver_(*a_.processes.solver()), lambda_(lambda), epsilon_(epsilon), factor_(factor) {
    for (std::size_t t = 0; t < a_.diagonal.size(); ++t) {
      const double diagonal = a_.diagonal[t] + lambda_ * a_.penalties[t] + epsilon_;
      scale_.push_back(diagonal > 0 ? 1 / std::sqrt(diagonal) : 0);
    }
  }

  CyclicSolution solve() {
    factor_with_jitter();
    CyclicSolution solution{a_.cross, report_};
    apply_inverse(solution.coefficients);
    refine(solution);
    return solution;
  }

 private:
  void factor_with_jitter() {
    for (report_.jitter = 0; report_.jitter <= kLastJitter;
         report_.jitter = report_.jitter > 0 ? 10 * report_.jitter : kFirstJitter) {
      assemble();
      report_.reciprocal_condition = solver_.factor(a_.layout.size, factor_.data(), factor_.one_norm(a_.processes));
      if (report_.reciprocal_condition >= kLeastReciprocalCondition) return;
    }
    throw Error(ErrorKind::data, "the normal matrix is not positive semidefinite", {},
                "check the Gram matrix and the penalty, or use a larger lambda");
  }

  /// Of A.
  double entry(Index i, Index j, Index c, Index r) const {
    const double penalty = a_.regulariser != nullptr ? (*a_.regulariser)(c, r) : (i == j ? 1 : 0);
    const bool zero = a_.constant[at(i)] || a_.constant[at(j)];
    // Centred before anything is multiplied with it: the difference of two products would lose the digits of both.
    const double gram = zero ? 0 : a_.gram(c, r) - a_.weight * a_.means[at(i)] * a_.means[at(j)];
    return gram + lambda_ * penalty + (i == j ? epsilon_ : 0);
  }

  void assemble() {
    a_.layout.for_each_lower([&](Index i, Index j, Index c, Index r) {
      factor_(c, r) = i == j ? 1 + report_.jitter : entry(i, j, c, r) * scale_[at(i)] * scale_[at(j)];
    });
  }

  void apply_inverse(Matrix& rhs) const {
    Matrix columns(rhs.cols(), rhs.rows());
    for (Index t = 0; t < rhs.rows(); ++t)
      for (Index o = 0; o < rhs.cols(); ++o) columns(o, t) = rhs(t, o) * scale_[at(t)];
    solver_.solve(rhs.rows(), factor_.data(), columns.data(), rhs.cols());
    for (Index t = 0; t < rhs.rows(); ++t)
      for (Index o = 0; o < rhs.cols(); ++o) rhs(t, o) = columns(o, t) * scale_[at(t)];
  }

  Matrix residual(const Matrix& x) const {
    Matrix left(x.rows(), x.cols());
    a_.layout.for_each_lower([&](Index i, Index j, Index c, Index r) {
      const double value = entry(i, j, c, r);
      for (Index o = 0; o < x.cols(); ++o) {
        left(i, o) -= value * x(j, o);
        if (i != j) left(j, o) -= value * x(i, o);
      }
    });
    a_.processes.add_up(left.data(), at(left.rows() * left.cols()));
    for (Index t = 0; t < x.rows(); ++t)
      for (Index o = 0; o < x.cols(); ++o) left(t, o) += a_.cross(t, o);
    return left;
  }

  void refine(CyclicSolution& solution) const {
    RidgeReport& report = solution.report;
    Matrix left = residual(solution.coefficients);
    report.relative_residual = relative_residual(left, a_.cross, scale_);
    for (int step = 0; step < kMaxRefinements; ++step) {
      if (report.relative_residual <= 4 * std::numeric_limits<double>::epsilon()) return;
      apply_inverse(left);
      for (Index t = 0; t < left.rows(); ++t)
        for (Index o = 0; o < left.cols(); ++o) left(t, o) += solution.coefficients(t, o);
      Matrix next = residual(left);
      const double ratio = relative_residual(next, a_.cross, scale_);
      if (!(ratio < 0.5 * report.relative_residual)) return;
      solution.coefficients = std::move(left);
      left = std::move(next);
      report.relative_residual = ratio;
      ++report.refinement_steps;
    }
  }

  const CyclicEquations& a_;
  CyclicSolver& solver_;
  double lambda_, epsilon_;
  CyclicMatrix& factor_;
  std::vector<double> scale_;
  RidgeReport report_;
};

}  // namespace

CyclicSolution solve_cyclic(const CyclicEquations& equations, double lambda, double epsilon, CyclicMatrix& factor) {
  check_ridge_strength(lambda, epsilon);
  return CyclicRidge(equations, lambda, epsilon, factor).solve();
}

}  // namespace weft::detail
