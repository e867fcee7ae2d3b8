#include <weft/conformal.hpp>
#include <weft/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft {

namespace {

constexpr Index kTail = ScoreTable::kMostKept / 4;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The rank, from 0, of the score that is kept at this place.
Index rank_at(Index place, Index count) {
  constexpr Index kMost = ScoreTable::kMostKept;
  if (count <= kMost || place < kTail) return place;
  if (place >= kMost - kTail) return count - kMost + place;
  constexpr Index kBetween = kMost - 2 * kTail;
  return kTail + (2 * (place - kTail) + 1) * (count - 2 * kTail) / (2 * kBetween);
}

/// ⌈(count + 1)·level⌉, of which rounding in the product must not make one more.
Index rank_of_level(Index count, double level) {
  const double exact = static_cast<double>(count + 1) * level;
  return std::max<Index>(1, static_cast<Index>(std::ceil(exact - 1e-12 * static_cast<double>(count + 1))));
}

}  // namespace

Index ScoreTable::kept_of(Index count) {
  return std::min(count, kMostKept);
}

ScoreTable::ScoreTable(std::vector<double> scores) : count_(static_cast<Index>(scores.size())) {
  std::sort(scores.begin(), scores.end());
  for (Index place = 0; place < kept_of(count_); ++place)
    kept_.push_back(scores[static_cast<std::size_t>(rank_at(place, count_))]);
}

ScoreTable::ScoreTable(Index count, std::vector<double> kept) : count_(count), kept_(std::move(kept)) {
  const bool numbers = std::all_of(kept_.begin(), kept_.end(), [](double score) { return std::isfinite(score); });
  if (count < 0 || static_cast<Index>(kept_.size()) != kept_of(count) || !numbers ||
      !std::is_sorted(kept_.begin(), kept_.end()))
    throw Error(ErrorKind::model, "its scores for intervals are inconsistent", {}, "train the model again");
}

double ScoreTable::upper(double level) const {
  const Index rank = rank_of_level(count_, level) - 1;
  for (Index place = 0; place < static_cast<Index>(kept_.size()); ++place)
    if (rank_at(place, count_) >= rank) return kept_[static_cast<std::size_t>(place)];
  return kInfinite;
}

double ScoreTable::lower(double level) const {
  const Index rank = count_ - rank_of_level(count_, level);
  for (Index place = static_cast<Index>(kept_.size()) - 1; place >= 0; --place)
    if (rank_at(place, count_) <= rank) return kept_[static_cast<std::size_t>(place)];
  return -kInfinite;
}

}  // namespace weft
