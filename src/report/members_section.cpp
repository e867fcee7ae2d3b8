#include "report/sections.hpp"

#include <algorithm>

#include <fmt/ranges.h>

namespace weft::detail {

namespace {

ReportCell bandwidth_cell(const std::vector<double>& bandwidths) {
  if (bandwidths.empty()) return "";
  if (bandwidths.size() == 1) return number_cell(bandwidths.front());
  return {interval_text(bandwidths.front(), bandwidths.back()), bandwidths.front()};
}

}  // namespace

ReportSection members_section(const std::vector<Member>& members) {
  ReportSection section{.heading = "Members"};
  section.paragraphs.emplace_back(
      "The prediction is the weighted sum of these members. A member with several leaves is a tree: a row is predicted "
      "by the leaf that it falls into.");
  ReportTable table{.caption = "Members of the sum",
                    .columns = {"member", "weight", "kernel or family", "inputs", "leaves", "features", "bandwidth"}};
  for (const Member& member : members) {
    const LeafSummary summary = member.summary();
    table.rows.push_back({member.name, number_cell(member.weight), fmt::format("{}", fmt::join(summary.kinds, ", ")),
                          count_cell(member.leaves.front().map.inputs().columns()), count_cell(summary.leaves),
                          count_cell(summary.features), bandwidth_cell(summary.bandwidths)});
  }
  section.tables.push_back(std::move(table));
  return section;
}

ReportSection tried_section(const std::vector<TriedCandidate>& tried) {
  ReportSection section{.heading = "Search"};
  section.paragraphs.emplace_back(
      "Compared on rows held out of the training; the members of the model are those with a weight, fitted again to "
      "all "
      "rows. Errors are mean squared errors in units of the variance of the target.");
  ReportTable table{.caption = "What was tried, in this order",
                    .columns = {"candidate", "rows or landmarks", "bandwidth", "lambda", "error", "weight"}};
  for (const TriedCandidate& candidate : tried)
    table.rows.push_back({candidate.partial ? candidate.name + " (part of the rows)" : candidate.name,
                          count_cell(candidate.size), number_cell(candidate.bandwidth), number_cell(candidate.lambda),
                          number_cell(candidate.error),
                          candidate.weight > 0 ? number_cell(candidate.weight) : ReportCell("")});
  section.tables.push_back(std::move(table));
  return section;
}

ReportSection relevance_section(const std::vector<Relevance>& relevance) {
  ReportSection section{.heading = "Relevance"};
  section.paragraphs.emplace_back(
      "How strongly the fitted function changes with a variable, from its squared gradients over the training rows; "
      "the "
      "most relevant variable has 1. The fit weighs inputs by it. A category counts as one variable.");
  if (relevance.size() > kShownBars)
    section.paragraphs.push_back(fmt::format("Shown are the largest {} of {}.", kShownBars, relevance.size()));
  std::vector<std::pair<std::string, Estimate>> bars;
  for (const Relevance& one : relevance) bars.emplace_back(one.variable, Estimate{one.value, one.value, one.value});
  section.charts.push_back(bar_chart("Relevance of each variable", "relevance", bars));
  return section;
}

}  // namespace weft::detail
