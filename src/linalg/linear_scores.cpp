#include "linalg/linear_scores.hpp"

#include "core/parallel.hpp"
#include "linalg/blas.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

constexpr Index kPieceColumns = 256;

}  // namespace

// In pieces of fixed size, whatever the threads.
void linear_scores(const Matrix& coefficients, const std::vector<double>& intercepts, View<const double> phi,
                   View<double> scores, int threads) {
  if (scores.rows == 0) return;
  const Index pieces = (phi.cols + kPieceColumns - 1) / kPieceColumns;
  parallel_for(pieces, threads, [&](Index p) {
    const Index first = p * kPieceColumns;
    const Index count = std::min(kPieceColumns, phi.cols - first);
    for (Index a = 0; a < scores.rows; ++a)
      std::fill_n(scores.row(a) + first, count, intercepts[static_cast<std::size_t>(a)]);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, blas::narrow(scores.rows), blas::narrow(count),
                blas::narrow(phi.rows), 1, coefficients.data(), blas::narrow(coefficients.cols()), phi.data + first,
                blas::narrow(phi.stride), 1, scores.data + first, blas::narrow(scores.stride));
  });
}

}  // namespace weft::detail
