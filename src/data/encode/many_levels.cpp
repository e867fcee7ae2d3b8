#include "data/encode/many_levels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/at.hpp"
#include "core/random.hpp"

namespace weft::detail {

namespace {

constexpr std::uint64_t kFoldSeed = 1;  // folds belong to the data, not to an experiment
constexpr std::size_t kMostFrequentLevels = 30;
constexpr Index kRowsPerFrequentLevel = 100;  // of this many rows one has it

}  // namespace

Index level_fold(Index row) {
  return Random(kFoldSeed, RandomStream::level_folds).below(kLevelFolds, static_cast<std::uint64_t>(row));
}

std::vector<LevelOutput> level_outputs(const std::vector<TargetStats>& columns, const TargetEncoder& target,
                                       const std::vector<std::string>& dictionary) {
  std::vector<LevelOutput> outputs;
  if (!target.classification()) {
    for (Index t = 0; t < std::min(kMostLevelOutputs, static_cast<Index>(columns.size())); ++t) {
      const TargetStats& column = columns[at(t)];
      outputs.push_back(
          {columns.size() > 1 ? column.name() : "", t, 0, column.min() + (column.max() - column.min()) / 2});
    }
    return outputs;
  }
  const std::vector<std::string>& labels = target.info.classes;
  if (labels.size() == 2) return {{labels.back(), 0, 1, 0.5}};
  std::vector<Index> counts(labels.size());
  const TargetStats& column = columns.front();
  const std::vector<double> values = column.values();
  const std::vector<Index> rows = column.counts();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Index position = column.text() ? target.classes.find(dictionary[static_cast<std::size_t>(values[k])])
                                         : target.classes.find(values[k]);
    counts[at(position)] += rows[k];
  }
  std::vector<Index> order(labels.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return counts[at(a)] > counts[at(b)]; });
  order.resize(std::min(order.size(), at(kMostLevelOutputs)));
  std::sort(order.begin(), order.end());
  for (const Index position : order) outputs.push_back({labels[at(position)], 0, position, 0});
  return outputs;
}

ManyLevels ManyLevels::of(Index levels, const std::vector<Index>& frequent, const std::vector<LevelOutput>& outputs) {
  ManyLevels many;
  many.one_hot.assign(at(levels), -1);
  for (std::size_t k = 0; k < frequent.size(); ++k) many.one_hot[at(frequent[k])] = static_cast<Index>(k);
  for (const LevelOutput& output : outputs) many.outputs.push_back(output.name);
  many.effects = Matrix(many.columns(), levels);
  many.by_fold = Matrix(kLevelFolds * many.columns(), levels);
  many.scalers.assign(outputs.size(), Scaler(0, 0));
  return many;
}

std::vector<Index> ManyLevels::frequent() const {
  std::vector<Index> levels;
  for (std::size_t level = 0; level < one_hot.size(); ++level)
    if (one_hot[level] >= 0) levels.push_back(static_cast<Index>(level));
  return levels;
}

void ManyLevels::write(const double* positions, const Index* folds, Index rows, Matrix& x, Index first_input,
                       Index first) const {
  for (Index o = 0; o < columns(); ++o) {
    double* const out = x.row(first_input + o) + first;
    for (Index i = 0; i < rows; ++i) {
      double effect = 0;
      if (std::isfinite(positions[i])) {
        const auto level = static_cast<Index>(positions[i]);
        effect = folds == nullptr ? effects(o, level) : by_fold(folds[i] * columns() + o, level);
      }
      out[i] = scalers[at(o)](effect);
    }
  }
}

std::vector<Index> frequent_levels(const std::vector<Index>& counts, Index rows) {
  std::vector<Index> order;
  for (std::size_t level = 0; level < counts.size(); ++level)
    if (kRowsPerFrequentLevel * counts[level] >= rows) order.push_back(static_cast<Index>(level));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return counts[at(a)] > counts[at(b)]; });
  order.resize(std::min(order.size(), kMostFrequentLevels));
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace weft::detail
