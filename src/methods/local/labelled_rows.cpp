#include "methods/local/labelled_rows.hpp"

#include <weft/error.hpp>

#include "core/at.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::detail {

namespace {

/// Weighted means and deviations of the targets, which are replaced by their scaled values.
TargetScale scale_targets(LabelledRows& rows) {
  const Index n = rows.rows();
  TargetScale scale;
  for (Index o = 0; o < rows.outputs(); ++o) {
    double sum = 0, squares = 0, total = 0;
    for (Index i = 0; i < n; ++i) {
      sum += rows.weight(i) * rows.y(i, o);
      total += rows.weight(i);
    }
    const double mean = sum / total;
    for (Index i = 0; i < n; ++i) squares += rows.weight(i) * (rows.y(i, o) - mean) * (rows.y(i, o) - mean);
    const double deviation = std::sqrt(squares / total);
    scale.mean.push_back(mean);
    scale.deviation.push_back(deviation > 0 && std::isfinite(deviation) ? deviation : 1);
    for (Index i = 0; i < n; ++i) rows.y(i, o) = (rows.y(i, o) - mean) / scale.deviation.back();
  }
  return scale;
}

void normalise(std::vector<double>& weights) {
  double total = 0;
  for (const double w : weights) total += w;
  const double mean = total / static_cast<double>(weights.size());
  for (double& w : weights) w /= mean;
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; })) weights.clear();
}

}  // namespace

Matrix gather_columns(View<const double> x, std::span<const Index> positions) {
  Matrix result(x.rows, static_cast<Index>(positions.size()));
  for (Index j = 0; j < x.rows; ++j)
    for (std::size_t k = 0; k < positions.size(); ++k) result(j, static_cast<Index>(k)) = x(j, positions[k]);
  return result;
}

double column_range(const Matrix& x, Index input) {
  const auto [low, high] = std::minmax_element(x.row(input), x.row(input) + x.cols());
  return *high - *low;
}

LabelledRows LabelledRows::subset(std::span<const Index> positions) const {
  LabelledRows result{gather_columns(x, positions), Matrix(static_cast<Index>(positions.size()), outputs()), {}};
  for (std::size_t k = 0; k < positions.size(); ++k)
    std::copy_n(y.row(positions[k]), outputs(), result.y.row(static_cast<Index>(k)));
  if (!weights.empty())
    for (const Index i : positions) result.weights.push_back(weights[at(i)]);
  return result;
}

LabelledRows merge_equal(const LabelledRows& rows) {
  const auto before = [&](Index a, Index b) {
    for (Index j = 0; j < rows.x.rows(); ++j)
      if (rows.x(j, a) != rows.x(j, b)) return rows.x(j, a) < rows.x(j, b);
    return false;
  };
  std::vector<Index> order(at(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<Index> first;  // of each group, in the order of the groups
  for (std::size_t k = 0; k < order.size(); ++k)
    if (k == 0 || before(order[k - 1], order[k])) first.push_back(static_cast<Index>(k));
  LabelledRows merged{Matrix(rows.x.rows(), static_cast<Index>(first.size())),
                      Matrix(static_cast<Index>(first.size()), rows.outputs()), std::vector<double>(first.size())};
  for (std::size_t g = 0; g < first.size(); ++g) {
    const auto group = static_cast<Index>(g);
    const Index last = g + 1 < first.size() ? first[g + 1] : rows.rows();
    for (Index j = 0; j < rows.x.rows(); ++j) merged.x(j, group) = rows.x(j, order[at(first[g])]);
    for (Index k = first[g]; k < last; ++k) {
      const Index row = order[at(k)];
      merged.weights[g] += rows.weight(row);
      for (Index o = 0; o < rows.outputs(); ++o) merged.y(group, o) += rows.weight(row) * rows.y(row, o);
    }
    for (Index o = 0; o < rows.outputs(); ++o) merged.y(group, o) /= merged.weights[g];
  }
  return merged;
}

std::vector<double> column_deviations(const Matrix& x) {
  std::vector<double> result;
  const auto n = static_cast<double>(x.cols());
  for (Index j = 0; j < x.rows(); ++j) {
    double sum = 0, squares = 0;
    for (Index i = 0; i < x.cols(); ++i) sum += x(j, i);
    for (Index i = 0; i < x.cols(); ++i) squares += (x(j, i) - sum / n) * (x(j, i) - sum / n);
    result.push_back(std::sqrt(squares / n));
  }
  return result;
}

LabelledRows gather_labelled(const BlockSource& source, TargetScale& scale) {
  LabelledRows rows;
  const Index n = source.rows();
  Index kept = 0;
  source.for_each([&](const TrainingBlock& block) {
    if (rows.x.rows() == 0) {
      rows.x = Matrix(block.x.rows, n);
      rows.y = Matrix(n, source.outputs());
    }
    for (Index i = 0; i < block.rows(); ++i) {
      const double w = block.weights == nullptr ? 1 : block.weights[i];
      if (!(w > 0)) continue;
      for (Index j = 0; j < block.x.rows; ++j) rows.x(j, kept) = block.x(j, i);
      for (Index o = 0; o < source.outputs(); ++o) rows.y(kept, o) = block.y(o, i);
      rows.weights.push_back(w);
      ++kept;
    }
    return true;
  });
  if (kept == 0)
    throw Error(ErrorKind::data, "no row has a positive weight", "‹weights›", "give weights that are not all 0");
  if (kept < n) {
    std::vector<Index> first(at(kept));
    for (Index i = 0; i < kept; ++i) first[at(i)] = i;
    rows = rows.subset(first);
  }
  normalise(rows.weights);
  scale = scale_targets(rows);
  return rows;
}

}  // namespace weft::detail
