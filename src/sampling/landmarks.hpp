// Rows as centres: the feature map of a kernel machine and its bandwidth.
#pragma once

#include "methods/problem.hpp"

namespace weft::detail {

/// A feature map on its way to a fit.
struct FittedMap {
  FeatureMap map;
  std::vector<double> shares = {};  ///< as in Problem
  FitReport report = {};            ///< what was found on the way, for the fit's own
};

/// options.kernel, with the bandwidth that options.bandwidth names for these rows where it has one.
Kernel choose_kernel(const BlockSource& rows, const Inputs& inputs, const FamilyOptions& family,
                     const FitOptions& options, const Run& run, const ActivationPtr& custom = nullptr);

/// Kernel sections at all rows in their order, or at options.landmarks of them: drawn without replacement by the seed,
/// uniformly or in proportion to approximate leverage scores ℓ_i = (k_ii − k_iJ(K_JJ + |J|λI)⁻¹k_Ji)/nλ, J a uniform
/// sample (Rudi, Calandriello, Carratino & Rosasco 2018, eq. 3).
FittedMap choose_landmarks(const BlockSource& rows, const Inputs& inputs, const FamilyOptions& family,
                           const FitOptions& options, const Run& run, const ActivationPtr& custom = nullptr);

}  // namespace weft::detail
