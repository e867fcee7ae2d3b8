#include <weft/input_transform.hpp>

#include <weft/error.hpp>

#include "compute/device.hpp"
#include "core/at.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace weft {

using namespace detail;

namespace {

void require(bool condition, const char* what) {
  if (!condition)
    throw Error(ErrorKind::model, std::string("a transform of the inputs is inconsistent: ") + what, {},
                "train the model again");
}

bool finite(const double* numbers, Index count) {
  return std::all_of(numbers, numbers + count, [](double number) { return std::isfinite(number); });
}

Index column_count(const InputTransform& transform, Index encoded) {
  return transform.columns.empty() ? encoded : static_cast<Index>(transform.columns.size());
}

// out (columns × rows): the chosen columns times their factors.
void choose(const InputTransform& transform, View<const double> x, View<double> out) {
  for (Index j = 0; j < out.rows; ++j) {
    const double* from = x.row(transform.columns.empty() ? j : transform.columns[at(j)]);
    const double factor = transform.factors.empty() ? 1 : transform.factors[at(j)];
    std::transform(from, from + x.cols, out.row(j), [factor](double value) { return factor * value; });
  }
}

}  // namespace

bool InputTransform::operator==(const InputTransform& other) const {
  const Index size = matrix.rows() * matrix.cols();
  return columns == other.columns && factors == other.factors && matrix.rows() == other.matrix.rows() &&
         matrix.cols() == other.matrix.cols() && std::equal(matrix.data(), matrix.data() + size, other.matrix.data());
}

Index InputTransform::inputs(Index encoded) const {
  return matrix.rows() > 0 ? matrix.rows() : column_count(*this, encoded);
}

Inputs InputTransform::inputs(const Inputs& encoded) const {
  if (matrix.rows() > 0) return Inputs::plain(matrix.rows());
  if (columns.empty()) return encoded;
  Inputs own;
  own.bias = encoded.bias && columns.back() == encoded.columns() - 1;
  Index last = -1;
  Index variable = -1;
  for (const Index column : columns) {
    const Index of = encoded.variable_of[at(column)];
    if (of >= 0 && of != last) ++variable;
    last = of;
    own.names.push_back(encoded.names[at(column)]);
    own.variable_of.push_back(of < 0 ? -1 : variable);
  }
  return own;
}

Matrix InputTransform::apply(View<const double> x) const {
  Matrix out(inputs(x.rows), x.cols);
  apply(x, out);
  return out;
}

void InputTransform::apply(View<const double> x, View<double> out) const {
  if (matrix.rows() == 0) return choose(*this, x, out);
  if (columns.empty() && factors.empty()) return cpu().multiply(1, matrix, x, 0, out);
  Matrix chosen(matrix.cols(), x.cols);
  choose(*this, x, chosen);
  cpu().multiply(1, matrix, chosen, 0, out);
}

void InputTransform::check(Index encoded) const {
  const auto out_of_range = [&](Index column) { return column < 0 || column >= encoded; };
  require(std::none_of(columns.begin(), columns.end(), out_of_range), "a column that does not exist");
  require(std::adjacent_find(columns.begin(), columns.end(), std::greater_equal<>()) == columns.end(),
          "columns out of order");
  const Index count = column_count(*this, encoded);
  require(factors.empty() || static_cast<Index>(factors.size()) == count, "factors and columns");
  require(matrix.rows() == 0 || matrix.cols() == count, "matrix and columns");
  require(finite(factors.data(), static_cast<Index>(factors.size())) &&
              finite(matrix.data(), matrix.rows() * matrix.cols()),
          "a number that is not finite");
}

}  // namespace weft
