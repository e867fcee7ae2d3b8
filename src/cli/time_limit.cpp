#include "cli/time_limit.hpp"

#include <weft/encoder.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace weft::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMeasuring = 0.15;       // of the limit
constexpr double kLongestMeasuring = 10;  // seconds
constexpr Index kFirstParts = 64;         // measured first: a 64th of the rows
constexpr Index kFewestRows = 1000;       // of which measures are worth something

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A random one of so many parts of the rows, whose number need not be known: the draw repeats after a prime number.
Data part_of(const Data& data, Index parts) {
  constexpr Index kPeriod = 99991;
  std::vector<Index> folds = assign_folds(kPeriod, {}, parts, 1);
  return select_rows(
      data, [folds = std::move(folds)](Index row) { return folds[static_cast<std::size_t>(row % kPeriod)] == 0; });
}

/// None where the part has no rows, as of a table with few.
std::optional<Evaluation> evaluate_part(const Model& model, const Data& data, Index parts, const Run& run) {
  if (parts == 1) return evaluate(model, data, run);
  const Data part = part_of(data, parts);
  RawBlock block;
  if (!part.open()->next(block, 1)) return std::nullopt;
  return evaluate(model, part, run);
}

}  // namespace

Run fit_in_time(const Run& run) {
  Run result = run;
  if (run.max_seconds > 0) {
    const double kept = std::min(kMeasuring * run.max_seconds, kLongestMeasuring);
    result.max_seconds = std::max(1e-3, run.seconds_left() - kept);  // fit() counts from its own start
  }
  return result;
}

Evaluation evaluate_in_time(const Model& model, const Data& data, const std::string& rows, double share,
                            const Run& run) {
  if (run.max_seconds == 0) return evaluate(model, data, run);
  const Clock::time_point start = Clock::now();
  const double allowed = share * run.seconds_left();
  for (Index parts = kFirstParts;;) {
    const Clock::time_point part_start = Clock::now();
    const std::optional<Evaluation> result = evaluate_part(model, data, parts, run);
    if (parts == 1) return *result;
    // Reading all rows takes its time for a small part, too, so that this expects rather too much.
    const double whole = seconds_since(part_start) * static_cast<double>(parts);
    const double left = 0.7 * (allowed - seconds_since(start));
    const double in_time = whole <= left ? 1 : left > 0 ? std::ceil(whole / left) : static_cast<double>(parts);
    const Index enough = std::max<Index>(1, result ? parts * result->rows / kFewestRows : 1);
    const Index next = std::min(static_cast<Index>(std::min(in_time, static_cast<double>(parts))), enough);
    if (2 * next > parts) {
      run.warn(
          fmt::format("time limit: measured on {} of the {}, drawn at random; raise ‹max_time›", result->rows, rows));
      return *result;
    }
    parts = next;
  }
}

}  // namespace weft::cli
