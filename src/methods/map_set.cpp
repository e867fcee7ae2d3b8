#include "methods/map_set.hpp"

#include "core/stopwatch.hpp"

namespace weft::detail {

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
  return phi_;
}

View<const float> MapSet::features_single(std::size_t k, View<const double> x, const Run& run) {
  phi_single_.reshape(maps_[k]->features(), x.cols);
  maps_[k]->smoothings(x, phi_single_.view(), run);
  return phi_single_;
}

}  // namespace weft::detail
