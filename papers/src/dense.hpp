// The dense linear algebra of the experiments, on the BLAS library that weft loads. Of symmetric matrices the lower
// triangle counts.
#pragma once

#include <weft/matrix.hpp>

#include <vector>

namespace weft::papers {

/// While one of these exists BLAS uses this many threads: one where cells run in parallel.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();  // NOLINT(bugprone-exception-escape)
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int before_;
};

/// gram += phi·phiᵀ, lower triangle; phi is features × rows.
void add_gram(View<const double> phi, Matrix& gram);
/// aᵀ·b: a is inner × rows, b inner × columns.
Matrix transposed_product(View<const double> a, View<const double> b);
/// a·bᵀ: a is rows × inner, b columns × inner.
Matrix product_transposed(View<const double> a, View<const double> b);

/// a ← L with LLᵀ = a; false where a is not positive definite.
bool cholesky(Matrix& a);
/// rhs ← (LLᵀ)⁻¹ rhs.
void solve_cholesky(const Matrix& factor, std::vector<double>& rhs);
/// The diagonal of (LLᵀ)⁻¹.
std::vector<double> inverse_diagonal(Matrix factor);

/// a = Σ_k values[k] v_k v_kᵀ, v_k the rows of `vectors`; values ascend.
struct Spectrum {
  std::vector<double> values;
  Matrix vectors;
};
Spectrum spectrum(Matrix a);

}  // namespace weft::papers
