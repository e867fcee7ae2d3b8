// Every experiment at its tiny size on generated stand-ins for the data sets: all cells are computed, their values are
// finite, and the report has the tables, charts and verdicts that belong to it.
#include "reproduction.hpp"
#include "scikit_learn.hpp"
#include "stand_ins.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace weft::papers {
namespace {

using detail::TemporaryFolder;

struct Shape {
  const char* name;
  Index cells;
  std::size_t rows;    ///< of all tables
  std::size_t charts;  ///< with a curve each at least
  int verdicts;
};

void PrintTo(const Shape& shape, std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest's name
  *out << shape.name;
}

/// Written once for all experiments.
const std::string& stand_ins() {
  static const TemporaryFolder folder;
  static const std::string path = [] {
    testing::write_stand_ins(folder.path().string());
    return folder.path().string();
  }();
  return path;
}

/// Bounds of theorems may be infinite on so few rows; everything else is a finite number, and there is one.
int check_values(const Json& values, const std::string& place) {
  if (values.is_structured()) {
    int numbers = 0;
    for (const auto& [name, value] : values.items()) numbers += check_values(value, place + "/" + name);
    return numbers;
  }
  const bool bound = place.find("/gap_") != std::string::npos || place.find("/bound_") != std::string::npos;
  EXPECT_TRUE(bound || (values.is_number() && std::isfinite(values.get<double>()))) << place << ": " << values;
  return 1;
}

void check_chart(const ReportChart& chart) {
  EXPECT_FALSE(chart.series.empty()) << chart.title;
  for (const ChartSeries& series : chart.series) {
    EXPECT_FALSE(series.points.empty()) << chart.title << ", " << series.name;
    for (const ChartPoint& point : series.points)
      EXPECT_TRUE(std::isfinite(point.x) && std::isfinite(point.y)) << chart.title << ", " << series.name;
  }
}

class TinyExperiment : public ::testing::TestWithParam<Shape> {};

TEST_P(TinyExperiment, ComputesAllItsCellsAndShowsThem) {
  const Shape& shape = GetParam();
  const TemporaryFolder out;
  const Reproduction result =
      reproduce(shape.name, {.data = stand_ins(), .size = Size::tiny, .out = out.path().string()});
  EXPECT_EQ(result.cells, shape.cells);
  EXPECT_EQ(result.resumed, 0);
  EXPECT_EQ(result.unfinished, 0);
  EXPECT_TRUE(result.missing.empty());

  std::ifstream log(out.file(std::string(shape.name) + ".jsonl"));
  Index logged = 0;
  for (std::string line; std::getline(log, line); ++logged) {
    const Json cell = Json::parse(line);
    EXPECT_GT(check_values(cell.at("values"), cell.at("key").dump()), 0);
  }
  EXPECT_EQ(logged, shape.cells);

  std::size_t rows = 0, charts = 0;
  for (const ReportSection& section : result.report.sections) {
    EXPECT_FALSE(section.heading.empty());
    for (const ReportTable& table : section.tables) {
      rows += table.rows.size();
      for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.caption;
    }
    charts += section.charts.size();
    for (const ReportChart& chart : section.charts) check_chart(chart);
  }
  EXPECT_EQ(rows, shape.rows);
  EXPECT_EQ(charts, shape.charts);
  EXPECT_EQ(result.better + result.matches + result.worse, shape.verdicts);
  for (const char* ending : {".html", ".md"})
    EXPECT_GT(std::filesystem::file_size(out.file(shape.name + std::string(ending))), 200U) << ending;
}

const int kContenders = has_scikit_learn() ? 4 : 0;  // cells of programs that need not be installed

const Shape kShapes[] = {
    {"rkhs-tables-10-11", 208, 109, 0, 104},
    {"rkhs-tables-12-13", 110 + kContenders, 81, 0, 55 + kContenders},
    {"rkhs-figure-1", 8, 0, 4, 0},
    {"rkhs-figure-2", 6, 0, 3, 0},
    {"rkhs-figures-3-4", 108, 0, 24, 0},
    {"rkhs-figures-5-6", 48, 4, 12, 0},
    {"rkhs-figures-7-8", 16, 0, 6, 0},
    {"rkhs-figures-9-10", 48, 4, 12, 0},
    {"elss-figure-1", 4, 4, 4, 0},
    {"elss-figure-2", 8, 20, 4, 32},
    {"elss-figure-3", 6, 0, 2, 0},
    {"elss-figure-4", 16, 0, 2, 0},
    {"rfm-figure-1", 12, 12, 4, 12},
    {"rfm-figure-2", 12, 12, 4, 12},
    {"rfm-figure-3", 24, 0, 8, 0},
    {"rfm-figure-4", 24, 0, 8, 0},
    {"jmlr-figure-1", 8, 0, 4, 0},
    {"jmlr-table-2", 8, 8, 0, 12},
    {"jmlr-table-3", 40, 28, 0, 20},
    {"rflaf-figures-1-3", 36, 18, 20, 24},
    {"rflaf-figures-2-4", 36, 18, 20, 24},
    {"rkhs-question-norm", 144, 40, 0, 0},
    {"rkhs-question-limit", 36, 78, 9, 0},
    {"rkhs-question-family", 90, 40, 0, 0},
    {"rflaf-question-leverage", 24, 24, 0, 0},
};

INSTANTIATE_TEST_SUITE_P(Papers, TinyExperiment, ::testing::ValuesIn(kShapes), [](const auto& test) {
  std::string name = test.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(TinyExperiments, AreAllOfThem) {
  std::vector<std::string> tested, there;
  for (const Shape& shape : kShapes) tested.emplace_back(shape.name);
  for (const ExperimentInfo& info : experiments()) there.push_back(info.name);
  EXPECT_EQ(tested, there);
}

}  // namespace
}  // namespace weft::papers
