#include "data/encode/variable_inputs.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

// One-hot indicators, scaled: a column has two values only. A row without a category, or with a rare one of many,
// leaves all of them off.
void write_one_hot(const Variable& variable, const double* positions, Matrix& x, Index first_row, Index first,
                   Index rows) {
  for (std::size_t c = 0; c < variable.scalers.size(); ++c) {
    double* out = x.row(first_row + static_cast<Index>(c)) + first;
    std::fill(out, out + rows, variable.scalers[c](0));
  }
  for (Index i = 0; i < rows; ++i) {
    if (!std::isfinite(positions[i])) continue;
    const Index c = variable.one_hot(static_cast<Index>(positions[i]));
    if (c >= 0) x(first_row + c, first + i) = variable.scalers[static_cast<std::size_t>(c)](1);
  }
}

void write_indicator(const Scaler& scaler, const double* values, bool indicate, double* out, Index rows) {
  std::fill_n(out, rows, scaler(0));
  for (Index i = 0; indicate && i < rows; ++i)
    if (std::isnan(values[i])) out[i] = scaler(1);
}

template <class Test>
Index count(const double* values, Index rows, Test test) {
  return static_cast<Index>(std::count_if(values, values + rows, test));
}

}  // namespace

StrangeCounts write_variable(const Variable& variable, MissingCells rule, double* values, const Index* folds,
                             Index rows, Matrix& x, Index first_row, Index first) {
  const Role role = role_of(variable);
  const Index missing = count(values, rows, [](double v) { return std::isnan(v); });
  const bool indicate = rule == MissingCells::indicate;
  StrangeCounts counts;
  if (variable.indicator)
    write_indicator(*variable.indicator, values, indicate && missing > 0,
                    x.row(first_row + variable.columns() - 1) + first, rows);
  else if (indicate)
    counts.missing = missing;
  if (variable.dates) {
    variable.dates->write(variable.scalers, values, rows, x, first_row, first);
    return counts;
  }
  if (has_words(role)) counts.unseen = count(values, rows, [](double v) { return std::isinf(v); });
  // A missing category that is not imputed is none of the categories, as is an unseen one.
  const bool category = role == Role::category;
  if (missing + counts.unseen > 0 && (!category || rule == MissingCells::impute))
    std::replace_if(
        values, values + rows, [&](double v) { return std::isnan(v) || (!category && std::isinf(v)); }, variable.fill);
  if (category) {
    write_one_hot(variable, values, x, first_row, first, rows);
    if (variable.many)
      variable.many->write(values, folds, rows, x, first_row + static_cast<Index>(variable.scalers.size()), first);
    return counts;
  }
  for (std::size_t c = 0; c < variable.scalers.size(); ++c) {
    double* out = x.row(first_row + static_cast<Index>(c)) + first;
    std::copy_n(values, rows, out);
    variable.scalers[c].apply(out, rows);
  }
  return counts;
}

}  // namespace weft::detail
