// Bandwidth and λ of a member, by the held-out rows.
#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "methods/local/grid_descent.hpp"
#include "methods/local/member_plan.hpp"
#include "methods/local/row_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace weft::detail {

namespace {

// Factors of what relevance found on fewer rows; the middle is where the descent begins.
constexpr double kBandwidths[] = {0.25, 0.5, 1, 2, 4, 8};
constexpr double kRefinedLambdas[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};
constexpr GridPoint kRefinedStart{2, 4};
constexpr std::size_t kLeaves = 4;        // whose held-out rows stand for all
constexpr Index kRefineLeaf = 2000;       // rows of them; larger leaves take over what they find
constexpr Index kRefineRows = 8000;       // of a landmark fit
constexpr Index kRefineLandmarks = 1000;  // likewise
constexpr double kUnsolvable = std::numeric_limits<double>::quiet_NaN();

/// Squared errors of the held-out rows in one leaf, for each λ asked for at one bandwidth.
class LeafTrial {
 public:
  LeafTrial(LabelledRows fit, LabelledRows held) : fit_(std::move(fit)), held_(std::move(held)) {}

  /// Σ of squared errors; NaN where the equations cannot be solved.
  double squares(const Kernel& kernel, double lambda, const Run& run) {
    if (kernel.bandwidth() != bandwidth_) {
      bandwidth_ = kernel.bandwidth();
      kernel_ = kernel.gram(fit_.x, run, Precision::float32);
      cross_.reshape(fit_.rows(), held_.rows());
      kernel.values(fit_.x, kernel.prepare(fit_.x, Precision::float32), held_.x, cross_, run);
    }
    const std::optional<KernelFit> fit = solve_for_search(kernel_, fit_.y, fit_.weights, lambda, run.thread_count());
    if (!fit) return kUnsolvable;
    Matrix scores(held_.outputs(), held_.rows());
    cpu().scores(fit->coefficients, fit->intercepts.data(), cross_, scores, run.thread_count());
    double sum = 0;
    for (Index i = 0; i < held_.rows(); ++i)
      for (Index o = 0; o < held_.outputs(); ++o) {
        const double error = held_.y(i, o) - scores(o, i);
        sum += held_.weight(i) * error * error;
      }
    return sum;
  }

 private:
  LabelledRows fit_, held_;
  double bandwidth_ = 0;
  Matrix kernel_, cross_;
};

/// Of leaves that lie as far apart in the tree as possible.
std::vector<LeafTrial> leaf_trials(const MemberPlan& plan, const Fold& fold) {
  const LabelledRows fit{plan.transform.apply(fold.fit.x), fold.fit.y, fold.fit.weights};
  const LabelledRows held{plan.transform.apply(fold.held.x), fold.held.y, fold.held.weights};
  const Index size = std::min(plan.size, kRefineLeaf);
  const RowTree tree = grow_tree(fit.x, size, plan.variant, plan.seed);
  const std::vector<std::vector<Index>> routed = tree.route(held.x);
  std::vector<std::size_t> usable;
  for (std::size_t k = 0; k < tree.leaves.size(); ++k)
    if (!routed[k].empty() && static_cast<Index>(tree.leaves[k].size()) <= size) usable.push_back(k);
  const std::size_t count = std::min(kLeaves, usable.size());
  std::vector<LeafTrial> trials;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t leaf = usable[(2 * k + 1) * usable.size() / (2 * count)];
    trials.emplace_back(fit.subset(tree.leaves[leaf]), held.subset(routed[leaf]));
  }
  return trials;
}

double refine_local(MemberPlan& plan, const Fold& fold, const Run& run) {
  std::vector<LeafTrial> trials = leaf_trials(plan, fold);
  if (trials.empty()) return kUnsolvable;
  Run inner = run;
  if (trials.size() > 1) inner.threads = 1;
  std::map<GridPoint, double> errors;
  const auto value = [&](GridPoint point) {
    std::vector<double> sums(trials.size());
    const Kernel kernel = plan.form.kernel(plan.bandwidth * kBandwidths[point.first]);
    parallel_for(static_cast<Index>(trials.size()), run.thread_count(), [&](Index k) {
      run.check_cancelled();
      sums[at(k)] = trials[at(k)].squares(kernel, plan.lambda * kRefinedLambdas[point.second], inner);
    });
    return errors[point] = std::accumulate(sums.begin(), sums.end(), 0.0);
  };
  const GridPoint best = descend(kRefinedStart, std::size(kBandwidths), std::size(kRefinedLambdas), value);
  plan.bandwidth *= kBandwidths[best.first];
  plan.lambda *= kRefinedLambdas[best.second];
  return errors[best];
}

/// The bandwidth on part of rows and landmarks; λ with it, for the fit itself is searched once its sums are there.
double refine_landmarks(MemberPlan& plan, const Fold& fold, const Run& run) {
  std::vector<Index> rows = Random(plan.seed, RandomStream::fit).permutation(fold.fit.rows());
  rows.resize(at(std::min(kRefineRows, fold.fit.rows())));
  std::sort(rows.begin(), rows.end());
  const LabelledRows part = fold.fit.subset(rows);
  std::map<Index, LandmarkEquations> known;  // by bandwidth
  std::map<GridPoint, double> errors;
  const auto value = [&](GridPoint point) {
    MemberPlan trial = plan;
    trial.size = std::min(plan.size, kRefineLandmarks);
    trial.bandwidth *= kBandwidths[point.first];
    trial.lambda *= kRefinedLambdas[point.second];
    auto found = known.find(point.first);
    if (found == known.end()) {
      found = known.emplace(point.first, landmark_equations(trial, part, run)).first;
      found->second.add(part);
    }
    const Member member = solve_member(trial, found->second);
    return errors[point] = mean_squared_error(fold.held, member_predictions({&member, 1}, fold.held.x, run));
  };
  const GridPoint best = descend(kRefinedStart, std::size(kBandwidths), std::size(kRefinedLambdas), value);
  plan.bandwidth *= kBandwidths[best.first];
  plan.lambda *= kRefinedLambdas[best.second];
  return errors[best];
}

}  // namespace

double refine(MemberPlan& plan, const Fold& fold, const Run& run) {
  return (plan.shape == MemberPlan::Shape::local ? refine_local : refine_landmarks)(plan, fold, run);
}

}  // namespace weft::detail
