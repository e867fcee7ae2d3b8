#include "methods/local/local.hpp"

#include "core/at.hpp"
#include "core/stopwatch.hpp"
#include "methods/local/assemble.hpp"
#include "methods/local/held_out.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

constexpr Index kRelevanceRows = 2000;
constexpr Index kHeldRows = 2000;

KernelForm form_of(const LocalOptions& options, const Problem& problem, const Matrix& x) {
  KernelForm form;
  form.name = options.kernel;
  form.kind = Kernel::parse_kind(form.name);
  form.exponent = options.exponent;
  form.full = form.kind != Kernel::Kind::laplace;
  for (Index j = 0; j < x.rows(); ++j)
    if (problem.columns[at(j)] != ColumnKind::bias && column_range(x, j) > 0) form.base.columns.push_back(j);
  return form;
}

class LocalFit {
 public:
  explicit LocalFit(const Problem& problem)
      : problem_(problem),
        options_(problem.options.own<LocalOptions>()),
        bandwidth_(local_bandwidth(options_)),
        run_(problem.run),
        rows_(problem),
        small_(shrink(rows_.split, kRelevanceRows, kHeldRows)),
        fits_(rows_.all, rows_.split, small_.front().fit.rows(), problem.family.seed, run_, problem.processes) {}

  FitResult fit() {
    FitResult result;
    const KernelForm form = form_of(options_, problem_, rows_.all.x);
    const Stopwatch clock;
    std::vector<MemberCandidate> trees;
    std::optional<LearnedForm> learned;
    if (!form.base.columns.empty()) trees = grow(learned.emplace(LearnedForm{form, learn(form)}));
    if (trees.empty()) {
      assemble_constant(problem_, rows_, result);
      return result;
    }
    const std::vector<double> weights(trees.size(), 1 / static_cast<double>(trees.size()));
    assemble(problem_, rows_, trees, weights, clock.seconds(), result);
    describe(trees, result.report);
    return result;
  }

 private:
  /// λ on the diagonal of K for so many rows, where it is given.
  std::optional<double> diagonal(Index rows) const {
    return problem_.options.lambda ? std::optional(*problem_.options.lambda * static_cast<double>(rows)) : std::nullopt;
  }

  RelevanceStep learn(const KernelForm& form) {
    const LabelledRows* whole = rows_.split.size() > 1 ? &rows_.all : nullptr;
    const std::vector<RelevanceStep> steps = learn_relevance(
        form, small_, whole, {options_.relevance, bandwidth_, diagonal(small_.front().fit.rows())}, run_);
    if (steps.empty())
      throw Error(ErrorKind::data, "the kernel equations cannot be solved", "‹lambda›", "give a larger lambda");
    rounds_ = static_cast<Index>(&best_step(steps) - steps.data());
    return best_step(steps);
  }

  /// One candidate per tree.
  std::vector<MemberCandidate> grow(const LearnedForm& learned) const {
    const FixedNumbers fixed{bandwidth_, problem_.options.lambda, options_.overlap};
    std::vector<MemberCandidate> trees;
    std::optional<MemberCandidate> global;
    if (options_.global > 0) {
      if (rows_.split.size() > 1)
        throw Error(ErrorKind::option, "a global model before the leaves needs more than 2500 rows", "‹global›",
                    "leave it out: one leaf holds all rows");
      global.emplace(fits_.global(learned, options_.global, fixed));
    }
    for (Index variant = 0; variant < options_.trees; ++variant) {
      const MemberCandidate* like = trees.empty() ? nullptr : &trees.front();
      trees.push_back(global ? fits_.local_after(*global, learned, options_.leaf, variant, like, fixed)
                             : fits_.local(learned, options_.leaf, variant, like, fixed));
      if (rows_.all.rows() <= options_.leaf) break;  // one leaf: every tree is the same
    }
    return trees;
  }

  void describe(const std::vector<MemberCandidate>& trees, FitReport& report) const {
    const MemberPlan& plan = trees.front().plans.back();
    report.set("lambda",
               plan.mean_loss ? plan.lambda : plan.lambda / static_cast<double>(std::min(plan.size, rows_.all.rows())));
    report.set("bandwidth", plan.bandwidth);
    report.set("relevance_rounds", static_cast<double>(rounds_));
    report.set("held_out_error", trees.front().error);
    report.set("held_out_rows", static_cast<double>(held_rows(rows_.split)));
  }

  const Problem& problem_;
  const LocalOptions& options_;
  std::optional<double> bandwidth_;
  const Run& run_;
  MemberRows rows_;
  std::vector<Fold> small_;
  CandidateFits fits_;
  Index rounds_ = 0;
};

}  // namespace

FitResult fit_local(const Problem& problem) {
  return LocalFit(problem).fit();
}

}  // namespace weft::detail
