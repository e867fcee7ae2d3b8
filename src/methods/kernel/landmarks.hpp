// Rows as centres: the feature map of a kernel machine and its bandwidth.
#pragma once

#include "methods/method.hpp"

namespace weft::detail {

/// Rows among which randomly pivoted Cholesky chooses so many landmarks: all up to 20000, else at least five times
/// their number.
Index pivot_candidates(Index rows, Index landmarks);

/// The kernel of the options, with the bandwidth that they name for the labelled rows where it has one.
Kernel choose_kernel(const MapRequest& request);

/// Numbers of the rows, of so many, that choose_landmarks reads, ascending; none: all of them.
std::optional<std::vector<Index>> landmark_rows(const FitOptions& options, const FamilyOptions& family, Index rows);

/// Kernel sections at all rows in their order, or at as many landmarks as the options say: drawn without replacement by
/// the seed, uniformly or in proportion to approximate leverage scores ℓ_i = (k_ii − k_iJ(K_JJ + |J|λI)⁻¹k_Ji)/nλ, J a
/// uniform sample (Rudi, Calandriello, Carratino & Rosasco 2018, eq. 3), or by randomly pivoted Cholesky among
/// uniformly drawn candidates; the latter finds fewer where the kernel matrix has no higher rank.
FittedMap choose_landmarks(const MapRequest& request);

}  // namespace weft::detail
