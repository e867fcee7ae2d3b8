// From the user's target columns to numbers: the task and the classes.
#pragma once

#include <weft/encoder.hpp>

#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/encode/categories.hpp"

namespace weft::detail {

inline constexpr Index kMaxClasses = 1000;

/// What decides the task, gathered in one pass over a target column. Memory is bounded: past kMaxClasses distinct
/// values only the range is kept. Those of parts merge.
class TargetStats {
 public:
  TargetStats(std::string name, bool text) : name_(std::move(name)), text_(text) {}
  /// From what the functions below return.
  TargetStats(std::string name, bool text, const std::vector<double>& values, const std::vector<Index>& counts,
              double min, double max);

  void add(const double* values, Index count);  ///< finite numbers, or dictionary codes
  /// Adds the statistics of other rows. `codes` of a text column: this one's code for each of the other's.
  void merge(const TargetStats& other, const std::vector<Index>& codes);

  const std::string& name() const { return name_; }
  bool text() const { return text_; }
  double min() const { return min_; }
  double max() const { return max_; }
  bool constant() const { return min_ == max_; }
  bool too_many_for_classes() const { return static_cast<Index>(counts_.size()) > kMaxClasses; }
  Index distinct() const { return static_cast<Index>(counts_.size()); }  ///< exact up to kMaxClasses
  std::vector<double> values() const;                                    ///< the distinct ones, ascending
  std::vector<Index> counts() const;                                     ///< rows of each; exact up to kMaxClasses
  bool integers() const;                                                 ///< every distinct value is one
  /// The distinct values as texts: entries of `dictionary`, or shortest texts of numbers.
  std::vector<std::string> labels(const std::vector<std::string>& dictionary) const;

 private:
  std::string name_;
  bool text_;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  std::unordered_map<double, Index> counts_;  // rows of each distinct value
};

/// The task and the classes. One column: text is classes, and so are two distinct numbers, at most ten distinct
/// integers with ten rows each on average, and the integers 0 … K−1 or 1 … K up to K = 100 where every one of them has
/// 20 rows and a tenth of the average; everything else is regression. Several columns: multi-output regression.
struct TargetEncoder {
  TargetInfo info;
  Categories classes;

  /// `dictionary` of the first column where that is text; `place` names the data. `few_labels`: these rows were chosen
  /// to have few of each class. Else classes that make up more than half of the rows are an error.
  static TargetEncoder fit(const std::vector<TargetStats>& columns, Index rows, TargetKind task,
                           const std::vector<std::string>& dictionary, const std::string& place,
                           bool few_labels = false);

  bool labels_are_text() const;  ///< one of the classes is not a number
  bool classification() const { return info.task == Task::binary || info.task == Task::multiclass; }
};

}  // namespace weft::detail
