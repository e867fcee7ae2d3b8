// Several feature maps over the same rows. Maps of one draw differ in σ and γ alone, w = σz, so the projections ⟨z, x⟩
// of a block are computed once and each map costs one elementwise pass.
#pragma once

#include <weft/feature_map.hpp>

#include <vector>

namespace weft::detail {

class MapSet {
 public:
  /// One map that projects for itself.
  explicit MapSet(const FeatureMap& map) : maps_{&map} {}
  /// Maps of one draw; `unit` is that draw with σ = 1. What a map gives does not depend on its company. All of them
  /// must outlive the set.
  MapSet(std::vector<const FeatureMap*> maps, const FeatureMap& unit) : maps_(std::move(maps)), unit_(&unit) {}

  std::size_t size() const { return maps_.size(); }
  const FeatureMap& map(std::size_t k) const { return *maps_[k]; }

  /// What one block of rows needs once, before features() is asked for any map.
  void start(View<const double> x, const Run& run);
  /// Smoothings of map k on the rows of start(), features × rows, valid until the next call.
  View<const double> features(std::size_t k, View<const double> x, const Run& run);
  View<const float> features_single(std::size_t k, View<const double> x, const Run& run);

  double projecting_seconds() const { return projecting_seconds_; }

 private:
  std::vector<const FeatureMap*> maps_;
  const FeatureMap* unit_ = nullptr;
  Matrix projections_;
  Matrix phi_;
  BasicMatrix<float> phi_single_;
  double projecting_seconds_ = 0;
};

}  // namespace weft::detail
