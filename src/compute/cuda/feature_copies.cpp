#include "compute/cuda/feature_copies.hpp"

#include "compute/weight_kernel.hpp"
#include "core/at.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace weft::detail::cuda {

namespace {

using Kind = Projection::Kind;

/// Rows of a matrix, in an order where it has one.
template <class Real>
DeviceMatrix<Real> upload_rows(const CudaDevice& device, View<const double> from, const std::vector<Index>& order) {
  if constexpr (std::is_same_v<Real, double>)
    if (order.empty()) return {device, from};
  auto rows = BasicMatrix<Real>::unset(from.rows, from.cols);
  for (Index k = 0; k < from.rows; ++k) {
    const double* row = from.row(order.empty() ? k : order[at(k)]);
    std::transform(row, row + from.cols, rows.row(k), [](double value) { return static_cast<Real>(value); });
  }
  return {device, rows.view()};
}

const std::vector<Index>& columns_of(const FeaturePart& part, Index t) {
  return part.centres.groups[at(part.centres.group_of[at(t)])].columns;
}

}  // namespace

PartCopy::PartCopy(const CudaDevice& device, const FeaturePart& part)
    : device_(device),
      starts_(device),
      columns_(device),
      groups_(device),
      rows_(device),
      sources_(device),
      sizes_(device),
      used_(device) {
  const Kind kind = part.family.projection.kind;
  const Centres& centres = part.centres;
  const Index count = centres.count();
  if (kind == Kind::sparse) {
    order_.resize(at(count));
    std::iota(order_.begin(), order_.end(), Index{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](Index a, Index b) { return centres.group_of[at(a)] < centres.group_of[at(b)]; });
    rows_ = upload_places(device, order_);
  }
  std::vector<Index> starts = {0}, columns, groups(at(count), 0), sources, sizes, used;
  Index last = -1;
  for (Index k = 0; k < count; ++k) {
    const Index t = order_.empty() ? k : order_[at(k)];
    const std::vector<Index>& own = columns_of(part, t);
    if (kind == Kind::axis) {
      sources.push_back(own[0]);
      continue;
    }
    if (centres.group_of[at(t)] != last) {
      last = centres.group_of[at(t)];
      columns.insert(columns.end(), own.begin(), own.end());
      starts.push_back(static_cast<Index>(columns.size()));
    }
    groups[at(k)] = static_cast<Index>(starts.size()) - 2;
    if (kind != Kind::sparse) continue;
    sizes.push_back(static_cast<Index>(own.size()));
    used.insert(used.end(), own.begin(), own.end());
    used.resize(at((k + 1) * centres.weights.cols()), 0);
  }
  group_count_ = static_cast<Index>(starts.size()) - 1;
  starts_ = upload_places(device, starts);
  columns_ = upload_places(device, columns);
  groups_ = upload_places(device, groups);
  sources_ = upload_places(device, sources);
  sizes_ = upload_places(device, sizes);
  used_ = upload_places(device, used);
}

template <class Real>
const PartCopy::Numbers<Real>& PartCopy::numbers() const {
  if constexpr (std::is_same_v<Real, double>)
    return in_double_;
  else
    return in_float_;
}

// The offset of a stump is its phase less the tilted threshold: μ = x_j − c·θ.
template <class Real>
FeatureList<Real> PartCopy::features(const FeaturePart& part) const {
  const Centres& centres = part.centres;
  const DeviceMatrix<Real>& constants = numbers<Real>().constants.get(device_, [&] {
    const auto c = static_cast<Real>(tilt_of(part.family.kernel, part.sigma, part.gamma).c);
    BasicMatrix<Real> values(2, centres.count());
    for (Index k = 0; k < centres.count(); ++k) {
      const Index t = order_.empty() ? k : order_[at(k)];
      if (!centres.phases.empty()) values(0, k) = static_cast<Real>(centres.phases[at(t)]);
      if (part.family.projection.kind == Kind::axis) values(0, k) -= c * static_cast<Real>(centres.weights(t, 0));
      values(1, k) = static_cast<Real>(part.scale(t));
    }
    return DeviceMatrix<Real>(device_, values.view());
  });
  return {.count = centres.count(),
          .offsets = constants.view().row(0),
          .scales = constants.view().row(1),
          .groups = groups_.view().data,
          .rows = rows_.view().data,
          .sources = sources_.view().data};
}
template FeatureList<double> PartCopy::features(const FeaturePart&) const;
template FeatureList<float> PartCopy::features(const FeaturePart&) const;

template <class Real>
SparseCentres<Real> PartCopy::sparse(const FeaturePart& part) const {
  return {.width = part.centres.weights.cols(),
          .sizes = sizes_.view().data,
          .columns = used_.view().data,
          .weights = weights<Real>(part).data};
}
template SparseCentres<double> PartCopy::sparse(const FeaturePart&) const;
template SparseCentres<float> PartCopy::sparse(const FeaturePart&) const;

template <class Real>
View<const Real> PartCopy::weights(const FeaturePart& part) const {
  return numbers<Real>()
      .weights.get(device_, [&] { return upload_rows<Real>(device_, part.centres.weights, order_); })
      .view();
}
template View<const double> PartCopy::weights(const FeaturePart&) const;
template View<const float> PartCopy::weights(const FeaturePart&) const;

template <class Real>
View<const Real> PartCopy::diagonals(const FeaturePart& part) const {
  return numbers<Real>()
      .diagonals.get(device_, [&] { return upload_rows<Real>(device_, part.centres.hadamard, {}); })
      .view();
}
template View<const double> PartCopy::diagonals(const FeaturePart&) const;
template View<const float> PartCopy::diagonals(const FeaturePart&) const;

FeaturesOfInputs PartCopy::of_inputs(const FeaturePart& part, Index inputs) const {
  const Inputs& of = inputs_.get(device_, [&] { return inputs_of(part, inputs); });
  return {of.starts.view().data, of.numbers.view().data, of.rows.view().data, of.weights.view().data};
}

PartCopy::Inputs PartCopy::inputs_of(const FeaturePart& part, Index inputs) const {
  const bool axis = part.family.projection.kind == Kind::axis;
  std::vector<std::vector<Index>> numbers(at(inputs));
  std::vector<std::vector<double>> weights(at(inputs));
  for (Index k = 0; k < part.centres.count(); ++k) {
    const Index t = order_.empty() ? k : order_[at(k)];
    const std::vector<Index>& own = columns_of(part, t);
    for (std::size_t c = 0; c < own.size(); ++c) {
      numbers[at(own[c])].push_back(k);
      weights[at(own[c])].push_back(axis ? 1 : part.centres.weights(t, static_cast<Index>(c)));
    }
  }
  std::vector<Index> starts = {0}, all_numbers, rows;
  std::vector<double> all_weights;
  for (Index j = 0; j < inputs; ++j) {
    for (const Index k : numbers[at(j)]) rows.push_back(order_.empty() ? k : order_[at(k)]);
    all_numbers.insert(all_numbers.end(), numbers[at(j)].begin(), numbers[at(j)].end());
    all_weights.insert(all_weights.end(), weights[at(j)].begin(), weights[at(j)].end());
    starts.push_back(static_cast<Index>(rows.size()));
  }
  return {upload_places(device_, starts), upload_places(device_, all_numbers), upload_places(device_, rows),
          upload(device_, all_weights.data(), static_cast<Index>(all_weights.size()))};
}

MapCopy::MapCopy(const CudaDevice& device, const FeatureParts& map) {
  for (const FeaturePart& part : map) parts.push_back(std::make_unique<PartCopy>(device, part));
  device.finish();
}

}  // namespace weft::detail::cuda
