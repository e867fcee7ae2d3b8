// What one pass learns about a column: moments and range of its numbers, or counts of its categories, and on request a
// seeded sample.
#pragma once

#include <weft/matrix.hpp>

#include <limits>
#include <vector>

namespace weft {

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

/// A uniform sample of the rows of a column (Vitter's algorithm R, draws of Stream::reservoir): every row while they
/// fit. Which rows are kept depends on their numbers alone, so all columns keep the same ones.
class Reservoir {
 public:
  explicit Reservoir(Index capacity) : capacity_(capacity) {}
  void add(const double* values, Index count, Index first_row);
  std::vector<double> sorted() const;  ///< what is kept, ascending, without the missing

 private:
  Index capacity_;
  std::vector<double> kept_;
};

/// Statistics of one input column. The caller feeds pieces of rows that do not depend on how the reader cuts its
/// blocks: then neither does the rounding.
class ColumnStats {
 public:
  ColumnStats(bool text, Index sample_capacity) : text_(text), sample_(sample_capacity) {}

  void add(const double* values, Index count, Index first_row);

  bool text() const { return text_; }
  Index present() const { return present_; }                        ///< cells that are not missing
  const Moments& moments() const { return moments_; }               ///< of a numeric column
  const std::vector<Index>& code_counts() const { return codes_; }  ///< of a text column: rows per dictionary code
  const Reservoir& sample() const { return sample_; }               ///< of a numeric column

 private:
  void count_codes(const double* codes, Index count);

  bool text_;
  Index present_ = 0;
  Moments moments_;
  std::vector<Index> codes_;
  Reservoir sample_;
};

}  // namespace weft
