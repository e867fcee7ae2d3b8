#include "paired_tests.hpp"

#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

namespace weft::papers {

namespace {

/// Twice the rank of each size among all, equal ones sharing their mean: whole numbers.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& sizes) {
  std::vector<std::size_t> ranks;
  for (const double size : sizes) {
    std::size_t below = 0, equal = 0;
    for (const double other : sizes) {
      below += other < size;
      equal += other == size;
    }
    ranks.push_back(2 * below + equal + 1);
  }
  return ranks;
}

std::string p_text(double p) {
  return p < 0.001 ? fmt::format("{:.0e}", p) : fmt::format("{:.3f}", p);
}

}  // namespace

double wilcoxon_p(const std::vector<double>& differences) {
  std::vector<double> sizes;
  std::vector<bool> positive;
  for (const double difference : differences)
    if (difference != 0) {
      sizes.push_back(std::abs(difference));
      positive.push_back(difference > 0);
    }
  const std::vector<std::size_t> ranks = doubled_ranks(sizes);
  const std::size_t total = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
  std::vector<double> chance(total + 1, 0.0);  // of every sum of the ranks with a positive sign
  chance[0] = 1;
  std::size_t found = 0;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    if (positive[k]) found += ranks[k];
    for (std::size_t sum = total + 1; sum-- > 0;)
      chance[sum] = 0.5 * chance[sum] + (sum >= ranks[k] ? 0.5 * chance[sum - ranks[k]] : 0);
  }
  const std::size_t smaller = std::min(found, total - found);
  return std::min(1.0, 2 * std::accumulate(chance.begin(), chance.begin() + static_cast<long>(smaller) + 1, 0.0));
}

double paired_t_p(const std::vector<double>& differences, double overlap) {
  const Summary summary = summary_of(differences);
  if (summary.count < 2 || (summary.deviation == 0 && summary.mean == 0)) return 1;
  if (summary.deviation == 0) return 0;
  const double spread = summary.deviation * std::sqrt(1.0 / summary.count + overlap);
  const boost::math::students_t law(summary.count - 1);
  return 2 * boost::math::cdf(boost::math::complement(law, std::abs(summary.mean) / spread));
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    largest = std::max(largest, static_cast<double>(order.size() - k) * p[order[k]]);
    adjusted[order[k]] = std::min(1.0, largest);
  }
  return adjusted;
}

std::vector<std::string> verdicts_of(const std::vector<PairedRepeats>& comparisons) {
  std::vector<double> p;
  for (const PairedRepeats& repeats : comparisons)
    if (repeats.differences.size() > 1) p.push_back(paired_t_p(repeats.differences, repeats.overlap));
  const std::vector<double> adjusted = holm(p);
  std::vector<std::string> verdicts;
  std::size_t tested = 0;
  for (const PairedRepeats& repeats : comparisons) {
    const bool enough = repeats.differences.size() > 1;
    verdicts.emplace_back(!enough                                    ? ""
                          : adjusted[tested++] >= kSignificant       ? "matches"
                          : summary_of(repeats.differences).mean < 0 ? "better"
                                                                     : "worse");
  }
  return verdicts;
}

ReportTable comparison_table(std::string caption, std::vector<std::string> label_columns,
                             const std::vector<Comparison>& comparisons) {
  ReportTable table{.caption = std::move(caption), .columns = std::move(label_columns)};
  for (const char* column : {"pairs", "below 0", "mean difference", "p", "p, Holm", "outcome"})
    table.columns.emplace_back(column);
  std::vector<double> p;
  for (const Comparison& comparison : comparisons) p.push_back(comparison.p);
  const std::vector<double> adjusted = holm(p);
  for (std::size_t k = 0; k < comparisons.size(); ++k) {
    const std::vector<double>& differences = comparisons[k].differences;
    const double mean = summary_of(differences).mean;
    const auto below = std::count_if(differences.begin(), differences.end(), [](double d) { return d < 0; });
    std::vector<ReportCell> row = comparisons[k].labels;
    row.emplace_back(fmt::format("{}", differences.size()), static_cast<double>(differences.size()));
    row.emplace_back(fmt::format("{}", below), static_cast<double>(below));
    row.emplace_back(fmt::format("{:+.4g}", mean), mean);
    row.emplace_back(p_text(p[k]), p[k]);
    row.emplace_back(p_text(adjusted[k]), adjusted[k]);
    row.emplace_back(adjusted[k] >= kSignificant ? "" : mean < 0 ? "better" : "worse");
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace weft::papers
