#include "methods/local/landmark_trial.hpp"

#include "core/at.hpp"
#include "core/random.hpp"
#include "core/stopwatch.hpp"

#include <algorithm>
#include <limits>

namespace weft::detail {

namespace {

constexpr double kWithSolutions = 1.3;  // of a fit's time to that of its sums, as measured

LabelledRows some_of(const LabelledRows& rows, Index count, std::uint64_t seed) {
  std::vector<Index> chosen = Random(seed, RandomStream::fit).permutation(rows.rows());
  chosen.resize(at(std::min(count, rows.rows())));
  std::sort(chosen.begin(), chosen.end());
  return rows.subset(chosen);
}

}  // namespace

LandmarkTrial::LandmarkTrial(MemberPlan plan, const Fold& fold, const TrialSize& size, const Run& run)
    : start_(std::move(plan)),
      plan_(start_),
      size_{size.rows, std::min(size.landmarks, start_.size)},
      fold_(&fold),
      run_(&run),
      part_(some_of(fold.fit, size.rows, start_.seed)),
      held_(start_.transform.apply(fold.held.x)) {
  std::map<GridPoint, double> errors;
  const GridPoint best = descend(kUnchanged, std::size(kBandwidthFactors), std::size(kLambdaFactors),
                                 [&](GridPoint point) { return errors[point] = error_at(point); });
  plan_.bandwidth *= kBandwidthFactors[best.first];
  plan_.lambda *= kLambdaFactors[best.second];
  error_ = errors[best];
}

double LandmarkTrial::expected_seconds(Index rows) const {
  const double more_rows = static_cast<double>(rows) / static_cast<double>(part_.rows());
  const double more_landmarks = static_cast<double>(start_.size) / static_cast<double>(size_.landmarks);
  return sums_seconds_ * more_rows * more_landmarks * more_landmarks * kWithSolutions;
}

double LandmarkTrial::error_at(GridPoint point) {
  const AtBandwidth& known = at_bandwidth(point.first);
  const std::optional<KernelFit> fit = known.equations.solve(start_.lambda * kLambdaFactors[point.second]);
  return fit ? error_of_fit(*fit, known.cross, fold_->held, *run_) : std::numeric_limits<double>::quiet_NaN();
}

const LandmarkTrial::AtBandwidth& LandmarkTrial::at_bandwidth(Index position) {
  if (const auto found = known_.find(position); found != known_.end()) return found->second;
  const Stopwatch clock;
  MemberPlan trial = start_;
  trial.size = size_.landmarks;
  trial.bandwidth *= kBandwidthFactors[position];
  LandmarkEquations equations = landmark_equations(trial, part_, *run_);
  DeviceMatrix<double> cross(equations.device(), equations.landmarks().cols(), held_.cols());
  AtBandwidth& made = known_.emplace(position, AtBandwidth{std::move(equations), std::move(cross)}).first->second;
  made.equations.add(part_);
  sums_seconds_ = std::max(sums_seconds_, clock.seconds());
  const Matrix& landmarks = made.equations.landmarks();
  const Kernel kernel = trial.kernel();
  made.equations.device().kernel_values(kernel, landmarks, kernel.prepare(landmarks, Precision::float32), held_,
                                        made.cross, false, *run_);
  return made;
}

}  // namespace weft::detail
