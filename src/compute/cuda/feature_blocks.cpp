// Blocks of features: projections by cuBLAS, by Hadamard transforms or over the few columns of a group, and the
// activation in place, with what a row's spread makes of it computed once for every group.
#include "compute/cuda/blas.hpp"
#include "compute/cuda/cuda_device.hpp"
#include "compute/cuda/feature_copies.hpp"
#include "compute/cuda/part_map.hpp"

#include <algorithm>

namespace weft::detail::cuda {

namespace {

using Kind = Projection::Kind;
using Before = Output<double>::Before;

// The terms of the rows that are computed together take as many numbers, so that they stay in the second-level cache;
// pools of sparse centres have hundreds of groups.
constexpr Index kTerms = 1 << 21;
// As many numbers of a transform in global memory.
constexpr Index kScratch = 1 << 24;

}  // namespace

MapUse::MapUse(const CudaDevice& device, const FeatureParts& parts) {
  if (parts.copies != nullptr)
    copy_ = &parts.copies->of<MapCopy>(device, [&] { return MapCopy(device, parts); });
  else
    copy_ = &own_.emplace(device, parts);
}

template <class Real>
PartMap<Real>::PartMap(const CudaDevice& device, const FeaturePart& part, const PartCopy& copy, const Activation& h)
    : device_(device),
      part_(part),
      copy_(copy),
      h_(device, h),
      tilt_(tilt_of(part.family.kernel, part.sigma, part.gamma)) {}

template <class Real>
void project(const CudaDevice& device, const FeaturePart& part, const PartCopy& copy, Real factor, View<const Real> x,
             View<Real> out) {
  const Index size = part.centres.hadamard.cols();
  if (size < kLeastHadamard)
    return gemm(device.queue(), false, false, x.rows, factor, copy.weights<Real>(part), x, Real{0}, out);
  const Index step = size <= kMostHadamard ? x.cols : std::max<Index>(32, kScratch / size);
  DeviceMatrix<Real> scratch(device);
  for (Index first = 0; first < x.cols; first += step) {
    const Index rows = std::min(step, x.cols - first);
    if (size > kMostHadamard) scratch.reshape(size, rows);
    project_hadamard(device.queue().stream, copy.diagonals<Real>(part), factor, x.col_range(first, rows),
                     scratch.view(), out.col_range(first, rows));
  }
}

/// visit(first row, rows, their terms): all rows where the terms of the groups fit.
template <class Real>
template <class Visit>
void PartMap<Real>::with_terms(View<const Real> x, const Visit& visit) const {
  if (part_.family.kernel.none()) return visit(0, x.cols, RowTerms<Real>{});
  const bool axis = part_.family.projection.kind == Kind::axis;
  const Index groups = axis ? 1 : copy_.groups().count;
  const Index step = axis ? x.cols : std::max<Index>(256, kTerms / groups);
  DeviceMatrix<Real> p(device_), q(device_);
  for (Index first = 0; first < x.cols; first += step) {
    const Index rows = std::min(step, x.cols - first);
    const RowTerms<Real> row_terms = spreads_of(x.col_range(first, rows), p);
    q.reshape(p.rows(), p.cols());
    terms(stream(), formula(), p.view(), q.view());
    visit(first, rows, {p.view().data, q.view().data, row_terms.group_step, row_terms.row_step});
  }
}

template <class Real>
RowTerms<Real> PartMap<Real>::spreads_of(View<const Real> x, DeviceMatrix<Real>& nu) const {
  const bool one = part_.family.kernel.none() || part_.family.projection.kind == Kind::axis;
  nu.reshape(one ? 1 : copy_.groups().count, one ? 1 : x.cols);
  const auto s = static_cast<Real>(tilt_.s);
  if (one)
    one_spread(stream(), s, nu.view());
  else
    spreads(stream(), copy_.groups(), s, x, nu.view());
  return {nu.view().data, nullptr, one ? 0 : x.cols, one ? 0 : 1};
}

template <class Real>
void PartMap<Real>::write(View<const Real> x, View<Real> phi) const {
  const auto c = static_cast<Real>(tilt_.c);
  const FeatureList<Real> features = copy_.template features<Real>(part_);
  const Kind kind = part_.family.projection.kind;
  if (kind == Kind::dense) project(device_, part_, copy_, c, x, phi);
  with_terms(x, [&](Index first, Index rows, const RowTerms<Real>& row_terms) {
    const View<const Real> some = x.col_range(first, rows);
    const View<Real> out = phi.col_range(first, rows);
    if (kind == Kind::sparse)
      activate_sparse(stream(), formula(), features, copy_.template sparse<Real>(part_), row_terms, c, some, out);
    else
      activate(stream(), formula(), features, row_terms, Real{1}, kind == Kind::dense ? View<const Real>(out) : some,
               out);
  });
}

template <class Real>
void PartMap<Real>::smooth(View<const Real> x, View<const Real> projections, double scale, View<Real> phi) const {
  if (part_.family.projection.kind == Kind::axis) return write(x, phi);
  FeatureList<Real> features = copy_.template features<Real>(part_);
  features.sources = features.rows;
  with_terms(x, [&](Index first, Index rows, const RowTerms<Real>& row_terms) {
    activate(stream(), formula(), features, row_terms, static_cast<Real>(tilt_.c * scale),
             projections.col_range(first, rows), phi.col_range(first, rows));
  });
}

template class PartMap<double>;
template class PartMap<float>;

namespace {

/// visit(part, its map, the first of its rows in Φ) for all that have features.
template <class Real, class Visit>
void each_part(const CudaDevice& device, const FeatureParts& parts, const Activation* h, const Visit& visit) {
  const MapUse use(device, parts);
  Index row = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const FeaturePart& part = parts[k];
    const Activation& activation = h != nullptr ? *h : *part.family.activation;
    if (part.centres.count() > 0) visit(part, PartMap<Real>(device, part, use.part(k), activation), row);
    row += part.centres.count();
  }
}

template <class Real>
void write_smoothings(const CudaDevice& device, const FeatureParts& parts, View<const Real> x, View<Real> phi) {
  each_part<Real>(device, parts, nullptr, [&](const FeaturePart& part, const PartMap<Real>& map, Index row) {
    map.write(x, phi.row_range(row, part.centres.count()));
  });
}

/// What smooth_projected and activate_projected have in common; `scale(part)` is that of the projections.
template <class Scale>
void smooth_all(const CudaDevice& device, const FeatureParts& parts, const Activation* h, View<const double> x,
                View<const double> projections, View<double> phi, const Scale& scale) {
  if (phi.rows == 0 || phi.cols == 0) return;
  const Input<double> rows(device, x), from(device, projections);
  Output<double> out(device, phi, Before::unspecified);
  each_part<double>(device, parts, h, [&](const FeaturePart& part, const PartMap<double>& map, Index row) {
    const Index count = part.centres.count();
    map.smooth(rows, from.view().row_range(row, count), scale(part), out.view().row_range(row, count));
  });
  out.store();
}

bool has_stumps(const FeatureParts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [](const FeaturePart& part) { return part.family.projection.kind == Kind::axis; });
}

}  // namespace

bool CudaDevice::computes(const FeaturePart& part) const {
  return DeviceActivation::has(*part.family.activation);
}

void CudaDevice::smoothings(Parts parts, View<const double> x, View<double> phi, const Run&) const {
  if (phi.rows == 0 || phi.cols == 0) return;
  const Input<double> rows(*this, x);
  Output<double> out(*this, phi, Before::unspecified);
  write_smoothings(*this, parts, rows.view(), out.view());
  out.store();
}

void CudaDevice::smoothings(Parts parts, View<const double> x, View<float> phi, const Run&) const {
  if (phi.rows == 0 || phi.cols == 0) return;
  const Input<double> rows(*this, x);
  Output<float> out(*this, phi, Output<float>::Before::unspecified);
  DeviceMatrix<float> single(*this, x.rows, x.cols);
  to_float(queue().stream, rows, single);
  write_smoothings<float>(*this, parts, single.view(), out.view());
  out.store();
}

void CudaDevice::project(Parts parts, View<const double> x, View<double> projections, const Run&) const {
  if (projections.rows == 0 || projections.cols == 0) return;
  const Input<double> rows(*this, x);
  Output<double> out(*this, projections, has_stumps(parts) ? Before::kept : Before::unspecified);
  const MapUse use(*this, parts);
  Index row = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const FeaturePart& part = parts[k];
    const Index count = part.centres.count();
    const View<double> own = out.view().row_range(row, count);
    row += count;
    if (count == 0 || part.family.projection.kind == Kind::axis) continue;
    const PartCopy& copy = use.part(k);
    if (part.family.projection.kind == Kind::sparse)
      project_sparse(queue().stream, copy.features<double>(part), copy.sparse<double>(part), rows, own);
    else
      cuda::project<double>(*this, part, copy, 1, rows, own);
  }
  out.store();
}

void CudaDevice::smooth_projected(Parts parts, View<const double> x, View<const double> projections, double sigma,
                                  View<double> phi, const Run&) const {
  smooth_all(*this, parts, nullptr, x, projections, phi, [&](const FeaturePart& part) { return part.sigma / sigma; });
}

void CudaDevice::activate_projected(Parts parts, View<const double> x, View<const double> projections,
                                    const Activation& h, View<double> phi, const Run&) const {
  smooth_all(*this, parts, &h, x, projections, phi, [](const FeaturePart&) { return 1.0; });
}

}  // namespace weft::detail::cuda
