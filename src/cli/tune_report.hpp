// The results of a search, as text.
#pragma once

#include <weft/tune.hpp>

#include "cli/session.hpp"

namespace weft::cli {

/// tune(request); where it is stopped, what it has found and how to go on are printed first.
TuneResult run_search(TuneRequest request, Session& session, bool json);
/// The ten best configurations, what was tried per family, the curve over the number of features, and the time saved.
void print_search(const TuneResult& result);
/// What the portfolio tried.
void print_tried(const FitReport& report);

}  // namespace weft::cli
