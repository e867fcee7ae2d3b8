// The sections of a report on a model (weft/describe.hpp).
#pragma once

#include <weft/describe.hpp>

#include "report/held_out.hpp"
#include "report/page_parts.hpp"

#include <optional>

namespace weft::detail {

/// `held_out` null: there are no rows to judge on.
ReportSection errors_section(const Described& subject, const HeldOut* held_out, const Run& run);
ReportSection search_section(const TuneResult& search);
ReportSection curve_section(const TuneResult& search);
ReportSection classes_section(const HeldOut& rows);
ReportSection residuals_section(const HeldOut& rows);
ReportSection certificate_section(const Described& subject, const Run& run);
ReportSection prune_section(const Described& subject, const Run& run);
/// None where there are fewer than two variables.
std::optional<ReportSection> variables_section(const Described& subject, std::uint64_t seed, const Run& run);
/// None where no activation was learned.
std::optional<ReportSection> activation_section(const Model& model);

/// "0.123 to 0.145".
std::string interval_text(double low, double high);

}  // namespace weft::detail
