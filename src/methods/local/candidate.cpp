#include "methods/local/candidate.hpp"

#include "core/at.hpp"
#include "core/stopwatch.hpp"
#include "methods/local/held_out.hpp"
#include "methods/local/landmark_trial.hpp"

#include <algorithm>
#include <limits>

namespace weft::detail {

namespace {

/// λ of a global fit, as factors of what its search on part of the rows found; its sums serve them all.
constexpr double kGlobalLambdas[] = {0.1, 0.3, 1, 3, 10};

/// Kernels that are tried with more rows and landmarks: which of them is best with few need not be with many.
constexpr std::size_t kSecondTrials = 2;
/// By how much more rows and landmarks may lower the error of a first trial.
constexpr double kFirstAllowance = 1.25;

/// The fit with the λ that is best for the held-out rows; `scores` are theirs.
Member choose_lambda(MemberPlan& plan, const LandmarkEquations& equations, const LabelledRows& held, const Run& run,
                     Matrix& scores) {
  const double found = plan.lambda;
  double smallest = std::numeric_limits<double>::infinity();
  std::optional<Member> best;
  for (const double factor : kGlobalLambdas) {
    MemberPlan trial = plan;
    trial.lambda = factor * found;
    Member member = solve_member(trial, equations);
    Matrix predictions = member_predictions({&member, 1}, held.x, run);
    const double error = mean_squared_error(held, predictions);
    if (!(error < smallest) && best) continue;
    smallest = error;
    best = std::move(member);
    scores = std::move(predictions);
    plan.lambda = trial.lambda;
  }
  return *std::move(best);
}

/// Each fold with the transform and bandwidth that its rows have learned; `whole` is that of all rows.
Matrix fold_scores(const MemberPlan& whole, const RelevanceStep& step, std::span<const Fold> folds, const Run& run,
                   Communicator* processes) {
  Matrix all(held_rows(folds), folds.front().held.outputs());
  Index first = 0;
  for (std::size_t k = 0; k < folds.size(); ++k) {
    MemberPlan own = whole;
    own.transform = step.folds[k].transform;
    own.bandwidth *= step.folds[k].bandwidth / step.learned.bandwidth;
    const Member member = fit_member(own, folds[k].fit, run, processes);
    const Matrix scores = member_predictions({&member, 1}, folds[k].held.x, run);
    std::copy_n(scores.data(), scores.rows() * scores.cols(), all.row(first));
    first += scores.rows();
  }
  return all;
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
  if (split_.size() == 1 && fold.fit.rows() > searched_ && !(fixed.bandwidth && fixed.lambda))
    refine_local(plan, fold, run_, processes_);
  if (fixed.bandwidth) plan.bandwidth = bandwidth;
  if (fixed.lambda) plan.lambda = *fixed.lambda;
  plan.mean_loss = fixed.lambda.has_value();
}

MemberCandidate CandidateFits::local(const LearnedForm& learned, Index leaf, Index variant, const MemberCandidate* like,
                                     const FixedNumbers& fixed) const {
  MemberCandidate candidate;
  candidate.learned = &learned;
  MemberPlan own = plan(learned, MemberPlan::Shape::local, leaf);
  own.variant = variant;
  own.overlap = fixed.overlap;
  choose_numbers(own, like, split_.front(), fixed);  // one fold: its transform is the whole's
  const Stopwatch clock;
  if (split_.size() == 1) {
    HeldOutMember fitted = fit_with_held_out(own, split_.front(), split_.front(), run_, processes_);
    candidate.held_scores = std::move(fitted.held_scores);
    candidate.members.push_back(std::move(fitted.member));
  } else {
    candidate.held_scores = fold_scores(own, learned.step, split_, run_, processes_);
    candidate.members.push_back(fit_member(own, all_, run_, processes_));
  }
  candidate.seconds = clock.seconds();
  candidate.error = held_out_error(split_, candidate.held_scores);
  candidate.plans.push_back(std::move(own));
  return candidate;
}

MemberCandidate CandidateFits::global(const LearnedForm& learned, Index landmarks, const FixedNumbers& fixed) const {
  const LearnedForm* const one[] = {&learned};
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  GlobalTrial trial = best_trial(one, landmarks, kNoLimit, kNoLimit);
  if (fixed.bandwidth) trial.plan.bandwidth = *fixed.bandwidth;
  return global(std::move(trial));
}

GlobalTrial CandidateFits::best_trial(std::span<const LearnedForm* const> learned, Index landmarks, double too_large,
                                      double max_seconds) const {
  const Stopwatch clock;
  struct First {
    MemberPlan plan;
    const LearnedForm* form;
    double error;
  };
  std::vector<First> firsts;  // the best of each kernel
  for (const LearnedForm* each : learned) {
    if (!firsts.empty() && clock.seconds() > max_seconds) break;
    const LandmarkTrial trial(plan(*each, MemberPlan::Shape::landmarks, landmarks), split_.front(), kFirstTrial, run_);
    const auto same = std::find_if(firsts.begin(), firsts.end(),
                                   [&](const First& first) { return first.form->form.name == each->form.name; });
    if (same == firsts.end())
      firsts.push_back({trial.plan(), each, trial.error()});
    else if (trial.error() < same->error)
      *same = {trial.plan(), each, trial.error()};
  }
  std::stable_sort(firsts.begin(), firsts.end(), [](const First& a, const First& b) { return a.error < b.error; });
  firsts.resize(std::min(firsts.size(), kSecondTrials));
  std::optional<GlobalTrial> best;
  for (const First& first : firsts) {
    if (best && clock.seconds() > max_seconds) break;
    if (first.error > kFirstAllowance * too_large) {
      if (!best) best = {first.plan, first.form, first.error, 0};
      break;
    }
    const LandmarkTrial second(first.plan, split_.front(), kSecondTrial, run_);
    if (!best || second.error() < best->error)
      best = {second.plan(), first.form, second.error(), second.expected_seconds(all_.rows())};
  }
  return *std::move(best);
}

MemberCandidate CandidateFits::global(GlobalTrial trial) const {
  const Fold& fold = split_.front();
  MemberPlan own = std::move(trial.plan);
  MemberCandidate candidate;
  candidate.learned = trial.learned;
  const Stopwatch clock;
  LandmarkEquations equations = landmark_equations(own, fold.fit, run_);
  equations.add(fold.fit);
  candidate.searched = choose_lambda(own, equations, fold.held, run_, candidate.held_scores);
  equations.add(fold.held);
  candidate.members.push_back(solve_member(own, equations));
  candidate.seconds = clock.seconds();
  candidate.error = held_out_error(split_, candidate.held_scores);
  candidate.plans.push_back(std::move(own));
  return candidate;
}

MemberCandidate CandidateFits::local_after(const MemberCandidate& global, const LearnedForm& learned, Index leaf,
                                           Index variant, const MemberCandidate* like,
                                           const FixedNumbers& fixed) const {
  const Fold& fold = split_.front();
  const auto left_by = [&](const Member& before) {
    return Fold{residuals(fold.fit, {&before, 1}, run_), residuals(fold.held, {&before, 1}, run_)};
  };
  const Fold left = left_by(*global.searched);
  MemberCandidate candidate;
  candidate.learned = &learned;
  candidate.plans = global.plans;
  candidate.members = global.members;
  MemberPlan own = plan(learned, MemberPlan::Shape::local, leaf);
  own.variant = variant;
  own.overlap = fixed.overlap;
  choose_numbers(own, like, left, fixed);
  const Stopwatch clock;
  HeldOutMember fitted = fit_with_held_out(own, left, left_by(global.members.front()), run_, processes_);
  candidate.held_scores = global.held_scores;
  for (Index k = 0; k < fitted.held_scores.rows() * fitted.held_scores.cols(); ++k)
    candidate.held_scores.data()[k] += fitted.held_scores.data()[k];
  candidate.members.push_back(std::move(fitted.member));
  candidate.seconds = clock.seconds();
  candidate.error = held_out_error(split_, candidate.held_scores);
  candidate.plans.push_back(std::move(own));
  return candidate;
}

}  // namespace weft::detail
