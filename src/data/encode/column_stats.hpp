// Statistics of a column: moments and range of its numbers, or counts of its categories, and on request a seeded
// sample. Those of parts merge.
#pragma once

#include <weft/matrix.hpp>

#include <limits>
#include <vector>

namespace weft::detail {

/// Count, mean, M2 = Σ(x - mean)² and range of numbers; two of them merge by the rule of Chan, Golub and LeVeque
/// (1979), which loses no digits to a large mean.
struct Moments {
  Index count = 0;
  double mean = 0;
  double m2 = 0;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();

  static Moments of(const double* values, Index count);  ///< missing values (NaN) are skipped
  void merge(const Moments& other);

  bool constant() const { return min == max; }
  double variance() const { return m2 / static_cast<double>(count); }  ///< the 1/m convention
};

/// A row of a piece that goes to a slot of the sample, possibly replacing what was there.
struct SampleHit {
  Index row;  ///< within the piece
  Index slot;
};

/// A uniform sample of `capacity` rows (Vitter's algorithm R, draws of RandomStream::reservoir): every row while they
/// fit. Which rows are kept depends on their numbers alone, so one plan serves all columns.
std::vector<SampleHit> plan_sample(Index first_row, Index count, Index capacity);

/// Statistics of one input column. The caller adds pieces of rows that do not depend on how the reader cuts its
/// blocks: then neither does the rounding.
class ColumnStats {
 public:
  explicit ColumnStats(bool text) : text_(text) {}

  void add(const double* values, Index count, const std::vector<SampleHit>& sampled = {});
  /// Adds the statistics of other rows. `codes` of a text column: this one's code for each of the other's; `slots` of
  /// the sample: those that the other's cells go to.
  void merge(const ColumnStats& other, const std::vector<Index>& codes, const std::vector<Index>& slots);

  bool text() const { return text_; }
  Index present() const { return present_; }                        ///< cells that are not missing
  const Moments& moments() const { return moments_; }               ///< of a numeric column
  const std::vector<Index>& code_counts() const { return codes_; }  ///< of a text column: rows per dictionary code
  const std::vector<double>& sample() const { return sample_; }     ///< of a numeric column, by slot
  std::vector<double> sorted_sample() const;                        ///< without the missing

  /// From what the functions above return.
  static ColumnStats numbers(const Moments& moments, std::vector<double> sample);
  static ColumnStats texts(std::vector<Index> code_counts);

 private:
  void count_codes(const double* codes, Index count);
  void set_sample(Index slot, double value);

  bool text_;
  Index present_ = 0;
  Moments moments_;
  std::vector<Index> codes_;
  std::vector<double> sample_;
};

}  // namespace weft::detail
