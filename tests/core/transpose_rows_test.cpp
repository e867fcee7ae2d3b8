#include "core/transpose_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace weft::detail {
namespace {

TEST(TransposeRows, PutsEveryCellInItsPlaceAndTouchesNoOther) {
  for (const Index rows : {0, 1, 7, 8, 9, 30})
    for (const Index cols : {1, 2, 8, 15, 100}) {
      Matrix from(rows + 2, cols + 3), to(cols + 2, rows + 3);
      for (Index k = 0; k < from.rows() * from.cols(); ++k) from.data()[k] = static_cast<double>(k + 1);
      transpose_rows(from.view().row_range(1, rows).col_range(2, cols),
                     to.view().row_range(1, cols).col_range(2, rows));
      for (Index j = 0; j < to.rows(); ++j)
        for (Index i = 0; i < to.cols(); ++i) {
          const bool inside = j >= 1 && j <= cols && i >= 2 && i < rows + 2;
          ASSERT_EQ(to(j, i), inside ? from(i - 1, j + 1) : 0) << rows << " × " << cols;
        }
    }
}

TEST(TransposeRows, KeepsMissingCellsAndSigns) {
  Matrix from(8, 8), to(8, 8);
  from(3, 5) = std::numeric_limits<double>::quiet_NaN();
  from(2, 1) = -0.0;
  transpose_rows(from, to);
  EXPECT_TRUE(std::isnan(to(5, 3)));
  EXPECT_TRUE(std::signbit(to(1, 2)));
}

}  // namespace
}  // namespace weft::detail
