#include "explain/dependence.hpp"

#include "data/encode/dates.hpp"
#include "explain/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace weft::detail {

namespace {

constexpr Index kIndividual = 30;

/// Rows whose values of the variable are the grid, one per point.
std::vector<Index> number_grid(const std::vector<double>& numbers, Index points) {
  std::vector<Index> order;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::isfinite(numbers[i])) order.push_back(static_cast<Index>(i));
  const auto value = [&](Index row) { return numbers[static_cast<std::size_t>(row)]; };
  const auto less = [&](Index a, Index b) { return value(a) < value(b); };
  const auto same = [&](Index a, Index b) { return value(a) == value(b); };
  std::stable_sort(order.begin(), order.end(), less);
  std::vector<Index> distinct = order;
  distinct.erase(std::unique(distinct.begin(), distinct.end(), same), distinct.end());
  if (static_cast<Index>(distinct.size()) <= points) return distinct;
  std::vector<Index> grid;
  for (Index k = 0; k < points; ++k)
    grid.push_back(order[static_cast<std::size_t>(k * static_cast<Index>(order.size() - 1) / (points - 1))]);
  grid.erase(std::unique(grid.begin(), grid.end(), same), grid.end());
  return grid;
}

std::vector<Index> category_grid(const Cells& cells, Index rows, Index points) {
  struct Category {
    Index first;  // row that has it
    Index count = 0;
  };
  std::map<std::string, Category> seen;
  for (Index i = 0; i < rows; ++i) ++seen.try_emplace(cells.shown(i), Category{i}).first->second.count;
  std::vector<Category> order;
  for (const auto& [text, category] : seen) order.push_back(category);
  std::stable_sort(order.begin(), order.end(), [](const Category& a, const Category& b) { return a.count > b.count; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(points)));
  std::vector<Index> grid;
  for (const Category& category : order) grid.push_back(category.first);
  return grid;
}

bool is_category(const Encoder& encoder, Index variable) {
  const std::vector<Index>& of = encoder.inputs().variable_of;
  const auto column = std::find(of.begin(), of.end(), variable) - of.begin();
  const ColumnKind kind = encoder.column_kinds()[static_cast<std::size_t>(column)];
  return kind == ColumnKind::one_hot || kind == ColumnKind::effect;
}

/// The cells of a variable as numbers that can be ordered: those of dates are seconds. Empty: they cannot be.
std::vector<double> ordered_cells(const Encoder& encoder, Index variable, const Cells& cells) {
  if (is_category(encoder, variable)) return {};
  if (!cells.text) return cells.numbers;
  std::vector<double> times;
  for (const std::string& text : cells.texts)
    times.push_back(parse_date(text).value_or(std::numeric_limits<double>::quiet_NaN()));
  const auto known = [](double time) { return !std::isnan(time); };
  return std::any_of(times.begin(), times.end(), known) ? times : std::vector<double>{};
}

/// rows × outputs.
Matrix shown_values(const ModelParts& parts, PredictionBlock block) {
  const Task task = parts.encoder.target().task;
  if (task == Task::regression) return std::move(block.values);
  if (block.probabilities.rows() == 0) return std::move(block.scores);
  if (task != Task::binary) return std::move(block.probabilities);
  Matrix second(block.probabilities.rows(), 1);
  for (Index i = 0; i < second.rows(); ++i) second(i, 0) = block.probabilities(i, 1);
  return second;
}

double percentile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// What the rows' values at a point of the grid add to the curve.
void add_point(const Matrix& values, const std::vector<double>& weights, Index point, DependenceCurve& curve) {
  for (Index k = 0; k < values.cols(); ++k) {
    std::vector<double> column;
    for (Index i = 0; i < values.rows(); ++i) column.push_back(values(i, k));
    curve.mean(point, k) = mean_estimate(column, weights).value;
    curve.low(point, k) = percentile(column, 0.1);
    curve.high(point, k) = percentile(std::move(column), 0.9);
  }
  const Index shown = curve.individual.cols();
  for (Index i = 0; i < shown; ++i) curve.individual(point, i) = values(i * values.rows() / shown, 0);
}

/// Without its points.
DependenceCurve empty_curve(const ModelParts& parts, const RowSample& sample, Index variable, Index points) {
  DependenceCurve curve{.variable = parts.encoder.variable_names()[static_cast<std::size_t>(variable)],
                        .outputs = output_names(parts)};
  const auto outputs = static_cast<Index>(curve.outputs.size());
  for (Matrix* part : {&curve.mean, &curve.low, &curve.high}) *part = Matrix(points, outputs);
  const Index individual = std::min(kIndividual, sample.count());
  for (Index i = 0; i < individual; ++i)
    curve.rows.push_back(sample.rows[static_cast<std::size_t>(i * sample.count() / individual)]);
  curve.individual = Matrix(points, individual);
  return curve;
}

}  // namespace

std::string curves_of(const ModelParts& parts) {
  if (parts.encoder.target().task == Task::regression) return "prediction";
  return parts.probabilistic || !parts.calibration.slope.empty() ? "probability" : "score";
}

std::vector<std::string> output_names(const ModelParts& parts) {
  const TargetInfo& target = parts.encoder.target();
  if (target.task == Task::regression) return parts.loss.column_names(target.names);
  if (target.task == Task::binary) return {target.classes.back()};
  return target.classes;
}

DependenceCurve dependence_curve(const ModelParts& parts, const RowSample& sample, Index variable, const Cells& cells,
                                 Index points, const Run& run) {
  const Inputs& inputs = parts.encoder.inputs();
  const bool category = cells.text || is_category(parts.encoder, variable);
  const std::vector<double> ordered = ordered_cells(parts.encoder, variable, cells);
  const std::vector<Index> grid =
      ordered.empty() ? category_grid(cells, sample.count(), points) : number_grid(ordered, points);
  DependenceCurve curve = empty_curve(parts, sample, variable, static_cast<Index>(grid.size()));
  Matrix x = sample.x;
  for (Index g = 0; g < curve.points(); ++g) {
    run.check_cancelled();
    const Index row = grid[static_cast<std::size_t>(g)];
    if (category)
      curve.categories.push_back(cells.shown(row));
    else
      curve.values.push_back(cells.numbers[static_cast<std::size_t>(row)]);
    for (Index i = 0; i < x.cols(); ++i) set_variable(inputs, variable, sample.x, row, x, i);
    add_point(shown_values(parts, predictions(parts, x, run)), sample.weights, g, curve);
  }
  return curve;
}

std::vector<std::string> categorical_variables(const Encoder& encoder) {
  const std::vector<std::string> names = encoder.variable_names();
  std::vector<std::string> found;
  for (Index v = 0; v < encoder.inputs().variables(); ++v)
    if (is_category(encoder, v)) found.push_back(names[static_cast<std::size_t>(v)]);
  return found;
}

}  // namespace weft::detail
