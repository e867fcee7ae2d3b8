// What each variable does: ½E[(f(x) − f(x'))²], x' being x with that variable taken from another row. Where f is a sum
// of functions of one variable each, as for stumps, this is the variance of the variable's own function; for other
// features it counts what the variable does together with others as well, and nothing that cancels between parts of a
// union.
#include "core/random.hpp"
#include "data/rows/block_source.hpp"
#include "report/sections.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kShown = 20;
constexpr Index kMostRows = 1000;
constexpr Index kMostCells = 200000;  // rows × variables: bounds the time for wide tables
constexpr Index kLeastRows = 50;

/// Encoded inputs of evenly spaced training rows: inputs × rows.
Matrix sample_inputs(const Described& subject, Index wanted, const Run& run) {
  const Encoder& encoder = subject.model.parts().encoder;
  const Index step = std::max<Index>(1, encoder.rows_seen() / wanted);
  std::vector<std::vector<double>> rows;
  Block block;
  Index row = 0;
  const auto stream = encoder.open(subject.train, false, run);
  while (stream->next(block, kBlockRows)) {
    run.check_cancelled();
    for (Index i = 0; i < block.rows(); ++i, ++row) {
      if (row % step != 0 || static_cast<Index>(rows.size()) == wanted) continue;
      rows.emplace_back();
      for (Index j = 0; j < block.x.rows(); ++j) rows.back().push_back(block.x(j, i));
    }
  }
  Matrix x(encoder.inputs().columns(), static_cast<Index>(rows.size()));
  for (Index i = 0; i < x.cols(); ++i)
    for (Index j = 0; j < x.rows(); ++j) x(j, i) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return x;
}

/// outputs × rows, without intercepts.
Matrix scores_of(const ModelParts& parts, const Matrix& x, const Run& run) {
  Matrix phi(parts.map.features(), x.cols());
  parts.map.smoothings(x, phi, run);
  Matrix scores(parts.coefficients.cols(), x.cols());
  for (Index t = 0; t < phi.rows(); ++t)
    for (Index k = 0; k < scores.rows(); ++k)
      for (Index i = 0; i < x.cols(); ++i) scores(k, i) += parts.coefficients(t, k) * phi(t, i);
  return scores;
}

/// √(½ mean (f − f')²) per variable; of several outputs the root of the sum of squares.
std::vector<double> effects(const ModelParts& parts, const Matrix& x, std::uint64_t seed, const Run& run) {
  const Inputs& inputs = parts.map.inputs();
  const Matrix before = scores_of(parts, x, run);
  const std::vector<Index> other = Random(seed, Stream::split).permutation(x.cols());
  std::vector<double> result;
  for (Index v = 0; v < inputs.variables(); ++v) {
    run.check_cancelled();
    run.report("variables", static_cast<double>(v), static_cast<double>(inputs.variables()));
    Matrix exchanged = x;
    for (Index j = 0; j < x.rows(); ++j)
      if (inputs.variable_of[static_cast<std::size_t>(j)] == v)
        for (Index i = 0; i < x.cols(); ++i) exchanged(j, i) = x(j, other[static_cast<std::size_t>(i)]);
    const Matrix after = scores_of(parts, exchanged, run);
    double squares = 0;
    for (Index k = 0; k < after.rows(); ++k)
      for (Index i = 0; i < after.cols(); ++i) squares += std::pow(after(k, i) - before(k, i), 2);
    result.push_back(std::sqrt(squares / 2 / static_cast<double>(x.cols())));
  }
  return result;
}

/// "sex" for the columns "sex=F" and "sex=M".
std::string variable_name(const Inputs& inputs, Index variable) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < inputs.variable_of.size(); ++c)
    if (inputs.variable_of[c] == variable) names.push_back(inputs.names[c]);
  const std::string& first = names.front();
  if (names.size() == 1) return first;
  auto common = first.end();
  for (const std::string& name : names) common = std::mismatch(first.begin(), common, name.begin(), name.end()).first;
  const std::string shared(first.begin(), common);
  return shared.substr(0, shared.rfind('='));
}

}  // namespace

std::optional<ReportSection> variables_section(const Described& subject, std::uint64_t seed, const Run& run) {
  const ModelParts& parts = subject.model.parts();
  const Inputs& inputs = parts.map.inputs();
  if (inputs.variables() < 2) return std::nullopt;
  const Matrix x = sample_inputs(subject, std::clamp(kMostCells / inputs.variables(), kLeastRows, kMostRows), run);
  const std::vector<double> effect = effects(parts, x, seed, run);
  std::vector<std::size_t> order(effect.size());
  for (std::size_t v = 0; v < order.size(); ++v) order[v] = v;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return effect[a] > effect[b]; });
  if (order.size() > kShown) order.resize(kShown);

  ReportSection section{.heading = "Most useful variables"};
  section.paragraphs.push_back(fmt::format(
      "How much the {} changes when a variable's value is taken from another row, over {} training rows, as a standard "
      "deviation. For stumps this is the spread of the variable's own share of the prediction.",
      subject.model.target().task == Task::regression ? "prediction" : "score", x.cols()));
  ReportChart chart{.title = "What each variable does", .x_label = "", .y_label = "standard deviation"};
  ChartSeries series{.name = "effect", .mark = Mark::bars};
  for (const std::size_t v : order) {
    series.points.push_back({static_cast<double>(chart.x_names.size()), effect[v]});
    chart.x_names.push_back(variable_name(inputs, static_cast<Index>(v)));
  }
  chart.series.push_back(std::move(series));
  section.charts.push_back(std::move(chart));
  return section;
}

}  // namespace weft::detail
