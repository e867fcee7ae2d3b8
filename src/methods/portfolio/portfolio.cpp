#include "methods/portfolio/portfolio.hpp"

#include "core/at.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "methods/local/assemble.hpp"
#include "methods/local/held_out.hpp"
#include "methods/portfolio/greedy_average.hpp"
#include "methods/portfolio/kernel_forms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/ranges.h>

namespace weft::detail {

namespace {

struct Sizes {
  bool thorough;
  Index relevance_rows;
  Index held_rows;  ///< while relevance is learned
  Index rounds;
  Index leaf;       ///< of the first round
  Index landmarks;  ///< likewise
  Index exact;      ///< most rows of one leaf for all
};

constexpr double kLeafWork = 1.6e11;      // rows · leaf² of a quick local fit: 2000 for 40,000 rows, 4000 for 10,000
constexpr double kLandmarkWork = 3.2e11;  // rows · landmarks² of a quick global fit

/// The size with this work, from 2000 to 4000.
Index quick_size(double work, Index rows) {
  const double size = std::sqrt(work / static_cast<double>(std::max<Index>(1, rows)));
  return std::clamp<Index>(static_cast<Index>(size) / 100 * 100, 2000, 4000);
}

Sizes sizes_of(const PortfolioOptions& options, Index rows) {
  Sizes sizes{false, 2000, 2000, 3, quick_size(kLeafWork, rows), quick_size(kLandmarkWork, rows), 5000};
  if (options.effort == Effort::thorough) sizes = {true, 3000, 3000, 4, 2000, 4000, 8000};
  if (options.relevance >= 0) sizes.rounds = options.relevance;
  if (options.leaf > 0) sizes.leaf = sizes.exact = options.leaf;
  if (options.landmarks > 0) sizes.landmarks = options.landmarks;
  return sizes;
}

constexpr double kOneHotWeights[] = {1, 0.5, 2};
constexpr Index kMostAveraged = 10;
constexpr std::size_t kTwoTrees = 2;  // candidates that are averaged with a second tree
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
        run_(problem.run),
        rows_(problem),
        sizes_(sizes_of(problem.options.own<PortfolioOptions>(), rows_.all.rows())),
        small_(shrink(rows_.split, sizes_.relevance_rows, sizes_.held_rows)),
        fits_(rows_.split, small_.front().fit.rows(), problem.family.seed, run_) {}

  FitResult fit() {
    const Stopwatch search_clock;
    learned_ = learn(kernel_forms(problem_.columns, rows_.all.x, sizes_.thorough));
    search();
    if (candidates_.empty()) {
      assemble_constant(rows_, result_);
      return std::move(result_);
    }
    const std::vector<double> weights = average();
    result_.report.seconds.emplace_back("search", search_clock.seconds());
    const Stopwatch fit_clock;
    assemble(problem_, rows_, fits_, candidates_, weights, result_);
    result_.report.seconds.emplace_back("fit", fit_clock.seconds());
    describe(weights);
    return std::move(result_);
  }

 private:
  /// Every form with its relevance, the best first.
  std::vector<LearnedForm> learn(const std::vector<KernelForm>& forms) {
    std::vector<LearnedForm> learned;
    for (std::size_t k = 0; k < forms.size(); ++k) {
      if (k > 0 && run_.seconds_left() < run_.max_seconds / 2) break;  // the rest of the time is for the fits
      run_.report("kernels", static_cast<double>(k), static_cast<double>(forms.size()));
      const KernelForm form = weigh_one_hot(forms[k]);
      const LabelledRows* whole = rows_.split.size() > 1 ? &rows_.all : nullptr;
      const std::vector<RelevanceStep> steps = learn_relevance(form, small_, whole, {.rounds = sizes_.rounds}, run_);
      if (steps.empty()) continue;
      learned.push_back({form, best_step(steps)});
      global_forms_.push_back(learned.back());
      if (&best_step(steps) != &steps.front()) global_forms_.push_back({form, steps.front()});
    }
    std::stable_sort(learned.begin(), learned.end(),
                     [](const LearnedForm& a, const LearnedForm& b) { return a.step.error < b.step.error; });
    return learned;
  }

  /// The weight of one-hot columns against numbers, chosen without relevance.
  KernelForm weigh_one_hot(const KernelForm& form) const {
    const bool any = std::any_of(form.base.columns.begin(), form.base.columns.end(),
                                 [&](Index j) { return problem_.columns[at(j)] == ColumnKind::one_hot; });
    if (!any) return form;
    KernelForm best = form;
    double smallest = std::numeric_limits<double>::infinity();
    for (const double weight : kOneHotWeights) {
      KernelForm weighted = with_one_hot_weight(form, problem_.columns, weight);
      const std::vector<RelevanceStep> steps = learn_relevance(weighted, small_, nullptr, {.rounds = 0}, run_);
      if (steps.empty() || !(steps.front().error < smallest)) continue;
      smallest = steps.front().error;
      best = std::move(weighted);
    }
    return best;
  }

  /// Few rows: one leaf for all, with every form. Else rounds of successive halving: local fits of all forms, the
  /// better half of them with leaves twice as large, and so on; a global kernel, with more landmarks where it is
  /// competitive.
  void search() {
    if (learned_.empty()) return;
    const Index n = rows_.all.rows();
    for (const LearnedForm& form : learned_)
      add(0, [&] { return fits_.local(form, std::min(n, n <= sizes_.exact ? n : sizes_.leaf), 0, nullptr); });
    if (n <= sizes_.exact) return;
    if (rows_.split.size() == 1) add_global();
    if (sizes_.thorough) grow_leaves();
    for (const std::size_t k : best(MemberPlan::Shape::local, kTwoTrees)) {
      const Index leaf = candidates_[k].plans.back().size;
      if (leaf >= n) continue;  // one leaf: the second tree is the first
      add(candidates_[k].seconds, [&] { return fits_.local(*candidates_[k].learned, leaf, 1, &candidates_[k]); });
    }
  }

  void add_global() {
    GlobalTrial trial = fits_.best_trial(global_forms_, sizes_.landmarks);
    if (trial.error > kTooFar * smallest_error()) {
      const MemberPlan& plan = trial.plan;
      partial_ = TriedCandidate{plan.name(), plan.size, plan.bandwidth, plan.lambda, trial.error, 0, true};
      return;
    }
    const Index most = std::min(kMostLandmarks, rows_.split.front().fit.rows());
    for (double expected = 0;; trial.plan.size *= 2) {
      if (!add(expected, [&] { return fits_.global(trial); })) return;
      const bool close = candidates_.back().error < kClose * smallest_error();
      if (!sizes_.thorough || !close || 2 * trial.plan.size > most) break;
      expected = 4 * candidates_.back().seconds;
    }
    if (sizes_.thorough)
      add(candidates_.back().seconds,
          [&] { return fits_.local_after(candidates_.back(), learned_.front(), sizes_.leaf, 0, nullptr); });
  }

  void grow_leaves() {
    const Index n = rows_.split.front().fit.rows();
    for (std::size_t kept = learned_.size(); kept > 0; kept /= 2) {
      bool grown = false;
      for (const std::size_t k : best(MemberPlan::Shape::local, std::max<std::size_t>(1, kept / 2))) {
        const MemberCandidate& small = candidates_[k];
        const Index leaf = 2 * small.plans.back().size;
        if (leaf > kLargestLeaf || small.plans.back().size >= n || !fits_in_memory(leaf)) continue;
        grown |= add(4 * small.seconds, [&] { return fits_.local(*candidates_[k].learned, leaf, 0, &candidates_[k]); });
      }
      if (!grown) return;
    }
  }

  bool fits_in_memory(Index leaf) const {
    MemoryPlan plan(run_);
    plan.hold("rows", 4 * static_cast<double>(rows_.all.x.rows() * rows_.all.rows()));
    plan.hold("kernel matrices of leaves", leaf_numbers(rows_.all.rows(), leaf, run_));
    return plan.fits();
  }

  /// Of one plan with this shape, the best first; of those that differ in size alone, the largest.
  std::vector<std::size_t> best(MemberPlan::Shape shape, std::size_t count) const {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      const MemberCandidate& candidate = candidates_[k];
      if (candidate.plans.size() > 1 || candidate.plans.front().shape != shape) continue;
      std::erase_if(order, [&](std::size_t j) { return candidates_[j].learned == candidate.learned; });
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

  /// Adds the candidate if there is time for it: a search keeps enough to fit what it has to all rows. `expected`:
  /// seconds of its fit; 0: as long as the longest.
  template <class Make>
  bool add(double expected, Make make) {
    run_.check_cancelled();
    const double needed = expected > 0 ? expected : longest_;
    if (!candidates_.empty() && run_.seconds_left() < 2 * needed + refit_seconds()) return false;
    const Stopwatch clock;
    MemberCandidate candidate = make();
    longest_ = std::max(longest_, clock.seconds());
    candidates_.push_back(std::move(candidate));
    run_.report("candidates", static_cast<double>(candidates_.size()), 0);
    return true;
  }

  /// Of all candidates so far; an average has some of them.
  double refit_seconds() const {
    double total = 0;
    for (const MemberCandidate& candidate : candidates_) total += candidate.seconds;
    return total;
  }

  std::vector<double> average() const {
    std::vector<const Matrix*> scores;
    for (const MemberCandidate& candidate : candidates_) scores.push_back(&candidate.held_scores);
    const bool single = problem_.options.own<PortfolioOptions>().single;
    return greedy_average(
        scores, [&](const Matrix& mean) { return fits_.error(mean); }, single ? 1 : kMostAveraged);
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
    result_.report.set("held_out_error", fits_.error(mean));
    result_.report.set("held_out_rows", static_cast<double>(mean.rows()));
  }

  const Problem& problem_;
  const Run& run_;
  MemberRows rows_;
  Sizes sizes_;
  std::vector<Fold> small_;  // what relevance is learned from
  CandidateFits fits_;
  std::vector<LearnedForm> learned_;       // the best first
  std::vector<LearnedForm> global_forms_;  // with and without relevance, which few rows may get wrong for all
  std::vector<MemberCandidate> candidates_;
  std::optional<TriedCandidate> partial_;
  double longest_ = 0;  // seconds of a candidate
  FitResult result_;
};

}  // namespace

/// All rows, their split and what is transformed; in every thread the kernel values of a leaf; the sums and kernel
/// matrix of a global fit, and a factor.
double check_portfolio_memory(const FitOptions& options, const ProblemSize& size, const Run& run) {
  const Sizes sizes = sizes_of(options.own<PortfolioOptions>(), size.rows);
  const Index leaf = size.rows <= sizes.exact ? size.rows : std::min(sizes.leaf, size.rows);
  const auto landmarks = static_cast<double>(size.rows <= sizes.exact ? 0 : std::min(sizes.landmarks, size.rows));
  MemoryPlan plan(run);
  plan.hold("rows", 4 * static_cast<double>(size.rows) * static_cast<double>(size.inputs));
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
