#include "methods/local/assemble.hpp"

#include "core/at.hpp"
#include "methods/local/held_out.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

/// The classes of fewer rows get one sigmoid without an offset, so that the most probable class is the predicted one:
/// what an offset says of some hundred rows is noise.
constexpr Index kFewRowsOfClasses = 1000;

void to_target_units(const TargetScale& scale, Member& member) {
  for (Leaf& leaf : member.leaves)
    for (std::size_t o = 0; o < scale.deviation.size(); ++o) {
      leaf.intercepts[o] *= scale.deviation[o];
      for (Index t = 0; t < leaf.coefficients.rows(); ++t)
        leaf.coefficients(t, static_cast<Index>(o)) *= scale.deviation[o];
    }
}

/// The held-out scores of the average, in the targets' units.
ScoredRows score_held_out(const MemberRows& rows, const std::vector<MemberCandidate>& candidates,
                          const std::vector<double>& weights) {
  ScoredRows result(rows.all.outputs());
  for (Index o = 0; o < rows.all.outputs(); ++o) {
    const double mean = rows.scale.mean[at(o)];
    const double deviation = rows.scale.deviation[at(o)];
    std::vector<double>& scores = result.scores[at(o)];
    scores.assign(at(held_rows(rows.split)), mean);
    for (std::size_t k = 0; k < candidates.size(); ++k)
      for (std::size_t i = 0; i < scores.size(); ++i)
        scores[i] += weights[k] * deviation * candidates[k].held_scores(static_cast<Index>(i), o);
    for (const Fold& fold : rows.split)
      for (Index i = 0; i < fold.held.rows(); ++i)
        result.targets[at(o)].push_back(mean + deviation * fold.held.y(i, o));
  }
  for (const Fold& fold : rows.split)
    for (Index i = 0; i < fold.held.rows(); ++i) result.weights.push_back(fold.held.weight(i));
  return result;
}

/// Per variable: its columns are added up in squares, members by their weights. Empty where nothing was learned.
std::vector<double> relevance(const Inputs& inputs, const std::vector<MemberCandidate>& candidates,
                              const std::vector<double>& weights) {
  std::vector<double> result(at(inputs.variables()));
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const std::vector<double>& sensitivity = candidates[k].learned->step.sensitivity;
    if (sensitivity.empty()) continue;
    std::vector<double> squares(result.size());
    for (Index j = 0; j < inputs.columns(); ++j)
      if (const Index v = inputs.variable_of[at(j)]; v >= 0) squares[at(v)] += sensitivity[at(j)] * sensitivity[at(j)];
    for (std::size_t v = 0; v < result.size(); ++v) result[v] += weights[k] * std::sqrt(squares[v]);
  }
  const double largest = result.empty() ? 0 : *std::max_element(result.begin(), result.end());
  if (!(largest > 0)) return {};
  for (double& value : result) value /= largest;
  return result;
}

/// Of the rows that are gathered: those of positive weight.
RowRule rule_of_weighted(const BlockSource& rows) {
  if (rows.rule().none()) return {};
  std::vector<bool> keep;
  rows.for_each([&](const TrainingBlock& block) {
    for (Index i = 0; i < block.rows(); ++i) keep.push_back(block.weights == nullptr || block.weights[i] > 0);
    return true;
  });
  return rows.rule().subset(keep);
}

}  // namespace

MemberRows::MemberRows(const Problem& problem)
    : all(gather_labelled(problem.rows, scale)),
      split(hold_out_rows(all, rule_of_weighted(problem.rows), problem.task, problem.family.seed)) {}

void assemble(const Problem& problem, const MemberRows& rows, std::vector<MemberCandidate>& candidates,
              const std::vector<double>& weights, double seconds, FitResult& result) {
  double fits = 0;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    fits += candidates[k].seconds;
    if (weights[k] == 0) continue;
    for (Member& member : candidates[k].members) {
      member.weight = weights[k];
      to_target_units(rows.scale, member);
      result.members.push_back(std::move(member));
    }
  }
  result.report.seconds.emplace_back("search", std::max(0.0, seconds - fits));
  result.report.seconds.emplace_back("fit", fits);
  result.intercepts = rows.scale.mean;
  result.coefficients = Matrix(0, rows.all.outputs());
  const bool folds = rows.split.size() > 1;
  result.left_out = {score_held_out(rows, candidates, weights), rows.all.rows() < 2 ? ScoredBy::none
                                                                : folds             ? ScoredBy::cross_fitting
                                                                                    : ScoredBy::held_out_rows};
  if (problem.task == Task::binary || problem.task == Task::multiclass)
    result.calibration =
        rows.all.rows() <= kFewRowsOfClasses ? result.left_out.rows.common_sigmoid() : result.left_out.rows.sigmoids();
  result.relevance = relevance(problem.map.inputs(), candidates, weights);
}

void assemble_constant(const Problem& problem, const MemberRows& rows, FitResult& result) {
  Leaf leaf{FeatureMap::from_parts({}, Inputs::plain(1)), Matrix(0, rows.all.outputs()),
            std::vector<double>(at(rows.all.outputs()))};
  InputTransform first;
  first.columns = {0};
  result.members.push_back({"constant", 1, std::move(first), {}, {std::move(leaf)}});
  result.intercepts = rows.scale.mean;
  result.coefficients = Matrix(0, rows.all.outputs());
  if (problem.task == Task::binary || problem.task == Task::multiclass)
    for (const double mean : rows.scale.mean) {
      // The mean of the codes ±1 is 2p − 1. Of several classes these are made to add up to 1.
      result.calibration.slope.push_back(0);
      result.calibration.offset.push_back(std::log1p(-mean) - std::log1p(mean));
    }
  result.report.warnings.emplace_back("no input column varies: the model predicts the mean");
}

}  // namespace weft::detail
