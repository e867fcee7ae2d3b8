#include "data/encode/text_numbers.hpp"

#include "data/encode/categories.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

using TextInput = EncoderStatistics::State::Input;

constexpr double kNoNumber = std::numeric_limits<double>::infinity();

struct BooleanPair {
  std::string_view yes, no;
};
constexpr std::array<BooleanPair, 3> kPairs = {{{"true", "false"}, {"yes", "no"}, {"t", "f"}}};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// 1, 0, or infinite for other texts.
double word_number(const BooleanPair& pair, const std::string& text) {
  if (text.size() > 5) return kNoNumber;
  const std::string word = lower_case(text);
  return word == pair.yes ? 1 : word == pair.no ? 0 : kNoNumber;
}

bool is_marker(const std::string& text) {
  double value = 0;
  return parse_cell(text, value) == CellKind::missing;
}

// Of the cells of a column that are not missing.
struct DateCounts {
  Index dates = 0;
  Index others = 0;
};

DateCounts count_dates(const TextInput& input) {
  DateCounts result;
  const std::vector<Index>& counts = input.stats.code_counts();
  for (std::size_t code = 0; code < counts.size(); ++code) {
    if (counts[code] == 0) continue;
    const double value = text_number(TextNumbers::dates, input.dictionary[code]);
    result.dates += std::isfinite(value) ? counts[code] : 0;
    result.others += std::isinf(value) ? counts[code] : 0;
  }
  return result;
}

// Whether every text is a number or missing, and one is a number.
template <class Number>
bool are_numbers(const TextInput& input, Number number) {
  if (!input.stats.text() || input.categorical) return false;
  const std::vector<Index>& counts = input.stats.code_counts();
  bool any = false;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    if (counts[code] == 0) continue;
    const double value = number(input.dictionary[code]);
    if (std::isinf(value)) return false;
    any = any || !std::isnan(value);
  }
  return any;
}

double date_number(const std::string& text) {
  return text_number(TextNumbers::dates, text);
}

// Cells of numbers, each as often as it occurs, ascending.
template <class Number>
std::vector<double> sorted_cells(const TextInput& input, Number number) {
  std::vector<double> cells;
  const std::vector<Index>& counts = input.stats.code_counts();
  for (std::size_t code = 0; code < counts.size(); ++code)
    if (const double value = number(input.dictionary[code]); counts[code] > 0 && std::isfinite(value))
      cells.insert(cells.end(), static_cast<std::size_t>(counts[code]), value);
  std::sort(cells.begin(), cells.end());
  return cells;
}

// At most as many as the sample of a number column has, at equal steps.
std::vector<double> sample_of(const std::vector<double>& cells) {
  constexpr std::size_t kSampleSize = 20000;
  if (cells.size() <= kSampleSize) return cells;
  std::vector<double> sample;
  for (std::size_t k = 0; k < kSampleSize; ++k) sample.push_back(cells[(2 * k + 1) * cells.size() / (2 * kSampleSize)]);
  return sample;
}

ColumnStats stats_of(const std::vector<double>& cells, const std::vector<double>& sample) {
  return ColumnStats::numbers(Moments::of(cells.data(), static_cast<Index>(cells.size())), sample);
}

}  // namespace

double text_number(TextNumbers kind, const std::string& text) {
  if (kind == TextNumbers::plain) return parse_number(text).value_or(kNoNumber);
  if (is_marker(text)) return std::numeric_limits<double>::quiet_NaN();
  if (kind == TextNumbers::dates) return parse_date(text).value_or(kNoNumber);
  for (const BooleanPair& pair : kPairs)
    if (const double value = word_number(pair, text); std::isfinite(value)) return value;
  return parse_number(text).value_or(kNoNumber);
}

std::optional<TextInput> boolean_input(const TextInput& input) {
  for (const BooleanPair& pair : kPairs) {
    const auto number = [&](const std::string& text) {
      return is_marker(text) ? std::numeric_limits<double>::quiet_NaN() : word_number(pair, text);
    };
    if (!are_numbers(input, number)) continue;
    const std::vector<double> cells = sorted_cells(input, number);
    if (cells.front() == cells.back()) return std::nullopt;
    return TextInput{input.name, stats_of(cells, sample_of(cells)), {}};
  }
  return std::nullopt;
}

bool holds_dates(const TextInput& input) {
  return are_numbers(input, date_number);
}

DateInputs date_inputs(const TextInput& input) {
  const std::vector<double> times = sorted_cells(input, date_number);
  const std::vector<double> sample = sample_of(times);
  DateInputs dates{.start = times.front(), .parts = {}, .inputs = {}};
  constexpr auto names = choice_names(DatePart{});
  for (std::size_t p = 0; p < names.size(); ++p) {
    const auto part = static_cast<DatePart>(p);
    const auto parts_of = [&](std::vector<double> values) {
      for (double& value : values) value = date_part(part, value, dates.start);
      return values;
    };
    ColumnStats stats = stats_of(parts_of(times), parts_of(sample));
    const bool last = part == DatePart::seconds;
    if (stats.moments().constant() && !(last && dates.parts.empty())) continue;
    dates.parts.push_back(part);
    dates.inputs.push_back({fmt::format("{}.{}", input.name, names[p]), std::move(stats), {}});
  }
  return dates;
}

void check_dates(const TextInput& input, const Data& data, Index column) {
  if (!input.stats.text() || input.categorical) return;
  const DateCounts counts = count_dates(input);
  if (counts.others == 0 || counts.dates < 9 * counts.others) return;
  const auto reader = data.open();
  RawBlock block;
  while (reader->next(block, 4096))
    for (Index i = 0; i < block.rows(); ++i) {
      const double code = block.columns(column, i);
      if (std::isnan(code)) continue;
      const std::string& text = reader->dictionary(column)[static_cast<std::size_t>(code)];
      if (std::isinf(date_number(text)))
        throw Error(ErrorKind::data,
                    fmt::format("column {}: {} of {} cells are dates, {} is not", shown(input.name), counts.dates,
                                counts.dates + counts.others, shown(text)),
                    reader->place(i, column),
                    fmt::format("fix the cell (YYYY-MM-DD), call it missing with ‹na_values›, or use ‹categorical› {}",
                                input.name));
    }
}

}  // namespace weft::detail
