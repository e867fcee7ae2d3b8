// Statistics from which the effects of categories on the target are estimated, gathered in one pass.
#pragma once

#include <weft/encoder.hpp>

#include <memory>
#include <string>

namespace WEFT_PUBLIC weft {

/// Sums of the target and the other inputs, by category and fold. A column with more categories than
/// EncodeOptions::max_levels is encoded by estimated effects: the target is modelled as a ridge regression on the other
/// inputs plus one random effect per category, all estimated together, and the ratio of noise to effects that shrinks
/// them is chosen on folds of the rows. Rows are in a fold by their number. Statistics of parts of a table merge to
/// those of the whole, to rounding. Memory grows with the categories; with the rows (4 bytes per cell) where two
/// columns have many. Cheap to copy.
class LevelStatistics {
 public:
  /// One pass over the data. `encoder` is fitted on the statistics of the whole table, of which the data may be a part:
  /// `first_row` is the number of its first row.
  static LevelStatistics of(const Encoder& encoder, const Data& data, const Run& run = {}, Index first_row = 0);

  /// Adds the statistics of the rows that follow. Throws where they were gathered with another encoder or do not
  /// follow.
  void merge(const LevelStatistics& next);

  /// Versioned, little-endian, with a checksum. from_bytes throws Error(model) on damaged or foreign bytes; `name`
  /// stands for them in the message.
  std::string to_bytes() const;
  static LevelStatistics from_bytes(const std::string& bytes, const std::string& name = "level statistics");

  Index first_row() const;
  Index rows() const;

  struct State;
  explicit LevelStatistics(State state);
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace weft
