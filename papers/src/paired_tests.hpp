// Tests of paired differences, two-sided, and what many of them together are worth.
#pragma once

#include <weft/report.hpp>

#include <string>
#include <vector>

namespace weft::papers {

/// Wilcoxon's signed-rank test, exactly: all signs of the ranks are equally likely; equal sizes share their mean rank,
/// differences of 0 are left out. 1 where nothing is left.
double wilcoxon_p(const std::vector<double>& differences);

/// Student's t of the mean difference. Repeats that share rows are correlated: `overlap` is the number of test rows
/// over that of training rows where every repeat splits the rows anew (Nadeau & Bengio 2003), 0 where they are
/// independent. 1 for fewer than two differences, or where all are 0.
double paired_t_p(const std::vector<double>& differences, double overlap = 0);

/// Holm's (1979) adjusted p-values, in the order given: those below a level are significant at it together.
std::vector<double> holm(const std::vector<double>& p);

inline constexpr double kSignificant = 0.05;

/// Paired differences of one comparison (smaller is better), and how far their repeats overlap.
struct PairedRepeats {
  std::vector<double> differences;
  double overlap = 0;
};

/// Of comparisons that belong together: "better" or "worse" where paired_t_p, by Holm, is below kSignificant, else
/// "matches"; nothing where there are fewer than two pairs.
std::vector<std::string> verdicts_of(const std::vector<PairedRepeats>& comparisons);

/// One comparison of a table: smaller is better.
struct Comparison {
  std::vector<ReportCell> labels;
  std::vector<double> differences;  ///< ours less theirs, a value per pair
  double p = 1;
};

/// Labels, pairs, how many of them are below 0, mean difference, p, p by Holm over the table, and the outcome: "better"
/// or "worse" where that is below kSignificant.
ReportTable comparison_table(std::string caption, std::vector<std::string> label_columns,
                             const std::vector<Comparison>& comparisons);

}  // namespace weft::papers
