#include "explain/row_sample.hpp"

#include "core/random.hpp"
#include "data/rows/block_source.hpp"
#include "explain/dependence.hpp"
#include "model/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace weft::detail {

namespace {

struct SampledRow {
  Index row;
  std::vector<double> x;
  std::vector<double> y;
  double weight;
};

std::vector<double> column_of(const Matrix& matrix, Index i) {
  std::vector<double> values;
  for (Index j = 0; j < matrix.rows(); ++j) values.push_back(matrix(j, i));
  return values;
}

/// Every step-th row; the step doubles whenever twice as many as wanted have been kept.
std::vector<SampledRow> thinned_rows(const Encoder& encoder, const Data& data, bool with_target, Index wanted,
                                     const Run& run) {
  std::vector<SampledRow> kept;
  Index step = 1;
  Block block;
  const auto reader = encoder.open(data, with_target, run);
  while (reader->next(block, kBlockRows)) {
    run.check_cancelled();
    for (Index i = 0; i < block.rows(); ++i) {
      const Index row = block.first_row + i;
      if (row % step != 0) continue;
      if (static_cast<Index>(kept.size()) == 2 * wanted) {
        for (std::size_t k = 0; 2 * k < kept.size(); ++k) std::swap(kept[k], kept[2 * k]);
        kept.resize(static_cast<std::size_t>(wanted));
        step *= 2;
        if (row % step != 0) continue;
      }
      kept.push_back({row, column_of(block.x, i), column_of(block.y, i),
                      block.weights.empty() ? 1 : block.weights[static_cast<std::size_t>(i)]});
    }
  }
  return kept;
}

}  // namespace

Index affordable_rows(const Inputs& inputs, Index times) {
  constexpr Index kPredictions = 200000;
  return std::clamp<Index>(kPredictions / std::max<Index>(1, inputs.variables() * times), 50, 1000);
}

RowSample spaced_rows(const Encoder& encoder, const Data& data, bool with_target, Index wanted, const Run& run) {
  const std::vector<SampledRow> kept = thinned_rows(encoder, data, with_target, wanted, run);
  if (kept.empty()) throw Error(ErrorKind::data, "there are no rows", data.name(), "give at least one row");
  const auto all = static_cast<Index>(kept.size());
  const Index count = std::min(all, wanted);
  RowSample sample{.x = Matrix(encoder.inputs().columns(), count)};
  const auto targets = static_cast<Index>(kept.front().y.size());
  sample.y = Matrix(targets, targets == 0 ? 0 : count);
  for (Index i = 0; i < count; ++i) {
    const SampledRow& row = kept[static_cast<std::size_t>(i * all / count)];
    sample.rows.push_back(row.row);
    sample.weights.push_back(row.weight);
    for (Index j = 0; j < sample.x.rows(); ++j) sample.x(j, i) = row.x[static_cast<std::size_t>(j)];
    for (Index k = 0; k < targets; ++k) sample.y(k, i) = row.y[static_cast<std::size_t>(k)];
  }
  return sample;
}

std::string Cells::shown(Index row) const {
  if (text) return texts[static_cast<std::size_t>(row)];
  const double number = numbers[static_cast<std::size_t>(row)];
  return std::isnan(number) ? "" : fmt::format("{:.6g}", number);
}

std::vector<Cells> cells_of(const Encoder& encoder, const Data& data, const std::vector<Index>& rows, const Run& run) {
  const std::vector<std::string> names = encoder.variable_names();
  const auto reader = data.open();
  reader->read_as_text(categorical_variables(encoder));
  reader->need_only(names);
  const std::vector<Column>& columns = reader->columns();
  std::vector<Index> position;  // of every variable; -1: a column that a sparse format leaves out, all zeros
  std::vector<Cells> cells;
  for (const std::string& name : names) {
    const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
    position.push_back(found == columns.end() ? -1 : found - columns.begin());
    cells.push_back({.text = found != columns.end() && found->text});
  }
  RawBlock block;
  for (std::size_t next = 0; next < rows.size() && reader->next(block, kBlockRows);) {
    run.check_cancelled();
    for (; next < rows.size() && rows[next] < block.first_row + block.rows(); ++next)
      for (std::size_t v = 0; v < cells.size(); ++v) {
        const double cell = position[v] < 0 ? 0 : block.columns(position[v], rows[next] - block.first_row);
        if (!cells[v].text)
          cells[v].numbers.push_back(cell);
        else
          cells[v].texts.push_back(std::isnan(cell) ? ""
                                                    : reader->dictionary(position[v])[static_cast<std::size_t>(cell)]);
      }
  }
  return cells;
}

void set_variable(const Inputs& inputs, Index variable, const Matrix& source, Index from, Matrix& x, Index to) {
  const std::vector<Index>& of = inputs.variable_of;
  const auto end = of.end() - (inputs.bias ? 1 : 0);  // the bias, −1, comes last
  const auto [first, last] = std::equal_range(of.begin(), end, variable);
  for (Index j = first - of.begin(); j < last - of.begin(); ++j) x(j, to) = source(j, from);
}

ExchangedRows::ExchangedRows(const Inputs& inputs, const Matrix& x, std::uint64_t seed)
    : inputs_(inputs), x_(x), order_(Random(seed, RandomStream::resampling).permutation(x.cols())) {}

Matrix ExchangedRows::with(std::initializer_list<Index> variables, Index repeat) const {
  Matrix result = x_;
  const Index n = x_.cols();
  for (Index i = 0; i < n; ++i)
    for (const Index v : variables)
      set_variable(inputs_, v, x_, order_[static_cast<std::size_t>((i + repeat + 1) % n)], result,
                   order_[static_cast<std::size_t>(i)]);
  return result;
}

PredictionBlock predictions(const ModelParts& parts, const Matrix& x, const Run& run) {
  PredictionBlock block;
  Predictor(parts).predict(x, block, run);
  return block;
}

}  // namespace weft::detail
