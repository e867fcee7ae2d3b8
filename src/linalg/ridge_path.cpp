#include "linalg/ridge_path.hpp"

#include "core/parallel.hpp"
#include "linalg/blas.hpp"
#include "linalg/cholesky.hpp"

#include <weft/error.hpp>

#include <lapacke.h>
#include <algorithm>
#include <optional>

namespace weft::detail {

namespace {

using blas::narrow;

// (b) multiplies by L⁻¹ twice; R's condition number is what it can lose.
constexpr double kLeastRegulariserCondition = 1e-10;
// Below it (a) is more accurate: it scales the columns, (b) cannot.
constexpr double kLeastReciprocalCondition = 1e-12;

// From how many λ on (b) is cheaper. Seconds for 10 / 20 / 50 λ on two cores (AMD EPYC, AVX2, OpenBLAS 0.3.21):
//   T      (a), any R            (b), R = I            (b), R given
//    500   .013 / .025 / .062    .007 / .007 / .009    .015 / .016 / .018
//   1000   .075 / .14  / .35     .045 / .046 / .051    .092 / .094 / .102
//   2000   .49  / .98  / 2.4     .36  / .37  / .41     .69  / .71  / .78
// (a) scales with threads and (b) hardly does, but the choice must not depend on them: the answers' bits would.
constexpr std::size_t kTridiagonalFromIdentity = 8;
constexpr std::size_t kTridiagonalFrom = 15;

/// L with R = LLᵀ, or nothing when R is too ill-conditioned for (b).
std::optional<Matrix> factor_regulariser(View<const double> regulariser, int threads) {
  Matrix lower(regulariser.rows, regulariser.rows);
  for (Index i = 0; i < lower.rows(); ++i) std::copy_n(regulariser.row(i), i + 1, lower.row(i));
  const double norm = symmetric_one_norm(lower);
  if (!cholesky_factor(lower, threads)) return std::nullopt;
  if (reciprocal_condition(lower, norm) < kLeastRegulariserCondition) return std::nullopt;
  return lower;
}

Matrix transposed(View<const double> a) {
  Matrix out(a.cols, a.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) out(j, i) = a(i, j);
  return out;
}

/// QHQᵀ = L⁻¹(gram + εI)L⁻ᵀ, with L = I where none is given.
class Tridiagonal {
 public:
  Tridiagonal(View<const double> gram, double epsilon, const Matrix* lower)
      : size_(gram.rows), reflectors_(size_, size_), diagonal_(size()), off_(size()), tau_(size()) {
    for (Index i = 0; i < size_; ++i)
      for (Index j = 0; j <= i; ++j) reflectors_(i, j) = reflectors_(j, i) = gram(i, j) + (i == j ? epsilon : 0.0);
    const SerialBlas serial_blas;
    if (lower != nullptr) divide_by(*lower);
    std::vector<double> work(64 * size());
    LAPACKE_dsytrd_work(LAPACK_COL_MAJOR, 'L', narrow(size_), reflectors_.data(), narrow(size_), diagonal_.data(),
                        off_.data(), tau_.data(), work.data(), narrow(static_cast<Index>(work.size())));
  }

  /// vectors (any number × T, one vector a row) ← Q or Qᵀ times each. On one thread at a time: LAPACK's dorm2l and its
  /// kin put ones into the reflectors while they work.
  void rotate(char transpose, Matrix& vectors) {
    const SerialBlas serial_blas;
    std::vector<double> work(64 * static_cast<std::size_t>(std::max<Index>(1, vectors.rows())));
    LAPACKE_dormtr_work(LAPACK_COL_MAJOR, 'L', 'L', transpose, narrow(size_), narrow(vectors.rows()),
                        reflectors_.data(), narrow(size_), tau_.data(), vectors.data(), narrow(size_), work.data(),
                        narrow(static_cast<Index>(work.size())));
  }

  /// vectors ← (H + λI)⁻¹ vectors; the reciprocal condition, or nothing when H + λI is not positive definite.
  std::optional<double> solve(double lambda, View<double> vectors) const {
    std::vector<double> d = diagonal_;
    std::vector<double> e = off_;
    for (double& value : d) value += lambda;
    double norm = 0;
    for (std::size_t i = 0; i < size(); ++i)
      norm = std::max(norm, std::abs(d[i]) + (i > 0 ? std::abs(e[i - 1]) : 0) + (i + 1 < size() ? std::abs(e[i]) : 0));
    const int n = narrow(size_);
    if (LAPACKE_dpttrf_work(n, d.data(), e.data()) != 0) return std::nullopt;
    LAPACKE_dpttrs_work(LAPACK_COL_MAJOR, n, narrow(vectors.rows), d.data(), e.data(), vectors.data, n);
    std::vector<double> work(size());
    double rcond = 0;
    LAPACKE_dptcon_work(n, d.data(), e.data(), norm, &rcond, work.data());
    return rcond;
  }

 private:
  /// Two-sided division by L at half the price of two triangular solves. Row-major L is LAPACK's upper factor Lᵀ.
  void divide_by(const Matrix& lower) {
    LAPACKE_dsygst_work(LAPACK_COL_MAJOR, 1, 'U', narrow(size_), reflectors_.data(), narrow(size_), lower.data(),
                        narrow(size_));
    for (Index i = 0; i < size_; ++i)
      for (Index j = 0; j < i; ++j) reflectors_(j, i) = reflectors_(i, j);
  }

  std::size_t size() const { return static_cast<std::size_t>(size_); }

  Index size_;
  Matrix reflectors_;  // symmetric when it arrives, so row-major and column-major agree
  std::vector<double> diagonal_, off_, tau_;
};

RidgePath tridiagonal_path(View<const double> gram, View<const double> regulariser, const Matrix* lower,
                           std::span<const double> lambdas, double epsilon, View<const double> rhs, int threads) {
  const auto count = static_cast<Index>(lambdas.size());
  const Index k = rhs.cols;
  RidgePath path{std::vector<Matrix>(lambdas.size()), std::vector<RidgeReport>(lambdas.size()), true};
  Tridiagonal tridiagonal(gram, epsilon, lower);
  Matrix start = transposed(transposed(rhs));
  if (lower != nullptr) solve_lower(*lower, start, threads);
  start = transposed(start);
  tridiagonal.rotate('T', start);
  Matrix vectors(count * k, gram.rows);  // all λ's side by side, so that Q is applied once
  std::vector<std::optional<double>> rcond(lambdas.size());
  parallel_for(count, threads, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    std::copy_n(start.data(), k * gram.rows, vectors.row(i * k));
    rcond[at] = tridiagonal.solve(lambdas[at], vectors.view().row_range(i * k, k));
  });
  tridiagonal.rotate('N', vectors);
  const std::vector<double> ones(static_cast<std::size_t>(gram.rows), 1.0);
  parallel_for(count, threads, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    if (rcond[at].value_or(0) < kLeastReciprocalCondition) {
      RidgeSolution solution = solve_regularised(gram, regulariser, lambdas[at], epsilon, rhs, 1);
      path.coefficients[at] = std::move(solution.coefficients);
      path.reports[at] = solution.report;
      return;
    }
    path.coefficients[at] = transposed(vectors.view().row_range(i * k, k));
    if (lower != nullptr) solve_lower_transposed(*lower, path.coefficients[at], 1);
    const Matrix residual = ridge_residual(gram, regulariser, lambdas[at], epsilon, rhs, path.coefficients[at], 1);
    path.reports[at] = {*rcond[at], 0, 0, relative_residual(residual, rhs, ones)};
  });
  return path;
}

void check_path(View<const double> gram, View<const double> regulariser, std::span<const double> lambdas,
                double epsilon, View<const double> rhs) {
  check_ridge_inputs(gram, regulariser, rhs);
  for (const double lambda : lambdas) check_ridge_strength(lambda, epsilon);
}

}  // namespace

PathRegulariser::PathRegulariser(View<const double> regulariser, std::size_t lambdas, int threads)
    : matrix_(regulariser) {
  if (regulariser.data == nullptr) {
    tridiagonal_ = lambdas >= kTridiagonalFromIdentity;
  } else if (lambdas >= kTridiagonalFrom) {
    lower_ = factor_regulariser(regulariser, threads);
    tridiagonal_ = lower_.has_value();
  }
}

RidgePath ridge_path(View<const double> gram, const PathRegulariser& regulariser, std::span<const double> lambdas,
                     double epsilon, View<const double> rhs, int threads) {
  check_path(gram, regulariser.matrix(), lambdas, epsilon, rhs);
  if (regulariser.tridiagonal())
    return tridiagonal_path(gram, regulariser.matrix(), regulariser.lower(), lambdas, epsilon, rhs, threads);
  return ridge_path_cholesky(gram, regulariser.matrix(), lambdas, epsilon, rhs, threads);
}

RidgePath ridge_path(View<const double> gram, View<const double> regulariser, std::span<const double> lambdas,
                     double epsilon, View<const double> rhs, int threads) {
  return ridge_path(gram, PathRegulariser(regulariser, lambdas.size(), threads), lambdas, epsilon, rhs, threads);
}

RidgePath ridge_path_cholesky(View<const double> gram, View<const double> regulariser, std::span<const double> lambdas,
                              double epsilon, View<const double> rhs, int threads) {
  RidgePath path{std::vector<Matrix>(lambdas.size()), std::vector<RidgeReport>(lambdas.size()), false};
  parallel_for(static_cast<Index>(lambdas.size()), threads, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    RidgeSolution solution = solve_regularised(gram, regulariser, lambdas[at], epsilon, rhs, 1);
    path.coefficients[at] = std::move(solution.coefficients);
    path.reports[at] = solution.report;
  });
  return path;
}

RidgePath ridge_path_tridiagonal(View<const double> gram, View<const double> regulariser,
                                 std::span<const double> lambdas, double epsilon, View<const double> rhs, int threads) {
  check_path(gram, regulariser, lambdas, epsilon, rhs);
  if (regulariser.data == nullptr) return tridiagonal_path(gram, regulariser, nullptr, lambdas, epsilon, rhs, threads);
  const std::optional<Matrix> lower = factor_regulariser(regulariser, threads);
  if (!lower)
    throw Error(ErrorKind::data, "the regulariser is too close to singular to be divided by", {},
                "solve for each lambda on its own");
  return tridiagonal_path(gram, regulariser, &*lower, lambdas, epsilon, rhs, threads);
}

}  // namespace weft::detail
