// G = K(w_s, w_t) and M = E_w[K(w_s, w)K(w_t, w)], raw or divided by the amplitudes, always by way of logarithms.
#include <weft/feature_map.hpp>

#include "compute/device.hpp"
#include "core/parallel.hpp"
#include "features/implicit_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

using namespace detail;

double detail::log_l2_entry(const FeaturePart& part, const Pair& pair, Index dim) {
  return log_l2(part.family.kernel, pair, dim, part.sigma, part.gamma) -
         std::log(static_cast<double>(part.centres.groups.size()));
}

namespace {

constexpr Index kTile = 128;

// Calls entry(s, t, pair) for t ≤ s of the same group, and mirrors what it returns; other entries stay 0.
template <class Entry>
void fill_symmetric(const Centres& centres, View<double> out, const Run& run, Entry&& entry) {
  const Index count = centres.count();
  const Matrix& w = centres.weights;
  std::vector<double> squares(static_cast<std::size_t>(count));
  for (Index t = 0; t < count; ++t)
    for (Index j = 0; j < w.cols(); ++j) squares[static_cast<std::size_t>(t)] += w(t, j) * w(t, j);
  parallel_for((count + kTile - 1) / kTile, run.thread_count(), [&](Index k) {
    const Index first = k * kTile;
    const Index rows = std::min(kTile, count - first);
    const Index cols = first + rows;
    Matrix products(rows, cols);
    cpu().multiply(1, w.view().row_range(first, rows), transpose(w.view().row_range(0, cols)), 0, products);
    for (Index i = 0; i < rows; ++i) {
      const auto s = static_cast<std::size_t>(first + i);
      for (std::size_t t = 0; t <= s; ++t) {
        if (centres.group_of[s] != centres.group_of[t]) continue;
        // On the diagonal uv is uu to the last bit, so that K(u, u) = 1 exactly.
        const double uv = s == t ? squares[s] : products(i, static_cast<Index>(t));
        out(static_cast<Index>(s), static_cast<Index>(t)) = entry(s, t, Pair{squares[s], squares[t], uv});
      }
    }
  });
  for (Index s = 0; s < count; ++s)
    for (Index t = 0; t < s; ++t) out(t, s) = out(s, t);
}

// exp with the cap that scaled_gram promises: a feature whose amplitude is that small does not matter.
double capped_exp(double exponent) {
  return std::exp(std::min(exponent, 280 * std::log(10.0)));
}

/// log_entry(part, pair, dim) is log K or log M. `log_amplitudes` empty: raw.
template <class LogEntry>
Matrix block_diagonal(const FeatureMap& map, const std::vector<double>& log_amplitudes, double log_scale,
                      const Run& run, LogEntry&& log_entry) {
  Matrix result(map.features(), map.features());
  Index offset = 0;
  for (const FeaturePart& part : map.parts()) {
    const Index count = part.centres.count();
    const View<double> block = result.view().row_range(offset, count).col_range(offset, count);
    if (part.family.kernel.none()) {
      // G = I; its amplitudes are 1, so only the common scale is left.
      for (Index t = 0; t < count; ++t) block(t, t) = capped_exp(2 * log_scale);
    } else {
      const double* amplitude = log_amplitudes.empty() ? nullptr : log_amplitudes.data() + offset;
      fill_symmetric(part.centres, block, run, [&](std::size_t s, std::size_t t, const Pair& pair) {
        const Index dim = part.dimension(part.centres.group_of[s]);
        const double log_factor = amplitude == nullptr ? 0 : 2 * log_scale - amplitude[s] - amplitude[t];
        return part.scale(static_cast<Index>(s)) * part.scale(static_cast<Index>(t)) *
               capped_exp(log_entry(part, pair, dim) + log_factor);
      });
    }
    offset += count;
  }
  return result;
}

double log_gram_entry(const FeaturePart& part, const Pair& pair, Index) {
  return log_value(part.family.kernel, pair, part.gamma);
}

/// k(z_s, z_t): the amplitudes of sections are 1.
Matrix sections_gram(const KernelSections& sections, double log_scale, const Run& run) {
  Matrix gram = sections.kernel.gram(sections.landmarks, run);
  if (log_scale != 0)
    for (Index s = 0; s < gram.rows(); ++s)
      for (Index t = 0; t < gram.cols(); ++t) gram(s, t) *= capped_exp(2 * log_scale);
  return gram;
}

void need_kernels(const FeatureMap& map) {
  if (map.sections() != nullptr)
    throw Error(ErrorKind::option, "kernel sections have no weight function, hence no L2(p) norm", "‹regularizer›",
                "use rkhs");
  for (const FeaturePart& part : map.parts())
    if (part.family.kernel.none()) log_l2(part.family.kernel, {}, 1, 1, 1);  // throws with the remedy
}

}  // namespace

Matrix FeatureMap::gram(const Run& run) const {
  if (sections_) return sections_gram(*sections(), 0, run);
  return block_diagonal(*this, {}, 0, run, log_gram_entry);
}

Matrix FeatureMap::l2_gram(const Run& run) const {
  need_kernels(*this);
  return block_diagonal(*this, {}, 0, run, log_l2_entry);
}

Matrix FeatureMap::scaled_gram(double log_scale, const Run& run) const {
  if (sections_) return sections_gram(*sections(), log_scale, run);
  return block_diagonal(*this, log_amplitudes(), log_scale, run, log_gram_entry);
}

Matrix FeatureMap::scaled_l2_gram(double log_scale, const Run& run) const {
  need_kernels(*this);
  return block_diagonal(*this, log_amplitudes(), log_scale, run, log_l2_entry);
}

}  // namespace weft
