#include "dense.hpp"

#include <weft/error.hpp>

#include <cblas.h>
#include <lapacke.h>

extern "C" {
// OpenBLAS's own header has another name on every system; these two are its stable interface.
void openblas_set_num_threads(int);
int openblas_get_num_threads(void);
}

namespace weft::papers {

namespace {

int narrow(Index size) {
  return static_cast<int>(size);
}

}  // namespace

BlasThreads::BlasThreads(int threads) : before_(openblas_get_num_threads()) {
  openblas_set_num_threads(threads);
}

BlasThreads::~BlasThreads() {
  openblas_set_num_threads(before_);
}

void add_gram(View<const double> phi, Matrix& gram) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, narrow(phi.rows), narrow(phi.cols), 1, phi.data,
              narrow(phi.stride), 1, gram.data(), narrow(gram.cols()));
}

Matrix transposed_product(View<const double> a, View<const double> b) {
  Matrix c(a.cols, b.cols);
  cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, narrow(a.cols), narrow(b.cols), narrow(a.rows), 1, a.data,
              narrow(a.stride), b.data, narrow(b.stride), 0, c.data(), narrow(c.cols()));
  return c;
}

Matrix product_transposed(View<const double> a, View<const double> b) {
  Matrix c(a.rows, b.rows);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, narrow(a.rows), narrow(b.rows), narrow(a.cols), 1, a.data,
              narrow(a.stride), b.data, narrow(b.stride), 0, c.data(), narrow(c.cols()));
  return c;
}

// The lower triangle by rows is LAPACK's upper triangle by columns: nothing need be transposed.
bool cholesky(Matrix& a) {
  return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'U', narrow(a.rows()), a.data(), narrow(a.cols())) == 0;
}

void solve_cholesky(const Matrix& factor, std::vector<double>& rhs) {
  LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'U', narrow(factor.rows()), 1, factor.data(), narrow(factor.cols()), rhs.data(),
                 narrow(factor.rows()));
}

std::vector<double> inverse_diagonal(Matrix factor) {
  LAPACKE_dpotri(LAPACK_COL_MAJOR, 'U', narrow(factor.rows()), factor.data(), narrow(factor.cols()));
  std::vector<double> diagonal;
  for (Index i = 0; i < factor.rows(); ++i) diagonal.push_back(factor(i, i));
  return diagonal;
}

Spectrum spectrum(Matrix a) {
  std::vector<double> values(static_cast<std::size_t>(a.rows()));
  if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', narrow(a.rows()), a.data(), narrow(a.cols()), values.data()) != 0)
    throw Error(ErrorKind::data, "the eigenvalues of a Gram matrix could not be computed");
  return {std::move(values), std::move(a)};
}

}  // namespace weft::papers
