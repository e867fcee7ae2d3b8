// The summands of a model: f(x) = Σ_m weight_m · member_m(x).
#pragma once

#include <weft/feature_map.hpp>
#include <weft/input_transform.hpp>

#include <span>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// x[input] ≤ threshold goes below, everything else above. A child c ≥ 0 is split c, c < 0 is leaf −1 − c.
struct Split {
  Index input;
  double threshold;
  Index below;
  Index above;
};

/// The leaf that column `row` of x (own inputs × rows) reaches.
Index leaf_of(std::span<const Split> splits, View<const double> x, Index row);

/// A linear model of the rows that reach a leaf: intercepts + coefficientsᵀ · smoothings(x). A map without features
/// leaves the intercepts.
struct Leaf {
  FeatureMap map;                  ///< of the member's own inputs
  Matrix coefficients;             ///< features × outputs, of the smoothings (amplitudes folded in)
  std::vector<double> intercepts;  ///< outputs
};

/// What tables and texts say of a member's leaves.
struct LeafSummary {
  std::vector<std::string> kinds;  ///< kernels and families, each once: "laplace", "rw-relu"
  Index leaves = 0;
  Index features = 0;              ///< of all leaves: landmarks, or random features
  std::vector<double> bandwidths;  ///< of the kernels that have one, ascending, each once
};

/// A tree of axis splits in the transformed inputs with a linear model per leaf. A global model has no split and one
/// leaf.
struct Member {
  std::string name;
  double weight = 1;
  InputTransform transform = {};
  std::vector<Split> splits = {};  ///< the first is the root
  std::vector<Leaf> leaves = {};

  Index features() const;  ///< of all leaves
  LeafSummary summary() const;
  Index leaf_of(View<const double> x, Index row) const { return weft::leaf_of(splits, x, row); }
  /// Throws Error(model) unless the splits are a tree that reaches every leaf once, shapes fit `encoded` inputs and
  /// `outputs`, and thresholds, weight and transform are finite.
  void check(Index encoded, Index outputs) const;
};

}  // namespace weft
