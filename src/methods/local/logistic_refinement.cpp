#include "methods/local/logistic_refinement.hpp"

#include "core/at.hpp"
#include "core/log_sigmoid.hpp"
#include "core/stopwatch.hpp"
#include "methods/local/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::detail {

namespace {

constexpr double kLogisticLambdas[] = {0.1, 0.3, 1, 3};  // as factors of least squares' λ times the mean of p(1 − p)
constexpr double kLeastCurvature = 0.01;                 // p(1 − p) of rows that are nearly certain
constexpr double kFirstSlope = 2;                        // of the log odds in scores of ±1 about p = 1/2
constexpr double kMostCertain = 12;                      // log odds

double curvature(double logit) {
  return std::max(std::exp(log_sigmoid(logit) + log_sigmoid(-logit)), kLeastCurvature);
}

/// One class against the others.
class OneClass {
 public:
  OneClass(const MemberPlan& plan, const Fold& fold, const TargetScale& scale, Index output, const Run& run)
      : plan_(plan),
        fold_(fold),
        mean_(scale.mean[at(output)]),
        deviation_(scale.deviation[at(output)]),
        output_(output),
        squared_lambda_(plan.lambda),
        run_(run) {}

  /// Newton's steps from these scores; the fit of all rows.
  Member fit(const Matrix& fit_scores, const Matrix& held_scores) {
    std::vector<double> logits = first_logits(fit_scores);
    held_logits_ = first_logits(held_scores);
    for (int step = 1;; ++step) {
      run_.check_cancelled();
      const LabelledRows rows = working(fold_.fit, logits);
      LandmarkEquations equations = landmark_equations(plan_, rows, run_);
      equations.add(rows);
      const Member member = choose_lambda(equations, logits);
      const bool last = step == kLogisticSteps;
      if (last) equations.add(working(fold_.held, held_logits_));
      held_logits_ = logits_of(member, fold_.held.x);
      if (last) return solve_member(plan_, equations);
      logits = logits_of(member, fold_.fit.x);
    }
  }

  /// Of the fit without the held-out rows.
  const std::vector<double>& held_logits() const { return held_logits_; }
  double sign(const LabelledRows& rows, Index i) const { return mean_ + deviation_ * rows.y(i, output_) > 0 ? 1 : -1; }

 private:
  std::vector<double> first_logits(const Matrix& scores) const {
    std::vector<double> result;
    for (Index i = 0; i < scores.rows(); ++i) result.push_back(kFirstSlope * (mean_ + deviation_ * scores(i, output_)));
    return result;
  }

  LabelledRows working(const LabelledRows& rows, const std::vector<double>& logits) const {
    LabelledRows result{rows.x, Matrix(rows.rows(), 1), std::vector<double>(logits.size())};
    for (Index i = 0; i < rows.rows(); ++i) {
      const double logit = logits[at(i)];
      const double missing = (1 + sign(rows, i)) / 2 - std::exp(log_sigmoid(logit));
      result.weights[at(i)] = rows.weight(i) * curvature(logit);
      result.y(i, 0) = logit + missing / curvature(logit);
    }
    return result;
  }

  std::vector<double> logits_of(const Member& member, const Matrix& x) const {
    const Matrix scores = member_predictions({&member, 1}, x, run_);
    std::vector<double> result(at(scores.rows()));
    std::transform(scores.data(), scores.data() + scores.rows(), result.begin(),
                   [](double score) { return std::clamp(score, -kMostCertain, kMostCertain); });
    return result;
  }

  double held_loss(const std::vector<double>& logits) const {
    double sum = 0;
    for (Index i = 0; i < fold_.held.rows(); ++i)
      sum -= fold_.held.weight(i) * log_sigmoid(sign(fold_.held, i) * logits[at(i)]);
    return sum;
  }

  Member choose_lambda(const LandmarkEquations& equations, const std::vector<double>& logits) {
    double typical = 0;
    for (const double logit : logits) typical += curvature(logit) / static_cast<double>(logits.size());
    double smallest = std::numeric_limits<double>::infinity();
    std::optional<Member> best;
    for (const double factor : kLogisticLambdas) {
      MemberPlan trial = plan_;
      trial.lambda = factor * typical * squared_lambda_;
      Member member = solve_member(trial, equations);
      const double loss = held_loss(logits_of(member, fold_.held.x));
      if (best && !(loss < smallest)) continue;
      smallest = loss;
      best = std::move(member);
      plan_.lambda = trial.lambda;
    }
    return *std::move(best);
  }

  MemberPlan plan_;
  const Fold& fold_;
  double mean_, deviation_;
  Index output_;
  double squared_lambda_;  // of least squares; the plan's is that of the last step
  const Run& run_;
  std::vector<double> held_logits_;
};

/// The number that log odds are multiplied by to come closest to ±1.
double closest_to_signs(const std::vector<OneClass>& classes, const LabelledRows& held) {
  double products = 0, squares = 0;
  for (const OneClass& each : classes)
    for (Index i = 0; i < held.rows(); ++i) {
      const double logit = each.held_logits()[at(i)];
      products += held.weight(i) * each.sign(held, i) * logit;
      squares += held.weight(i) * logit * logit;
    }
  return products > 0 ? products / squares : 1;
}

}  // namespace

MemberCandidate refine_logistic(const MemberCandidate& global, const Fold& fold, const TargetScale& scale,
                                const Run& run) {
  const Stopwatch clock;
  const Matrix fit_scores = member_predictions({&*global.searched, 1}, fold.fit.x, run);
  MemberCandidate candidate;
  candidate.learned = global.learned;
  candidate.plans = global.plans;
  candidate.plans.front().logistic = true;
  std::vector<OneClass> classes;
  std::vector<Member> members;
  for (Index o = 0; o < fold.fit.outputs(); ++o) {
    classes.emplace_back(candidate.plans.front(), fold, scale, o, run);
    members.push_back(classes.back().fit(fit_scores, global.held_scores));
  }
  const double factor = closest_to_signs(classes, fold.held);
  // All have the same landmarks, but for one whose equations could not be solved: that has none.
  const Member& widest = *std::max_element(
      members.begin(), members.end(), [](const Member& a, const Member& b) { return a.features() < b.features(); });
  Leaf leaf{widest.leaves.front().map, Matrix(widest.features(), fold.fit.outputs()),
            std::vector<double>(at(fold.fit.outputs()))};
  candidate.held_scores = Matrix(fold.held.rows(), fold.fit.outputs());
  for (Index o = 0; o < fold.fit.outputs(); ++o) {
    const Leaf& own = members[at(o)].leaves.front();
    const double unit = factor / scale.deviation[at(o)], shift = scale.mean[at(o)] / scale.deviation[at(o)];
    for (Index t = 0; t < own.coefficients.rows(); ++t) leaf.coefficients(t, o) = unit * own.coefficients(t, 0);
    leaf.intercepts[at(o)] = unit * own.intercepts.front() - shift;
    for (Index i = 0; i < fold.held.rows(); ++i)
      candidate.held_scores(i, o) = unit * classes[at(o)].held_logits()[at(i)] - shift;
  }
  candidate.members.push_back({candidate.plans.front().name(), 1, widest.transform, {}, {std::move(leaf)}});
  candidate.error = held_out_error({&fold, 1}, candidate.held_scores);
  candidate.seconds = clock.seconds();
  return candidate;
}

}  // namespace weft::detail
