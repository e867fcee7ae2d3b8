// Charts and tables of a page.
#pragma once

#include <weft/matrix.hpp>
#include <weft/report.hpp>

#include <string>

namespace weft::detail {

/// A figure: title, legend, the specification that the page's script draws, and the numbers as a table that opens.
std::string chart_html(const ReportChart& chart);

/// The table with headings that sort; its caption is left out where it is empty.
std::string table_html(const ReportTable& table);

/// Four significant digits in the text, all of them for sorting and of whole numbers, which are counts mostly.
ReportCell number_cell(double value);
ReportCell count_cell(Index count);

}  // namespace weft::detail
