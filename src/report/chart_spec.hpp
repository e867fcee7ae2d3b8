// Charts as Vega-Lite specifications.
//
// Vega-Lite because a chart is then data (this JSON, made here and tested here), because it is maintained and under our
// own licence, and because its SVG takes colours from the page's style: light, dark and print are one drawing.
#pragma once

#include <weft/report.hpp>

#include "core/json_text.hpp"

namespace weft::detail {

/// Points that an axis cannot show (not finite; not positive on a logarithmic axis) are left out.
Json chart_spec(const ReportChart& chart);

/// How series k looks: the page's style has this many colours, and the shapes of the points differ as well.
inline constexpr std::size_t kChartColours = 8;
std::string series_colour(std::size_t k);
const char* series_shape(std::size_t k);

/// Whether the points of a line are marked.
bool shows_points(const ChartSeries& series);

}  // namespace weft::detail
