// Columns of texts that stand for numbers: booleans in words, and dates.
#pragma once

#include <weft/data.hpp>

#include <optional>
#include <string>
#include <vector>

#include "data/encode/dates.hpp"
#include "data/encode/statistics_state.hpp"

namespace weft::detail {

/// How the texts of a column become numbers.
enum class TextNumbers {
  plain,     ///< they are written as numbers
  booleans,  ///< true, yes, t: 1; false, no, f: 0; in any case, or the numbers themselves
  dates      ///< parse_date
};

/// The number that a text stands for; NaN for the markers of missing cells (parse_cell) but in plain ones, infinite
/// where it is none.
double text_number(TextNumbers kind, const std::string& text);

/// The statistics of a text column as those of a column of numbers 0 and 1, where its texts are both words of one pair
/// (true/false, yes/no, t/f) and no others.
std::optional<EncoderStatistics::State::Input> boolean_input(const EncoderStatistics::State::Input& input);

/// Whether the texts of a text column are dates, all of them.
bool holds_dates(const EncoderStatistics::State::Input& input);

/// Statistics of each part of the dates that differs between rows (of the seconds, if none does).
struct DateInputs {
  double start;
  std::vector<DatePart> parts;
  std::vector<EncoderStatistics::State::Input> inputs;  ///< of each part, named column.part
};
DateInputs date_inputs(const EncoderStatistics::State::Input& input);

/// Throws where nine tenths of the texts are dates and others are not, naming the first of these. `column`: of the
/// data.
void check_dates(const EncoderStatistics::State::Input& input, const Data& data, Index column);

}  // namespace weft::detail
