// The sections of a report on a model (weft/describe.hpp): results turned into tables and charts.
#pragma once

#include <weft/certify.hpp>
#include <weft/describe.hpp>
#include <weft/explain.hpp>
#include <weft/prune.hpp>

#include "explain/held_out.hpp"
#include "report/page_parts.hpp"

#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

/// Rows to evaluate a model on.
struct EvaluationRows {
  std::string name;  ///< which rows they are: "test rows"
  HeldOut predictions;
  Explanation importance;  ///< of the variables, on these rows; empty where there is one only
};

/// `train`: of no rows where there are none. `held_out` null: there are no such rows. `search` null: no search was run.
ReportSection errors_section(const Evaluation& train, const EvaluationRows* held_out, const TuneResult* search);
ReportSection search_section(const TuneResult& search);
/// There must be at least one.
ReportSection tried_section(const std::vector<TriedCandidate>& tried);
ReportSection curve_section(const TuneResult& search);
ReportSection classes_section(const EvaluationRows& held_out);
ReportSection residuals_section(const EvaluationRows& held_out);
ReportSection certificate_section(const Certificate& certificate);
ReportSection prune_section(const PruneResult& result);
/// `rows`: which they are. `fitted`: whether the model was fitted to them.
ReportSection importance_section(const Explanation& explanation, const std::string& rows, bool fitted);
ReportSection members_section(const std::vector<Member>& members);
ReportSection relevance_section(const std::vector<Relevance>& relevance);
ReportSection activation_section(const ActivationCurve& curve);

/// Lying bars with intervals, of the first names.
inline constexpr std::size_t kShownBars = 20;
ReportChart bar_chart(std::string title, std::string label, const std::vector<std::pair<std::string, Estimate>>& bars);
/// "0.13 (0.12 to 0.14)".
ReportCell estimate_cell(const Estimate& estimate);
/// "0.123 to 0.145".
std::string interval_text(double low, double high);

}  // namespace weft::detail
