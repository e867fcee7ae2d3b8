#include "methods/portfolio/learned_forms.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "methods/portfolio/kernel_forms.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

constexpr double kOneHotWeights[] = {1, 0.5, 2};
constexpr double kWideFactor = 4, kWideLambda = 0.03;

/// The weight of one-hot columns against numbers, chosen without relevance; `step`: what was found with it.
KernelForm weigh_one_hot(const KernelForm& form, const FormRows& from, const Run& run,
                         std::optional<RelevanceStep>& step) {
  const bool any = std::any_of(form.base.columns.begin(), form.base.columns.end(),
                               [&](Index j) { return from.columns[at(j)] == ColumnKind::one_hot; });
  if (!any) return form;
  KernelForm best = form;
  for (const double weight : kOneHotWeights) {
    KernelForm weighted = with_one_hot_weight(form, from.columns, weight);
    const RelevanceOptions options{.rounds = 0, .start = step ? &*step : nullptr};
    const std::vector<RelevanceStep> steps = learn_relevance(weighted, from.some, nullptr, options, run);
    if (steps.empty() || (step && !(steps.front().error < step->error))) continue;
    step = steps.front();
    best = std::move(weighted);
  }
  return best;
}

/// Few rows may be served equally well by a narrow kernel with a large λ and by a wide one with a small λ, and the
/// search end at either; more rows tell them apart.
RelevanceStep widened(RelevanceStep step) {
  const double wider = kWideFactor / step.factor;
  step.learned.bandwidth *= wider;
  for (LearnedInputs& fold : step.folds) fold.bandwidth *= wider;
  step.factor = kWideFactor;
  step.lambda = kWideLambda;
  return step;
}

std::optional<LearnedPair> learn_form(const KernelForm& form, const FormRows& from, const Run& run) {
  std::optional<RelevanceStep> start;
  const KernelForm weighted = weigh_one_hot(form, from, run, start);
  const LabelledRows* whole = from.rows.split.size() > 1 ? &from.rows.all : nullptr;
  const std::vector<RelevanceStep> steps =
      learn_relevance(weighted, from.some, whole, {.rounds = from.rounds, .start = start ? &*start : nullptr}, run);
  if (steps.empty()) return std::nullopt;
  return LearnedPair{{weighted, widened(steps.front())}, {weighted, best_step(steps)}};
}

}  // namespace

std::vector<LearnedPair> learn_forms(std::span<const KernelForm> forms, const FormRows& from, const Run& run) {
  const auto count = static_cast<Index>(forms.size());
  const bool side_by_side = count > 1 && count >= run.thread_count();
  Run inner = run;
  if (side_by_side) inner.threads = 1;
  std::vector<std::optional<LearnedPair>> learned(forms.size());
  const auto learn = [&](Index k) { learned[at(k)] = learn_form(forms[at(k)], from, inner); };
  if (side_by_side)
    parallel_for(count, run.thread_count(), learn);
  else
    for (Index k = 0; k < count; ++k) learn(k);
  std::vector<LearnedPair> result;
  for (std::optional<LearnedPair>& pair : learned)
    if (pair) result.push_back(*std::move(pair));
  return result;
}

}  // namespace weft::detail
