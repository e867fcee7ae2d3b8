#include "methods/portfolio/learned_forms.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "methods/portfolio/kernel_forms.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

constexpr double kOneHotWeights[] = {0.5, 2};  // besides 1
constexpr double kWideFactor = 4, kWideLambda = 0.03;

/// Chooses weights of columns without relevance.
class ColumnWeights {
 public:
  ColumnWeights(const KernelForm& form, const FormRows& from, const Run& run) : from_(from), run_(run), best_(form) {
    const std::optional<KernelForm> ranges = with_equal_ranges(form, from.columns, from.rows.all.x);
    const bool one_hot = std::any_of(form.base.columns.begin(), form.base.columns.end(),
                                     [&](Index j) { return from.columns[at(j)] == ColumnKind::one_hot; });
    if (ranges || one_hot) consider(form);
    if (ranges) consider(*ranges);
    const KernelForm numbers = best_;
    for (const double weight : kOneHotWeights)
      if (one_hot) consider(with_one_hot_weight(numbers, from.columns, weight));
  }

  const KernelForm& best() const { return best_; }
  /// What was found with it; none where there was nothing to choose.
  const RelevanceStep* step() const { return step_ ? &*step_ : nullptr; }

 private:
  void consider(const KernelForm& form) {
    const std::vector<RelevanceStep> steps =
        learn_relevance(form, from_.some, nullptr, {.rounds = 0, .start = step()}, run_);
    if (steps.empty() || (step_ && !(steps.front().error < step_->error))) return;
    step_ = steps.front();
    best_ = form;
  }

  const FormRows& from_;
  const Run& run_;
  KernelForm best_;
  std::optional<RelevanceStep> step_;
};

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
  const ColumnWeights weights(form, from, run);
  const KernelForm& weighted = weights.best();
  const LabelledRows* whole = from.rows.split.size() > 1 ? &from.rows.all : nullptr;
  const std::vector<RelevanceStep> steps =
      learn_relevance(weighted, from.some, whole, {.rounds = from.rounds, .start = weights.step()}, run);
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
