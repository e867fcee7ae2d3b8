// Feature maps: the fixed centres drawn for a family, and the exact quantities that follow from them.
#pragma once

#include <weft/family.hpp>
#include <weft/inputs.hpp>
#include <weft/kernel.hpp>
#include <weft/run.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// The columns that one group of centres uses. Dense families have one group, sparse ones a pool, stumps one per
/// column. Centres of different groups are orthogonal: K(u, w) = 0.
struct ColumnGroup {
  std::vector<Index> columns;
  double share = 1;  ///< how often centres are drawn for it, in proportion to the others
};

/// T centres. A dense or sparse centre is one weight per column of its group; a stump's is its threshold.
struct Centres {
  std::vector<ColumnGroup> groups;
  std::vector<Index> group_of;  ///< T
  Matrix weights;               ///< T × (largest group), zero-padded; T × 1 for stumps
  std::vector<double> phases;   ///< T, or empty when all are 0
  std::vector<double> scales;   ///< T positive factors of the features, or empty when all are 1
  /// Structured draws: the weights are the first rows of a stack of blocks S·H·G·H·D·H·D', H the N × N Hadamard matrix
  /// (N: inputs padded to a power of two), which project in O(N log N). 4·blocks × N: the diagonals D', D, G, S of each
  /// block; empty for other draws. The weights are kept as well, for Gram matrices and tables.
  Matrix hadamard;

  Index count() const { return static_cast<Index>(group_of.size()); }
  /// The centres at these positions, in that order. All groups stay: amplitudes and kernels count them. A subset of
  /// structured centres is dense.
  Centres subset(std::span<const Index> positions) const;
};

/// One family with its parameters and centres.
struct FeaturePart {
  Family family;
  double sigma = 1;
  double gamma = 1;             ///< unused without a kernel
  std::optional<double> phase;  ///< fixed phase b; nullopt: drawn per feature (cos without a kernel)
  Centres centres;

  Index dimension(Index group) const;  ///< n of the formulas: size of the group, 1 for stumps
  /// The factor of the activation of centre t: the family's amplitude times the centre's own scale.
  double scale(Index t) const {
    return family.amplitude * (centres.scales.empty() ? 1 : centres.scales[static_cast<std::size_t>(t)]);
  }
};

/// θ: sup ‖Ψ_x‖, κ² = sup E[K(w,w)φ²], τ² = sup E[φ²] (docs/mathematics.md §4). Squares add over a union.
struct Constants {
  std::optional<double> theta_bound;  ///< the papers' upper bound, where they give one
  std::optional<double> theta;        ///< exact, from the implicit kernel; absent where it does not exist
  std::optional<double> kappa;        ///< absent where it is infinite
  double tau = 0;
  std::string note;  ///< why a constant is absent
  /// Over rows: the root of the mean of K_X(x, x), and of E_w[φ(w, x)²]; absent over a ball.
  std::optional<double> theta_mean = {};
  std::optional<double> tau_mean = {};

  std::string to_json() const;
};

namespace detail {
class DeviceCopies;
}

class FeatureMap {
 public:
  /// Draws the centres: the same for the same options and inputs, for any number of threads. `custom` as in
  /// parse_family. Throws if the sampling needs rows, which only fits have.
  static FeatureMap draw(const FamilyOptions& options, const Inputs& inputs, const ActivationPtr& custom = nullptr);
  /// The same groups and gamma without centres, for the implicit kernel and the constants.
  static FeatureMap without_centres(const FamilyOptions& options, const Inputs& inputs,
                                    const ActivationPtr& custom = nullptr);
  /// Given centres of one family, as rows of a table: dense n weights, stumps (0-based column, threshold), sparse
  /// (subset, n weights with zeros outside the subset); with drawn phases one more column holds them.
  static FeatureMap from_table(const FamilyOptions& options, const Inputs& inputs, View<const double> table,
                               const ActivationPtr& custom = nullptr);
  static FeatureMap from_parts(std::vector<FeaturePart> parts, Inputs inputs);
  /// Kernel sections instead of random features: no parts, amplitudes 1, G = k(z_s, z_t), no M.
  static FeatureMap from_sections(KernelSections sections, Inputs inputs);
  /// The same with `count` landmarks that are made when they are first needed, once, by whichever thread needs them.
  static FeatureMap from_sections(Kernel kernel, Index count, std::function<Matrix()> landmarks, Inputs inputs);
  /// The features at these positions, strictly ascending, multiplied by `scales` (one per position, or none). Empty
  /// parts are removed.
  FeatureMap subset(const std::vector<Index>& positions, const std::vector<double>& scales = {}) const;
  /// The same centres, every part with this activation.
  FeatureMap with_activation(const ActivationPtr& activation) const;

  const Inputs& inputs() const { return inputs_; }
  const std::vector<FeaturePart>& parts() const { return parts_; }
  /// Where devices keep what they make of the parts.
  detail::DeviceCopies* device_copies() const { return copies_.get(); }
  const KernelSections* sections() const;  ///< nullptr for random features
  const Kernel* kernel() const;            ///< of the sections, without their landmarks
  Index features() const;                  ///< their number, T
  /// The table from_table reads, and the names of its columns. It does not hold scales.
  Matrix table() const;
  std::vector<std::string> table_columns() const;

  /// Φ without the amplitudes A(w_t), with the scales: x is inputs × rows, phi features × rows.
  void smoothings(View<const double> x, View<double> phi, const Run& run = {}) const;
  void smoothings(View<const double> x, View<float> phi, const Run& run = {}) const;
  /// The two halves of smoothings(), for maps of one draw whose σ and γ differ: w = σz, so the projections ⟨w_t, x⟩ of
  /// one map (features × rows; stumps have none) serve them all. `sigma` is the σ of the map that projected.
  void project(View<const double> x, View<double> projections, const Run& run = {}) const;
  void smooth_projected(View<const double> x, View<const double> projections, double sigma, View<double> phi,
                        const Run& run = {}) const;
  /// Smoothings of h in place of the families' own activations, from this map's projections.
  void activate_projected(View<const double> x, View<const double> projections, const Activation& h, View<double> phi,
                          const Run& run = {}) const;
  /// Gradients of f_o = Σ_t coefficients(t, o)·smoothing_t at the rows of x: out(o·inputs + j, i) = ∂f_o/∂x_j at x_i.
  /// Where a feature has a jump or a kink, its derivative counts as that of one side. Sections as Kernel::gradients.
  void gradients(View<const double> x, View<const double> coefficients, View<double> out, const Run& run = {}) const;
  /// log A(w_t), the 1/P of sparse projections and the 1/n of stumps included: Φ_t = exp(log_amplitudes[t]) ·
  /// smoothing_t.
  std::vector<double> log_amplitudes() const;
  /// Φ itself. Throws, naming a gamma that works, where every amplitude underflows.
  void values(View<const double> x, View<double> phi, const Run& run = {}) const;
  /// The same times `factor`, one row per row: out is rows × features.
  void row_values(View<const double> x, View<double> out, double factor = 1, const Run& run = {}) const;

  /// G = K(w_s, w_t), and M = E_w[K(w_s, w)K(w_t, w)], times both scales: features × features. Without a weight
  /// kernel G is the identity: the norm is that of the coefficients of the scaled features.
  Matrix gram(const Run& run = {}) const;
  Matrix l2_gram(const Run& run = {}) const;
  /// The same divided by A(w_s)A(w_t) times exp(2·log_scale), formed in logarithms: what fits in the scaled unknowns
  /// use. Entries that would still overflow are capped at 1e280.
  Matrix scaled_gram(double log_scale, const Run& run = {}) const;
  Matrix scaled_l2_gram(double log_scale, const Run& run = {}) const;

  /// K_X(a_i, b_j) = E_uE_w[K(u,w)φ(u,a_i)φ(w,b_j)], or k(a_i, b_j) of sections: a is inputs × m, b inputs × m', the
  /// result m × m'.
  Matrix implicit_kernel(View<const double> a, View<const double> b, const Run& run = {}) const;

  /// Suprema over ‖x‖ ≤ max_norm (|x_j| ≤ max_norm for stumps; nullopt: 1 where h grows, everywhere else).
  Constants constants(std::optional<double> max_norm) const;
  /// Suprema over the given rows: x is inputs × rows.
  Constants constants(View<const double> x, const Run& run = {}) const;

 private:
  FeatureMap(std::vector<FeaturePart> parts, Inputs inputs);
  /// To be called once the parts of a copy have changed.
  void forget_device_copies();

  std::vector<FeaturePart> parts_;
  std::shared_ptr<detail::DeviceCopies> copies_;  // copies of a map have the same parts
  class LazySections;
  std::shared_ptr<const LazySections> sections_;
  Inputs inputs_;
};

}  // namespace weft
