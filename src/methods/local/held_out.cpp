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

/// Of equal size, one of which is held out at a time.
Index parts_of(Index rows) {
  return std::min(rows, std::max(kFolds, rows / kMostHeld));
}

/// One per row; empty for numbers.
std::vector<Index> classes_of(const LabelledRows& rows, Task task) {
  std::vector<Index> classes;
  if (task != Task::binary && task != Task::multiclass) return classes;
  for (Index i = 0; i < rows.rows(); ++i)
    classes.push_back(rows.outputs() == 1
                          ? Index{rows.y(i, 0) > 0}
                          : std::max_element(rows.y.row(i), rows.y.row(i) + rows.outputs()) - rows.y.row(i));
  return classes;
}

std::vector<Index> first(Index count) {
  std::vector<Index> positions(at(count));
  std::iota(positions.begin(), positions.end(), Index{0});
  return positions;
}

}  // namespace

Index held_out_count(Index rows) {
  return rows < 2 ? 0 : (rows + parts_of(rows) - 1) / parts_of(rows);
}

std::vector<Fold> hold_out_rows(const LabelledRows& rows, const RowRule& rule, Task task, std::uint64_t seed) {
  const Index n = rows.rows();
  if (n == 1) return {{rows, rows}};
  const Index parts = parts_of(n);
  const bool few = n <= kFewRows;
  Folds folds;
  if (rule.none() || few) {
    folds = rule.folds(n, parts, classes_of(rows, task), seed);
  } else {  // the part that is predicted comes last
    folds = {2, {}, true};
    const PartOf held = rule.held_out(Random(seed, RandomStream::split), 1 / static_cast<double>(parts));
    for (Index row = 0; row < n; ++row) folds.of_row.push_back(held(row));
  }
  const std::vector<Index> order = Random(seed, RandomStream::fit).permutation(n);  // the first rows are a sample
  std::vector<Fold> result;
  for (Index k = folds.first(); k < (few ? folds.parts : folds.first() + 1); ++k) {
    std::vector<Index> fit, held;
    for (const Index row : order) {
      const Index part = folds.of_row[at(row)];
      if (part == k)
        held.push_back(row);
      else if (folds.trains(part, k))
        fit.push_back(row);
    }
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

double held_out_error(std::span<const Fold> folds, const Matrix& scores) {
  double sum = 0, total = 0;
  Index first = 0;
  for (const Fold& fold : folds) {
    const auto count = static_cast<double>(fold.held.rows());
    sum += count * mean_squared_error(fold.held, scores.view().row_range(first, fold.held.rows()));
    total += count;
    first += fold.held.rows();
  }
  return sum / total;
}

Index held_rows(std::span<const Fold> folds) {
  Index total = 0;
  for (const Fold& fold : folds) total += fold.held.rows();
  return total;
}

}  // namespace weft::detail
