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
  Index leaf;
  Index landmarks;
  Index exact;  ///< most rows of one leaf for all
};

Sizes sizes_of(const PortfolioOptions& options) {
  Sizes sizes = options.effort == Effort::thorough ? Sizes{true, 3000, 3000, 4, 4000, 4000, 8000}
                                                   : Sizes{false, 2000, 2000, 3, 2000, 2000, 4000};
  if (options.relevance >= 0) sizes.rounds = options.relevance;
  if (options.leaf > 0) sizes.leaf = sizes.exact = options.leaf;
  if (options.landmarks > 0) sizes.landmarks = options.landmarks;
  return sizes;
}

constexpr double kOneHotWeights[] = {1, 0.5, 2};
constexpr Index kMostAveraged = 10;
/// A global kernel whose trial on part of rows and landmarks has this many times the error of the best candidate is not
/// fitted: all of them lowered errors by 5 to 20 % where it was measured.
constexpr double kTooFar = 1.25;

class Portfolio {
 public:
  Portfolio(const Problem& problem)
      : problem_(problem),
        run_(problem.run),
        sizes_(sizes_of(problem.options.own<PortfolioOptions>())),
        rows_(problem),
        small_(shrink(rows_.split, sizes_.relevance_rows, sizes_.held_rows)),
        fits_(rows_.split, small_.front().fit.rows(), problem.family.seed, run_) {}

  FitResult fit() {
    const Stopwatch search_clock;
    const std::vector<KernelForm> forms = kernel_forms(problem_.columns, rows_.all.x, sizes_.thorough);
    const std::vector<LearnedForm> learned = learn(forms);
    for (const LearnedForm& form : learned) add_candidates(form);
    if (!sizes_.thorough && rows_.all.rows() > sizes_.exact && !learned.empty()) add_global(learned);
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
      if (!steps.empty()) learned.push_back({form, best_step(steps)});
    }
    std::stable_sort(learned.begin(), learned.end(),
                     [](const LearnedForm& a, const LearnedForm& b) { return a.step.error < b.step.error; });
    return learned;
  }

  /// The weight of one-hot columns against numbers, chosen without relevance.
  KernelForm weigh_one_hot(const KernelForm& form) const {
    const bool any = std::any_of(form.base.columns.begin(), form.base.columns.end(),
                                 [&](Index j) { return problem_.columns[at(j)] == ColumnKind::one_hot; });
    if (!any || !sizes_.thorough) return form;
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

  void add_candidates(const LearnedForm& learned) {
    const Index n = rows_.all.rows();
    if (n <= sizes_.exact) add([&] { return fits_.local(learned, n, 0, nullptr); });
    if (n > 2 * sizes_.leaf || n > sizes_.exact) {
      const std::size_t before = candidates_.size();
      add([&] { return fits_.local(learned, sizes_.leaf, 0, nullptr); });
      if (candidates_.size() > before) add([&] { return fits_.local(learned, sizes_.leaf, 1, &candidates_.back()); });
    }
    if (n <= sizes_.exact || !sizes_.thorough) return;
    const std::size_t before = candidates_.size();
    add([&] { return fits_.global(learned, sizes_.landmarks); });
    if (candidates_.size() == before) return;
    add([&] { return fits_.local_after(candidates_.back(), learned, sizes_.leaf, 0, nullptr); });
  }

  /// The quick portfolio's only global kernel: it takes longest of all.
  void add_global(const std::vector<LearnedForm>& learned) {
    GlobalTrial trial = fits_.best_trial(learned, sizes_.landmarks);
    double smallest = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : candidates_) smallest = std::min(smallest, candidate.error);
    if (trial.error > kTooFar * smallest)
      partial_ = TriedCandidate{
          trial.plan.name(), trial.plan.size, trial.plan.bandwidth, trial.plan.lambda, trial.error, 0, true};
    else
      add([&] { return fits_.global(std::move(trial)); });
  }

  /// The candidate, if there is time for it: a search keeps enough to fit what it has to all rows.
  template <class Make>
  void add(Make make) {
    run_.check_cancelled();
    if (!candidates_.empty() && run_.seconds_left() < longest_ + refit_seconds()) return;
    const Stopwatch clock;
    Candidate candidate = make();
    longest_ = std::max(longest_, clock.seconds());
    candidates_.push_back(std::move(candidate));
    run_.report("candidates", static_cast<double>(candidates_.size()), 0);
  }

  /// Of all candidates so far; an average has some of them.
  double refit_seconds() const {
    double total = 0;
    for (const Candidate& candidate : candidates_) total += candidate.seconds;
    return total;
  }

  std::vector<double> average() const {
    std::vector<const Matrix*> scores;
    for (const Candidate& candidate : candidates_) scores.push_back(&candidate.held_scores);
    const bool single = problem_.options.own<PortfolioOptions>().single;
    return greedy_average(
        scores, [&](const Matrix& mean) { return fits_.error(mean); }, single ? 1 : kMostAveraged);
  }

  void describe(const std::vector<double>& weights) {
    std::vector<std::string> chosen;
    Matrix mean(candidates_.front().held_scores.rows(), rows_.all.outputs());
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      const Candidate& candidate = candidates_[k];
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
  Sizes sizes_;
  MemberRows rows_;
  std::vector<Fold> small_;  // what relevance is learned from
  CandidateFits fits_;
  std::vector<Candidate> candidates_;
  std::optional<TriedCandidate> partial_;
  double longest_ = 0;  // seconds of a candidate
  FitResult result_;
};

}  // namespace

/// All rows, their split and what is transformed; in every thread kernel values and factor of a leaf; the sums and
/// kernel matrix of every global fit, and a factor.
double check_portfolio_memory(const FitOptions& options, const ProblemSize& size, const Run& run) {
  const Sizes sizes = sizes_of(options.own<PortfolioOptions>());
  const auto leaf = static_cast<double>(size.rows <= sizes.exact ? size.rows : std::min(sizes.leaf, size.rows));
  const auto landmarks = static_cast<double>(size.rows <= sizes.exact ? 0 : std::min(sizes.landmarks, size.rows));
  const double global_fits = sizes.thorough ? static_cast<double>(kForms) : 1;
  MemoryPlan plan(run);
  plan.hold("rows", 4 * static_cast<double>(size.rows) * static_cast<double>(size.inputs));
  plan.hold("kernel matrices of leaves", 2 * run.thread_count() * leaf * leaf);
  plan.hold("sums of landmarks", (2 * global_fits + 1) * landmarks * landmarks);
  plan.check(fmt::format("{} rows in memory, leaves of {} and {} landmarks", size.rows, leaf, landmarks), "‹fit›",
             "use smaller ‹leaf› or fewer ‹landmarks›, or ‹fit› least-squares, which reads the rows in blocks");
  return plan.left();
}

FitResult fit_portfolio(const Problem& problem) {
  return Portfolio(problem).fit();
}

}  // namespace weft::detail
