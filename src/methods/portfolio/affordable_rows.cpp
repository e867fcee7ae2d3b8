#include "methods/portfolio/affordable_rows.hpp"

#include "core/stopwatch.hpp"
#include "methods/local/held_out.hpp"

#include <algorithm>

namespace weft::detail {

Index affordable_rows(const LearnedForm& learned, Index leaf, const Fold& fold, double seconds, const Run& run) {
  const Index rows = fold.fit.rows();
  const Index some = 2 * leaf * run.thread_count();
  if (4 * some > rows) return rows;  // measuring would take a good part of the time that it saves
  const std::vector<Fold> part = shrink({&fold, 1}, some, leaf);
  const Stopwatch clock;
  CandidateFits(part.front().fit, part, some, 0, run).local(learned, leaf, 0, nullptr);
  const double per_row = clock.seconds() / static_cast<double>(some + part.front().held.rows());
  const double held = static_cast<double>(fold.held.rows());
  const double affordable = seconds / per_row - held;
  return affordable > static_cast<double>(rows) ? rows : std::max(some, static_cast<Index>(affordable));
}

}  // namespace weft::detail
