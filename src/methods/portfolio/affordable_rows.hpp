// How many rows a time limit leaves to local fits.
#pragma once

#include "methods/local/candidate.hpp"

namespace weft::detail {

/// Of the rows that the fold's fit has, those that a local fit can take in `seconds`, by the time of one to a few
/// leaves of them.
Index affordable_rows(const LearnedForm& learned, Index leaf, const Fold& fold, double seconds, const Run& run);

}  // namespace weft::detail
