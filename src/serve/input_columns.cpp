#include "serve/input_columns.hpp"

#include <weft/write.hpp>

#include "core/at.hpp"
#include "data/encode/column_role.hpp"
#include "data/readers/csv_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

struct Range {
  double low, high;
};

/// What a scaler knows of the numbers that it was fitted to.
std::optional<Range> range_of(const Scaler& scaler, Scaling scale) {
  if (!scaler.values().empty()) return Range{scaler.values().front(), scaler.values().back()};
  if (scale == Scaling::none) return std::nullopt;
  if (scaler.factor() == 0) return Range{scaler.shift(), scaler.shift()};
  const double width = (scale == Scaling::minmax ? 1 : 3) / scaler.factor();
  return Range{scaler.shift() - width, scaler.shift() + width};
}

void describe_number(const Variable& variable, Scaling scale, InputColumn& column) {
  // Both scalings: the ranks know more.
  const auto ranked = std::find_if(variable.scalers.begin(), variable.scalers.end(),
                                   [](const Scaler& scaler) { return !scaler.values().empty(); });
  const Scaler& scaler = ranked == variable.scalers.end() ? variable.scalers.front() : *ranked;
  const auto is_whole = [](double value) { return value == std::round(value) && std::abs(value) < 1e15; };
  column.whole = !scaler.values().empty() && std::all_of(scaler.values().begin(), scaler.values().end(), is_whole);
  if (const std::optional<Range> range = range_of(scaler, scale)) {
    column.low = range->low;
    column.high = range->high;
  }
  column.typical = fmt::format("{:.6g}", column.whole ? std::round(variable.fill) : variable.fill);
}

std::string day_text(double seconds) {
  const std::chrono::sys_days day{std::chrono::days(static_cast<int>(std::floor(seconds / 86400)))};
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

double mean_time(const DateParts& dates) {
  const auto seconds = std::find(dates.parts.begin(), dates.parts.end(), DatePart::seconds);
  return dates.start + (seconds == dates.parts.end() ? 0 : dates.fills[at(seconds - dates.parts.begin())]);
}

InputColumn described(const Variable& variable, Scaling scale) {
  InputColumn column{.name = variable.name};
  const Role role = role_of(variable);
  if (variable.unused()) {
    column.kind = "unused";
  } else if (role == Role::category) {
    column.kind = "category";
    column.categories = variable.categories.labels();
    column.typical = column.categories[at(static_cast<Index>(variable.fill))];
  } else if (role == Role::boolean) {
    column.kind = "boolean";
    column.categories = {"false", "true"};
    column.typical = column.categories[variable.fill >= 0.5 ? 1 : 0];
  } else if (role == Role::date) {
    column.kind = "date";
    column.typical = day_text(mean_time(*variable.dates));
  } else {
    describe_number(variable, scale, column);
  }
  return column;
}

}  // namespace

std::vector<InputColumn> input_columns(const Model& model) {
  const Encoder::State& state = model.parts().encoder.state();
  const std::vector<double>& relevance = model.parts().relevance;
  std::vector<InputColumn> columns;
  for (const Variable& variable : state.variables) {
    columns.push_back(described(variable, *state.options.scale));
    if (relevance.size() == state.variables.size()) columns.back().relevance = relevance[columns.size() - 1];
  }
  return columns;
}

Data typical_row(const std::vector<InputColumn>& columns) {
  std::vector<std::string> names, cells;
  for (const InputColumn& column : columns) {
    names.push_back(column.name);
    cells.push_back(column.typical);
  }
  std::string text;
  TableWriter writer(text, names);
  writer.append_text({cells});
  writer.commit();
  return csv_text(std::move(text), "typical row",
                  {.header = HeaderLine::yes, .delimiter = ",", .decimal = DecimalMark::point});
}

}  // namespace weft::detail
