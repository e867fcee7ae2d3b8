// The features of one row at a time. A block's loops run along its rows; with a single row they would compute one
// number per vector, so here they run along the features instead, over centres that are stored by input.
#pragma once

#include <weft/feature_map.hpp>

#include <vector>

namespace weft::detail {

/// out = Σ_k weights[k] · columns[k]: a product of a matrix and a vector whose columns are contiguous.
class ColumnProduct {
 public:
  ColumnProduct() = default;
  ColumnProduct(ColumnProduct&&) = default;
  ColumnProduct& operator=(ColumnProduct&&) = default;
  /// factor · matrix, transposed into columns of its own.
  explicit ColumnProduct(View<const double> matrix, double factor = 1);
  Index size() const { return columns_.cols(); }  ///< of the result
  void operator()(const double* weights, double* out) const;

 private:
  Matrix columns_;  // columns of the matrix × its rows
  std::vector<const double*> pointers_;
};

/// One part of a map: what its centres have in common, by feature.
class RowPart {
 public:
  explicit RowPart(const FeaturePart& part);
  Index count() const { return part_->centres.count(); }
  void operator()(const double* x, double* phi) const;

 private:
  struct Sparse {
    Index width = 0;             ///< columns of the largest group
    std::vector<Index> columns;  ///< features × width; 0 where the weight is
    std::vector<double> weights;
  };

  void project(const double* x, double* mu) const;
  void write_terms(const double* x, double* p, double* q) const;
  double spread(const double* x, Index group) const;

  const FeaturePart* part_;
  double s_;
  ColumnProduct dense_;
  Sparse sparse_;
  std::vector<double> offsets_;  // phases, and tilted thresholds of stumps; empty: 0
  std::vector<double> scales_;   // empty: 1
};

/// What FeatureMap::smoothings gives for a block of one row, up to rounding. `map` must outlive it.
class RowFeatures {
 public:
  explicit RowFeatures(const FeatureMap& map);
  Index count() const { return map_->features(); }
  /// x: inputs; phi: features. Does not allocate once a thread has called it with as many features, but for angular and
  /// implicit kernels.
  void operator()(const double* x, double* phi) const;

 private:
  void sections(const double* x, double* phi) const;
  void centre_landmarks(const KernelSections& sections);
  void refine(const double* x, double square, double* squares) const;

  const FeatureMap* map_;
  std::vector<RowPart> parts_;
  Matrix centred_;                      // of kernels of squared distances: the landmarks about their mean
  std::vector<double> squares_;         // of these
  std::vector<const double*> columns_;  // of the landmarks, or of those about their mean
};

}  // namespace weft::detail
