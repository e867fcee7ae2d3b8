#include "data/encode/target_encoder.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/encode/categories.hpp"
#include "data/text.hpp"

namespace weft::detail {

namespace {

constexpr Index kMostIntegerClasses = 10;
constexpr Index kRowsPerIntegerClass = 10;
// Sums of squares of the targets' deviations must neither overflow nor vanish.
constexpr double kLargestTarget = 1e140;
constexpr double kLeastSpread = 1e-140;
constexpr Index kMostNumberedClasses = 100;
constexpr Index kRowsPerNumberedClass = 20;

/// Codes of classes have no gaps, and none of them is rare, as the outermost values of counts and scores are.
bool numbers_classes(const TargetStats& column, Index rows) {
  const Index classes = column.distinct();
  if (classes > kMostNumberedClasses || !column.integers()) return false;
  const bool gapless = column.max() - column.min() == static_cast<double>(classes - 1);
  if (!gapless || (column.min() != 0 && column.min() != 1)) return false;
  const std::vector<Index> counts = column.counts();
  const Index rarest = *std::min_element(counts.begin(), counts.end());
  return rarest >= kRowsPerNumberedClass && 10 * classes * rarest >= rows;
}

bool holds_classes(const TargetStats& column, Index rows, TargetKind task) {
  if (task != TargetKind::automatic) return task == TargetKind::classification;
  if (column.text() || column.distinct() == 2) return true;
  if (column.distinct() < 2) return false;
  if (column.integers() && column.distinct() <= kMostIntegerClasses && rows >= kRowsPerIntegerClass * column.distinct())
    return true;
  return numbers_classes(column, rows);
}

/// ", such as 'x'" of a text column: the first cell that is not a number.
std::string example_of(const TargetStats& column, const std::vector<std::string>& dictionary) {
  if (!column.text() || dictionary.empty()) return "";
  const auto text = std::find_if(dictionary.begin(), dictionary.end(), [](const auto& t) { return !parse_number(t); });
  return fmt::format(", such as {}", shown(text == dictionary.end() ? dictionary.front() : *text));
}

constexpr const char* kPlainNumbers = "or for a regression write it as plain numbers (1234.5)";

void check_numbers(const TargetStats& column, bool alone, const std::vector<std::string>& dictionary,
                   const std::string& place) {
  if (column.text())
    throw Error(ErrorKind::data,
                fmt::format("target '{}' holds text{}, and regression needs numbers", column.name(),
                            alone ? example_of(column, dictionary) : ""),
                place,
                alone ? fmt::format("use ‹task› classification, {}", kPlainNumbers)
                      : "several targets are always a regression: name one");
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

void check_classes(const TargetStats& column, Index rows, bool few_labels, const std::vector<std::string>& dictionary,
                   const std::string& place) {
  constexpr Index kFewestRows = 10;  // a handful of rows proves nothing
  if (column.too_many_for_classes())
    throw Error(ErrorKind::data,
                fmt::format("target '{}' has more than {} classes{}", column.name(), kMaxClasses,
                            example_of(column, dictionary)),
                place,
                column.text() ? fmt::format("choose another ‹target›, {}", kPlainNumbers) : "use ‹task› regression");
  if (column.distinct() < 2)
    throw Error(ErrorKind::data, fmt::format("target '{}' has one class only", column.name()), place,
                "choose another ‹target›, or add rows of other classes");
  if (!few_labels && rows >= kFewestRows && 2 * column.distinct() > rows)
    throw Error(ErrorKind::data,
                fmt::format("target '{}' has {} different values in {} rows{}, which are hardly classes", column.name(),
                            column.distinct(), rows, example_of(column, dictionary)),
                place,
                column.text() ? fmt::format("choose another ‹target›, {}", kPlainNumbers)
                              : "use ‹task› regression, or choose another ‹target›");
}

}  // namespace

void TargetStats::add(const double* values, Index count) {
  for (Index i = 0; i < count; ++i) {
    min_ = std::min(min_, values[i]);
    max_ = std::max(max_, values[i]);
    if (!too_many_for_classes()) ++counts_[values[i]];
  }
}

void TargetStats::merge(const TargetStats& other, const std::vector<Index>& codes) {
  if (!text_) {  // values past the limit are in the range only
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }
  for (const auto& [value, rows] : other.counts_) {
    const double ours = text_ ? static_cast<double>(codes[static_cast<std::size_t>(value)]) : value;
    if (text_) {
      min_ = std::min(min_, ours);
      max_ = std::max(max_, ours);
    }
    if (!too_many_for_classes()) counts_[ours] += rows;
  }
}

TargetStats::TargetStats(std::string name, bool text, const std::vector<double>& values,
                         const std::vector<Index>& counts, double min, double max)
    : name_(std::move(name)), text_(text), min_(min), max_(max) {
  for (std::size_t k = 0; k < values.size(); ++k) counts_[values[k]] = counts[k];
}

std::vector<double> TargetStats::values() const {
  std::vector<double> values;
  for (const auto& [value, rows] : counts_) values.push_back(value);
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<Index> TargetStats::counts() const {
  std::vector<Index> counts;
  for (const double value : values()) counts.push_back(counts_.at(value));
  return counts;
}

bool TargetStats::integers() const {
  return !text_ &&
         std::all_of(counts_.begin(), counts_.end(), [](const auto& e) { return e.first == std::floor(e.first); });
}

std::vector<std::string> TargetStats::labels(const std::vector<std::string>& dictionary) const {
  std::vector<std::string> texts;
  for (const auto& [value, rows] : counts_)
    texts.push_back(text_ ? dictionary[static_cast<std::size_t>(value)] : shortest_text(value));
  return texts;
}

bool TargetEncoder::labels_are_text() const {
  return std::any_of(info.classes.begin(), info.classes.end(),
                     [](const std::string& label) { return !parse_number(label); });
}

TargetEncoder TargetEncoder::fit(const std::vector<TargetStats>& columns, Index rows, TargetKind task,
                                 const std::vector<std::string>& dictionary, const std::string& place,
                                 bool few_labels) {
  TargetEncoder target;
  for (const TargetStats& column : columns) target.info.names.push_back(column.name());
  if (columns.empty()) return target;

  const bool alone = columns.size() == 1;
  if (!alone && task == TargetKind::classification)
    throw Error(ErrorKind::option, "classification takes one target column", "‹target›",
                "name one, or use ‹task› auto");
  if (alone && holds_classes(columns.front(), rows, task)) {
    check_classes(columns.front(), rows, few_labels, dictionary, place);
    target.classes = Categories(columns.front().labels(dictionary));
    target.info.classes = target.classes.labels();
    target.info.task = target.classes.size() == 2 ? Task::binary : Task::multiclass;
    return target;
  }
  for (const TargetStats& column : columns) check_numbers(column, alone, dictionary, place);
  target.info.task = Task::regression;
  return target;
}

}  // namespace weft::detail
