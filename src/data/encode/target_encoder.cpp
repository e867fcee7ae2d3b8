#include "data/encode/target_encoder.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kMostIntegerClasses = 10;
constexpr Index kRowsPerIntegerClass = 10;
// Sums of squares of the targets' deviations must neither overflow nor vanish.
constexpr double kLargestTarget = 1e140;
constexpr double kLeastSpread = 1e-140;

bool holds_classes(const TargetStats& column, Index rows, TargetKind task) {
  if (task != TargetKind::automatic) return task == TargetKind::classification;
  if (column.text() || column.distinct() == 2) return true;
  return column.integers() && column.distinct() >= 2 && column.distinct() <= kMostIntegerClasses &&
         rows >= kRowsPerIntegerClass * column.distinct();
}

void check_numbers(const TargetStats& column, bool alone, const std::string& place) {
  if (column.text())
    throw Error(ErrorKind::data, fmt::format("target '{}' holds text, and regression needs numbers", column.name()),
                place, alone ? "use ‹task› classification" : "several targets are always a regression: name one");
  if (column.constant())
    throw Error(ErrorKind::data, fmt::format("target '{}' has the same value in every row", column.name()), place,
                "choose another ‹target›");
  const double largest = std::max(std::abs(column.min()), std::abs(column.max()));
  const double spread = column.max() - column.min();
  if (largest > kLargestTarget || spread < kLeastSpread)
    throw Error(ErrorKind::data,
                fmt::format("target '{}' has values from {:.4g} to {:.4g}: squared errors are beyond double precision",
                            column.name(), column.min(), column.max()),
                place,
                spread < kLeastSpread ? "multiply it by a power of ten"
                                      : "divide it by a power of ten, or predict its logarithm");
}

void check_classes(const TargetStats& column, const std::string& place) {
  if (column.too_many_for_classes())
    throw Error(ErrorKind::data, fmt::format("target '{}' has more than {} classes", column.name(), kMaxClasses), place,
                column.text() ? "choose another ‹target›" : "use ‹task› regression");
  if (column.distinct() < 2)
    throw Error(ErrorKind::data, fmt::format("target '{}' has one class only", column.name()), place,
                "choose another ‹target›, or add rows of other classes");
}

}  // namespace

void TargetStats::add(const double* values, Index count) {
  for (Index i = 0; i < count; ++i) {
    min_ = std::min(min_, values[i]);
    max_ = std::max(max_, values[i]);
    if (!too_many_for_classes()) distinct_.insert(values[i]);
  }
}

void TargetStats::merge(const TargetStats& other, const std::vector<Index>& codes) {
  if (!text_) {  // values past the limit are in the range only
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }
  for (const double value : other.distinct_) {
    const double ours = text_ ? static_cast<double>(codes[static_cast<std::size_t>(value)]) : value;
    add(&ours, 1);
  }
}

std::vector<double> TargetStats::values() const {
  std::vector<double> values(distinct_.begin(), distinct_.end());
  std::sort(values.begin(), values.end());
  return values;
}

bool TargetStats::integers() const {
  return !text_ &&
         std::all_of(distinct_.begin(), distinct_.end(), [](double value) { return value == std::floor(value); });
}

std::vector<std::string> TargetStats::labels(const std::vector<std::string>& dictionary) const {
  std::vector<std::string> texts;
  for (const double value : distinct_)
    texts.push_back(text_ ? dictionary[static_cast<std::size_t>(value)] : shortest_text(value));
  return texts;
}

bool TargetEncoder::labels_are_text() const {
  return std::any_of(info.classes.begin(), info.classes.end(),
                     [](const std::string& label) { return !parse_number(label); });
}

TargetEncoder TargetEncoder::fit(const std::vector<TargetStats>& columns, Index rows, TargetKind task,
                                 const std::vector<std::string>& dictionary, const std::string& place) {
  TargetEncoder target;
  for (const TargetStats& column : columns) target.info.names.push_back(column.name());
  if (columns.empty()) return target;

  const bool alone = columns.size() == 1;
  if (!alone && task == TargetKind::classification)
    throw Error(ErrorKind::option, "classification takes one target column", "‹target›",
                "name one, or use ‹task› auto");
  if (alone && holds_classes(columns.front(), rows, task)) {
    check_classes(columns.front(), place);
    target.classes = Categories(columns.front().labels(dictionary));
    target.info.classes = target.classes.labels();
    target.info.task = target.classes.size() == 2 ? Task::binary : Task::multiclass;
    return target;
  }
  for (const TargetStats& column : columns) check_numbers(column, alone, place);
  target.info.task = Task::regression;
  return target;
}

}  // namespace weft::detail
