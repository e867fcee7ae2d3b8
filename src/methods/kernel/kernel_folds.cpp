#include "methods/kernel/kernel_folds.hpp"

#include "core/at.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

constexpr Index kFolds = 5;

}  // namespace

KernelFolds::KernelFolds(const Problem& problem, const ScaledKernel& kernel, const KernelTargets& targets)
    : problem_(problem),
      kernel_(kernel),
      targets_(targets),
      folds_(problem.rows.rule().folds(problem.rows.rows(), kFolds, {}, problem.family.seed)) {
  for (Index i = 0; i < problem.rows.rows(); ++i)
    if (predicts(i)) weight_ += targets.roots[at(i)] * targets.roots[at(i)];
  if (!(weight_ > 0))
    throw Error(ErrorKind::data, "no row of positive weight can be held out", "‹weights›",
                "give some of the held-out rows a positive weight");
}

Matrix KernelFolds::errors(double mu) const {
  Matrix result(targets_.y.rows(), targets_.y.cols());
  for (Index fold = folds_.first(); fold < folds_.parts; ++fold) {
    problem_.run.check_cancelled();
    predict(fold, mu, result);
  }
  return result;
}

KernelFolds::FoldRows KernelFolds::rows_of(Index fold) const {
  FoldRows rows;
  for (Index i = 0; i < kernel_.rows(); ++i) {
    const Index part = folds_.of_row[at(i)];
    if (part == fold) rows.held.push_back(i);
    if (!folds_.trains(part, fold)) continue;
    rows.trained.push_back(i);
    rows.weight += targets_.roots[at(i)] * targets_.roots[at(i)];
  }
  if (!(rows.weight > 0))
    throw Error(ErrorKind::data, "rows that others are predicted from have no weight", "‹weights›",
                "give some rows of every fold a positive weight");
  return rows;
}

// α = A⁻¹Sy − c·A⁻¹s as in solve_kernel, on the rows that train; f(x_i) = Σ_j (SKS)_ij α_j / s_i.
void KernelFolds::predict(Index fold, double mu, Matrix& errors) const {
  const FoldRows part = rows_of(fold);
  const std::vector<Index>& rows = part.trained;
  const bool intercept = problem_.options.intercept;
  const auto n = static_cast<Index>(rows.size());
  const Index outputs = targets_.y.cols();
  Matrix rhs(n, outputs + (intercept ? 1 : 0));
  for (Index i = 0; i < n; ++i) {
    std::copy_n(targets_.y.row(rows[at(i)]), outputs, rhs.row(i));
    if (intercept) rhs(i, outputs) = targets_.roots[at(rows[at(i)])];
  }
  const Matrix x = kernel_.solve(rows, mu * part.weight / targets_.weight, rhs).coefficients;
  std::vector<double> products(at(x.cols()));  // sᵀ of each column
  for (Index i = 0; i < n; ++i)
    for (Index o = 0; o < x.cols(); ++o) products[at(o)] += targets_.roots[at(rows[at(i)])] * x(i, o);
  Matrix alpha(n, outputs);
  std::vector<double> intercepts(at(outputs));
  for (Index o = 0; o < outputs; ++o) {
    if (intercept) intercepts[at(o)] = products[at(o)] / products.back();
    for (Index i = 0; i < n; ++i) alpha(i, o) = x(i, o) - (intercept ? intercepts[at(o)] * x(i, outputs) : 0);
  }
  const Matrix f = kernel_.product(part.held, rows, alpha);
  for (Index k = 0; k < f.rows(); ++k) {
    const Index row = part.held[at(k)];
    const double root = targets_.roots[at(row)];
    for (Index o = 0; o < outputs && root > 0; ++o)
      errors(row, o) = (targets_.y(row, o) - f(k, o)) / root - intercepts[at(o)];
  }
}

std::vector<double> KernelFolds::mean_squares(const Matrix& errors) const {
  std::vector<double> means(at(errors.cols()));
  for (Index i = 0; i < errors.rows(); ++i)
    for (Index o = 0; o < errors.cols(); ++o) {
      const double scaled = targets_.roots[at(i)] * errors(i, o);
      means[at(o)] += scaled * scaled / weight_;
    }
  return means;
}

}  // namespace weft::detail
