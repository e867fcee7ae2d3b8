#include "expected.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

namespace weft::papers {

namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

}  // namespace

std::vector<ExpectedRow> expected_table(const std::string& name) {
  std::istringstream lines(expected_tables().at(name));
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> columns = cells_of(line);
  std::vector<ExpectedRow> rows;
  while (std::getline(lines, line)) {
    std::vector<std::string> cells = cells_of(line);
    cells.resize(columns.size());  // empty cells at the end
    ExpectedRow row;
    for (std::size_t c = 0; c < columns.size(); ++c) row[columns[c]] = cells[c];
    rows.push_back(std::move(row));
  }
  return rows;
}

const ExpectedRow* find_row(const std::vector<ExpectedRow>& table, const ExpectedRow& cells) {
  for (const ExpectedRow& row : table)
    if (std::all_of(cells.begin(), cells.end(), [&](const auto& cell) { return row.at(cell.first) == cell.second; }))
      return &row;
  return nullptr;
}

std::optional<double> number_in(const ExpectedRow& row, const std::string& column) {
  const std::string& text = row.at(column);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return std::nullopt;
  return value;
}

std::string Expected::text() const {
  return deviation > 0 ? fmt::format("{:.3f} ± {:.3f}", mean, deviation) : fmt::format("{:.3f}", mean);
}

std::optional<Expected> expected_in(const ExpectedRow& row, const std::string& mean, const std::string& deviation) {
  const std::optional<double> value = number_in(row, mean);
  if (!value) return std::nullopt;
  return Expected{*value, number_in(row, deviation).value_or(0)};
}

double deviations_from(const Expected& theirs, double ours) {
  constexpr double kHalfDigit = 0.0005;
  return (ours - theirs.mean) / std::max(theirs.deviation, kHalfDigit);
}

std::string verdict_of(const Expected& theirs, double ours, bool larger_is_better) {
  const double distance = (larger_is_better ? -1 : 1) * deviations_from(theirs, ours);
  return distance > 2 ? "worse" : distance < -2 ? "better" : "matches";
}

std::string shown(const Summary& ours, int digits) {
  return ours.count > 1 ? fmt::format("{:.{}f} ± {:.{}f}", ours.mean, digits, ours.deviation, digits)
                        : fmt::format("{:.{}f}", ours.mean, digits);
}

std::vector<ReportCell> comparison(const std::optional<Expected>& theirs, const Summary& ours, bool larger_is_better) {
  if (!theirs) return {"", "", ""};
  const double distance = deviations_from(*theirs, ours.mean);
  const std::string verdict = verdict_of(*theirs, ours.mean, larger_is_better);
  return {{theirs->text(), theirs->mean}, {fmt::format("{:+.1f}", distance), distance}, {verdict, distance, verdict}};
}

}  // namespace weft::papers
