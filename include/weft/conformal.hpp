// Conformal prediction: how far rows were from predictions that had not seen them, and the intervals and label sets
// that follow for new rows (docs/intervals.md).
#pragma once

#include <weft/fields.hpp>
#include <weft/matrix.hpp>

#include <optional>
#include <vector>

namespace WEFT_PUBLIC weft {

/// Scores in ascending order: all of them up to kMostKept; of more, the smallest, the largest and every so-many-th
/// between. Quantiles round outwards to one that is kept.
class ScoreTable {
 public:
  static constexpr Index kMostKept = 2000;

  ScoreTable() = default;
  /// In any order; they must be numbers.
  explicit ScoreTable(std::vector<double> scores);
  /// What count() and kept() gave. Throws Error(model) where they do not belong together.
  ScoreTable(Index count, std::vector<double> kept);

  Index count() const { return count_; }
  const std::vector<double>& kept() const { return kept_; }
  static Index kept_of(Index count);  ///< how many of so many scores are kept

  /// One more score that is exchangeable with these is at most upper(level), and at least lower(level), with at least
  /// the probability `level`: the ⌈(count + 1)·level⌉-th smallest or largest. Infinite where there are too few scores.
  double upper(double level) const;
  double lower(double level) const;

 private:
  Index count_ = 0;
  std::vector<double> kept_;
};

/// How it comes that rows were predicted without them.
enum class ScoredBy { none, leaving_one_out, cross_fitting, held_out_rows, given_rows };
constexpr auto choice_names(ScoredBy) {
  return std::array{"none", "leaving one out", "cross-fitting", "held-out rows", "the rows given"};
}

/// The mean loss of the same rows, for bounds on that of new ones. Classes: 0 or 1, the error. Numbers: the squared
/// error of the prediction clipped to the targets' range, mean over targets.
struct MeasuredLoss {
  Index rows = 0;
  double mean = 0;
  double variance = 0;  ///< of one row, unbiased
  double largest = 0;   ///< that is possible
};

/// Numbers: a table of target − prediction per target. Classes: a table of 1 − probability of the row's class for all
/// rows, then one for the rows of each class. Every row counts once, whatever its weight.
struct Conformity {
  ScoredBy by = ScoredBy::none;
  std::vector<ScoreTable> tables = {};
  MeasuredLoss loss = {};

  bool empty() const { return tables.empty(); }
};

struct IntervalOptions {
  std::optional<double> interval = {};
  bool interval_by_class = false;

  static auto fields() {
    using O = IntervalOptions;
    return std::tuple{
        Field{"interval", &O::interval, Allowed::inside(0, 1),
              "share of new rows to cover, such as 0.9: numbers get lower and upper ends, classes the set of labels "
              "that are not ruled out (docs/intervals.md)"},
        Field{"interval_by_class", &O::interval_by_class, Allowed::anything(),
              "cover this share of the rows of every class, not only of all rows"},
    };
  }
};

}  // namespace weft
