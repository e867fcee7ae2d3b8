// Φ itself: smoothings times the amplitudes A(w_t), which are known by their logarithms.
#include <weft/feature_map.hpp>

#include "compute/device.hpp"
#include "compute/weight_kernel.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft {

using namespace detail;

std::vector<double> FeatureMap::log_amplitudes() const {
  std::vector<double> logs(sections_ ? static_cast<std::size_t>(features()) : 0);
  for (const FeaturePart& part : parts_) {
    const Tilt tilt = tilt_of(part.family.kernel, part.sigma, part.gamma);
    const double share = part.family.kernel.none() ? 0 : -std::log(static_cast<double>(part.centres.groups.size()));
    for (Index t = 0; t < part.centres.count(); ++t) {
      const double* w = part.centres.weights.row(t);
      double square = 0;
      for (Index j = 0; j < part.centres.weights.cols(); ++j) square += w[j] * w[j];
      const Index dim = part.dimension(part.centres.group_of[static_cast<std::size_t>(t)]);
      logs.push_back(share + static_cast<double>(dim) * tilt.log_a_per_dim + square * tilt.log_a_per_square);
    }
  }
  return logs;
}

namespace {

// All amplitudes underflow, or one overflows: say so, and which γ would not.
void check_amplitudes(const FeatureMap& map, const std::vector<double>& logs) {
  const auto extreme = std::max_element(logs.begin(), logs.end());
  const double largest = *extreme;
  const bool vanishes = largest < std::log(std::numeric_limits<double>::min());
  if (!vanishes && largest < std::log(std::numeric_limits<double>::max())) return;
  Index t = extreme - logs.begin();
  std::size_t k = 0;
  for (; t >= map.parts()[k].centres.count(); ++k) t -= map.parts()[k].centres.count();
  const FeaturePart& part = map.parts()[k];
  const Index dim = part.dimension(part.centres.group_of[static_cast<std::size_t>(t)]);
  const double gamma = vanishes ? gamma_from_theta(0.5, part.sigma, dim) : gamma_from_kappa(10, part.sigma, dim);
  throw Error(ErrorKind::option,
              fmt::format("with gamma = {:g} {} (10^{:.0f})", part.gamma,
                          vanishes ? "every feature vanishes" : "features overflow", largest / std::log(10.0)),
              "‹gamma›", fmt::format("use gamma = {:.4g}", gamma));
}

std::vector<double> amplitudes_of(const FeatureMap& map) {
  std::vector<double> amplitudes = map.log_amplitudes();
  check_amplitudes(map, amplitudes);
  for (double& amplitude : amplitudes) amplitude = std::exp(amplitude);
  return amplitudes;
}

}  // namespace

void FeatureMap::values(View<const double> x, View<double> phi, const Run& run) const {
  const std::vector<double> amplitudes = amplitudes_of(*this);
  smoothings(x, phi, run);
  for (Index t = 0; t < phi.rows; ++t)
    for (Index i = 0; i < phi.cols; ++i) phi(t, i) *= amplitudes[static_cast<std::size_t>(t)];
}

void FeatureMap::row_values(View<const double> x, View<double> out, double factor, const Run& run) const {
  if (out.rows != x.cols || out.cols != features())
    throw Error(
        ErrorKind::data,
        fmt::format("an output of {}x{} does not match {} features of {} rows", out.rows, out.cols, features(), x.cols),
        {}, "give rows x features");
  const std::vector<double> amplitudes = amplitudes_of(*this);
  // A thread fills whole huge pages of the result, so that no two clear the same one; a strip of Φ stays in the
  // second-level cache between smoothing and transposition.
  constexpr Index kPieceNumbers = Index{1} << 18, kStripNumbers = Index{1} << 16;
  const Index strip_rows = std::clamp(kStripNumbers / out.cols / 8 * 8, Index{16}, Index{256});
  const Index piece_rows = strip_rows * std::max<Index>(1, kPieceNumbers / (strip_rows * out.cols));
  parallel_for((x.cols + piece_rows - 1) / piece_rows, run.thread_count(), [&](Index k) {
    thread_local Matrix phi;
    const Index last = std::min(x.cols, (k + 1) * piece_rows);
    for (Index first = k * piece_rows; first < last; first += strip_rows) {
      const Index rows = std::min(strip_rows, last - first);
      phi.reshape(out.cols, rows);
      smoothings(x.col_range(first, rows), phi.view(), run);
      cpu().transpose_features(phi, amplitudes.data(), factor, out.row_range(first, rows));
    }
  });
}

}  // namespace weft
