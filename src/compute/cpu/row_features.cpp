#include "compute/row_features.hpp"

#include "compute/cpu/kernel_distances.hpp"
#include "compute/weight_kernel.hpp"
#include "core/at.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

/// Memory that a thread uses again for row after row. Each caller asks for numbers of its own (`slot`).
template <int slot>
double* scratch(Index count) {
  thread_local AlignedVector<double> memory;
  if (static_cast<Index>(memory.size()) < count) memory.resize(at(count));
  return memory.data();
}

std::vector<const double*> row_pointers(const Matrix& matrix) {
  std::vector<const double*> rows(at(matrix.rows()));
  for (Index k = 0; k < matrix.rows(); ++k) rows[at(k)] = matrix.row(k);
  return rows;
}

void weighted_sum(Index n, Index count, const double* weights, const double* const* columns, double* out) {
  if (count == 0)
    std::fill_n(out, n, 0.0);
  else
    chosen_kernels().set->combine_double(n, count, weights, columns, out);
}

}  // namespace

ColumnProduct::ColumnProduct(View<const double> matrix, double factor) : columns_(matrix.cols, matrix.rows) {
  for (Index t = 0; t < matrix.rows; ++t)
    for (Index k = 0; k < matrix.cols; ++k) columns_(k, t) = factor * matrix(t, k);
  pointers_ = row_pointers(columns_);
}

void ColumnProduct::operator()(const double* weights, double* out) const {
  weighted_sum(columns_.cols(), columns_.rows(), weights, pointers_.data(), out);
}

RowPart::RowPart(const FeaturePart& part) : part_(&part) {
  const Centres& centres = part.centres;
  const Tilt tilt = tilt_of(part.family.kernel, part.sigma, part.gamma);
  const auto kind = part.family.projection.kind;
  s_ = tilt.s;
  offsets_ = centres.phases;
  if (kind == Projection::Kind::dense) dense_ = ColumnProduct(centres.weights, tilt.c);
  if (kind == Projection::Kind::axis) {
    offsets_.resize(at(count()));
    for (Index t = 0; t < count(); ++t) offsets_[at(t)] -= tilt.c * centres.weights(t, 0);
  }
  if (kind == Projection::Kind::sparse) {
    sparse_.width = centres.weights.cols();
    sparse_.columns.resize(at(count() * sparse_.width));
    sparse_.weights.resize(at(count() * sparse_.width));
    for (Index t = 0; t < count(); ++t) {
      const std::vector<Index>& columns = centres.groups[at(centres.group_of[at(t)])].columns;
      std::copy(columns.begin(), columns.end(), sparse_.columns.begin() + t * sparse_.width);
      for (std::size_t k = 0; k < columns.size(); ++k)
        sparse_.weights[at(t * sparse_.width) + k] = tilt.c * centres.weights(t, static_cast<Index>(k));
    }
  }
  scales_.resize(at(count()));
  for (Index t = 0; t < count(); ++t) scales_[at(t)] = part.scale(t);
  if (std::all_of(scales_.begin(), scales_.end(), [](double scale) { return scale == 1; })) scales_.clear();
}

void RowPart::operator()(const double* x, double* phi) const {
  const Index n = count();
  if (n == 0) return;
  double* mu = scratch<0>(n);
  project(x, mu);
  for (std::size_t t = 0; t < offsets_.size(); ++t) mu[t] += offsets_[t];
  const Activation& h = *part_->family.activation;
  if (part_->family.kernel.none()) {
    h.value_block(n, mu, 0.0, phi);
  } else {
    double* const p = scratch<1>(n);
    double* const q = scratch<2>(n);
    write_terms(x, p, q);
    h.smooth_block(n, mu, 0.0, p, q, phi);
  }
  for (std::size_t t = 0; t < scales_.size(); ++t) phi[t] *= scales_[t];
}

void RowPart::project(const double* x, double* mu) const {
  const Centres& centres = part_->centres;
  switch (part_->family.projection.kind) {
    case Projection::Kind::dense:
      return dense_(x, mu);
    case Projection::Kind::sparse: {
      const Index* column = sparse_.columns.data();
      const double* weight = sparse_.weights.data();
      for (Index t = 0; t < count(); ++t) {
        double sum = 0;
        for (Index k = 0; k < sparse_.width; ++k) sum += *weight++ * x[*column++];
        mu[t] = sum;
      }
      return;
    }
    case Projection::Kind::axis:
      for (Index t = 0; t < count(); ++t) mu[t] = x[centres.groups[at(centres.group_of[at(t)])].columns[0]];
  }
}

double RowPart::spread(const double* x, Index group) const {
  double sum = 0;
  for (const Index j : part_->centres.groups[at(group)].columns) sum += x[j] * x[j];
  return s_ * std::sqrt(sum);
}

// Stumps and dense centres share one spread, sparse ones that of their group.
void RowPart::write_terms(const double* x, double* p, double* q) const {
  const Activation& h = *part_->family.activation;
  const auto kind = part_->family.projection.kind;
  if (kind != Projection::Kind::sparse) {
    const SpreadTerms terms = h.terms(kind == Projection::Kind::axis ? s_ : spread(x, part_->centres.group_of.front()));
    std::fill_n(p, count(), terms.p);
    std::fill_n(q, count(), terms.q);
    return;
  }
  const auto groups = static_cast<Index>(part_->centres.groups.size());
  double* const own = scratch<3>(3 * groups);
  double* const of_group[] = {own, own + groups, own + 2 * groups};
  for (Index g = 0; g < groups; ++g) of_group[0][g] = spread(x, g);
  h.terms_block(groups, of_group[0], of_group[1], of_group[2]);
  for (Index t = 0; t < count(); ++t) {
    const Index g = part_->centres.group_of[at(t)];
    p[t] = of_group[1][g];
    q[t] = of_group[2][g];
  }
}

RowFeatures::RowFeatures(const FeatureMap& map) : map_(&map) {
  for (const FeaturePart& part : map.parts()) parts_.emplace_back(part);
  const KernelSections* sections = map.sections();
  if (sections == nullptr || !sections->kernel.has_bandwidth()) return;
  const bool squared = distance_decay(sections->kernel).squared;
  if (squared) centre_landmarks(*sections);
  columns_ = row_pointers(squared ? centred_ : sections->landmarks);
}

void RowFeatures::centre_landmarks(const KernelSections& sections) {
  centred_ = sections.landmarks;
  squares_.assign(at(centred_.cols()), 0.0);
  for (Index k = 0; k < centred_.rows(); ++k)
    for (Index t = 0; t < centred_.cols(); ++t) {
      centred_(k, t) -= sections.prepared.centre[at(k)];
      squares_[at(t)] += centred_(k, t) * centred_(k, t);
    }
}

void RowFeatures::operator()(const double* x, double* phi) const {
  if (map_->sections() != nullptr) return sections(x, phi);
  for (const RowPart& part : parts_) {
    part(x, phi);
    phi += part.count();
  }
}

void RowFeatures::sections(const double* x, double* phi) const {
  const KernelSections& sections = *map_->sections();
  const PreparedRows& prepared = sections.prepared;
  const Index n = sections.count();
  const Index inputs = sections.landmarks.rows();
  if (!sections.kernel.has_bandwidth() || prepared.precision != Precision::float64)
    return sections.values({x, inputs, 1}, {phi, n, 1}, {.threads = 1});
  const DistanceDecay form = distance_decay(sections.kernel);
  const DistanceKernels<double>& kernels = distance_kernels<double>();
  if (!form.squared) {
    kernels.l1_row(n, inputs, x, columns_.data(), phi);
  } else {
    double* const centred = scratch<4>(inputs);
    double square = 0;
    for (Index k = 0; k < inputs; ++k) {
      centred[k] = x[k] - prepared.centre[at(k)];
      square += centred[k] * centred[k];
    }
    weighted_sum(n, inputs, centred, columns_.data(), phi);
    const bool near = kernels.squares(n, square, squares_.data(), kNear<double>, phi);
    if (near && form.decay.power < 1) refine(centred, square, phi);
  }
  kernels.values(n, form.decay, phi, phi);
}

// As StripDistances::refine, with the sides exchanged.
void RowFeatures::refine(const double* x, double square, double* squares) const {
  for (Index t = 0; t < centred_.cols(); ++t) {
    if (!(squares[t] < kNear<double> * (square + squares_[at(t)]))) continue;
    squares[t] = 0;
    for (Index k = 0; k < centred_.rows(); ++k) squares[t] += std::pow(x[k] - centred_(k, t), 2);
  }
}

}  // namespace weft::detail
