// Kernels of the gradients of features.
#include "compute/cuda/feature_kernels.hpp"
#include "compute/cuda/feature_tiles.hpp"
#include "compute/cuda/formulas.hpp"

namespace weft::detail::cuda {

namespace {

constexpr int kOutputs = 4;  // whose sums a thread holds at once

// 24 bytes an element; for most activations an exponential and an error function, which take longer.
template <class H>
__global__ void slopes_kernel(H h, FeatureList<double> features, RowTerms<double> spreads, double factor,
                              View<const double> from, unsigned strips, View<double> first, View<double> second) {
  const TilePlace at = tile_place(strips);
  if (at.row >= first.cols) return;
  for (Index k = at.feature; k < at.feature + kEach && k < features.count; ++k) {
    const Index source = features.sources != nullptr ? features.sources[k] : k;
    const double mu = factor * from.data[source * from.stride + at.row] + features.offsets[k];
    const double nu = spreads.p[features.groups[k] * spreads.group_step + at.row * spreads.row_step];
    const formula::Slopes<double> slopes = h.slopes(mu, nu);
    first.data[k * first.stride + at.row] = features.scales[k] * slopes.first;
    second.data[k * second.stride + at.row] = features.scales[k] * slopes.second;
  }
}

// 16 bytes an element.
__global__ void scale_rows_kernel(View<const double> factors, View<const double> from, unsigned strips,
                                  View<double> to) {
  const TilePlace at = tile_place(strips);
  if (at.row >= to.cols) return;
  for (Index t = at.feature; t < at.feature + kEach && t < to.rows; ++t)
    to.data[t * to.stride + at.row] = factors.data[t * factors.stride] * from.data[t * from.stride + at.row];
}

// 32 bytes an element of x and output; blockIdx.y is the output.
__global__ void add_around_kernel(double square, View<const double> x, View<const double> around, unsigned strips,
                                  View<double> to) {
  const TilePlace at = tile_place(strips);
  if (at.row >= x.cols) return;
  for (Index o = blockIdx.y; o < around.rows; o += gridDim.y) {
    const double own = square * around.data[o * around.stride + at.row];
    for (Index j = at.feature; j < at.feature + kEach && j < x.rows; ++j)
      to.data[(o * x.rows + j) * to.stride + at.row] += own * x.data[j * x.stride + at.row];
  }
}

// A block has one input, kOutputs outputs and 32 rows of the data at a time; the features of the input are shared by
// the threads of a row, whose sums are added in their order, as a bias has all features. 16 bytes a feature and row for
// kOutputs outputs, from the second-level cache for all but the first inputs of a feature.
__global__ void add_gradients_kernel(FeaturesOfInputs features, View<const double> coefficients, double c,
                                     double square, View<const double> x, View<const double> first,
                                     View<const double> second, View<double> to) {
  __shared__ double partial[kTileFeatures][kOutputs][kTileRows];
  const Index i = static_cast<Index>(blockIdx.x) * kTileRows + threadIdx.x;
  const Index tiles = (coefficients.cols + kOutputs - 1) / kOutputs;
  for (Index unit = blockIdx.y; unit < x.rows * tiles; unit += gridDim.y) {
    const Index j = unit / tiles, output = unit % tiles * kOutputs;
    const int outputs = static_cast<int>(coefficients.cols - output < kOutputs ? coefficients.cols - output : kOutputs);
    const double around = i < x.cols ? square * x.data[j * x.stride + i] : 0;
    double sums[kOutputs] = {};
    for (int e = features.starts[j] + static_cast<int>(threadIdx.y); e < features.starts[j + 1] && i < x.cols;
         e += static_cast<int>(kTileFeatures)) {
      const Index k = features.numbers[e];
      double slope = c * features.weights[e] * first.data[k * first.stride + i];
      if (square != 0) slope += around * second.data[k * second.stride + i];
      const double* own = coefficients.data + features.rows[e] * coefficients.stride + output;
      WEFT_UNROLL
      for (int o = 0; o < kOutputs; ++o)
        if (o < outputs) sums[o] += own[o] * slope;
    }
    WEFT_UNROLL
    for (int o = 0; o < kOutputs; ++o) partial[threadIdx.y][o][threadIdx.x] = sums[o];
    __syncthreads();
    const int o = static_cast<int>(threadIdx.y);
    if (o < outputs && i < x.cols) {
      double sum = 0;
      for (unsigned k = 0; k < kTileFeatures; ++k) sum += partial[k][o][threadIdx.x];
      to.data[((output + o) * x.rows + j) * to.stride + i] += sum;
    }
    __syncthreads();
  }
}

unsigned grid_rows(Index count) {
  return static_cast<unsigned>(count < 65535 ? count : 65535);
}

}  // namespace

void slopes(cudaStream_t stream, const Formula& h, const FeatureList<double>& features, const RowTerms<double>& spreads,
            double factor, View<const double> from, View<double> first, View<double> second) {
  const FeatureTiles tiles(features.count, first.cols);
  with_formula(h, [&](auto formula) {
    launch(slopes_kernel<decltype(formula)>, tiles.grid(), FeatureTiles::threads(), stream, formula, features, spreads,
           factor, from, tiles.strips, first, second);
  });
}

void scale_rows(cudaStream_t stream, View<const double> factors, View<const double> from, View<double> to) {
  const FeatureTiles tiles(to.rows, to.cols);
  launch(scale_rows_kernel, tiles.grid(), FeatureTiles::threads(), stream, factors, from, tiles.strips, to);
}

void add_around(cudaStream_t stream, double square, View<const double> x, View<const double> around, View<double> to) {
  const FeatureTiles tiles(x.rows, x.cols);
  launch(add_around_kernel, dim3(tiles.blocks, grid_rows(around.rows)), FeatureTiles::threads(), stream, square, x,
         around, tiles.strips, to);
}

void add_gradients(cudaStream_t stream, const FeaturesOfInputs& features, View<const double> coefficients, double c,
                   double square, View<const double> x, View<const double> first, View<const double> second,
                   View<double> to) {
  const Index units = x.rows * ((coefficients.cols + kOutputs - 1) / kOutputs);
  launch(add_gradients_kernel, dim3(blocks_for(x.cols, kTileRows), grid_rows(units)), FeatureTiles::threads(), stream,
         features, coefficients, c, square, x, first, second, to);
}

}  // namespace weft::detail::cuda
