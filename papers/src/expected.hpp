// What the papers report (papers/expected), and how a result compares with it.
#pragma once

#include <weft/report.hpp>

#include "statistics.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft::papers {

/// Contents of every table by its name, built into the program.
const std::map<std::string, std::string>& expected_tables();

using ExpectedRow = std::map<std::string, std::string>;

/// Rows of the table in NAME.csv, cells by the names of their columns.
std::vector<ExpectedRow> expected_table(const std::string& name);

/// The first row whose cells are these; nullptr where there is none.
const ExpectedRow* find_row(const std::vector<ExpectedRow>& table, const ExpectedRow& cells);

/// A cell as a number; none for an empty cell or one that is only bounded (">1e4").
std::optional<double> number_in(const ExpectedRow& row, const std::string& column);

/// Theirs, as printed: a mean and its standard deviation over repeats.
struct Expected {
  double mean = 0;
  double deviation = 0;

  std::string text() const;
};
std::optional<Expected> expected_in(const ExpectedRow& row, const std::string& mean, const std::string& deviation);

/// (ours − theirs) in their standard deviations, which are taken to be half of the last printed digit at least.
double deviations_from(const Expected& theirs, double ours);
/// "better", "worse", or "matches" within two of them. For errors: smaller is better.
std::string verdict_of(const Expected& theirs, double ours, bool larger_is_better = false);

/// Ours: the mean, and its deviation where there is more than one repeat.
std::string shown(const Summary& ours, int digits = 4);

/// Three cells of a table: theirs, the difference in their deviations, the verdict.
std::vector<ReportCell> comparison(const std::optional<Expected>& theirs, const Summary& ours,
                                   bool larger_is_better = false);

}  // namespace weft::papers
