// How many threads a table is worth.
#pragma once

#include <weft/run.hpp>

namespace weft::detail {

/// The run with one thread where the table is so small that a step of its fit takes less time than threads take to
/// meet: on a busy machine each of them may wait a time slice for the other, after every one of thousands of steps.
/// What a fit computes does not depend on their number.
inline Run with_useful_threads(Run run, Index rows, Index inputs, Index features) {
  constexpr Index kFewRows = 256, kFewCells = Index{1} << 16, kFewFeatures = 1000;
  if (rows <= kFewRows && rows * inputs <= kFewCells && features <= kFewFeatures) run.threads = 1;
  return run;
}

}  // namespace weft::detail
