#include "methods/descent/feature_stream.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "features/implicit_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace weft::detail {

namespace {

constexpr Index kTile = 256;

/// The features first … first+count-1 of a part.
FeaturePart slice(const FeaturePart& part, Index first, Index count) {
  std::vector<Index> positions(at(count));
  std::iota(positions.begin(), positions.end(), first);
  return {part.family, part.sigma, part.gamma, part.phase, part.centres.subset(positions)};
}

}  // namespace

double GramRows::dot(Index position, View<const double> b, Index output) const {
  const Row& row = rows_[at(position - first_)];
  double sum = 0;
  for (Index s = 0; s < row.before; ++s) sum += row.values[s] * b(row.offset + s, output);
  return sum;
}

double GramRows::diagonal(Index position) const {
  const Row& row = rows_[at(position - first_)];
  return row.values[row.before];
}

FeatureStream::FeatureStream(const FeatureMap& map, Index features_per_chunk, bool square_integrable)
    : map_(map),
      chunk_size_(features_per_chunk),
      square_integrable_(square_integrable),
      log_amplitudes_(map.log_amplitudes()) {
  Index column = 0;
  log_norm_scale_ = -std::numeric_limits<double>::infinity();
  log_scale_ = *std::max_element(log_amplitudes_.begin(), log_amplitudes_.end());
  for (Index p = 0; p < static_cast<Index>(map.parts().size()); ++p) {
    const Matrix& weights = map.parts()[at(p)].centres.weights;
    offsets_.push_back(column);
    for (Index t = 0; t < weights.rows(); ++t) {
      const double* w = weights.row(t);
      squares_.push_back(cpu().dot(weights.cols(), w, w));
      order_.push_back({p, t, column++});
      const double uu = squares_.back();
      log_norm_scale_ = std::max(log_norm_scale_, log_entry(p, t, t, {uu, uu, uu}) / 2);
    }
  }
  // The middle of a feature's share of its part determines its position; ties are in the order of the parts.
  const auto turn = [&](const Place& place) {
    return (static_cast<double>(place.index) + 0.5) / static_cast<double>(map.parts()[at(place.part)].centres.count());
  };
  std::stable_sort(order_.begin(), order_.end(), [&](const Place& a, const Place& b) { return turn(a) < turn(b); });
  cut_chunks();
}

void FeatureStream::cut_chunks() {
  std::vector<Index> taken(map_.parts().size(), 0);
  for (Index first = 0; first < features(); first += chunk_size_) {
    const Index count = std::min(chunk_size_, features() - first);
    std::vector<Index> counts(taken.size(), 0);
    for (Index v = first; v < first + count; ++v) ++counts[at(order_[at(v)].part)];
    chunks_.push_back({first, count, taken, counts});
    for (std::size_t p = 0; p < taken.size(); ++p) taken[p] += counts[p];
  }
}

FeatureMap FeatureStream::chunk_map(const FeatureChunk& chunk) const {
  std::vector<FeaturePart> parts;
  for (std::size_t p = 0; p < map_.parts().size(); ++p)
    parts.push_back(slice(map_.parts()[p], chunk.first_in_part[p], chunk.count_in_part[p]));
  // Names are for people; a map made for every chunk does without.
  return FeatureMap::from_parts(std::move(parts), {{}, map_.inputs().variable_of, map_.inputs().bias});
}

Index FeatureStream::row_in_chunk(const FeatureChunk& chunk, Index position) const {
  const Place& place = order_[at(position)];
  Index row = place.index - chunk.first_in_part[at(place.part)];
  for (Index p = 0; p < place.part; ++p) row += chunk.count_in_part[at(p)];
  return row;
}

const FeaturePart& FeatureStream::part(Index position) const {
  return map_.parts()[at(order_[at(position)].part)];
}

void FeatureStream::activation(Index position, View<const double> x, const Index* rows, Index count,
                               double* out) const {
  const Place& place = order_[at(position)];
  const FeaturePart& part = map_.parts()[at(place.part)];
  const std::vector<Index>& columns = part.centres.groups[at(part.centres.group_of[at(place.index)])].columns;
  const double* w = part.centres.weights.row(place.index);
  double offset = part.centres.phases.empty() ? 0.0 : part.centres.phases[at(place.index)];
  std::fill_n(out, count, 0.0);
  if (part.family.projection.kind == Projection::Kind::axis) {
    const double* values = x.row(columns[0]);
    for (Index i = 0; i < count; ++i) out[i] = values[rows[i]];
    offset -= w[0];
  } else {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double* values = x.row(columns[k]);
      for (Index i = 0; i < count; ++i) out[i] += w[k] * values[rows[i]];
    }
  }
  part.family.activation->value_block(count, out, offset, out);
  const double scale = part.scale(place.index);
  for (Index i = 0; i < count; ++i) out[i] *= scale;
}

double FeatureStream::relative_amplitude(Index position) const {
  return std::exp(log_amplitudes_[at(column(position))] - log_scale_);
}

double FeatureStream::log_entry(Index part, Index s, Index t, const Pair& pair) const {
  const FeaturePart& p = map_.parts()[at(part)];
  const double amplitudes = log_amplitudes_[at(offset(part) + s)] + log_amplitudes_[at(offset(part) + t)];
  if (p.family.kernel.none()) return 2 * log_scale_ - amplitudes;
  const double log_kernel = square_integrable_ ? log_l2_entry(p, pair, p.dimension(p.centres.group_of[at(s)]))
                                               : log_value(p.family.kernel, pair, p.gamma);
  return log_kernel + std::log(p.scale(s) * p.scale(t)) - amplitudes + 2 * log_scale_;
}

GramRows FeatureStream::gram_rows(const FeatureChunk& chunk, const Run& run) const {
  GramRows result;
  result.first_ = chunk.first;
  const Index parts = static_cast<Index>(map_.parts().size());
  for (Index p = 0; p < parts; ++p) {
    const Index count = chunk.count_in_part[at(p)];
    result.by_part_.emplace_back(count, chunk.first_in_part[at(p)] + count);
    fill_gram(chunk, p, result.by_part_.back(), run);
  }
  for (Index v = chunk.first; v < chunk.first + chunk.count; ++v) {
    const Place& place = order_[at(v)];
    const Matrix& block = result.by_part_[at(place.part)];
    result.rows_.push_back(
        {block.row(place.index - chunk.first_in_part[at(place.part)]), offset(place.part), place.index});
  }
  return result;
}

void FeatureStream::fill_gram(const FeatureChunk& chunk, Index part, Matrix& out, const Run& run) const {
  const FeaturePart& p = map_.parts()[at(part)];
  const Centres& centres = p.centres;
  const Index first = chunk.first_in_part[at(part)];
  if (out.rows() == 0) return;
  parallel_for((out.cols() + kTile - 1) / kTile, run.thread_count(), [&](Index k) {
    const Index begin = k * kTile;
    const Index cols = std::min(kTile, out.cols() - begin);
    if (!p.family.kernel.none())
      cpu().multiply(1, centres.weights.view().row_range(first, out.rows()),
                     transpose(centres.weights.view().row_range(begin, cols)), 0, out.view().col_range(begin, cols));
    for (Index i = 0; i < out.rows(); ++i) {
      const Index s = first + i;
      for (Index t = begin; t < std::min(begin + cols, s + 1); ++t) {
        const bool related = p.family.kernel.none() ? s == t : centres.group_of[at(s)] == centres.group_of[at(t)];
        // On the diagonal uv is uu to the last bit, so that K(u, u) = 1 exactly.
        const Pair pair{square(part, s), square(part, t), s == t ? square(part, s) : out(i, t)};
        out(i, t) = related ? std::exp(log_entry(part, s, t, pair) - 2 * log_norm_scale_) : 0;
      }
    }
  });
}

}  // namespace weft::detail
