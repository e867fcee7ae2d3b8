// The results of a search, as text.
#pragma once

#include <weft/tune.hpp>

namespace weft::cli {

/// The ten best configurations, what was tried per family, the curve over the number of features, and the time saved.
void print_search(const TuneResult& result);
/// What the portfolio tried.
void print_tried(const FitReport& report);

}  // namespace weft::cli
