// The kernels of a portfolio, with the columns that each of them sees.
#pragma once

#include "methods/local/relevance.hpp"

#include <weft/encoder.hpp>

namespace weft::detail {

/// How many there are, and how many of them are quick.
inline constexpr std::size_t kForms = 8, kQuickForms = 2;

/// By effort: the quick ones come first. `rows` gives the range of one-hot columns, which are weighted as
/// columns of 0 and 1. Forms that would be equal, because the columns have one scaling, occur once.
std::vector<KernelForm> kernel_forms(std::span<const ColumnKind> kinds, const Matrix& x, bool thorough);

/// A form of standardised columns with them divided by their ranges instead of their deviations, as suits columns of
/// one unit, such as pixels, of which those that are seldom not 0 have a small deviation. None: a form of other
/// columns.
std::optional<KernelForm> with_equal_ranges(KernelForm form, std::span<const ColumnKind> kinds, const Matrix& x);

/// The form with its one-hot columns multiplied by this.
KernelForm with_one_hot_weight(KernelForm form, std::span<const ColumnKind> kinds, double weight);

}  // namespace weft::detail
