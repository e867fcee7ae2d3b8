// Which rows are held out, and which fold each row is in: pure functions of the seed, the classes and the number of
// rows.
#include <weft/encoder.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/random.hpp"
#include "data/rows/row_rule.hpp"

namespace weft {

using namespace detail;

namespace {

void check_classes(Index rows, const std::vector<Index>& classes) {
  if (!classes.empty() && static_cast<Index>(classes.size()) != rows)
    throw Error(ErrorKind::data, fmt::format("there are {} class labels for {} rows", classes.size(), rows), {},
                "give one label per row");
}

Index class_of(const std::vector<Index>& classes, Index row) {
  return classes.empty() ? 0 : classes[static_cast<std::size_t>(row)];
}

// Rows to hold out of each class: its share rounded down, and the rows still missing from `total` one each to the
// classes that lost most by rounding (largest remainders; among equals the smaller class number).
std::map<Index, Index> quotas(const std::map<Index, Index>& sizes, double holdout, Index total) {
  std::map<Index, Index> quota;
  std::vector<std::pair<double, Index>> lost;
  for (const auto& [label, size] : sizes) {
    const double share = holdout * static_cast<double>(size);
    quota[label] = static_cast<Index>(share);
    lost.emplace_back(std::floor(share) - share, label);
    total -= quota[label];
  }
  std::sort(lost.begin(), lost.end());
  for (std::size_t k = 0; k < lost.size() && total > 0; ++k, --total) ++quota[lost[k].second];
  return quota;
}

}  // namespace

std::vector<std::uint8_t> split(Index rows, const std::vector<Index>& classes, const SplitOptions& options) {
  check_value("holdout", options.holdout, Allowed::inside(0, 1));
  check_classes(rows, classes);
  const auto total = static_cast<Index>(std::llround(options.holdout * static_cast<double>(rows)));
  if (total == 0 || total == rows)
    throw Error(ErrorKind::option,
                fmt::format("holding out {:g} of {} rows leaves one side empty", options.holdout, rows), "‹holdout›",
                "choose another fraction, or add rows");

  std::map<Index, Index> sizes;
  for (Index row = 0; row < rows; ++row) ++sizes[class_of(classes, row)];
  std::map<Index, Index> quota = quotas(sizes, options.holdout, total);
  std::vector<std::uint8_t> held_out(static_cast<std::size_t>(rows));
  for (const Index row : Random(options.seed, RandomStream::split).permutation(rows)) {
    Index& left = quota[class_of(classes, row)];
    if (left == 0) continue;
    held_out[static_cast<std::size_t>(row)] = 1;
    --left;
  }
  return held_out;
}

DataSplit hold_out(const Data& data, const EncodeOptions& encode, const SplitOptions& options, const Run& run) {
  const auto [rows, classes] = row_classes(data, encode, run);
  const RowRule rule = RowRule::of(data, run);
  std::vector<std::uint8_t> held_out;
  if (rule.none()) {
    held_out = split(rows, classes, options);
  } else {
    check_value("holdout", options.holdout, Allowed::inside(0, 1));
    const PartOf part = rule.held_out(Random(options.seed, RandomStream::split), options.holdout);
    for (Index row = 0; row < rows; ++row) held_out.push_back(static_cast<std::uint8_t>(part(row)));
  }
  return {select_rows(data, held_out, 0), select_rows(data, held_out, 1)};
}

std::vector<std::uint8_t> choose_labelled(const std::vector<Index>& classes, Index per_class, std::uint64_t seed) {
  std::map<Index, Index> wanted;
  for (const Index label : classes) wanted[label] = per_class;
  const auto rows = static_cast<Index>(classes.size());
  std::vector<std::uint8_t> chosen(classes.size());
  for (const Index row : Random(seed, RandomStream::labels).permutation(rows)) {
    Index& left = wanted[class_of(classes, row)];
    if (left == 0) continue;
    chosen[static_cast<std::size_t>(row)] = 1;
    --left;
  }
  for (const auto& [label, left] : wanted)
    if (left > 0)
      throw Error(ErrorKind::option,
                  fmt::format("a class has {} rows, but {} are requested", per_class - left, per_class),
                  "‹labels_per_class›", fmt::format("give at most {}", per_class - left));
  return chosen;
}

std::vector<Index> assign_folds(Index rows, const std::vector<Index>& classes, Index folds, std::uint64_t seed) {
  check_classes(rows, classes);
  if (folds < 2 || folds > rows)
    throw Error(ErrorKind::option, fmt::format("{} folds of {} rows are not possible", folds, rows), "‹folds›",
                "choose 2 or more, and no more than there are rows");
  std::vector<Index> order = Random(seed, RandomStream::split).permutation(rows);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return class_of(classes, a) < class_of(classes, b); });
  // Dealing the rows out class after class balances every class and the folds at once.
  std::vector<Index> fold(static_cast<std::size_t>(rows));
  for (Index k = 0; k < rows; ++k) fold[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = k % folds;
  return fold;
}

}  // namespace weft
