#include "methods/portfolio/kernel_forms.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

constexpr ColumnKind kKinds[] = {ColumnKind::ranked,       ColumnKind::standardised, ColumnKind::ranked,
                                 ColumnKind::standardised, ColumnKind::one_hot,      ColumnKind::bias};

/// The standardised columns range over 2 and 10, the one-hot column over 0.5.
Matrix rows() {
  Matrix x(6, 3);
  const double values[6][3] = {{0, 1, 2}, {-1, 0, 1}, {0, 0, 1}, {-1, 0, 9}, {0, 0, 0.5}, {1, 1, 1}};
  for (Index j = 0; j < 6; ++j)
    for (Index i = 0; i < 3; ++i) x(j, i) = values[j][i];
  return x;
}

TEST(KernelForms, SeeTheColumnsOfTheirScaling) {
  const std::vector<KernelForm> forms = kernel_forms(kKinds, rows(), false);
  ASSERT_EQ(forms.size(), kQuickForms);
  EXPECT_EQ(forms[0].base.columns, (std::vector<Index>{0, 2, 4}));
  EXPECT_EQ(forms[1].base.columns, (std::vector<Index>{1, 3, 4}));
  EXPECT_EQ(forms[1].base.factors, (std::vector<double>{1, 1, 2}));  // one-hot columns as 0 and 1
  EXPECT_EQ(kernel_forms(kKinds, rows(), true).size(), kForms);
}

TEST(KernelForms, MayGiveStandardisedColumnsEqualRanges) {
  const std::vector<KernelForm> forms = kernel_forms(kKinds, rows(), false);
  EXPECT_FALSE(with_equal_ranges(forms[0], kKinds, rows()));
  const std::optional<KernelForm> equal = with_equal_ranges(forms[1], kKinds, rows());
  ASSERT_TRUE(equal);
  EXPECT_DOUBLE_EQ(equal->base.factors[0] * 2, equal->base.factors[1] * 10);
  EXPECT_EQ(equal->base.factors[2], 2);
  EXPECT_EQ(with_one_hot_weight(*equal, kKinds, 0.5).base.factors[2], 1);
}

}  // namespace
}  // namespace weft
