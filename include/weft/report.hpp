// A report: headings, tables and charts, as one self-contained HTML page or as Markdown.
#pragma once

#include <weft/run.hpp>
#include <weft/visibility.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace WEFT_PUBLIC weft {

/// The text of a cell, and the number by which the column is sorted, if any. Texts are UTF-8; nothing in them
/// is markup.
struct ReportCell {
  std::string text;
  std::optional<double> value = {};
  std::string verdict = {};  ///< "better", "matches", "worse": how it is marked; empty: not at all

  ReportCell(std::string text_) : text(std::move(text_)) {}
  ReportCell(const char* text_) : text(text_) {}
  ReportCell(std::string text_, double value_, std::string verdict_ = {})
      : text(std::move(text_)), value(value_), verdict(std::move(verdict_)) {}
};

struct ReportTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<ReportCell>> rows = {};
};

struct ChartPoint {
  double x = 0;
  double y = 0;
  std::optional<double> low = {};  ///< an interval around y, drawn as a bar, or by Mark::band as a band
  std::optional<double> high = {};
};

enum class Mark {
  line,
  dashed,
  points,
  bars,  ///< as wide as the nearest two x are apart
  band   ///< a line in the band of its intervals
};

struct ChartSeries {
  std::string name;
  Mark mark = Mark::line;
  std::vector<ChartPoint> points = {};
};

struct ReportChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<ChartSeries> series = {};
  std::optional<std::pair<double, double>> shaded = {};  ///< an interval of x to highlight
  /// Names of x = 0, 1, …: the series are bars that lie side by side (or end to end, `stacked`), one row per name.
  std::vector<std::string> x_names = {};
  bool stacked = false;
};

struct ReportSection {
  std::string heading;
  std::vector<std::string> paragraphs = {};
  std::vector<ReportTable> tables = {};
  std::vector<ReportChart> charts = {};
};

struct Report {
  std::string title;
  std::string summary = {};
  std::vector<ReportSection> sections = {};
  /// Command, versions, machine, seeds: shown at the end.
  std::vector<std::pair<std::string, std::string>> facts = {};

  /// One page that needs no network: styles, charting library and data are inside. Where the library was built without
  /// the charting library, the page says so and shows the charts' data as tables.
  std::string to_html() const;
  /// Headings and tables; charts as tables of their data.
  std::string to_markdown() const;
};

/// The machine that a result was computed on, for the facts: "AMD EPYC 7B13, 2 cores; 2 threads, avx2".
std::string machine_text(const Run& run);

}  // namespace weft
