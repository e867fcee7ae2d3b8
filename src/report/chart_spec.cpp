#include "report/chart_spec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kMarkedPoints = 40;
constexpr std::size_t kManyPoints = 200;
constexpr double kRowHeight = 22;

bool can_be_shown(double value, bool logarithmic) {
  return std::isfinite(value) && (!logarithmic || value > 0);
}

bool can_be_shown(const ReportChart& chart, const ChartPoint& point) {
  return can_be_shown(point.x, chart.log_x) && can_be_shown(point.y, chart.log_y);
}

std::vector<ChartPoint> shown_points(const ReportChart& chart, const ChartSeries& series) {
  std::vector<ChartPoint> points;
  for (const ChartPoint& point : series.points)
    if (can_be_shown(chart, point)) points.push_back(point);
  return points;
}

/// The lower end of an interval is clipped to the range of a logarithmic axis.
double on_axis(double end, double y, bool logarithmic) {
  return can_be_shown(end, logarithmic) ? end : y;
}

Json values_of(const ReportChart& chart, const std::vector<ChartPoint>& points) {
  Json values = Json::array();
  for (const ChartPoint& point : points) {
    Json value = {{"x", point.x}, {"y", point.y}};
    if (point.low && point.high) {
      value["low"] = on_axis(*point.low, point.y, chart.log_y);
      value["high"] = on_axis(*point.high, point.y, chart.log_y);
    }
    values.push_back(std::move(value));
  }
  return values;
}

bool has_bars(const ReportChart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(),
                     [](const ChartSeries& series) { return series.mark == Mark::bars; });
}

Json axis_of(const char* field, const std::string& label, bool logarithmic, bool from_zero) {
  Json encoding = {{"field", field}, {"type", "quantitative"}, {"title", label.empty() ? Json(nullptr) : Json(label)}};
  if (logarithmic) {
    encoding["scale"] = {{"type", "log"}, {"nice", false}};
    encoding["axis"] = {{"format", "~g"}, {"labelOverlap", "greedy"}, {"tickCount", 6}};
  } else {
    encoding["scale"] = {{"zero", from_zero}};
  }
  return encoding;
}

Json x_axis(const ReportChart& chart, const char* field = "x") {
  return axis_of(field, chart.x_label, chart.log_x, false);
}

Json y_axis(const ReportChart& chart, const char* field = "y") {
  return axis_of(field, chart.y_label, chart.log_y, has_bars(chart) && !chart.log_y);
}

Json layer_of(Json mark, Json encoding) {
  return {{"mark", std::move(mark)}, {"encoding", std::move(encoding)}};
}

Json interval_layer(const ReportChart& chart, const char* mark, const std::string& colour) {
  const bool band = std::string(mark) == "area";
  Json layer = layer_of({{"type", mark}, {"color", colour}, {"opacity", band ? 0.2 : 0.7}},
                        {{"x", x_axis(chart)}, {"y", y_axis(chart, "low")}, {"y2", {{"field", "high"}}}});
  layer["transform"] = {{{"filter", "isValid(datum.low)"}}};
  return layer;
}

Json point_layer(const ReportChart& chart, const ChartSeries& series, std::size_t k) {
  const bool many = series.points.size() > kManyPoints;
  return layer_of({{"type", "point"},
                   {"shape", series_shape(k)},
                   {"color", series_colour(k)},
                   {"filled", true},
                   {"size", many ? 16 : 48},
                   {"opacity", many ? 0.45 : 1.0},
                   {"tooltip", {{"content", "data"}}}},
                  {{"x", x_axis(chart)}, {"y", y_axis(chart)}});
}

Json line_layer(const ReportChart& chart, Mark mark, std::size_t k) {
  Json line = {{"type", "line"}, {"color", series_colour(k)}};
  if (mark == Mark::dashed) line["strokeDash"] = {6, 4};
  return layer_of(std::move(line), {{"x", x_axis(chart)}, {"y", y_axis(chart)}});
}

/// The smallest distance of two different x, in logarithms on a logarithmic axis; 1 where there is only one x.
double spacing(const ReportChart& chart, std::vector<ChartPoint> points) {
  std::sort(points.begin(), points.end(), [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].x > points[i - 1].x)
      least = std::min(least, chart.log_x ? std::log(points[i].x / points[i - 1].x) : points[i].x - points[i - 1].x);
  return std::isfinite(least) ? least : 1;
}

void add_bars(Json& layers, const ReportChart& chart, const std::vector<ChartPoint>& points, std::size_t k) {
  const double half = spacing(chart, points) / 2;
  Json values = values_of(chart, points);
  for (Json& value : values) {
    const double x = value["x"].get<double>();
    value["left"] = chart.log_x ? x * std::exp(-half) : x - half;
    value["right"] = chart.log_x ? x * std::exp(half) : x + half;
  }
  // Bars stand on zero, which a logarithmic axis has at its foot.
  const Json foot = chart.log_y ? Json{{"value", "height"}} : Json{{"datum", 0}};
  Json bars =
      layer_of({{"type", "bar"},
                {"orient", "vertical"},
                {"color", series_colour(k)},
                {"opacity", chart.series.size() > 1 ? 0.55 : 0.85},
                {"stroke", "var(--page)"},
                {"strokeWidth", 0.5},
                {"tooltip", {{"content", "data"}}}},
               {{"x", x_axis(chart, "left")}, {"x2", {{"field", "right"}}}, {"y", y_axis(chart)}, {"y2", foot}});
  layers.push_back({{"data", {{"values", values}}}, {"layer", {bars, interval_layer(chart, "rule", "currentColor")}}});
}

void add_series(Json& layers, const ReportChart& chart, std::size_t k) {
  const ChartSeries& series = chart.series[k];
  const std::vector<ChartPoint> points = shown_points(chart, series);
  if (points.empty()) return;
  if (series.mark == Mark::bars) return add_bars(layers, chart, points, k);
  Json inner = Json::array();
  if (std::any_of(points.begin(), points.end(), [](const ChartPoint& point) { return point.low && point.high; }))
    inner.push_back(interval_layer(chart, series.mark == Mark::band ? "area" : "rule", series_colour(k)));
  if (series.mark != Mark::points) inner.push_back(line_layer(chart, series.mark, k));
  if (shows_points(series)) inner.push_back(point_layer(chart, series, k));
  layers.push_back(
      {{"data", {{"values", values_of(chart, points)}}},
       {"transform",
        {{{"calculate", Json(series.name).dump(-1, ' ', true, Json::error_handler_t::replace)}, {"as", "series"}}}},
       {"layer", inner}});
}

Json shaded_layer(const ReportChart& chart) {
  const auto [low, high] = *chart.shaded;
  Json layer = layer_of({{"type", "rect"}, {"color", "currentColor"}, {"opacity", 0.1}},
                        {{"x", x_axis(chart, "from")}, {"x2", {{"field", "to"}}}});
  layer["data"] = {{"values", {{{"from", low}, {"to", high}}}}};
  return layer;
}

/// The names and colours of the series, in their order.
Json series_scale(const ReportChart& chart) {
  Json names = Json::array(), colours = Json::array();
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    names.push_back(chart.series[k].name);
    colours.push_back(series_colour(k));
  }
  return {{"domain", names}, {"range", colours}};
}

/// What named bars show, one object per bar.
Json named_values(const ReportChart& chart) {
  Json values = Json::array();
  for (const ChartSeries& series : chart.series)
    for (const ChartPoint& point : series.points) {
      const auto at = static_cast<std::size_t>(point.x);
      if (point.x < 0 || at >= chart.x_names.size() || !can_be_shown(point.y, chart.log_y)) continue;
      Json value = values_of(chart, {point}).front();
      value.erase("x");
      value["name"] = chart.x_names[at];
      value["series"] = series.name;
      values.push_back(std::move(value));
    }
  return values;
}

/// The intervals of named bars, over the bars.
Json named_intervals(const ReportChart& chart) {
  Json rules = layer_of({{"type", "rule"}, {"opacity", 0.7}}, {{"x", axis_of("low", chart.y_label, chart.log_y, true)},
                                                               {"x2", {{"field", "high"}}},
                                                               {"color", {{"value", "currentColor"}}}});
  rules["transform"] = {{{"filter", "isValid(datum.low)"}}};
  return rules;
}

/// One row of bars per name, lying so that the names can be read.
Json named_bars(const ReportChart& chart) {
  const Json values = named_values(chart);
  Json place = {{"y", {{"field", "name"}, {"type", "nominal"}, {"sort", chart.x_names}, {"title", chart.x_label}}}};
  if (chart.x_label.empty()) place["y"]["title"] = nullptr;
  const std::size_t bars = chart.stacked ? 1 : chart.series.size();
  if (bars > 1) place["yOffset"] = {{"field", "series"}, {"type", "nominal"}, {"scale", series_scale(chart)}};
  if (bars > 1) place["yOffset"]["scale"].erase("range");
  Json length = {
      {"x", axis_of("y", chart.y_label, chart.log_y, true)},
      {"color", {{"field", "series"}, {"type", "nominal"}, {"scale", series_scale(chart)}, {"legend", nullptr}}}};
  if (!chart.stacked) length["x"]["stack"] = nullptr;
  Json layers = {layer_of({{"type", "bar"}, {"tooltip", {{"content", "data"}}}}, length)};
  if (std::any_of(values.begin(), values.end(), [](const Json& value) { return value.contains("low"); }))
    layers.push_back(named_intervals(chart));
  return {{"height", kRowHeight * static_cast<double>(chart.x_names.size() * std::max<std::size_t>(1, bars))},
          {"data", {{"values", values}}},
          {"encoding", place},
          {"layer", layers}};
}

}  // namespace

std::string series_colour(std::size_t k) {
  return fmt::format("var(--series-{})", k % kChartColours + 1);
}

const char* series_shape(std::size_t k) {
  static constexpr const char* shapes[] = {"circle", "square", "triangle-up", "diamond", "cross"};
  return shapes[k % std::size(shapes)];
}

bool shows_points(const ChartSeries& series) {
  return series.mark == Mark::points || (series.mark == Mark::line && series.points.size() <= kMarkedPoints);
}

Json chart_spec(const ReportChart& chart) {
  Json spec = {{"width", "container"}, {"height", 300}};
  if (!chart.x_names.empty()) {
    spec.update(named_bars(chart));
    return spec;
  }
  Json layers = Json::array();
  if (chart.shaded) layers.push_back(shaded_layer(chart));
  for (std::size_t k = 0; k < chart.series.size(); ++k) add_series(layers, chart, k);
  spec["layer"] = layers;
  return spec;
}

}  // namespace weft::detail
