// Sums over rows whose T × T matrix no process holds.
//
// Every process sees the encoded rows of all, and computes the features that its tiles need: those of its rows and of
// its columns of tiles. Sending the n inputs of a row costs less than sending its T features, or tiles of sums, and
// computing a feature by 2√P processes costs less than what T multiplies it with.
#pragma once

#include "linalg/cyclic_matrix.hpp"
#include "methods/problem.hpp"

#include <vector>

namespace weft::detail {

struct CyclicSums {
  CyclicMatrix gram;  ///< ΦᵀWΦ
  Matrix moments;     ///< T × (k + 1), on every process: ΦᵀWy and, last, Φᵀw
  std::vector<double> yy, target_sums;
  double weight = 0;

  CyclicSums(const CyclicLayout& layout, Index targets);
  void merge(const CyclicSums& other);
  Index targets() const { return static_cast<Index>(yy.size()); }
  double variance(Index output) const;  ///< of the target
  /// Collective: Σ w (y − intercept − bᵀφ)² / Σ w of every output.
  std::vector<double> squared_errors(const Matrix& coefficients, const std::vector<double>& intercepts,
                                     Communicator& processes) const;
};

/// Fitted and held-out sums, about `shift`, which is set. Collective.
struct CyclicParts {
  std::vector<CyclicSums> parts;
  std::vector<double> shift;
};
CyclicParts accumulate_cyclic(const Problem& problem, const CyclicLayout& layout, const PartOf& part_of);

}  // namespace weft::detail
