// Several feature maps over the same rows. Maps of one draw differ in σ and γ alone, w = σz, so the projections ⟨z, x⟩
// of a block are computed once and each map costs one elementwise pass.
//
// Fits of few rows need not see the features themselves: see row_coordinates().
#pragma once

#include "compute/device_matrix.hpp"

#include <weft/feature_map.hpp>

#include <optional>
#include <vector>

namespace weft::detail {

class MapSet {
 public:
  /// One map that projects for itself.
  explicit MapSet(const FeatureMap& map) : maps_{&map} {}
  /// Maps of one draw; `unit` is that draw with σ = 1. What a map gives does not depend on its company. All of them
  /// must outlive the set.
  MapSet(std::vector<const FeatureMap*> maps, const FeatureMap& unit) : maps_(std::move(maps)), unit_(&unit) {}

  /// Numbers with the inner products of these features take their place: as many per row as there are rows, all of
  /// which are to be in one block. `features`, one list per map: the features that count; without it all.
  MapSet& in_row_coordinates(Index rows, std::vector<std::vector<Index>> features = {});

  std::size_t size() const { return maps_.size(); }
  Index count(std::size_t k) const { return rows_ > 0 ? rows_ : maps_[k]->features(); }

  /// What one block of rows needs once, before features() is asked for any map.
  void start(View<const double> x, const Run& run);
  /// Smoothings of map k on the rows of start(), count × rows, valid until the next call.
  View<const double> features(std::size_t k, View<const double> x, const Run& run);
  View<const float> features_single(std::size_t k, View<const double> x, const Run& run);
  /// The same in the memory of a device of its own, which computes each map's projections anew.
  View<const double> features_on(const Device& device, std::size_t k, View<const double> x, const Run& run);
  View<const float> features_single_on(const Device& device, std::size_t k, View<const double> x, const Run& run);
  /// Where the features of `rows` rows and their sums are to be computed.
  const Device& device_for_sums(Index rows, const Run& run) const;

  double projecting_seconds() const { return projecting_seconds_; }

 private:
  std::vector<const FeatureMap*> maps_;
  const FeatureMap* unit_ = nullptr;
  Index rows_ = 0;  // of coordinates; 0: features
  std::vector<std::vector<Index>> counted_;
  Matrix projections_;
  Matrix phi_;
  BasicMatrix<float> phi_single_;
  std::optional<DeviceMatrix<double>> phi_there_;  // where the device is not the CPU
  std::optional<DeviceMatrix<float>> phi_single_there_;
  double projecting_seconds_ = 0;
};

/// Columns with the inner products of those of phi (features × rows), as many numbers each as there are columns. A
/// ridge Σ wᵢ(yᵢ − c − bᵀφᵢ)² + λ‖b‖² has its minimiser among the sums of the columns, so that fits and predictions of
/// these rows are those from phi, and its matrices are rows × rows.
Matrix row_coordinates(View<const double> phi);

}  // namespace weft::detail
