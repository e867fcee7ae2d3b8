// Statistics of the columns from which an encoder is fitted, gathered in one pass.
#pragma once

#include <weft/data.hpp>
#include <weft/run.hpp>

#include <memory>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

enum class Scaling { standard, minmax, quantile, both, none };
constexpr auto choice_names(Scaling) {
  return std::array{"standard", "minmax", "quantile", "both", "none"};
}

/// indicate: a number becomes the mean, and a column that had missing cells in training gets an input that is 1 where
/// the cell is missing; a missing category is one more category. impute: the mean, or the most frequent category.
enum class MissingCells { indicate, error, impute };
constexpr auto choice_names(MissingCells) {
  return std::array{"indicate", "error", "impute"};
}

enum class UnseenCategories { error, ignore };
constexpr auto choice_names(UnseenCategories) {
  return std::array{"error", "ignore"};
}

enum class TargetKind { automatic, regression, classification };
constexpr auto choice_names(TargetKind) {
  return std::array{"auto", "regression", "classification"};
}

struct EncodeOptions {
  Setting<Scaling> scale = default_value(Scaling::quantile);
  MissingCells missing = MissingCells::indicate;
  UnseenCategories unseen = UnseenCategories::ignore;
  TargetKind task = TargetKind::automatic;
  bool bias = true;
  Index max_levels = 50;

  static auto fields() {
    using O = EncodeOptions;
    return std::tuple{
        Field{
            "scale", &O::scale,
            "scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by "
            "side, or none; if it is not given, the portfolio tries quantile, standard and both"},
        Field{"missing", &O::missing,
              "missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or "
              "the "
              "mean (categories: the most frequent) alone"},
        Field{"unseen", &O::unseen,
              "categories not seen in training: report an error, or ignore them (zeros in all one-hot columns)"},
        Field{"task", &O::task,
              "type of the target; auto: text, two distinct values and integers that number classes (docs/data.md) are "
              "classes"},
        Field{"bias", &O::bias, Allowed::anything(), "add a constant input column"},
        Field{"max_levels", &O::max_levels, Allowed::at_least(0),
              "categories of a column that get an input each; a column with more of them is encoded by the effects of "
              "its categories on the target, beside inputs for the frequent ones (0: no limit)"},
    };
  }
};

/// Counts, moments and ranges of numbers, counts of categories, a seeded sample of every column (where
/// EncodeOptions::scale asks for quantiles), and the values of the target. Statistics of parts of a table merge to
/// those of the whole: counts, categories, ranges, samples and classes exactly, means and variances to rounding. Cheap
/// to copy.
class EncoderStatistics {
 public:
  /// One pass over the data. `first_row` is the number of its first row in the whole table, of which the data may be a
  /// part (Data::rows): the sample is drawn by row numbers. Throws on the first cell that cannot be used.
  static EncoderStatistics of(const Data& data, const EncodeOptions& options, const Run& run = {}, Index first_row = 0);
  /// The same for the inputs alone: the columns of target and weights are left out, whatever they contain.
  static EncoderStatistics of_inputs(const Data& data, const EncodeOptions& options, const Run& run = {},
                                     Index first_row = 0);

  /// Adds the statistics of the rows that follow. Throws where the columns or options differ, or, with a sample, where
  /// the rows are not those that follow.
  void merge(const EncoderStatistics& next);

  /// Versioned, little-endian, with a checksum. from_bytes throws Error(model) on damaged or foreign bytes; `name`
  /// stands for them in the message.
  std::string to_bytes() const;
  static EncoderStatistics from_bytes(const std::string& bytes, const std::string& name = "encoder statistics");

  const EncodeOptions& options() const;
  Index first_row() const;
  Index rows() const;

  struct State;
  explicit EncoderStatistics(State state);
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace weft
