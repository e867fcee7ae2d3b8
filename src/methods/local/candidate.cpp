#include "methods/local/candidate.hpp"

#include "core/at.hpp"
#include "core/stopwatch.hpp"
#include "methods/local/held_out.hpp"

#include <algorithm>
#include <limits>

namespace weft::detail {

namespace {

/// λ of a global fit, as factors of what its search on part of the rows found; its sums serve them all.
constexpr double kGlobalLambdas[] = {0.1, 0.3, 1, 3, 10};

/// The best λ for the equations; `scores` are those of the held-out rows.
void choose_lambda(MemberPlan& plan, const LandmarkEquations& equations, const LabelledRows& held, const Run& run,
                   Matrix& scores) {
  const double found = plan.lambda;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double factor : kGlobalLambdas) {
    MemberPlan trial = plan;
    trial.lambda = factor * found;
    const Member member = solve_member(trial, equations);
    Matrix predictions = member_predictions({&member, 1}, held.x, run);
    const double error = mean_squared_error(held, predictions);
    if (!(error < smallest) && scores.rows() > 0) continue;
    smallest = error;
    scores = std::move(predictions);
    plan.lambda = trial.lambda;
  }
}

}  // namespace

std::string MemberCandidate::name() const {
  return plans.size() == 1 ? plans.front().name() : plans.front().form.name + ", landmarks and local";
}

MemberPlan CandidateFits::plan(const LearnedForm& learned, MemberPlan::Shape shape, Index size) const {
  MemberPlan result;
  result.form = learned.form;
  result.transform = learned.step.learned.transform;
  result.bandwidth = learned.step.learned.bandwidth;
  result.lambda = learned.step.lambda;
  result.shape = shape;
  result.size = size;
  result.seed = seed_;
  return result;
}

void CandidateFits::choose_numbers(MemberPlan& plan, const MemberCandidate* like, const Fold& fold,
                                   const FixedNumbers& fixed) const {
  if (like != nullptr) {
    plan.bandwidth = like->plans.back().bandwidth;
    plan.lambda = like->plans.back().lambda;
    plan.mean_loss = like->plans.back().mean_loss;
    return;
  }
  const double bandwidth = plan.bandwidth;
  if (split_.size() == 1 && fold.fit.rows() > searched_ && !(fixed.bandwidth && fixed.lambda)) refine(plan, fold, run_);
  if (fixed.bandwidth) plan.bandwidth = bandwidth;
  if (fixed.lambda) plan.lambda = *fixed.lambda;
  plan.mean_loss = fixed.lambda.has_value();
}

MemberCandidate CandidateFits::local(const LearnedForm& learned, Index leaf, Index variant, const MemberCandidate* like,
                                     const FixedNumbers& fixed) const {
  const RelevanceStep& step = learned.step;
  MemberCandidate candidate;
  candidate.learned = &learned;
  MemberPlan whole = plan(learned, MemberPlan::Shape::local, leaf);
  whole.variant = variant;
  choose_numbers(whole, like, split_.front(), fixed);  // one fold: its transform is the whole's
  const Stopwatch clock;
  candidate.held_scores = Matrix(held_rows(split_), split_.front().held.outputs());
  Index first = 0;
  for (std::size_t k = 0; k < split_.size(); ++k) {
    MemberPlan own = whole;
    own.transform = step.folds[k].transform;
    own.bandwidth *= step.folds[k].bandwidth / step.learned.bandwidth;
    const Member member = fit_member(own, split_[k].fit, run_);
    const Matrix scores = member_predictions({&member, 1}, split_[k].held.x, run_);
    std::copy_n(scores.data(), scores.rows() * scores.cols(), candidate.held_scores.row(first));
    first += scores.rows();
  }
  candidate.seconds = clock.seconds();
  candidate.error = error(candidate.held_scores);
  candidate.plans.push_back(std::move(whole));
  return candidate;
}

MemberCandidate CandidateFits::global(const LearnedForm& learned, Index landmarks, const FixedNumbers& fixed) const {
  GlobalTrial trial = best_trial({&learned, 1}, landmarks);
  if (fixed.bandwidth) trial.plan.bandwidth = *fixed.bandwidth;
  return global(std::move(trial));
}

GlobalTrial CandidateFits::best_trial(std::span<const LearnedForm> learned, Index landmarks) const {
  GlobalTrial best;
  for (std::size_t k = 0; k < learned.size(); ++k) {
    GlobalTrial trial{plan(learned[k], MemberPlan::Shape::landmarks, landmarks), &learned[k]};
    trial.error = refine(trial.plan, split_.front(), run_);
    if (k == 0 || trial.error < best.error) best = std::move(trial);
  }
  return best;
}

MemberCandidate CandidateFits::global(GlobalTrial trial) const {
  const Fold& fold = split_.front();
  MemberPlan own = std::move(trial.plan);
  MemberCandidate candidate;
  candidate.learned = trial.learned;
  const Stopwatch clock;
  candidate.equations = std::make_shared<LandmarkEquations>(landmark_equations(own, fold.fit, run_));
  candidate.equations->add(fold.fit);
  choose_lambda(own, *candidate.equations, fold.held, run_, candidate.held_scores);
  candidate.seconds = clock.seconds();
  candidate.error = error(candidate.held_scores);
  candidate.plans.push_back(std::move(own));
  return candidate;
}

MemberCandidate CandidateFits::local_after(const MemberCandidate& global, const LearnedForm& learned, Index leaf,
                                           Index variant, const MemberCandidate* like,
                                           const FixedNumbers& fixed) const {
  const Fold& fold = split_.front();
  const Member before = solve_member(global.plans.front(), *global.equations);
  const Fold left{residuals(fold.fit, {&before, 1}, run_), residuals(fold.held, {&before, 1}, run_)};
  MemberCandidate candidate;
  candidate.learned = &learned;
  candidate.plans = global.plans;
  candidate.equations = global.equations;
  MemberPlan own = plan(learned, MemberPlan::Shape::local, leaf);
  own.variant = variant;
  choose_numbers(own, like, left, fixed);
  const Stopwatch clock;
  const Member member = fit_member(own, left.fit, run_);
  candidate.held_scores = global.held_scores;
  const Matrix scores = member_predictions({&member, 1}, fold.held.x, run_);
  for (Index k = 0; k < scores.rows() * scores.cols(); ++k) candidate.held_scores.data()[k] += scores.data()[k];
  candidate.seconds = clock.seconds();
  candidate.error = error(candidate.held_scores);
  candidate.plans.push_back(std::move(own));
  return candidate;
}

std::vector<Member> CandidateFits::refit(MemberCandidate& candidate, const LabelledRows& all) const {
  std::vector<Member> members;
  if (candidate.equations) {
    if (candidate.equations->rows() == split_.front().fit.rows()) candidate.equations->add(split_.front().held);
    members.push_back(solve_member(candidate.plans.front(), *candidate.equations));
  } else {
    members.push_back(fit_member(candidate.plans.front(), all, run_));
  }
  for (std::size_t k = 1; k < candidate.plans.size(); ++k)
    members.push_back(fit_member(candidate.plans[k], residuals(all, members, run_), run_));
  return members;
}

double CandidateFits::error(const Matrix& held_scores) const {
  double sum = 0, total = 0;
  Index first = 0;
  for (const Fold& fold : split_) {
    const auto count = static_cast<double>(fold.held.rows());
    sum += count * mean_squared_error(fold.held, held_scores.view().row_range(first, fold.held.rows()));
    total += count;
    first += fold.held.rows();
  }
  return sum / total;
}

}  // namespace weft::detail
