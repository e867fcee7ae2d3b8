#include <weft/explain.hpp>

#include "core/json_text.hpp"
#include "explain/row_sample.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

using namespace detail;

namespace {

/// √(½ mean (f − f')²) per variable; of several outputs the root of the sum of squares.
std::vector<double> effects(const ModelParts& parts, const Matrix& x, std::uint64_t seed, const Run& run) {
  const Inputs& inputs = parts.map.inputs();
  const Matrix before = predictions(parts, x, run).scores;
  const ExchangedRows exchange(inputs, x, seed);
  std::vector<double> result;
  for (Index v = 0; v < inputs.variables(); ++v) {
    run.check_cancelled();
    run.report("variables", static_cast<double>(v), static_cast<double>(inputs.variables()));
    const Matrix after = predictions(parts, exchange.with({v}, 0), run).scores;
    double squares = 0;
    for (Index i = 0; i < after.rows(); ++i)
      for (Index k = 0; k < after.cols(); ++k) squares += std::pow(after(i, k) - before(i, k), 2);
    result.push_back(std::sqrt(squares / 2 / static_cast<double>(x.cols())));
  }
  return result;
}

}  // namespace

VariableImportance variable_importance(const Model& model, const Data& data, const ImportanceOptions& options,
                                       const Run& run) {
  check_options(options);
  const ModelParts& parts = model.parts();
  const Inputs& inputs = parts.map.inputs();
  const Index rows = options.rows > 0 ? options.rows : affordable_rows(inputs, 1);
  const Matrix x = spaced_rows(parts.encoder, data, false, rows, run).x;
  const std::vector<double> effect = effects(parts, x, options.seed, run);
  const std::vector<std::string> names = parts.encoder.variable_names();
  VariableImportance result{.rows = x.cols()};
  for (Index v = 0; v < inputs.variables(); ++v)
    result.variables.push_back({names[static_cast<std::size_t>(v)], effect[static_cast<std::size_t>(v)]});
  std::stable_sort(result.variables.begin(), result.variables.end(),
                   [](const auto& a, const auto& b) { return a.effect > b.effect; });
  return result;
}

std::string VariableImportance::to_json() const {
  Json json = {{"rows", rows}, {"variables", Json::array()}};
  for (const Variable& variable : variables)
    json["variables"].push_back({{"name", text_to_json(variable.name)}, {"effect", number_to_json(variable.effect)}});
  return json_document(json);
}

}  // namespace weft
