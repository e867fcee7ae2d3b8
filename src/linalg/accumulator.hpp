// Everything a linear fit needs to know of its rows, as sums over them. Two accumulators merge by addition: threads,
// folds, files, ranks and devices all use that one rule.
#pragma once

#include "compute/device_matrix.hpp"

#include <weft/matrix.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft::detail {

struct AccumulatorBlocks;

/// The same sums about the weighted means, for a fit with an unpenalised intercept:
/// intercept = target mean − Σ_t a_t · feature mean_t.
struct CentredSums {
  Matrix gram;                        ///< T×T, both triangles
  Matrix cross;                       ///< T×k
  std::vector<double> yy;             ///< k
  std::vector<double> feature_means;  ///< T
  std::vector<double> target_means;   ///< k
};

class Accumulator {
 public:
  /// `shift`, one number per target, is subtracted from the targets before they are summed (none: zeros): sums about 0
  /// would lose the digits of targets such as 1e9 ± 1. The coefficients of a fit with an intercept do not depend on it;
  /// it is to be added to the intercepts.
  Accumulator(Index features, Index targets, std::vector<double> shift = {});

  /// Adds a block of rows: phi T×rows, y k×rows, weights one per row (≥ 0) or nullptr for ones. The sums do not depend
  /// on the number of threads; they do depend, in the last bits, on where the caller cuts its blocks.
  void add(View<const double> phi, View<const double> y, const double* weights, int threads);

  /// The same with products in single precision, summed over a few hundred rows before they join the double sums.
  void add(View<const float> phi, View<const double> y, const double* weights, int threads);

  /// The same with phi in the memory of a device, where the sums then are until collect().
  void add_on(const Device& device, View<const double> phi, View<const double> y, const double* weights, int threads);
  void add_on(const Device& device, View<const float> phi, View<const double> y, const double* weights, int threads);
  /// Brings the sums of a device here, where there are none yet: nothing else but add_on() may be called before.
  void collect();

  /// Adds the sums of other rows. Where their shift is another one, they are first converted to this one's: every
  /// term that takes is among the sums. Without rows and shift yet, this takes over the other's shift unless it is to
  /// keep its own, which that of its fellow parts may be.
  void merge(const Accumulator& other, bool keep_shift = false);

  /// Makes them the sums of no rows, with the same shift.
  void clear();

  /// The sums as bytes: versioned, little-endian, with a checksum (core/block_file.hpp). They come back bit for bit;
  /// from_bytes throws Error(model) on damaged or foreign bytes, `name` being their place in the message.
  std::string to_bytes() const;
  static Accumulator from_bytes(const std::string& bytes, const std::string& name = "sums");
  /// The same within another file, the names of whose blocks begin with `prefix` (linalg/accumulator_blocks.hpp).
  friend struct AccumulatorBlocks;

  /// The sum of the parts, in their order: the training sums of a fold are the sum of the other folds, because
  /// subtracting a fold from the total would leave the total's rounding in place of what cancels.
  static Accumulator sum(std::span<const Accumulator* const> parts);

  /// The sums of a choice of the features, each times its scale (none: 1), as if the rows had been added with no other.
  Accumulator subset(std::span<const Index> positions, std::span<const double> scales = {}) const;

  Index features() const { return gram_.rows(); }
  Index targets() const { return static_cast<Index>(yy_.size()); }
  Index rows() const { return rows_; }
  double weight() const { return weight_; }                    ///< Σ w
  View<const double> gram_lower() const { return gram_; }      ///< ΦᵀWΦ, T×T; only the lower triangle is filled
  Matrix gram(int threads = 1) const;                          ///< ΦᵀWΦ, T×T, both triangles
  View<const double> cross() const;                            ///< ΦᵀWy, T×k
  const std::vector<double>& shift() const { return shift_; }  ///< y below is y − shift
  const std::vector<double>& yy() const { return yy_; }        ///< Σ w y² per target
  const std::vector<double>& target_sums() const { return target_sums_; }  ///< Σ w y per target
  std::vector<double> feature_sums() const;                                ///< Φᵀw
  CentredSums centred(int threads = 1) const;

 private:
  template <class Scalar>
  void add_block(const Device& device, View<const Scalar> phi, View<const double> y, const double* weights,
                 int threads);
  template <class Scalar>
  BasicMatrix<Scalar> add_targets(View<const double> y, const double* weights);

  Matrix gram_;     // T×T, lower triangle
  Matrix moments_;  // T×(k+1): ΦᵀWy and, last, Φᵀw
  std::vector<double> yy_;
  std::vector<double> target_sums_;
  std::vector<double> shift_;
  double weight_ = 0;
  Index rows_ = 0;
  bool single_precision_ = false;  // some of the products were

  struct DeviceSums {
    DeviceMatrix<double> gram, moments;
  };
  std::shared_ptr<DeviceSums> on_device_;
};

}  // namespace weft::detail
