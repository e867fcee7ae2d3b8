#include <weft/predicted_table.hpp>

#include "core/at.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

bool is_classification(const Model& model) {
  return model.target().task != Task::regression;
}

std::vector<std::string> predicted_names(const Model& model, const PredictedColumns& columns) {
  const TargetInfo& target = model.target();
  std::vector<std::string> names = model.value_names();
  if (columns.proba)
    for (const std::string& label : target.classes) names.push_back("proba_" + label);
  const bool per_class = target.task == Task::multiclass;
  if (columns.std)
    for (const std::string& name : per_class ? target.classes : target.names)
      names.push_back(per_class ? target.names.front() + "_" + name + "_std" : name + "_std");
  if (!columns.interval) return names;
  if (is_classification(model)) {
    names.emplace_back("set");
    return names;
  }
  for (const char* end : {"lower", "upper"})
    for (const std::string& name : target.names) names.push_back(target.names.size() == 1 ? end : name + "_" + end);
  return names;
}

/// A carried column of the same name is the truth.
std::vector<std::string> column_names(const Model& model, const PredictedColumns& columns,
                                      const std::vector<std::string>& carried) {
  std::vector<std::string> names = carried;
  const auto free_name = [&](std::string name, const char* prefix) {
    while (std::find(names.begin(), names.end(), name) != names.end()) name.insert(0, prefix);
    return name;
  };
  if (columns.rows) names.insert(names.begin(), free_name("row", "table_"));
  for (const std::string& name : predicted_names(model, columns)) names.push_back(free_name(name, "predicted_"));
  return names;
}

/// Of those columns.
std::vector<CellType> column_types(const Model& model, const PredictedColumns& columns, std::size_t carried) {
  std::vector<CellType> types(carried, CellType::text);
  if (columns.rows) types.insert(types.begin(), CellType::integer);
  types.insert(types.end(), model.target().names.size(), is_classification(model) ? CellType::text : CellType::number);
  types.resize(carried + (columns.rows ? 1 : 0) + predicted_names(model, columns).size(), CellType::number);
  return types;
}

Matrix row_numbers(const PredictionBlock& block) {
  Matrix numbers(block.rows(), 1);
  for (Index i = 0; i < block.rows(); ++i) numbers(i, 0) = static_cast<double>(block.first_row + i + 1);
  return numbers;
}

/// The rows of several matrices side by side, as numbers.
Matrix side_by_side(const std::vector<const Matrix*>& parts) {
  Index cols = 0;
  for (const Matrix* part : parts) cols += part->cols();
  Matrix rows(parts.front()->rows(), cols);
  for (Index i = 0; i < rows.rows(); ++i) {
    double* to = rows.row(i);
    for (const Matrix* part : parts) to = std::copy_n(part->row(i), part->cols(), to);
  }
  return rows;
}

/// In the order of predicted_names().
std::vector<const Matrix*> predicted_numbers(const PredictionBlock& block, const PredictedColumns& columns) {
  std::vector<const Matrix*> parts = {&block.values};
  if (columns.proba) parts.push_back(&block.probabilities);
  if (columns.std) parts.push_back(&block.std);
  if (block.lower.rows() > 0) parts.insert(parts.end(), {&block.lower, &block.upper});
  return parts;
}

/// Appends to the rows of `before`.
std::vector<std::vector<std::string>> text_rows(std::vector<std::vector<std::string>> before, const Matrix& numbers,
                                                const std::vector<std::string>& classes) {
  for (Index i = 0; i < numbers.rows(); ++i)
    for (Index j = 0; j < numbers.cols(); ++j)
      before[at(i)].push_back(j == 0 && !classes.empty() ? classes[at(static_cast<Index>(numbers(i, 0)))]
                                                         : fmt::format("{}", numbers(i, j)));
  return before;
}

/// The labels of every row's set, separated by |.
void append_sets(const Matrix& sets, const std::vector<std::string>& classes,
                 std::vector<std::vector<std::string>>& rows) {
  for (Index i = 0; i < sets.rows(); ++i) {
    std::string labels;
    for (Index k = 0; k < sets.cols(); ++k)
      if (sets(i, k) == 1) labels += (labels.empty() ? "" : "|") + classes[at(k)];
    rows[at(i)].push_back(std::move(labels));
  }
}

}  // namespace

PredictedTable::PredictedTable(Model model, const PredictedColumns& columns, Open open)
    : model_(std::move(model)), columns_(columns), open_(std::move(open)) {}

void PredictedTable::append(const PredictionBlock& block, CarriedCells carried) {
  std::vector<const Matrix*> parts = predicted_numbers(block, columns_);
  const Matrix rows = row_numbers(block);
  if (!is_classification(model_) && carried.names.empty()) {
    if (columns_.rows) parts.insert(parts.begin(), &rows);
    writer(carried.names).append(side_by_side(parts));
    return;
  }
  auto& texts = carried.cells;
  for (Index i = 0; columns_.rows && i < block.rows(); ++i)
    texts[at(i)].insert(texts[at(i)].begin(), fmt::format("{}", rows(i, 0)));
  texts = text_rows(std::move(texts), side_by_side(parts), model_.target().classes);
  append_sets(block.sets, model_.target().classes, texts);
  writer(carried.names).append_text(texts);
}

void PredictedTable::commit(const std::vector<std::string>& carried) {
  writer(carried).commit();
}

TableWriter& PredictedTable::writer(const std::vector<std::string>& carried) {
  if (!opened_)
    opened_.emplace(open_(column_names(model_, columns_, carried), column_types(model_, columns_, carried.size())));
  return *opened_;
}

}  // namespace weft
