#include "report/sections.hpp"

#include <fmt/format.h>

namespace weft::detail {

ReportSection activation_section(const ActivationCurve& curve) {
  const ActivationBasis& basis = curve.basis;
  ChartSeries series{.name = "h"};
  for (std::size_t k = 0; k < curve.z.size(); ++k) series.points.push_back({curve.z[k], curve.value[k]});
  ReportSection section{.heading = "Learned activation"};
  section.paragraphs.push_back(fmt::format("A sum of {} {} functions from {:.4g} to {:.4g}, learned with the weights.",
                                           basis.count, basis.name(), basis.low(), basis.high()));
  section.charts.push_back({.title = "Activation h", .x_label = "z", .y_label = "h(z)", .series = {std::move(series)}});
  return section;
}

}  // namespace weft::detail
