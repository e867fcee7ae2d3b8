#include "family_comparisons.hpp"

#include "paired_tests.hpp"
#include "statistics.hpp"

#include <map>

namespace weft::papers {

namespace {

const std::vector<std::pair<std::string, std::string>> kPairs = {{"rw-sign", "rks-sign"},
                                                                 {"rw-relu", "rks-relu"},
                                                                 {"rw-exp-sign", "rks-sign"},
                                                                 {"rw-exp-relu", "rks-relu"},
                                                                 {"rw-stumps", "rks-stumps"}};

std::map<std::int64_t, double> tests_of(const std::vector<Cell>& cells, const std::string& set,
                                        const std::string& family) {
  std::map<std::int64_t, double> tests;
  for (const Cell& cell : cells)
    if (text_of(cell.key, "set") == set && text_of(cell.key, "family") == family)
      tests[integer_of(cell.key, "seed")] = cell.values.at("test").get<double>();
  return tests;
}

/// Over the seeds that both have.
std::vector<double> differences(const std::vector<Cell>& cells, const std::string& set, const std::string& ours,
                                const std::string& theirs) {
  const auto other = tests_of(cells, set, theirs);
  std::vector<double> result;
  for (const auto& [seed, test] : tests_of(cells, set, ours))
    if (const auto found = other.find(seed); found != other.end()) result.push_back(test - found->second);
  return result;
}

}  // namespace

ReportSection rkhs_comparisons(const std::vector<Cell>& cells, const std::vector<std::string>& sets) {
  std::vector<Comparison> over_sets, over_seeds;
  for (const auto& [ours, theirs] : kPairs) {
    Comparison all{.labels = {ours, theirs}, .differences = {}};
    for (const std::string& set : sets) {
      const std::vector<double> paired = differences(cells, set, ours, theirs);
      if (paired.empty()) continue;
      all.differences.push_back(summary_of(paired).mean);
      if (paired.size() > 1) over_seeds.push_back({{set, ours, theirs}, paired, paired_t_p(paired)});
    }
    all.p = wilcoxon_p(all.differences);
    if (!all.differences.empty()) over_sets.push_back(std::move(all));
  }
  ReportSection section{
      .heading = "Weightings and kitchen sinks in pairs",
      .paragraphs = {"Test error, or mse over the target's variance, of the weighting less that of the "
                     "random kitchen sinks: negative where the weighting is better."}};
  section.tables.push_back(comparison_table("over data sets, the mean of each: Wilcoxon's signed-rank test, exact",
                                            {"weighting", "against"}, over_sets));
  if (!over_seeds.empty())
    section.tables.push_back(comparison_table(
        "over the seeds of each data set, which draw features and configurations on one split of its rows: Student's t",
        {"data set", "weighting", "against"}, over_seeds));
  return section;
}

}  // namespace weft::papers
