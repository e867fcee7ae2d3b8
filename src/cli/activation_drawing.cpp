#include "cli/activation_drawing.hpp"

#include <weft/error.hpp>
#include <weft/write.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::cli {

namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 420;
constexpr double kMargin = 56;

/// From numbers to the places of a drawing.
struct Frame {
  double low, high;    // of z
  double least, most;  // of the values

  double x(double z) const { return kMargin + (kWidth - 2 * kMargin) * (z - low) / (high - low); }
  double y(double value) const {
    return kHeight - kMargin - (kHeight - 2 * kMargin) * (value - least) / (most - least);
  }
};

Frame frame_of(const ActivationCurve& curve) {
  Frame frame{curve.z.front(), curve.z.back(), 0, 0};
  const auto take = [&](double value) {
    frame.least = std::min(frame.least, value);
    frame.most = std::max(frame.most, value);
  };
  std::for_each(curve.value.begin(), curve.value.end(), take);
  std::for_each(curve.terms.data(), curve.terms.data() + curve.terms.rows() * curve.terms.cols(), take);
  if (frame.least == frame.most) frame.most = 1;
  return frame;
}

/// About five round numbers between low and high.
std::vector<double> ticks(double low, double high) {
  const double rough = (high - low) / 5;
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * decade >= rough) step = factor * decade;
  std::vector<double> places;
  for (double k = std::ceil(low / step); k * step <= high; ++k) places.push_back(k * step);
  return places;
}

std::string polyline(const ActivationCurve& curve, const double* values, const Frame& frame, const char* style) {
  std::string points;
  for (std::size_t k = 0; k < curve.z.size(); ++k)
    points += fmt::format("{:.2f},{:.2f} ", frame.x(curve.z[k]), frame.y(values[k]));
  points.pop_back();
  return fmt::format("<polyline fill=\"none\" {} points=\"{}\"/>\n", style, points);
}

std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\" stroke-width=\"1\"/>\n", x1, y1, x2,
      y2, colour);
}

std::string axes(const Frame& frame) {
  std::string text;
  const double bottom = frame.y(frame.least);
  for (const double z : ticks(frame.low, frame.high)) {
    text += line(frame.x(z), bottom, frame.x(z), frame.y(frame.most), "#eee");
    text +=
        fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">{:g}</text>\n", frame.x(z), bottom + 18, z);
  }
  for (const double value : ticks(frame.least, frame.most)) {
    text += line(frame.x(frame.low), frame.y(value), frame.x(frame.high), frame.y(value), "#eee");
    text += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"end\">{:g}</text>\n", frame.x(frame.low) - 8,
                        frame.y(value) + 4, value);
  }
  text += line(frame.x(frame.low), frame.y(0), frame.x(frame.high), frame.y(0), "#888");
  text += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\">z</text>\n", kWidth / 2, kHeight - 12);
  text += fmt::format("<text x=\"{:.2f}\" y=\"24\">learned activation and its basis functions</text>\n", kMargin);
  return text;
}

std::string svg(const ActivationCurve& curve) {
  const Frame frame = frame_of(curve);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      kWidth, kHeight);
  text += axes(frame);
  for (Index i = 0; i < curve.terms.rows(); ++i)
    text += polyline(curve, curve.terms.row(i), frame, "stroke=\"#9bb8d3\" stroke-width=\"0.8\"");
  text += polyline(curve, curve.value.data(), frame, "stroke=\"#b3261e\" stroke-width=\"2.2\"");
  return text + "</svg>\n";
}

void write_csv(const ActivationCurve& curve, const std::string& path) {
  std::vector<std::string> columns = {"z", "activation"};
  for (Index i = 0; i < curve.terms.rows(); ++i) columns.push_back(fmt::format("basis{}", i + 1));
  TableWriter table(path, columns);
  const auto points = static_cast<Index>(curve.z.size());
  Matrix rows(points, curve.terms.rows() + 2);
  for (Index k = 0; k < points; ++k) {
    rows(k, 0) = curve.z[static_cast<std::size_t>(k)];
    rows(k, 1) = curve.value[static_cast<std::size_t>(k)];
    for (Index i = 0; i < curve.terms.rows(); ++i) rows(k, i + 2) = curve.terms(i, k);
  }
  table.append(rows);
  table.commit();
}

}  // namespace

void write_activation(const ActivationCurve& curve, const std::string& path) {
  if (path.ends_with(".csv")) return write_csv(curve, path);
  if (path.ends_with(".svg")) return write_file(path, svg(curve));
  if (path.ends_with(".html"))
    return write_file(path,
                      "<!doctype html>\n<meta charset=\"utf-8\">\n<title>learned activation</title>\n" + svg(curve));
  throw Error(ErrorKind::option, "the name does not say what to write", "--out", "end it in .csv, .svg or .html");
}

}  // namespace weft::cli
