// The numbers of a chart, for those who read tables and for formats without pictures.
#pragma once

#include <weft/report.hpp>

namespace weft::detail {

/// A row per x, a column per series: y, with its interval where it has one. No rows where there are more than `most`.
ReportTable chart_table(const ReportChart& chart, std::size_t most);

}  // namespace weft::detail
