// Bandwidth and λ of a tree, by the held-out rows of some of its leaves.
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "distributed/dealt_work.hpp"
#include "methods/local/grid_descent.hpp"
#include "methods/local/member_plan.hpp"
#include "methods/local/row_tree.hpp"
#include "methods/local/trial_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace weft::detail {

namespace {

constexpr std::size_t kLeaves = 4;   // whose held-out rows stand for all
constexpr Index kRefineLeaf = 2000;  // rows of them; larger leaves take over what they find
constexpr double kUnsolvable = std::numeric_limits<double>::quiet_NaN();

/// Squared errors of the held-out rows in one leaf, for each λ asked for at one bandwidth.
class LeafTrial {
 public:
  LeafTrial(LabelledRows fit, LabelledRows held) : fit_(std::move(fit)), held_(std::move(held)) {}

  /// Σ of squared errors; NaN where the equations cannot be solved.
  double squares(const Kernel& kernel, double lambda, const Run& run) {
    kernel_.use(kernel, fit_.x, held_.x, run);
    const std::optional<KernelFit> fit =
        solve_for_search(kernel_.lower(), fit_.y, fit_.weights, lambda, run.thread_count());
    if (!fit) return kUnsolvable;
    Matrix scores(held_.outputs(), held_.rows());
    kernel_.cross().device().scores(fit->coefficients, fit->intercepts.data(), kernel_.cross(), scores,
                                    run.thread_count());
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
  TrialKernel kernel_;
};

/// Of leaves that lie as far apart in the tree as possible.
std::vector<LeafTrial> leaf_trials(const MemberPlan& plan, const Fold& fold) {
  const LabelledRows fit{plan.transform.apply(fold.fit.x), fold.fit.y, fold.fit.weights};
  const LabelledRows held{plan.transform.apply(fold.held.x), fold.held.y, fold.held.weights};
  const Index size = std::min(plan.size, kRefineLeaf);
  const RowTree tree = grow_tree(fit.x, size, {plan.variant, plan.overlap, plan.seed});
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

}  // namespace

void refine_local(MemberPlan& plan, const Fold& fold, const Run& run, Communicator* processes) {
  std::vector<LeafTrial> trials = leaf_trials(plan, fold);
  if (trials.empty()) return;
  Run inner = run;
  if (trials.size() > 1) inner.threads = 1;
  const std::vector<Index> own = dealt_pieces(processes, static_cast<Index>(trials.size()));
  const auto value = [&](GridPoint point) {
    std::vector<std::optional<double>> sums(trials.size());
    const Kernel kernel = plan.form.kernel(plan.bandwidth * kBandwidthFactors[point.first]);
    parallel_for(static_cast<Index>(own.size()), run.thread_count(), [&](Index k) {
      run.check_cancelled();
      const Index trial = own[at(k)];
      sums[at(trial)] = trials[at(trial)].squares(kernel, plan.lambda * kLambdaFactors[point.second], inner);
    });
    exchange_results(
        processes, sums, [](double sum) { return std::move(Packer().add(sum)).bytes(); },
        [](const std::string& bytes) { return Unpacker(bytes).number<double>(); });
    double total = 0;
    for (const std::optional<double>& sum : sums) total += *sum;
    return total;
  };
  const GridPoint best = descend(kUnchanged, std::size(kBandwidthFactors), std::size(kLambdaFactors), value);
  plan.bandwidth *= kBandwidthFactors[best.first];
  plan.lambda *= kLambdaFactors[best.second];
}

}  // namespace weft::detail
