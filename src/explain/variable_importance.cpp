#include <weft/explain.hpp>

#include "core/json_text.hpp"
#include "core/random.hpp"
#include "data/rows/block_source.hpp"
#include "model/member_scores.hpp"

#include <algorithm>
#include <cmath>

namespace weft {

using namespace detail;

namespace {

constexpr Index kMostRows = 1000;
constexpr Index kMostCells = 200000;  // rows × variables: bounds the time for wide tables
constexpr Index kLeastRows = 50;

/// Encoded inputs of evenly spaced rows: inputs × rows. They are spaced for as many rows as the encoder was fitted on:
/// counting those of `data` would take another pass.
Matrix sample_inputs(const Encoder& encoder, const Data& data, Index wanted, const Run& run) {
  const Index step = std::max<Index>(1, encoder.rows_seen() / wanted);
  std::vector<std::vector<double>> rows;
  Block block;
  Index row = 0;
  const auto stream = encoder.open(data, false, run);
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

/// rows × outputs, without intercepts.
Matrix scores_of(const ModelParts& parts, const Matrix& x, const Run& run) {
  Matrix scores(x.cols(), static_cast<Index>(parts.intercepts.size()));
  if (!parts.members.empty()) {
    add_member_scores(parts.members, x, scores, run);
    return scores;
  }
  Matrix phi(parts.map.features(), x.cols());
  parts.map.smoothings(x, phi, run);
  for (Index t = 0; t < phi.rows(); ++t)
    for (Index i = 0; i < x.cols(); ++i)
      for (Index k = 0; k < scores.cols(); ++k) scores(i, k) += parts.coefficients(t, k) * phi(t, i);
  return scores;
}

/// √(½ mean (f − f')²) per variable; of several outputs the root of the sum of squares.
std::vector<double> effects(const ModelParts& parts, const Matrix& x, std::uint64_t seed, const Run& run) {
  const Inputs& inputs = parts.map.inputs();
  const Matrix before = scores_of(parts, x, run);
  const std::vector<Index> other = Random(seed, RandomStream::split).permutation(x.cols());
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
  const Index most = std::clamp(kMostCells / std::max<Index>(1, inputs.variables()), kLeastRows, kMostRows);
  const Matrix x = sample_inputs(parts.encoder, data, options.rows > 0 ? options.rows : most, run);
  if (x.cols() == 0) throw Error(ErrorKind::data, "there are no rows", data.name(), "give at least one row");
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
