// Charts and tables of a page.
#pragma once

#include <weft/report.hpp>

#include <string>

namespace weft::detail {

/// A figure: title, legend, the specification that the page's script draws, and the numbers as a table that opens.
std::string chart_html(const ReportChart& chart);

/// The table with headings that sort; its caption is left out where it is empty.
std::string table_html(const ReportTable& table);

/// Four significant digits in the text, all of them for sorting.
ReportCell number_cell(double value);

}  // namespace weft::detail
