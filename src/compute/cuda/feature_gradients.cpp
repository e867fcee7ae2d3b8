// Gradients of Σ_t a_t S_h(c⟨w_t, x⟩ + b_t, s‖x‖) with respect to x, as compute/cpu/feature_gradients.cpp: the slopes
// of some features on some rows, and their sums, which are products of matrices for dense centres.
#include "compute/cuda/blas.hpp"
#include "compute/cuda/cuda_device.hpp"
#include "compute/cuda/part_map.hpp"

#include <algorithm>

namespace weft::detail::cuda {

namespace {

using Kind = Projection::Kind;

// Slopes that are held at once: those of dense centres are summed some at a time, those of others all at once.
constexpr Index kRows = 2048;
constexpr Index kCentres = 8192;

/// One part's share.
class PartGradients {
 public:
  /// coefficients: centres × outputs; out: (outputs · inputs) × rows.
  PartGradients(const CudaDevice& device, const FeaturePart& part, const PartCopy& copy,
                View<const double> coefficients)
      : device_(device),
        part_(part),
        copy_(copy),
        map_(device, part, copy, *part.family.activation),
        coefficients_(coefficients),
        nu_(device),
        first_(device),
        second_(device),
        weighted_(device),
        around_(device) {}

  void add(View<const double> x, View<double> out) {
    const bool dense = part_.family.projection.kind == Kind::dense;
    const Index most = dense ? kRows : std::clamp<Index>(kRows * kCentres / part_.centres.count(), 64, kRows);
    for (Index first = 0; first < x.cols; first += most) {
      const Index rows = std::min(most, x.cols - first);
      x_ = x.col_range(first, rows);
      out_ = out.col_range(first, rows);
      spreads_ = map_.spreads_of(x_, nu_);
      if (dense)
        add_dense();
      else
        add_lists();
    }
  }

 private:
  cudaStream_t stream() const { return device_.queue().stream; }
  double square() const { return map_.tilt().s * map_.tilt().s; }

  /// Of sparse centres and stumps.
  void add_lists() {
    const bool axis = part_.family.projection.kind == Kind::axis;
    FeatureList<double> features = copy_.features<double>(part_);
    first_.reshape(features.count, x_.cols);
    second_.reshape(features.count, x_.cols);
    if (!axis) {
      features.rows = nullptr;  // slopes are in the order of the list
      project_sparse(stream(), features, copy_.sparse<double>(part_), x_, first_);
    }
    slopes(stream(), map_.formula(), features, spreads_, axis ? 1 : map_.tilt().c,
           axis ? x_ : View<const double>(first_), first_, second_);
    add_gradients(stream(), copy_.of_inputs(part_, x_.rows), coefficients_, axis ? 1 : map_.tilt().c,
                  axis ? 0 : square(), x_, first_, second_, out_);
  }

  void add_dense() {
    const Index outputs = coefficients_.cols;
    const View<const double> weights = copy_.weights<double>(part_);
    around_.reshape(outputs, x_.cols);
    for (Index t = 0; t < weights.rows; t += kCentres)
      add_some(weights.row_range(t, std::min(kCentres, weights.rows - t)), t);
    if (square() != 0) add_around(stream(), square(), x_, around_, out_);
  }

  /// Of the dense centres that begin with t.
  void add_some(View<const double> weights, Index t) {
    const Index count = weights.rows, inputs = x_.rows;
    const double c = map_.tilt().c;
    const View<const double> coefficients = coefficients_.row_range(t, count);
    FeatureList<double> features = copy_.features<double>(part_);
    features = {
        .count = count, .offsets = features.offsets + t, .scales = features.scales + t, .groups = features.groups + t};
    first_.reshape(count, x_.cols);
    second_.reshape(count, x_.cols);
    weighted_.reshape(count, inputs);
    gemm(device_.queue(), false, false, inputs, c, weights, x_, 0.0, first_);
    slopes(stream(), map_.formula(), features, spreads_, 1, first_, first_, second_);
    gemm(device_.queue(), true, false, count, 1.0, coefficients, second_, t == 0 ? 0.0 : 1.0, around_);
    for (Index o = 0; o < coefficients.cols; ++o) {
      scale_rows(stream(), coefficients.col_range(o, 1), weights, weighted_);
      gemm(device_.queue(), true, false, count, c, weighted_, first_, 1.0, out_.row_range(o * inputs, inputs));
    }
  }

  const CudaDevice& device_;
  const FeaturePart& part_;
  const PartCopy& copy_;
  PartMap<double> map_;
  View<const double> coefficients_;
  DeviceMatrix<double> nu_, first_, second_, weighted_, around_;
  View<const double> x_;
  View<double> out_;
  RowTerms<double> spreads_;
};

}  // namespace

void CudaDevice::feature_gradients(Parts parts, View<const double> x, View<const double> coefficients, View<double> out,
                                   const Run&) const {
  if (out.rows == 0 || out.cols == 0) return;
  const Input<double> rows(*this, x), factors(*this, coefficients);
  Output<double> sums(*this, out, Output<double>::Before::unspecified);
  const View<double> to = sums;
  clear(to);
  const MapUse use(*this, parts);
  Index first = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Index count = parts[k].centres.count();
    if (count > 0) PartGradients(*this, parts[k], use.part(k), factors.view().row_range(first, count)).add(rows, to);
    first += count;
  }
  sums.store();
}

}  // namespace weft::detail::cuda
