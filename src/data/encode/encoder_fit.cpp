// Encoder::fit: one streaming pass over the training table.
#include <weft/encoder.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/parallel.hpp"
#include "data/encode/cell_error.hpp"
#include "data/encode/column_stats.hpp"
#include "data/encode/encoder_state.hpp"

namespace weft {

using namespace detail;

namespace {

// Statistics are merged over pieces of this many rows, whatever blocks the reader hands out.
constexpr Index kPieceRows = 4096;
constexpr Index kSampleRows = 20000;
// A wider one-hot group is a name or an identifier, and would cost gigabytes per block.
constexpr Index kMaxCategories = 10000;

struct Layout {
  std::vector<Index> inputs;
  std::vector<Index> targets;
  std::vector<Index> weights;  // none or one
};

Layout lay_out(const Data& data, const std::vector<Column>& columns) {
  Layout layout;
  layout.targets = columns_named(columns, data.options().target, "--target", data.name());
  layout.weights = columns_named(columns, data.options().weights, "--weights", data.name());
  if (layout.weights.size() > 1)
    throw Error(ErrorKind::option, "there can be one column of weights only", "--weights", "name one");
  std::set<Index> taken(layout.targets.begin(), layout.targets.end());
  for (const Index column : layout.weights)
    if (!taken.insert(column).second)
      throw Error(
          ErrorKind::option,
          fmt::format("column '{}' cannot be target and weights", columns[static_cast<std::size_t>(column)].name),
          "--weights", "name another");
  std::set<std::string> names;
  for (Index column = 0; column < static_cast<Index>(columns.size()); ++column) {
    if (taken.count(column) != 0) continue;
    const std::string& name = columns[static_cast<std::size_t>(column)].name;
    if (!names.insert(name).second)
      throw Error(ErrorKind::data, fmt::format("two columns are named '{}'", name), data.name(),
                  fmt::format("rename one, or leave it out with --drop {}", column));
    layout.inputs.push_back(column);
  }
  if (layout.inputs.empty())
    throw Error(ErrorKind::data, "there are no input columns beside target and weights", data.name());
  return layout;
}

// The pass: rows are gathered column by column into a piece; full pieces go into the statistics, one column a task.
class FitPass {
 public:
  FitPass(const Data& data, bool with_target, const EncodeOptions& options, const Run& run)
      : data_(data), options_(options), run_(run), reader_(data.open()), layout_(lay_out(data, reader_->columns())) {
    if (!with_target) {
      layout_.targets.clear();
      layout_.weights.clear();
    }
    for (const Index column : layout_.inputs) inputs_.emplace_back(this->column(column).text);
    for (const Index column : layout_.targets)
      targets_.emplace_back(this->column(column).name, this->column(column).text);
    used_ = layout_.inputs;
    used_.insert(used_.end(), layout_.targets.begin(), layout_.targets.end());
    used_.insert(used_.end(), layout_.weights.begin(), layout_.weights.end());
    piece_ = Matrix(static_cast<Index>(used_.size()), kPieceRows);
    if (!layout_.weights.empty() && column(layout_.weights[0]).text)
      throw Error(ErrorKind::data, fmt::format("the weights in column '{}' are text", column(layout_.weights[0]).name),
                  data.name(), "weights must be finite and not negative");
  }

  void read() {
    RawBlock block;
    while (reader_->next(block, kPieceRows)) {
      run_.check_cancelled();
      take(block);
      const double fraction = reader_->fraction();
      const auto done = static_cast<double>(rows_ + filled_);
      run_.report("reading", done, fraction > 0 ? done / fraction : 0);
    }
    flush();
    if (rows_ == 0) throw Error(ErrorKind::data, "there are no rows", data_.name());
    if (!layout_.weights.empty() && !any_weight_)
      throw Error(ErrorKind::data, fmt::format("every weight in column '{}' is 0", column(layout_.weights[0]).name),
                  data_.name(), "at least one must be positive");
  }

  Encoder::State finish() const;

 private:
  const Column& column(Index c) const { return reader_->columns()[static_cast<std::size_t>(c)]; }

  void take(const RawBlock& block);
  void check(Index first_row, Index rows) const;
  void flush();
  Variable number(std::size_t input) const;
  Variable categorical(std::size_t input) const;
  Variable variable(std::size_t input) const;

  const Data& data_;
  const EncodeOptions& options_;
  const Run& run_;
  std::unique_ptr<RowReader> reader_;
  Layout layout_;
  std::vector<Index> used_;  // inputs, targets, weights: one row of piece_ each
  std::vector<ColumnStats> inputs_;
  std::vector<TargetStats> targets_;
  bool any_weight_ = false;  // above 0
  Matrix piece_;             // used columns × kPieceRows
  Index filled_ = 0;         // rows in piece_
  Index rows_ = 0;           // rows before piece_
};

void FitPass::take(const RawBlock& block) {
  // Few rows at a time: their lines stay in cache while the columns walk over them.
  constexpr Index kTileRows = 128;
  for (Index first = 0; first < block.rows();) {
    const Index rows = std::min({kTileRows, block.rows() - first, kPieceRows - filled_});
    for (std::size_t u = 0; u < used_.size(); ++u) {
      const double* cell = block.cells.row(first) + used_[u];
      double* values = piece_.row(static_cast<Index>(u)) + filled_;
      for (Index i = 0; i < rows; ++i, cell += block.cells.stride) values[i] = *cell;
    }
    check(first, rows);
    filled_ += rows;
    first += rows;
    if (filled_ == kPieceRows) flush();
  }
}

// The cells just gathered, while the reader can still say where they are.
void FitPass::check(Index first_row, Index rows) const {
  const std::size_t inputs = layout_.inputs.size();
  const std::size_t targets = layout_.targets.size();
  for (std::size_t u = 0; u < used_.size(); ++u) {
    const double* values = piece_.row(static_cast<Index>(u)) + filled_;
    const bool is_input = u < inputs;
    const bool may_be_missing = is_input && options_.missing == "impute";
    const bool is_weights = u >= inputs + targets;
    const auto bad = std::find_if(values, values + rows, [&](double value) {
      return is_weights ? !is_weight(value) : !std::isfinite(value) && !(may_be_missing && std::isnan(value));
    });
    if (bad == values + rows) continue;
    const std::string& name = column(used_[u]).name;
    const std::string place = reader_->place(first_row + (bad - values), used_[u]);
    if (is_weights) throw_bad_weight(name, *bad, place);
    if (!std::isnan(*bad)) throw_not_finite(name, place);
    if (is_input) throw_missing_input(name, place, Stage::fit);
    throw_missing_target(name, place);
  }
}

void FitPass::flush() {
  const auto inputs = static_cast<Index>(inputs_.size());
  const auto targets = static_cast<Index>(targets_.size());
  std::vector<SampleHit> sampled;
  if (options_.scale == "quantile") sampled = plan_sample(rows_, filled_, kSampleRows);
  const int threads = (inputs + targets) * filled_ < kCellsWorthThreads ? 1 : run_.thread_count();
  parallel_for(inputs + targets, threads, [&](Index u) {
    if (u < inputs)
      inputs_[static_cast<std::size_t>(u)].add(piece_.row(u), filled_, sampled);
    else
      targets_[static_cast<std::size_t>(u - inputs)].add(piece_.row(u), filled_);
  });
  if (!layout_.weights.empty()) {
    const double* weights = piece_.row(inputs + targets);
    any_weight_ = any_weight_ || std::any_of(weights, weights + filled_, [](double weight) { return weight > 0; });
  }
  rows_ += filled_;
  filled_ = 0;
}

Variable FitPass::number(std::size_t input) const {
  Variable variable;
  variable.name = column(layout_.inputs[input]).name;
  variable.fill = inputs_[input].moments().mean;
  if (!std::isfinite(variable.fill))
    throw Error(ErrorKind::data, fmt::format("the mean of column '{}' is beyond double precision", variable.name),
                data_.name(), fmt::format("rescale it, or leave it out with --drop {}", variable.name));
  variable.scalers = {Scaler::for_numbers(options_.scale, inputs_[input], variable.name)};
  return variable;
}

Variable FitPass::categorical(std::size_t input) const {
  const Index position = layout_.inputs[input];
  const std::vector<std::string>& dictionary = reader_->dictionary(position);
  const std::vector<Index>& counts = inputs_[input].code_counts();
  std::vector<std::string> seen;
  for (std::size_t code = 0; code < counts.size(); ++code)
    if (counts[code] > 0) seen.push_back(dictionary[code]);

  Variable variable;
  variable.name = column(position).name;
  if (static_cast<Index>(seen.size()) > kMaxCategories)
    throw Error(ErrorKind::data, fmt::format("column '{}' has more than {} categories", variable.name, kMaxCategories),
                data_.name(), fmt::format("leave it out with --drop {}", variable.name));
  variable.categorical = true;
  variable.categories = Categories(std::move(seen));
  std::vector<Index> by_position(static_cast<std::size_t>(variable.categories.size()));
  for (std::size_t code = 0; code < counts.size(); ++code)
    if (counts[code] > 0)
      by_position[static_cast<std::size_t>(variable.categories.find(dictionary[code]))] = counts[code];
  for (const Index count : by_position)
    variable.scalers.push_back(Scaler::for_one_hot(
        options_.scale, static_cast<double>(count) / static_cast<double>(inputs_[input].present())));
  // Of equally frequent categories the first in order.
  variable.fill = static_cast<double>(std::max_element(by_position.begin(), by_position.end()) - by_position.begin());
  return variable;
}

Variable FitPass::variable(std::size_t input) const {
  if (inputs_[input].present() == 0) {
    const std::string& name = column(layout_.inputs[input]).name;
    throw Error(ErrorKind::data, fmt::format("every value of column '{}' is missing", name), data_.name(),
                fmt::format("leave it out with --drop {}", name));
  }
  return inputs_[input].text() ? categorical(input) : number(input);
}

Encoder::State FitPass::finish() const {
  Encoder::State state;
  state.options = options_;
  state.rows = rows_;
  const bool text_target = !targets_.empty() && targets_.front().text();
  state.target = TargetEncoder::fit(
      targets_, rows_, options_.task,
      text_target ? reader_->dictionary(layout_.targets.front()) : std::vector<std::string>(), data_.name());
  state.variables.resize(inputs_.size());
  parallel_for(static_cast<Index>(inputs_.size()), run_.thread_count(),
               [&](Index v) { state.variables[static_cast<std::size_t>(v)] = variable(static_cast<std::size_t>(v)); });
  state.inputs = inputs_of(state.variables, options_.bias);
  return state;
}

std::shared_ptr<const Encoder::State> fitted(const Data& data, bool with_target, const EncodeOptions& options,
                                             const Run& run) {
  check_options(options);
  FitPass pass(data, with_target, options, run);
  pass.read();
  return std::make_shared<const Encoder::State>(pass.finish());
}

}  // namespace

Encoder Encoder::fit(const Data& data, const EncodeOptions& options, const Run& run) {
  Encoder encoder;
  encoder.state_ = fitted(data, true, options, run);
  return encoder;
}

Encoder Encoder::with_target_of(const Data& data, const Run& run) const {
  const auto other = fitted(data, true, options(), run);
  State state = *state_;
  state.rows = other->rows;
  state.target = other->target;
  Encoder encoder;
  encoder.state_ = std::make_shared<const State>(std::move(state));
  return encoder;
}

Encoder Encoder::fit_inputs(const Data& data, const EncodeOptions& options, const Run& run) {
  Encoder encoder;
  encoder.state_ = fitted(data, false, options, run);
  return encoder;
}

}  // namespace weft
