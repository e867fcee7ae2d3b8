#include "methods/kernel/kernel_folds.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "linalg/ridge.hpp"

namespace weft::detail {

namespace {

constexpr Index kFolds = 5;

}  // namespace

KernelFolds::KernelFolds(const Problem& problem, const Matrix& kernel, const KernelTargets& targets)
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
  const int threads = problem_.run.thread_count();
  const auto n = static_cast<Index>(rows.size());
  const Index outputs = targets_.y.cols();
  Matrix gram(n, n);
  Matrix rhs(n, outputs + (intercept ? 1 : 0));
  parallel_for(n, threads, [&](Index i) {
    const Index row = rows[at(i)];
    for (Index j = 0; j < n; ++j) gram(i, j) = kernel_(row, rows[at(j)]);
    for (Index o = 0; o < outputs; ++o) rhs(i, o) = targets_.y(row, o);
    if (intercept) rhs(i, outputs) = targets_.roots[at(row)];
  });
  const Matrix x = solve_regularised(gram, {}, mu * part.weight / targets_.weight, 0, rhs, threads).coefficients;
  std::vector<double> products(at(x.cols()));  // sᵀ of each column
  for (Index i = 0; i < n; ++i)
    for (Index o = 0; o < x.cols(); ++o) products[at(o)] += targets_.roots[at(rows[at(i)])] * x(i, o);
  parallel_for(static_cast<Index>(part.held.size()), threads, [&](Index k) {
    const Index row = part.held[at(k)];
    const double root = targets_.roots[at(row)];
    if (!(root > 0)) return;
    for (Index o = 0; o < outputs; ++o) {
      const double c = intercept ? products[at(o)] / products.back() : 0;
      double f = 0;
      for (Index i = 0; i < n; ++i) f += kernel_(row, rows[at(i)]) * (x(i, o) - (intercept ? c * x(i, outputs) : 0));
      errors(row, o) = (targets_.y(row, o) - f) / root - c;
    }
  });
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
