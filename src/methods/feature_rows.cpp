#include "methods/feature_rows.hpp"

#include "compute/gpu.hpp"
#include "core/tiles.hpp"
#include "features/device_features.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

/// Calls consume(piece) for pieces of the source's blocks until it returns false.
void for_each_piece(const BlockSource& rows, const std::function<bool(const TrainingBlock&)>& consume) {
  rows.for_each([&](const TrainingBlock& block) {
    for (Index i = 0; i < tile_count(block.rows(), kBlockRows); ++i) {
      const Tile part = tile(i, block.rows(), kBlockRows);
      const TrainingBlock piece{block.x.col_range(part.first, part.count), block.y.col_range(part.first, part.count),
                                block.weights != nullptr ? block.weights + part.first : nullptr,
                                block.first_row + part.first};
      if (!consume(piece)) return false;
    }
    return true;
  });
}

Matrix copy_of(View<const double> a) {
  Matrix copy(a.rows, a.cols);
  for (Index i = 0; i < a.rows; ++i) std::copy_n(a.row(i), a.cols, copy.row(i));
  return copy;
}

constexpr double kShareOfGpu = 0.5;  // of the memory that is free there: the rest is for Grams and factors

/// Those that this process reads.
Index own_rows(const BlockSource& rows) {
  return rows.share() != nullptr ? rows.share()->end() - rows.share()->begin() : rows.rows();
}

}  // namespace

FeatureRows::FeatureRows(const Problem& problem, double cache_bytes, const Device& device)
    : problem_(problem), device_(device) {
  const auto rows = static_cast<double>(own_rows(problem.rows)), features = static_cast<double>(problem.map.features());
  const double beside = static_cast<double>(problem.rows.outputs() + 1) * rows * sizeof(double);
  const double phi = features * rows * sizeof(double);
  if (!device.has_own_memory())
    keep_ = phi + beside <= cache_bytes;
  else
    keep_ = phi <= kShareOfGpu * device.free_memory() &&
            (problem.run.max_memory > 0 ? phi + beside : beside) <= cache_bytes;
}

const Device& FeatureRows::device_for(const Problem& problem) {
  if (problem.rows.share() != nullptr) return cpu();  // whose pieces are merged by the CPU
  const auto features = static_cast<double>(problem.map.features());
  return detail::device_for(problem.run, problem.map, static_cast<double>(problem.rows.rows()) * features * features);
}

bool FeatureRows::for_each(const std::function<void(const FeatureBlock&)>& consume) {
  problem_.run.report(method_name(problem_.options.method), static_cast<double>(++passes_), 0);
  if (!complete_) return compute(consume);
  for (const Kept& block : kept_) {
    problem_.run.check_cancelled();
    if (problem_.run.out_of_time()) return false;
    consume({block.phi.view(), block.y, block.weights.empty() ? nullptr : block.weights.data(), block.first_row});
  }
  return true;
}

bool FeatureRows::compute(const std::function<void(const FeatureBlock&)>& consume) {
  DeviceMatrix<double> scratch(device_);
  bool in_time = true;
  for_each_piece(problem_.rows, [&](const TrainingBlock& block) {
    problem_.run.check_cancelled();
    in_time = !problem_.run.out_of_time();
    if (!in_time) return false;
    scratch.reshape(problem_.map.features(), block.rows());
    smoothings_on(device_, problem_.map, block.x, scratch, problem_.run);
    consume({scratch.view(), block.y, block.weights, block.first_row});
    if (!keep_) return true;
    std::vector<double> weights;
    if (block.weights != nullptr) weights.assign(block.weights, block.weights + block.rows());
    kept_.push_back({std::move(scratch), copy_of(block.y), std::move(weights), block.first_row});
    scratch = DeviceMatrix<double>(device_);
    return true;
  });
  complete_ = keep_ && in_time;
  if (!complete_) kept_.clear();
  return in_time;
}

void FeatureRows::for_each_target(const std::function<void(const FeatureBlock&)>& consume) const {
  for_each_piece(problem_.rows, [&](const TrainingBlock& block) {
    problem_.run.check_cancelled();
    consume({{nullptr, 0, block.rows()}, block.y, block.weights, block.first_row});
    return true;
  });
}

}  // namespace weft::detail
