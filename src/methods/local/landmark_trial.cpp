#include "methods/local/landmark_trial.hpp"

#include "core/at.hpp"
#include "core/random.hpp"
#include "core/stopwatch.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

constexpr Index kTrialRows = 8000;
constexpr Index kTrialLandmarks = 1000;
constexpr double kWithSolutions = 1.3;  // of a fit's time to that of its sums, as measured

LabelledRows some_of(const LabelledRows& rows, std::uint64_t seed) {
  std::vector<Index> chosen = Random(seed, RandomStream::fit).permutation(rows.rows());
  chosen.resize(at(std::min(kTrialRows, rows.rows())));
  std::sort(chosen.begin(), chosen.end());
  return rows.subset(chosen);
}

}  // namespace

LandmarkTrial::LandmarkTrial(MemberPlan plan, const Fold& fold, const Run& run)
    : start_(std::move(plan)), plan_(start_), fold_(&fold), run_(&run), part_(some_of(fold.fit, start_.seed)) {}

void LandmarkTrial::choose_lambda() {
  choose(kUnchanged.first, 1);
}

void LandmarkTrial::choose_both() {
  choose(0, std::size(kBandwidthFactors));
}

void LandmarkTrial::choose(Index first, Index bandwidths) {
  const auto moved = [&](GridPoint point) { return GridPoint{point.first + first, point.second}; };
  const GridPoint start{kUnchanged.first - first, kUnchanged.second};
  const GridPoint best = moved(
      descend(start, bandwidths, std::size(kLambdaFactors), [&](GridPoint point) { return error_at(moved(point)); }));
  plan_.bandwidth = start_.bandwidth * kBandwidthFactors[best.first];
  plan_.lambda = start_.lambda * kLambdaFactors[best.second];
  error_ = errors_[best];
}

double LandmarkTrial::expected_seconds(Index rows) const {
  const double more_rows = static_cast<double>(rows) / static_cast<double>(part_.rows());
  const double more_landmarks =
      static_cast<double>(start_.size) / static_cast<double>(std::min(start_.size, kTrialLandmarks));
  return sums_seconds_ * more_rows * more_landmarks * more_landmarks * kWithSolutions;
}

double LandmarkTrial::error_at(GridPoint point) {
  if (const auto found = errors_.find(point); found != errors_.end()) return found->second;
  MemberPlan trial = start_;
  trial.size = std::min(start_.size, kTrialLandmarks);
  trial.bandwidth *= kBandwidthFactors[point.first];
  trial.lambda *= kLambdaFactors[point.second];
  auto equations = known_.find(point.first);
  if (equations == known_.end()) {
    const Stopwatch clock;
    equations = known_.emplace(point.first, landmark_equations(trial, part_, *run_)).first;
    equations->second.add(part_);
    sums_seconds_ = std::max(sums_seconds_, clock.seconds());
  }
  const Member member = solve_member(trial, equations->second);
  const double error = mean_squared_error(fold_->held, member_predictions({&member, 1}, fold_->held.x, *run_));
  return errors_[point] = error;
}

}  // namespace weft::detail
