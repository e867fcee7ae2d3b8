#include "methods/portfolio/portfolio.hpp"

#include "core/at.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "methods/fold_rows.hpp"
#include "methods/learned_relevance/feature_candidate.hpp"
#include "methods/local/assemble.hpp"
#include "methods/local/held_out.hpp"
#include "methods/local/logistic_refinement.hpp"
#include "methods/portfolio/affordable_rows.hpp"
#include "methods/portfolio/greedy_average.hpp"
#include "methods/portfolio/held_out_metric.hpp"
#include "methods/portfolio/kernel_forms.hpp"
#include "methods/portfolio/learned_forms.hpp"
#include "methods/portfolio/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include <fmt/ranges.h>

namespace weft::detail {

namespace {

constexpr double kShareOfFirst = 0.5;   // of the time after relevance is learned: for the first local fit
constexpr double kShareOfFits = 0.5;    // of the time; the rest is for learning relevance
constexpr double kShareOfTrials = 0.2;  // of what is left: for global kernels on part of the rows

constexpr Index kMostAveraged = 10;
constexpr Index kTrialFeatures = 300;
constexpr Index kRowsPerFeature = 4;  // at least
constexpr Index kLargestLeaf = 16000;
constexpr Index kMostLandmarks = 8000;
/// A global kernel whose trial on part of rows and landmarks has this many times the error of the best candidate is not
/// fitted: all of them lowered errors by 5 to 20 % where it was measured.
constexpr double kTooFar = 1.25;
/// A global kernel this close to the best candidate is fitted again with twice the landmarks.
constexpr double kClose = 1.1;

class Portfolio {
 public:
  Portfolio(const Problem& problem)
      : problem_(problem),
        options_(problem.options.own<PortfolioOptions>()),
        run_(problem.run),
        rows_(problem),
        metric_(options_.metric, problem.task, rows_.scale, rows_.split),
        sizes_(sizes_of(options_, rows_.all.rows(), has_noisy_effects(problem.columns, rows_.all.x))),
        small_(shrink(rows_.split, sizes_.relevance_rows, sizes_.held_rows)),
        fits_(rows_.all, rows_.split, small_.front().fit.rows(), problem.family.seed, run_, problem.processes) {}

  FitResult fit() {
    const Stopwatch clock;
    search();
    if (candidates_.empty()) {
      assemble_constant(problem_, rows_, result_);
      return std::move(result_);
    }
    show_progress(static_cast<double>(candidates_.size()));
    const std::vector<double> weights = average();
    assemble(problem_, rows_, candidates_, weights, clock.seconds(), result_);
    describe(weights);
    return std::move(result_);
  }

 private:
  /// Few rows: one leaf for all, with every form. Else local and global fits of the first forms; if the search is
  /// thorough, local fits of the others and rounds of successive halving: the better half of them with leaves twice as
  /// large, and so on, and more landmarks for a global kernel that is competitive.
  void search() {
    const std::vector<KernelForm> forms = kernel_forms(problem_.columns, rows_.all.x, sizes_.thorough);
    const std::span<const KernelForm> all(forms);
    const std::size_t first = std::min(kQuickForms, forms.size());
    explore(all.first(first));
    const bool trees = !candidates_.empty() && rows_.split.size() == 1 && rows_.all.rows() > sizes_.exact;
    if (trees) add_global();
    if (!candidates_.empty()) add_features();
    explore_while_time(all.subspan(first));
    if (trees && sizes_.thorough) {
      grow_leaves();
      grow_global();
      if (metric_.of_probabilities()) add_logistic();
    }
    if (trees) add_second_trees();
  }

  /// Random features with the relevance that the first kernel has learned, unless a few of them are far from it on the
  /// rows that it was learned from. Of many rows exact kernels make more: there they seldom pay for their time.
  void add_features() {
    const LearnedForm& kernel = learned_.front();
    if (kernel.form.full || (!sizes_.thorough && rows_.all.rows() > sizes_.exact)) return;
    const Index most = rows_.all.rows() / kRowsPerFeature + 1;
    FeatureForm few = feature_form(problem_, rows_.all.x, std::min(kTrialFeatures, most));
    few.family.sigma = *few.family.sigma;  // given: not searched
    const double trial = borrow_relevance(few, kernel.step, small_, run_).error;
    if (trial > kTooFar * kernel.step.error) return;
    const FeatureForm form = feature_form(problem_, rows_.all.x, std::min(sizes_.features, most));
    add(0, [&] {
      features_ = borrow_features(form, kernel, small_, run_);
      return feature_candidate(form, rows_, features_, run_);
    });
  }

  void explore_while_time(std::span<const KernelForm> forms) {
    const auto together = static_cast<std::size_t>(std::max(1, run_.thread_count()));
    for (std::size_t k = 0; k < forms.size(); k += together) {
      if (run_.seconds_left() - exploring_ < kShareOfFits * run_.max_seconds) break;
      run_.report("kernels", static_cast<double>(kQuickForms + k), static_cast<double>(kQuickForms + forms.size()));
      explore(forms.subspan(k, std::min(together, forms.size() - k)));
    }
  }

  /// Relevance and a local fit of each.
  void explore(std::span<const KernelForm> forms) {
    const Stopwatch clock;
    const std::size_t before = learned_.size();
    for (const LearnedPair& pair : learn_forms(forms, {problem_.columns, rows_, small_, sizes_.rounds}, run_)) {
      learned_.push_back(pair.best);
      global_forms_.push_back(pair.plain);
      global_forms_.push_back(pair.best);
    }
    if (before == 0 && !learned_.empty()) limit_rows();
    const Index n = rows_.all.rows();
    for (std::size_t k = before; k < learned_.size(); ++k)
      add(0, [&] { return fits_.local(learned_[k], n <= sizes_.exact ? n : sizes_.leaf, 0, nullptr); });
    exploring_ = std::max(exploring_, clock.seconds());
  }

  /// Of many rows only those that the time limit leaves to the first fit, which is always made.
  void limit_rows() {
    if (run_.max_seconds == 0 || rows_.split.size() > 1 || rows_.all.rows() <= sizes_.exact) return;
    Fold& fold = rows_.split.front();
    const Index all = fold.fit.rows();
    const Index some = affordable_rows(learned_.front(), sizes_.leaf, fold, kShareOfFirst * run_.seconds_left(), run_);
    if (some >= all) return;
    fold = shrink(rows_.split, some, fold.held.rows()).front();
    result_.report.set("stopped", "time budget");
    result_.report.warnings.push_back(rows_in_time_note(some + fold.held.rows(), rows_.all.rows()));
  }

  /// Of the local candidates that the average has so far: other borders of the leaves.
  void add_second_trees() {
    const std::vector<double> weights = average();
    for (const std::size_t k : best_local(sizes_.two_trees)) {
      const Index leaf = candidates_[k].plans.back().size;
      if (weights[k] == 0 || leaf >= rows_.all.rows()) continue;  // of one leaf the second tree is the first
      add(candidates_[k].seconds, [&] { return fits_.local(*candidates_[k].learned, leaf, 1, &candidates_[k]); });
    }
  }

  /// The best of the global kernels since the last time, unless its trial is far from the best candidate or no better
  /// than that of an earlier one.
  void add_global() {
    std::vector<const LearnedForm*> forms;
    for (; tried_ < global_forms_.size(); ++tried_) forms.push_back(&global_forms_[tried_]);
    if (forms.empty()) return;
    const double too_large = kTooFar * smallest_error();
    GlobalTrial trial = fits_.best_trial(forms, sizes_.landmarks, too_large, kShareOfTrials * run_.seconds_left());
    if (!(trial.error < trial_error_)) return;
    trial_error_ = trial.error;
    const MemberPlan& plan = trial.plan;
    partial_.reset();
    if (trial.error > too_large || !add(trial.expected_seconds, [&] { return fits_.global(trial); }))
      partial_ = TriedCandidate{plan.name(), plan.size, plan.bandwidth, plan.lambda, trial.error, 0, true};
    else
      global_ = candidates_.size() - 1;
  }

  /// Kernels that were learned since, then more landmarks while that is competitive, then leaves for what it leaves.
  void grow_global() {
    add_global();
    if (!global_) return;
    const Index most = std::min(kMostLandmarks, rows_.split.front().fit.rows());
    for (;;) {
      MemberCandidate& small = candidates_[*global_];
      GlobalTrial larger{small.plans.front(), small.learned, small.error, 0};
      larger.plan.size *= 2;
      if (small.error > kClose * smallest_error() || larger.plan.size > most || !fits_in_memory(0, larger.plan.size))
        break;
      if (!add(4 * small.seconds, [&] { return fits_.global(std::move(larger)); })) break;
      MemberCandidate& before = candidates_[*global_];
      (candidates_.back().error < before.error ? before : candidates_.back()).members.clear();
      if (candidates_.back().members.empty()) break;
      global_ = candidates_.size() - 1;
    }
    const std::vector<std::size_t> local = best_local(1);
    if (local.empty()) return;
    const MemberCandidate& tree = candidates_[local.front()];
    add(2 * tree.seconds,
        [&] { return fits_.local_after(candidates_[*global_], *tree.learned, tree.plans.back().size, 0, nullptr); });
  }

  /// The global kernel again, fitted to the log loss: scores that least squares fits may be worse probabilities.
  void add_logistic() {
    if (!global_) return;
    const double steps = kLogisticSteps * static_cast<double>(rows_.all.outputs());
    add(steps * candidates_[*global_].seconds,
        [&] { return refine_logistic(candidates_[*global_], rows_.split.front(), rows_.scale, run_); });
  }

  /// The worse one of two sizes is given up.
  void grow_leaves() {
    const Index n = rows_.split.front().fit.rows();
    for (std::size_t kept = learned_.size(), grown = 1; kept > 0 && grown > 0; kept /= 2) {
      grown = 0;
      for (const std::size_t k : best_local(std::max<std::size_t>(1, kept / 2))) {
        const Index size = candidates_[k].plans.back().size;
        if (2 * size > kLargestLeaf || size >= n || candidates_[k].outgrown || !fits_in_memory(2 * size, 0)) continue;
        const double expected = 4 * candidates_[k].seconds;
        if (!add(expected, [&] { return fits_.local(*candidates_[k].learned, 2 * size, 0, &candidates_[k]); }))
          continue;
        candidates_[k].outgrown = true;
        MemberCandidate& worse = candidates_.back().error < candidates_[k].error ? candidates_[k] : candidates_.back();
        worse.members.clear();
        ++grown;
      }
    }
  }

  bool fits_in_memory(Index leaf, Index landmarks) const {
    MemoryPlan plan(run_);
    plan.hold("rows", copies_of_rows(sizes_) * static_cast<double>(rows_.all.x.rows() * rows_.all.rows()));
    if (leaf > 0) plan.hold("kernel matrices of leaves", leaf_numbers(rows_.all.rows(), leaf, run_));
    plan.hold("sums of landmarks", 3 * static_cast<double>(landmarks * landmarks));
    return on_all(problem_.processes, plan.fits());
  }

  /// Those with trees alone, the best first.
  std::vector<std::size_t> best_local(std::size_t count) const {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      const MemberCandidate& candidate = candidates_[k];
      if (candidate.members.size() == 1 && candidate.plans.front().shape == MemberPlan::Shape::local)
        order.push_back(k);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return candidates_[a].error < candidates_[b].error; });
    order.resize(std::min(order.size(), count));
    return order;
  }

  double smallest_error() const {
    double smallest = std::numeric_limits<double>::infinity();
    for (const MemberCandidate& candidate : candidates_) smallest = std::min(smallest, candidate.error);
    return smallest;
  }

  /// Adds the candidate if there is time for it. `expected`: its seconds; 0: as long as the longest.
  template <class Make>
  bool add(double expected, Make make) {
    run_.check_cancelled();
    const double needed = expected > 0 ? expected : longest_;
    if (!candidates_.empty() && run_.seconds_left() < needed) return false;
    const Stopwatch clock;
    MemberCandidate candidate = make();
    longest_ = std::max(longest_, clock.seconds());
    candidates_.push_back(std::move(candidate));
    show_progress(0);
    return true;
  }

  /// How many there will be depends on their errors, and is known at the end only.
  void show_progress(double total) const {
    const auto best = std::min_element(candidates_.begin(), candidates_.end(),
                                       [](const auto& a, const auto& b) { return a.error < b.error; });
    run_.report_search("candidates", static_cast<double>(candidates_.size()), total,
                       fmt::format("error {:.4g} ({})", best->error, best->name()));
  }

  /// Of those that were not given up.
  std::vector<double> average() const {
    std::vector<const Matrix*> scores;
    std::vector<std::size_t> place;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      if (candidates_[k].members.empty()) continue;
      scores.push_back(&candidates_[k].held_scores);
      place.push_back(k);
    }
    const std::vector<double> own = greedy_average(
        scores, [&](const Matrix& mean) { return metric_.loss(mean); }, options_.single ? 1 : kMostAveraged);
    std::vector<double> weights(candidates_.size());
    for (std::size_t k = 0; k < own.size(); ++k) weights[place[k]] = own[k];
    return weights;
  }

  void describe(const std::vector<double>& weights) {
    std::vector<std::string> chosen;
    Matrix mean(candidates_.front().held_scores.rows(), rows_.all.outputs());
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      const MemberCandidate& candidate = candidates_[k];
      const MemberPlan& plan = candidate.plans.back();
      for (Index i = 0; i < mean.rows() * mean.cols(); ++i)
        mean.data()[i] += weights[k] * candidate.held_scores.data()[i];
      if (weights[k] > 0) chosen.push_back(fmt::format("{:.2g} {}", weights[k], candidate.name()));
      result_.report.tried.push_back(
          {candidate.name(), plan.size, plan.bandwidth, plan.lambda, candidate.error, weights[k]});
    }
    if (partial_) result_.report.tried.push_back(*partial_);
    result_.report.set("chosen", fmt::format("{}", fmt::join(chosen, " + ")));
    result_.report.set("held_out_error", held_out_error(rows_.split, mean));
    result_.report.set("held_out_rows", static_cast<double>(mean.rows()));
  }

  const Problem& problem_;
  const PortfolioOptions& options_;
  const Run& run_;
  MemberRows rows_;
  HeldOutMetric metric_;
  Sizes sizes_;
  std::vector<Fold> small_;  // what relevance is learned from
  CandidateFits fits_;
  std::deque<LearnedForm> learned_;       // candidates refer to them
  std::deque<LearnedForm> global_forms_;  // with and without relevance, which few rows may get wrong for all
  LearnedForm features_;                  // likewise, of random features
  std::vector<MemberCandidate> candidates_;
  std::size_t tried_ = 0;                                         // of them, on part of the rows
  std::optional<std::size_t> global_;                             // the candidate
  double trial_error_ = std::numeric_limits<double>::infinity();  // of global kernels on part of the rows
  std::optional<TriedCandidate> partial_;                         // a global kernel that was not fitted
  double longest_ = 0;                                            // seconds of a candidate
  double exploring_ = 0;                                          // likewise of the forms that are explored together
  FitResult result_;
};

}  // namespace

/// Copies of the rows; in every thread the kernel values of a leaf; the sums and kernel matrix of a global fit, and a
/// factor.
double check_portfolio_memory(const FitOptions& options, const ProblemSize& size, const Run& run) {
  const Sizes sizes = sizes_of(options.own<PortfolioOptions>(), size.rows, false);
  const Index leaf = size.rows <= sizes.exact ? size.rows : std::min(sizes.leaf, size.rows);
  const auto landmarks = static_cast<double>(size.rows <= sizes.exact ? 0 : std::min(sizes.landmarks, size.rows));
  MemoryPlan plan(run);
  plan.hold("rows", copies_of_rows(sizes) * static_cast<double>(size.rows) * static_cast<double>(size.inputs));
  plan.hold("kernel matrices of leaves", leaf_numbers(size.rows, leaf, run));
  plan.hold("sums of landmarks", 3 * landmarks * landmarks);
  plan.check(fmt::format("{} rows in memory, leaves of {} and {} landmarks", size.rows, leaf, landmarks), "‹fit›",
             "use smaller ‹leaf› or fewer ‹landmarks›, or ‹fit› least-squares, which reads the rows in blocks");
  return plan.left();
}

FitResult fit_portfolio(const Problem& problem) {
  return Portfolio(problem).fit();
}

}  // namespace weft::detail
