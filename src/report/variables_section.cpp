// The most useful variables of stumps. Stumps of one variable add up to a function of that variable alone, so a model
// of stumps is a sum of such functions and the standard deviation of each over the rows says what the variable does.
#include "data/block_source.hpp"
#include "report/sections.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft {

namespace {

constexpr std::size_t kShown = 20;

/// Features that are stumps, by position in the map, and the variable each looks at.
struct Stumps {
  std::vector<Index> positions;
  std::vector<Index> variables;
};

Stumps find_stumps(const FeatureMap& map) {
  Stumps stumps;
  Index first = 0;
  for (const FeaturePart& part : map.parts()) {
    for (Index t = 0; t < part.centres.count() && part.family.projection.kind == Projection::Kind::axis; ++t) {
      const auto group = static_cast<std::size_t>(part.centres.group_of[static_cast<std::size_t>(t)]);
      const Index column = part.centres.groups[group].columns.front();
      const Index variable = map.inputs().variable_of[static_cast<std::size_t>(column)];
      if (variable < 0) continue;  // the bias is no variable
      stumps.positions.push_back(first + t);
      stumps.variables.push_back(variable);
    }
    first += part.centres.count();
  }
  return stumps;
}

/// Σ over outputs of the variance over the rows of what each variable adds to the score.
std::vector<double> variances(const Described& subject, const Stumps& stumps, const Run& run) {
  const ModelParts& parts = subject.model.parts();
  const FeatureMap map = parts.map.subset(stumps.positions);
  const Index variables = parts.map.inputs().variables();
  const Index outputs = parts.coefficients.cols();
  Matrix sums(variables, outputs), squares(variables, outputs), phi, added;
  double rows = 0;
  Block block;
  const auto stream = parts.encoder.open(subject.train, false, run);
  while (stream->next(block, kBlockRows)) {
    run.check_cancelled();
    phi.reshape(map.features(), block.rows());
    map.smoothings(block.x, phi, run);
    for (Index k = 0; k < outputs; ++k) {
      added = Matrix(variables, block.rows());
      for (Index t = 0; t < map.features(); ++t) {
        const double coefficient = parts.coefficients(stumps.positions[static_cast<std::size_t>(t)], k);
        double* const to = &added(stumps.variables[static_cast<std::size_t>(t)], 0);
        for (Index i = 0; i < block.rows(); ++i) to[i] += coefficient * phi(t, i);
      }
      for (Index v = 0; v < variables; ++v)
        for (Index i = 0; i < block.rows(); ++i) {
          sums(v, k) += added(v, i);
          squares(v, k) += added(v, i) * added(v, i);
        }
    }
    rows += static_cast<double>(block.rows());
  }
  std::vector<double> result(static_cast<std::size_t>(variables));
  for (Index v = 0; v < variables; ++v)
    for (Index k = 0; k < outputs; ++k)
      result[static_cast<std::size_t>(v)] +=
          std::max(0.0, squares(v, k) / rows - sums(v, k) * sums(v, k) / rows / rows);
  return result;
}

/// "sex" for the columns "sex=F" and "sex=M".
std::string variable_name(const Inputs& inputs, Index variable) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < inputs.variable_of.size(); ++c)
    if (inputs.variable_of[c] == variable) names.push_back(inputs.names[c]);
  if (names.size() == 1) return names.front();
  std::size_t common = names.front().size();
  for (const std::string& name : names)
    common = std::min<std::size_t>(
        common, std::mismatch(names.front().begin(), names.front().end(), name.begin(), name.end()).first -
                    names.front().begin());
  const std::string shared = names.front().substr(0, common);
  return shared.substr(0, shared.rfind('='));
}

}  // namespace

std::optional<ReportSection> variables_section(const Described& subject, const Run& run) {
  const FeatureMap& map = subject.model.parts().map;
  const Stumps stumps = find_stumps(map);
  if (stumps.positions.empty()) return std::nullopt;
  std::vector<double> spread = variances(subject, stumps, run);
  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < spread.size(); ++v) {
    spread[v] = std::sqrt(spread[v]);
    if (spread[v] > 0) order.push_back(v);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return spread[a] > spread[b]; });
  if (order.size() > kShown) order.resize(kShown);

  ReportSection section{.heading = "Most useful variables"};
  section.paragraphs.push_back(fmt::format(
      "{} of the {} features are stumps. Those of one variable add up to a function of it alone; shown is the standard "
      "deviation of that function over the training rows, in units of the {}.",
      stumps.positions.size(), map.features(), subject.model.target().task == Task::regression ? "target" : "score"));
  ReportChart chart{.title = "What each variable adds", .x_label = "", .y_label = "standard deviation"};
  ChartSeries series{.name = "stumps", .mark = Mark::bars};
  for (const std::size_t v : order) {
    series.points.push_back({static_cast<double>(chart.x_names.size()), spread[v]});
    chart.x_names.push_back(variable_name(map.inputs(), static_cast<Index>(v)));
  }
  chart.series.push_back(std::move(series));
  if (!order.empty()) section.charts.push_back(std::move(chart));
  return section;
}

}  // namespace weft
