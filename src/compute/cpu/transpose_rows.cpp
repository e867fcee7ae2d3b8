#include "compute/cpu/transpose_rows.hpp"

#include "compute/cpu/vector_kernels.hpp"

#include <algorithm>
#include <array>

namespace weft::detail {

void transpose_rows(View<const double> rows, View<double> columns) {
  constexpr Index kTogether = 512;
  static const std::array<double, kTogether> ones = [] {
    std::array<double, kTogether> values{};
    values.fill(1.0);
    return values;
  }();
  const TransposeLoop loop = chosen_kernels().set->transpose;
  for (Index first = 0; first < rows.rows; first += kTogether)
    loop(rows.cols, std::min(kTogether, rows.rows - first), rows.row(first), rows.stride, ones.data(), 1.0,
         columns.data + first, columns.stride);
}

}  // namespace weft::detail
