// The choice of λ. Algorithm 5 of Dubé & Marchand 2023 grows λ tenfold from below while the rule accepts, beginning at
// b = a. Here λ decreases from the value that removes every feature, each lasso starts from the sparser one before it,
// and the first that is accepted is the sparsest. That is where a search from below would end too, but small problems
// are solved instead of large ones. Several λ share a pass over the rows.
#pragma once

#include "prune/acceptance.hpp"
#include "prune/weight_path.hpp"

#include <functional>
#include <optional>

namespace weft::detail {

struct PruneGoal {
  double epsilon = 0;
  std::optional<Index> features = {};  ///< the densest with at most so many features, regardless of the rule
};

struct LassoChoice {
  std::optional<PruneStep> taken;  ///< none: nothing was accepted, and `pruned` is empty
  Pruned pruned;
  std::vector<PruneStep> steps;
};

/// `make` turns the shares that solve the lasso into the model that the rule evaluates. λ is found to half a percent.
LassoChoice choose_lasso(const WeightPath& path, const Acceptance& acceptance, const PruneGoal& goal,
                         const std::function<Pruned(const Matrix& shares)>& make, const Run& run);

}  // namespace weft::detail
