#include "methods/local/held_out.hpp"

#include "core/at.hpp"
#include "core/random.hpp"

#include <algorithm>
#include <numeric>

namespace weft::detail {

namespace {

constexpr Index kFewRows = 2500;  // a fifth of fewer rows says too little
constexpr Index kFolds = 5;
constexpr Index kMostHeld = 5000;

/// In random order; with classes, those of each class follow each other.
std::vector<Index> shuffled(const LabelledRows& rows, Task task, std::uint64_t seed) {
  std::vector<Index> order = Random(seed, RandomStream::split).permutation(rows.rows());
  if (task != Task::binary && task != Task::multiclass) return order;
  const auto class_of = [&](Index i) {
    return rows.outputs() == 1 ? Index{rows.y(i, 0) > 0}
                               : std::max_element(rows.y.row(i), rows.y.row(i) + rows.outputs()) - rows.y.row(i);
  };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return class_of(a) < class_of(b); });
  return order;
}

std::vector<Index> first(Index count) {
  std::vector<Index> positions(at(count));
  std::iota(positions.begin(), positions.end(), Index{0});
  return positions;
}

}  // namespace

std::vector<Fold> hold_out_rows(const LabelledRows& rows, Task task, std::uint64_t seed) {
  const Index n = rows.rows();
  const Index parts = std::min(n, std::max(kFolds, n / kMostHeld));
  const std::vector<Index> order = shuffled(rows, task, seed);
  std::vector<std::vector<Index>> dealt(at(std::max<Index>(1, parts)));
  for (Index i = 0; i < n; ++i) dealt[at(i % static_cast<Index>(dealt.size()))].push_back(order[at(i)]);
  const Index folds = n <= kFewRows ? parts : 1;
  const Random draws(seed, RandomStream::fit);
  std::vector<Fold> result;
  for (Index k = 0; k < folds; ++k) {
    std::vector<Index> rest;
    for (Index other = 0; other < static_cast<Index>(dealt.size()); ++other)
      if (other != k || dealt.size() == 1) rest.insert(rest.end(), dealt[at(other)].begin(), dealt[at(other)].end());
    // Random order again, so that the first rows are a sample.
    const std::vector<Index> mixed = draws.permutation(static_cast<Index>(rest.size()));
    std::vector<Index> fit;
    for (const Index i : mixed) fit.push_back(rest[at(i)]);
    std::vector<Index> held;
    for (const Index i : draws.permutation(static_cast<Index>(dealt[at(k)].size())))
      held.push_back(dealt[at(k)][at(i)]);
    result.push_back({rows.subset(fit), rows.subset(held)});
  }
  return result;
}

std::vector<Fold> shrink(std::span<const Fold> folds, Index fit, Index held) {
  std::vector<Fold> result;
  for (const Fold& fold : folds)
    result.push_back({fold.fit.subset(first(std::min(fit, fold.fit.rows()))),
                      fold.held.subset(first(std::min(held, fold.held.rows())))});
  return result;
}

Index held_rows(std::span<const Fold> folds) {
  Index total = 0;
  for (const Fold& fold : folds) total += fold.held.rows();
  return total;
}

}  // namespace weft::detail
