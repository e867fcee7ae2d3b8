// Loops over elements, most of them of lower triangles.
#include "compute/cpu/cpu_device.hpp"
#include "compute/cpu/vector_kernels.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace weft::detail {

namespace {

constexpr Index kScaledTogether = 256;    // rows that one thread scales at a time
constexpr Index kAssembledTogether = 64;  // rows of a lower triangle

template <class Real>
void scale(View<const Real> a, const Real* factors, View<Real> out, int threads) {
  parallel_for(tile_count(a.rows, kScaledTogether), threads, [&](Index piece) {
    const Tile part = tile(piece, a.rows, kScaledTogether);
    for (Index t = part.first; t < part.first + part.count; ++t) {
      const Real* from = a.row(t);
      Real* to = out.row(t);
      for (Index i = 0; i < a.cols; ++i) to[i] = from[i] * factors[i];
    }
  });
}

template <class Real>
void add_diagonal(View<Real> a, const double* values) {
  for (Index i = 0; i < a.rows; ++i) a(i, i) = static_cast<Real>(a(i, i) + values[i]);
}

}  // namespace

void CpuDevice::clear(View<double> matrix) const {
  for (Index i = 0; i < matrix.rows; ++i) std::fill_n(matrix.row(i), matrix.cols, 0.0);
}

void CpuDevice::scale_columns(View<const double> a, const double* factors, View<double> out, int threads) const {
  scale(a, factors, out, threads);
}

void CpuDevice::scale_columns(View<const float> a, const float* factors, View<float> out, int threads) const {
  scale(a, factors, out, threads);
}

void CpuDevice::copy_lower(View<const double> from, View<double> to) const {
  for (Index i = 0; i < from.rows; ++i) std::copy_n(from.row(i), i + 1, to.row(i));
}

void CpuDevice::copy_lower(View<const double> from, View<float> to) const {
  const RoundLoop round = chosen_kernels().set->round;
  for (Index i = 0; i < from.rows; ++i) round(i + 1, from.row(i), to.row(i));
}

void CpuDevice::add_to_diagonal(View<double> a, const double* values) const {
  add_diagonal(a, values);
}

void CpuDevice::add_to_diagonal(View<float> a, const double* values) const {
  add_diagonal(a, values);
}

std::vector<double> CpuDevice::absolute_sums(View<const double> lower) const {
  std::vector<double> sums(static_cast<std::size_t>(lower.rows));
  for (Index i = 0; i < lower.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j < i; ++j) {
      sum += std::abs(lower(i, j));
      sums[static_cast<std::size_t>(j)] += std::abs(lower(i, j));
    }
    sums[static_cast<std::size_t>(i)] += sum + std::abs(lower(i, i));
  }
  return sums;
}

void CpuDevice::penalised_normal(View<const double> gram, const double* sums, double weight, double lambda,
                                 View<const double> penalty, double jitter, View<double> out) const {
  assert(gram.rows == out.rows && penalty.rows == out.rows);
  for (Index s = 0; s < out.rows; ++s) {
    const double mean = sums[s] / weight;
    for (Index t = 0; t <= s; ++t) out(s, t) = gram(s, t) - mean * sums[t] + lambda * penalty(s, t);
    out(s, s) += jitter;
  }
}

void CpuDevice::scaled_normal(View<const double> gram, View<const double> penalty, double lambda, const double* scale,
                              double jitter, View<double> out, int threads) const {
  assert(gram.rows == out.rows && (penalty.data == nullptr || penalty.rows == out.rows));
  parallel_for(tile_count(out.rows, kAssembledTogether), threads, [&](Index piece) {
    const Tile part = tile(piece, out.rows, kAssembledTogether);
    for (Index s = part.first; s < part.first + part.count; ++s) {
      for (Index t = 0; t < s; ++t) {
        const double entry = penalty.data != nullptr ? gram(s, t) + lambda * penalty(s, t) : gram(s, t);
        out(s, t) = scale[s] == 0 || scale[t] == 0 ? 0 : entry * scale[s] * scale[t];
      }
      out(s, s) = 1 + jitter;
    }
  });
}

}  // namespace weft::detail
