#include <weft/learned_activation.hpp>

#include "report/sections.hpp"

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr int kPoints = 200;

}  // namespace

std::optional<ReportSection> activation_section(const Model& model) {
  for (const FeaturePart& part : model.parts().map.parts()) {
    const auto* learned = dynamic_cast<const LearnedActivation*>(part.family.activation.get());
    if (!learned) continue;
    const ActivationBasis& basis = learned->basis();
    ChartSeries series{.name = "h"};
    for (int k = 0; k <= kPoints; ++k) {
      const double z = basis.low() + (basis.high() - basis.low()) * k / kPoints;
      series.points.push_back({z, learned->value(z)});
    }
    ReportSection section{.heading = "Learned activation"};
    section.paragraphs.push_back(
        fmt::format("A sum of {} {} functions from {:.4g} to {:.4g}, learned with the weights.", basis.count,
                    basis.name(), basis.low(), basis.high()));
    section.charts.push_back(
        {.title = "Activation h", .x_label = "z", .y_label = "h(z)", .series = {std::move(series)}});
    return section;
  }
  return std::nullopt;
}

}  // namespace weft::detail
