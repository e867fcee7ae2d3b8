#include "compute/cuda/feature_kernels.hpp"

#include "compute/cuda/feature_tiles.hpp"
#include "compute/cuda/formulas.hpp"

namespace weft::detail::cuda {

namespace {

// 12 bytes an element.
__global__ void to_float_kernel(View<const double> from, View<float> to) {
  const Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x;
  for (Index j = blockIdx.y; j < to.rows && i < to.cols; j += gridDim.y)
    to.data[j * to.stride + i] = static_cast<float>(from.data[j * from.stride + i]);
}

/// The sum of the squares of row i over every step-th column of group g.
template <class Real>
__device__ Real squares(const ColumnLists& groups, View<const Real> x, Index g, Index i, unsigned first,
                        unsigned step) {
  Real sum = 0;
  for (int k = groups.starts[g] + static_cast<int>(first); k < groups.starts[g + 1]; k += static_cast<int>(step)) {
    const Real value = x.data[groups.columns[k] * x.stride + i];
    sum += value * value;
  }
  return sum;
}

// Of many groups of few columns, which are read from the second-level cache: writes 8 bytes a group and row.
template <class Real>
__global__ void spreads_kernel(ColumnLists groups, Real s, View<const Real> x, View<Real> nu) {
  const Index i = static_cast<Index>(blockIdx.x) * kTileRows + threadIdx.x;
  if (i >= nu.cols) return;
  for (Index g = static_cast<Index>(blockIdx.y) * kTileFeatures + threadIdx.y; g < groups.count;
       g += static_cast<Index>(gridDim.y) * kTileFeatures)
    nu.data[g * nu.stride + i] = s * formula::sqrt(squares(groups, x, g, i, 0, 1));
}

// Of a group with many columns, blockIdx.y, which the threads of a row share: reads 8 bytes a column and row.
template <class Real>
__global__ void wide_spreads_kernel(ColumnLists groups, Real s, View<const Real> x, View<Real> nu) {
  __shared__ Real partial[kTileFeatures][kTileRows];
  const Index g = blockIdx.y, i = static_cast<Index>(blockIdx.x) * kTileRows + threadIdx.x;
  partial[threadIdx.y][threadIdx.x] = i < nu.cols ? squares(groups, x, g, i, threadIdx.y, kTileFeatures) : Real{0};
  __syncthreads();
  if (threadIdx.y > 0 || i >= nu.cols) return;
  Real sum = 0;
  for (unsigned k = 0; k < kTileFeatures; ++k) sum += partial[k][threadIdx.x];
  nu.data[g * nu.stride + i] = s * formula::sqrt(sum);
}

template <class Real>
__global__ void one_spread_kernel(Real s, View<Real> nu) {
  if (threadIdx.x == 0) nu.data[0] = s;
}

// 24 bytes a group and row, and a division or an exponential.
template <class H, class Real>
__global__ void terms_kernel(H h, Index count, Real* p, Real* q) {
  const Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= count) return;
  const formula::Terms<Real> terms = h.terms(p[i]);
  p[i] = terms.p;
  q[i] = terms.q;
}

/// scale · S_h(mu + offset, ν) of feature k at row i.
template <bool kSmoothed, class H, class Real>
__device__ Real feature(const H& h, const FeatureList<Real>& features, const RowTerms<Real>& terms, Index k, Index i,
                        Real mu) {
  const Real z = mu + features.offsets[k];
  if constexpr (!kSmoothed) return features.scales[k] * h.value(z);
  const Index at = features.groups[k] * terms.group_step + i * terms.row_step;
  return features.scales[k] * h.smooth(z, terms.p[at], terms.q[at]);
}

// 16 bytes an element in double, 8 in float; p and q come from the first-level cache. With erf in double the
// arithmetic, some 60 multiplications and additions, takes about as long.
template <class H, class Real, bool kSmoothed>
__global__ void activate_kernel(H h, FeatureList<Real> features, RowTerms<Real> terms, Real factor,
                                View<const Real> from, unsigned strips, View<Real> out) {
  const TilePlace at = tile_place(strips);
  if (at.row >= out.cols) return;
  Real mu[kEach] = {};  // all are read before the first is written, as out may be from
  WEFT_UNROLL
  for (int e = 0; e < kEach; ++e) {
    const Index k = at.feature + e;
    if (k >= features.count) continue;
    const Index source = features.sources != nullptr ? features.sources[k] : k;
    mu[e] = factor * from.data[source * from.stride + at.row];
  }
  WEFT_UNROLL
  for (int e = 0; e < kEach; ++e) {
    const Index k = at.feature + e;
    if (k >= features.count) continue;
    const Index row = features.rows != nullptr ? features.rows[k] : k;
    out.data[row * out.stride + at.row] = feature<kSmoothed>(h, features, terms, k, at.row, mu[e]);
  }
}

/// ⟨w_k, x_J⟩ at row i.
template <class Real>
__device__ Real sparse_product(const SparseCentres<Real>& centres, View<const Real> x, Index k, Index i) {
  const int* columns = centres.columns + k * centres.width;
  const Real* weights = centres.weights + k * centres.width;
  Real sum = 0;
  for (int c = 0; c < centres.sizes[k]; ++c) sum += weights[c] * x.data[columns[c] * x.stride + i];
  return sum;
}

// Writes 8 bytes an element (4 in float). Columns of x and terms come from the caches: features of one group follow
// each other, so that the first-level cache has them for all but the first.
template <class H, class Real, bool kSmoothed>
__global__ void sparse_kernel(H h, FeatureList<Real> features, SparseCentres<Real> centres, RowTerms<Real> terms,
                              Real factor, View<const Real> x, unsigned strips, View<Real> out) {
  const TilePlace at = tile_place(strips);
  if (at.row >= out.cols) return;
  for (Index k = at.feature; k < at.feature + kEach && k < features.count; ++k) {
    const Real mu = factor * sparse_product(centres, x, k, at.row);
    out.data[features.rows[k] * out.stride + at.row] = feature<kSmoothed>(h, features, terms, k, at.row, mu);
  }
}

// As sparse_kernel, without the activation.
__global__ void project_sparse_kernel(FeatureList<double> features, SparseCentres<double> centres, View<const double> x,
                                      unsigned strips, View<double> out) {
  const TilePlace at = tile_place(strips);
  if (at.row >= out.cols) return;
  for (Index k = at.feature; k < at.feature + kEach && k < features.count; ++k) {
    const Index row = features.rows != nullptr ? features.rows[k] : k;
    out.data[row * out.stride + at.row] = sparse_product(centres, x, k, at.row);
  }
}

unsigned grid_rows(Index count) {
  return static_cast<unsigned>(count < 65535 ? count : 65535);
}

}  // namespace

void to_float(cudaStream_t stream, View<const double> from, View<float> to) {
  if (to.rows == 0 || to.cols == 0) return;
  launch(to_float_kernel, dim3(blocks_for(to.cols), grid_rows(to.rows)), dim3(kThreads), stream, from, to);
}

template <class Real>
void spreads(cudaStream_t stream, const ColumnLists& groups, Real s, View<const Real> x, View<Real> nu) {
  const unsigned strips = blocks_for(nu.cols, kTileRows);
  const bool wide = groups.count < static_cast<Index>(kTileFeatures);
  const auto kernel = wide ? wide_spreads_kernel<Real> : spreads_kernel<Real>;
  const Index each = wide ? 1 : kTileFeatures;
  launch(kernel, dim3(strips, grid_rows((groups.count + each - 1) / each)), FeatureTiles::threads(), stream, groups, s,
         x, nu);
}
template void spreads(cudaStream_t, const ColumnLists&, double, View<const double>, View<double>);
template void spreads(cudaStream_t, const ColumnLists&, float, View<const float>, View<float>);

template <class Real>
void one_spread(cudaStream_t stream, Real s, View<Real> nu) {
  launch(one_spread_kernel<Real>, dim3(1), dim3(1), stream, s, nu);
}
template void one_spread(cudaStream_t, double, View<double>);
template void one_spread(cudaStream_t, float, View<float>);

template <class Real>
void terms(cudaStream_t stream, const Formula& h, View<Real> p, View<Real> q) {
  const Index count = p.rows * p.cols;
  with_formula(h, [&](auto formula) {
    launch(terms_kernel<decltype(formula), Real>, dim3(blocks_for(count)), dim3(kThreads), stream, formula, count,
           p.data, q.data);
  });
}
template void terms(cudaStream_t, const Formula&, View<double>, View<double>);
template void terms(cudaStream_t, const Formula&, View<float>, View<float>);

template <class Real>
void activate(cudaStream_t stream, const Formula& h, const FeatureList<Real>& features, const RowTerms<Real>& terms,
              Real factor, View<const Real> from, View<Real> out) {
  const FeatureTiles tiles(features.count, out.cols);
  with_formula(h, [&](auto formula) {
    using H = decltype(formula);
    const auto kernel = terms.p != nullptr ? activate_kernel<H, Real, true> : activate_kernel<H, Real, false>;
    launch(kernel, tiles.grid(), FeatureTiles::threads(), stream, formula, features, terms, factor, from, tiles.strips,
           out);
  });
}
template void activate(cudaStream_t, const Formula&, const FeatureList<double>&, const RowTerms<double>&, double,
                       View<const double>, View<double>);
template void activate(cudaStream_t, const Formula&, const FeatureList<float>&, const RowTerms<float>&, float,
                       View<const float>, View<float>);

template <class Real>
void activate_sparse(cudaStream_t stream, const Formula& h, const FeatureList<Real>& features,
                     const SparseCentres<Real>& centres, const RowTerms<Real>& terms, Real factor, View<const Real> x,
                     View<Real> out) {
  const FeatureTiles tiles(features.count, out.cols);
  with_formula(h, [&](auto formula) {
    using H = decltype(formula);
    const auto kernel = terms.p != nullptr ? sparse_kernel<H, Real, true> : sparse_kernel<H, Real, false>;
    launch(kernel, tiles.grid(), FeatureTiles::threads(), stream, formula, features, centres, terms, factor, x,
           tiles.strips, out);
  });
}
template void activate_sparse(cudaStream_t, const Formula&, const FeatureList<double>&, const SparseCentres<double>&,
                              const RowTerms<double>&, double, View<const double>, View<double>);
template void activate_sparse(cudaStream_t, const Formula&, const FeatureList<float>&, const SparseCentres<float>&,
                              const RowTerms<float>&, float, View<const float>, View<float>);

void project_sparse(cudaStream_t stream, const FeatureList<double>& features, const SparseCentres<double>& centres,
                    View<const double> x, View<double> out) {
  const FeatureTiles tiles(features.count, out.cols);
  launch(project_sparse_kernel, tiles.grid(), FeatureTiles::threads(), stream, features, centres, x, tiles.strips, out);
}

}  // namespace weft::detail::cuda
