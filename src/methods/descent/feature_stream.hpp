// The features of a map in the order in which an iterative fit adds them, cut into chunks whose values and inner
// products are computed together (one GEMM instead of many dot products).
//
// Unions take their parts in turn, in proportion to their sizes: a stretch of the stream is a fair sample of the whole.
#pragma once

#include <weft/feature_map.hpp>

#include "compute/weight_kernel.hpp"

#include <vector>

namespace weft::detail {

/// A run of consecutive features of the stream.
struct FeatureChunk {
  Index first = 0;  ///< position in the stream
  Index count = 0;
  std::vector<Index> first_in_part = {};  ///< features of each part in earlier chunks
  std::vector<Index> count_in_part = {};
};

/// Rows of the Gram matrix G, or of M: of one chunk's features with all features of their part up to themselves.
class GramRows {
 public:
  /// ⟨b, row⟩ over the features of the stream before `position`: what the weight function of coefficients b is at that
  /// centre. `b` is features × outputs, in the order of the map.
  double dot(Index position, View<const double> b, Index output) const;
  double diagonal(Index position) const;

 private:
  friend class FeatureStream;
  struct Row {
    const double* values;
    Index offset;  ///< of the part in the map
    Index before;  ///< features of the part before this one
  };
  Index first_ = 0;
  std::vector<Matrix> by_part_;
  std::vector<Row> rows_;
};

class FeatureStream {
 public:
  /// `square_integrable`: M in place of G, for the norm of L²(p). All families then have a weight kernel.
  FeatureStream(const FeatureMap& map, Index features_per_chunk, bool square_integrable = false);

  const FeatureMap& map() const { return map_; }
  Index features() const { return static_cast<Index>(order_.size()); }
  Index chunk_size() const { return chunk_size_; }
  const std::vector<FeatureChunk>& chunks() const { return chunks_; }

  /// A map of the features of the chunk alone, part by part.
  FeatureMap chunk_map(const FeatureChunk& chunk) const;
  /// The feature's place in the map.
  Index column(Index position) const { return order_[static_cast<std::size_t>(position)].column; }
  /// The feature's place in the chunk's map.
  Index row_in_chunk(const FeatureChunk& chunk, Index position) const;
  const FeaturePart& part(Index position) const;

  /// φ(w, x) = h(projection), unsmoothed, at x's columns rows[0 … count-1]; x is inputs × rows.
  void activation(Index position, View<const double> x, const Index* rows, Index count, double* out) const;

  // Coefficients are b_t = a_t·exp(log A_t − log_scale), so that the largest amplitude counts 1, and the Gram matrix is
  // that of b times exp(−2·log_norm_scale), so that its diagonal is at most 1: ‖α‖² = exp(2·log_norm_scale)·bᵀGb.
  double log_scale() const { return log_scale_; }
  double log_norm_scale() const { return log_norm_scale_; }
  double relative_amplitude(Index position) const;
  GramRows gram_rows(const FeatureChunk& chunk, const Run& run) const;

 private:
  struct Place {
    Index part;
    Index index;   ///< within the part
    Index column;  ///< within the map
  };
  double log_entry(Index part, Index s, Index t, const Pair& pair) const;
  double square(Index part, Index t) const { return squares_[static_cast<std::size_t>(offset(part) + t)]; }
  Index offset(Index part) const { return offsets_[static_cast<std::size_t>(part)]; }
  void fill_gram(const FeatureChunk& chunk, Index part, Matrix& out, const Run& run) const;
  void cut_chunks();

  const FeatureMap& map_;
  Index chunk_size_;
  bool square_integrable_;
  std::vector<Place> order_;
  std::vector<Index> offsets_;
  std::vector<double> log_amplitudes_;
  std::vector<double> squares_;  ///< ‖w_t‖²
  double log_scale_ = 0;
  double log_norm_scale_ = 0;
  std::vector<FeatureChunk> chunks_;
};

}  // namespace weft::detail
