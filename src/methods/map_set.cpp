#include "methods/map_set.hpp"

#include "compute/gpu.hpp"
#include "core/stopwatch.hpp"
#include "features/device_features.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace weft::detail {

namespace {

Matrix some_rows(View<const double> a, const std::vector<Index>& positions) {
  Matrix result(static_cast<Index>(positions.size()), a.cols);
  for (Index t = 0; t < result.rows(); ++t)
    std::copy_n(a.row(positions[static_cast<std::size_t>(t)]), a.cols, result.row(t));
  return result;
}

}  // namespace

MapSet& MapSet::in_row_coordinates(Index rows, std::vector<std::vector<Index>> features) {
  assert(features.empty() || features.size() == maps_.size());
  rows_ = rows;
  counted_ = std::move(features);
  return *this;
}

void MapSet::start(View<const double> x, const Run& run) {
  if (unit_ == nullptr) return;
  const Stopwatch clock;
  projections_.reshape(unit_->features(), x.cols);
  unit_->project(x, projections_, run);
  projecting_seconds_ += clock.seconds();
}

View<const double> MapSet::features(std::size_t k, View<const double> x, const Run& run) {
  phi_.reshape(maps_[k]->features(), x.cols);
  if (unit_ == nullptr)
    maps_[k]->smoothings(x, phi_.view(), run);
  else
    maps_[k]->smooth_projected(x, projections_, 1, phi_, run);
  if (rows_ > 0) {
    assert(x.cols == rows_);
    phi_ = counted_.empty() ? row_coordinates(phi_) : row_coordinates(some_rows(phi_, counted_[k]));
  }
  return phi_;
}

View<const float> MapSet::features_single(std::size_t k, View<const double> x, const Run& run) {
  phi_single_.reshape(maps_[k]->features(), x.cols);
  maps_[k]->smoothings(x, phi_single_.view(), run);
  return phi_single_;
}

View<const double> MapSet::features_on(const Device& device, std::size_t k, View<const double> x, const Run& run) {
  if (!phi_there_) phi_there_.emplace(device);
  phi_there_->reshape(maps_[k]->features(), x.cols);
  smoothings_on(device, *maps_[k], x, *phi_there_, run);
  return *phi_there_;
}

View<const float> MapSet::features_single_on(const Device& device, std::size_t k, View<const double> x,
                                             const Run& run) {
  if (!phi_single_there_) phi_single_there_.emplace(device);
  phi_single_there_->reshape(maps_[k]->features(), x.cols);
  device.smoothings({maps_[k]->parts(), maps_[k]->device_copies()}, x, phi_single_there_->view(), run);
  return *phi_single_there_;
}

const Device& MapSet::device_for_sums(Index rows, const Run& run) const {
  if (rows_ > 0) return cpu();
  const Device* device = nullptr;
  for (const FeatureMap* map : maps_) {
    const auto features = static_cast<double>(map->features());
    device = &device_for(run, *map, static_cast<double>(rows) * features * features);
    if (!device->has_own_memory()) return cpu();
  }
  return device != nullptr ? *device : cpu();
}

// The Cholesky factor of K = ΦᵀΦ with its largest remaining diagonal element as the next pivot, until what is left is
// rounding: rows may be equal, and more than there are features.
Matrix row_coordinates(View<const double> phi) {
  const Index n = phi.cols;
  Matrix products(n, n), factor(n, n);
  cpu().multiply(1, transpose(phi), phi, 0, products);
  std::vector<double> left;
  for (Index i = 0; i < n; ++i) left.push_back(products(i, i));
  double negligible = -1;
  for (Index k = 0; k < n; ++k) {
    const auto largest = std::max_element(left.begin(), left.end());
    if (k == 0) negligible = static_cast<double>(n) * std::numeric_limits<double>::epsilon() * *largest;
    if (!(*largest > negligible)) break;
    const Index pivot = largest - left.begin();
    const double root = std::sqrt(left[static_cast<std::size_t>(pivot)]);
    double* row = factor.row(k);
    std::copy_n(products.row(pivot), n, row);
    for (Index j = 0; j < k; ++j) cpu().add_scaled(n, -factor(j, pivot), factor.row(j), row);
    for (Index i = 0; i < n; ++i) {
      row[i] /= root;
      left[static_cast<std::size_t>(i)] -= row[i] * row[i];
    }
    left[static_cast<std::size_t>(pivot)] = 0;
  }
  return factor;
}

}  // namespace weft::detail
