// Randomly pivoted Cholesky (Chen, Epperly, Tropp & Webber 2025) of a kernel matrix K, n × n, of which only the
// diagonal and the pivots' rows are computed: K ≈ FᵀF, one row of F per pivot, and every pivot is drawn in proportion
// to the diagonal of what is left, K − FᵀF.
//
// Pivots come in blocks (Epperly, Tropp & Webber 2024): proposals are drawn by the diagonal that the block begins with,
// and each is accepted with the probability that it would still have after those accepted before it. The law is that of
// one pivot at a time, the work that of matrix products.
#pragma once

#include <weft/kernel.hpp>

#include <cstdint>
#include <vector>

namespace weft::detail {

struct PivotedCholesky {
  std::vector<Index> pivots;     ///< columns of x in the order in which they were chosen, all different
  Matrix factor;                 ///< F: pivots × n
  std::vector<double> residual;  ///< n: the diagonal of K − FᵀF
};

/// `count` pivots among the columns of x (inputs × n); fewer where the rest of K vanishes to rounding. O(n·count²)
/// operations, O(n·count) memory.
PivotedCholesky pivoted_cholesky(const Kernel& kernel, View<const double> x, Index count, std::uint64_t seed,
                                 const Run& run = {});

}  // namespace weft::detail
