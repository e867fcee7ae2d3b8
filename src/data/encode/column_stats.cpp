#include "data/encode/column_stats.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace weft::detail {

namespace {
// The sample belongs to the data, not to an experiment: changing an experiment's seed must not move the inputs.
constexpr std::uint64_t kSampleSeed = 1;
}  // namespace

Moments Moments::of(const double* values, Index count) {
  Moments moments;
  double sum = 0;
  for (Index i = 0; i < count; ++i) {
    const double value = values[i];
    if (std::isnan(value)) continue;
    ++moments.count;
    sum += value;
    moments.min = std::min(moments.min, value);
    moments.max = std::max(moments.max, value);
  }
  if (moments.count == 0) return moments;
  // A sum of equal numbers may round: the mean of a constant is that constant.
  moments.mean = moments.constant() ? moments.min : sum / static_cast<double>(moments.count);
  for (Index i = 0; i < count; ++i) {
    const double deviation = std::isnan(values[i]) ? 0 : values[i] - moments.mean;
    moments.m2 += deviation * deviation;
  }
  return moments;
}

void Moments::merge(const Moments& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  const double ours = static_cast<double>(count);
  const double theirs = static_cast<double>(other.count);
  const double gap = other.mean - mean;
  m2 += other.m2 + gap * gap * (ours * theirs / (ours + theirs));
  mean += gap * (theirs / (ours + theirs));
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  count += other.count;
}

std::vector<SampleHit> plan_sample(Index first_row, Index count, Index capacity) {
  const Random random(kSampleSeed, RandomStream::reservoir);
  std::vector<SampleHit> hits;
  for (Index i = 0; i < count; ++i) {
    const Index row = first_row + i;
    const Index slot = row < capacity ? row : random.below(row + 1, static_cast<std::uint64_t>(row));
    if (slot < capacity) hits.push_back({i, slot});
  }
  return hits;
}

void ColumnStats::add(const double* values, Index count, const std::vector<SampleHit>& sampled) {
  if (text_) {
    count_codes(values, count);
    return;
  }
  const Moments piece = Moments::of(values, count);
  present_ += piece.count;
  moments_.merge(piece);
  for (const SampleHit& hit : sampled) set_sample(hit.slot, values[hit.row]);
}

void ColumnStats::merge(const ColumnStats& other, const std::vector<Index>& codes, const std::vector<Index>& slots) {
  present_ += other.present_;
  moments_.merge(other.moments_);
  for (std::size_t code = 0; code < other.codes_.size(); ++code) {
    const auto ours = static_cast<std::size_t>(codes[code]);
    if (ours >= codes_.size()) codes_.resize(ours + 1);
    codes_[ours] += other.codes_[code];
  }
  if (other.sample_.empty()) return;
  for (const Index slot : slots) set_sample(slot, other.sample_[static_cast<std::size_t>(slot)]);
}

void ColumnStats::set_sample(Index slot, double value) {
  // A slot without a row yet is like a missing cell.
  if (slot >= static_cast<Index>(sample_.size()))
    sample_.resize(static_cast<std::size_t>(slot + 1), std::numeric_limits<double>::quiet_NaN());
  sample_[static_cast<std::size_t>(slot)] = value;
}

ColumnStats ColumnStats::numbers(const Moments& moments, std::vector<double> sample) {
  ColumnStats stats(false);
  stats.present_ = moments.count;
  stats.moments_ = moments;
  stats.sample_ = std::move(sample);
  return stats;
}

ColumnStats ColumnStats::texts(std::vector<Index> code_counts) {
  ColumnStats stats(true);
  stats.codes_ = std::move(code_counts);
  for (const Index count : stats.codes_) stats.present_ += count;
  return stats;
}

std::vector<double> ColumnStats::sorted_sample() const {
  std::vector<double> values;
  std::copy_if(sample_.begin(), sample_.end(), std::back_inserter(values),
               [](double value) { return !std::isnan(value); });
  std::sort(values.begin(), values.end());
  return values;
}

void ColumnStats::count_codes(const double* codes, Index count) {
  for (Index i = 0; i < count; ++i) {
    if (std::isnan(codes[i])) continue;
    const auto code = static_cast<std::size_t>(codes[i]);
    if (code >= codes_.size()) codes_.resize(code + 1);
    ++codes_[code];
    ++present_;
  }
}

}  // namespace weft::detail
