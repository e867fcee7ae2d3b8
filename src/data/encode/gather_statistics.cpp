// EncoderStatistics::of: one pass over the training table.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "core/memory.hpp"
#include "data/encode/cell_error.hpp"
#include "data/encode/encoder_state.hpp"
#include "data/encode/scaler.hpp"
#include "data/encode/statistics_state.hpp"
#include "data/encode/text_numbers.hpp"
#include "data/row_tiles.hpp"
#include "data/rows/row_rule.hpp"
#include "data/text.hpp"

namespace weft::detail {

namespace {

// Statistics are merged over pieces of this many rows, whatever blocks the reader hands out; fewer where the table is
// wide, which only the number of columns decides.
constexpr Index kPieceRows = 4096;
constexpr Index kSampleRows = 20000;
constexpr Index kFewestSampled = 100;
constexpr double kBytesEncoded = 1600;          // of a column of a wide table; measured
constexpr Index kSampleCells = Index{1} << 27;  // 1 GiB

struct Layout {
  std::vector<Index> inputs;
  std::vector<Index> targets;
  std::vector<Index> weights;  // none or one
};

Layout lay_out(const Data& data, const std::vector<Column>& columns) {
  Layout layout;
  layout.targets = columns_named(columns, data.options().target, "target", data.name());
  layout.weights = columns_named(columns, data.options().weights, "weights", data.name());
  if (layout.weights.size() > 1)
    throw Error(ErrorKind::option, "only one column of weights is allowed", "‹weights›", "name one");
  std::set<Index> taken(layout.targets.begin(), layout.targets.end());
  for (const Index column : layout.weights)
    if (!taken.insert(column).second)
      throw Error(
          ErrorKind::option,
          fmt::format("column '{}' cannot be target and weights", columns[static_cast<std::size_t>(column)].name),
          "‹weights›", "name another");
  if (const std::optional<Index> rule = rule_column(data, columns)) {
    if (taken.count(*rule) != 0)
      throw Error(
          ErrorKind::option,
          fmt::format("column '{}' is the target or the weights", columns[static_cast<std::size_t>(*rule)].name),
          option_mark(data.options().rule.name()), "name another");
    if (!data.options().rule.time_input) taken.insert(*rule);
  }
  std::set<std::string> names;
  for (Index column = 0; column < static_cast<Index>(columns.size()); ++column) {
    if (taken.count(column) != 0) continue;
    const std::string& name = columns[static_cast<std::size_t>(column)].name;
    if (!names.insert(name).second)
      throw Error(ErrorKind::data, fmt::format("two columns are named '{}'", name), data.name(),
                  fmt::format("rename one, or leave it out with ‹drop› {}", column));
    layout.inputs.push_back(column);
  }
  if (layout.inputs.empty())
    throw Error(ErrorKind::data, "there are no input columns besides target and weights", data.name(),
                "add input columns, or leave out fewer with ‹drop›");
  return layout;
}

// Blocks are gathered into pieces; full pieces go into the statistics, one column a task.
class StatisticsPass {
 public:
  StatisticsPass(const Data& data, bool with_target, const EncodeOptions& options, Index first_row, const Run& run,
                 std::vector<double>* target_cells)
      : data_(data),
        run_(run),
        reader_(data.open()),
        layout_(lay_out(data, reader_->columns())),
        target_cells_(target_cells) {
    state_.options = options;
    state_.place = data.name();
    state_.first_row = first_row;
    if (!with_target) {
      layout_.targets.clear();
      layout_.weights.clear();
    }
    for (const Index column : layout_.inputs)
      state_.inputs.push_back(
          {this->column(column).name, ColumnStats(this->column(column).text), {}, this->column(column).categorical});
    for (const Index column : layout_.targets)
      state_.targets.emplace_back(this->column(column).name, this->column(column).text);
    used_ = layout_.inputs;
    used_.insert(used_.end(), layout_.targets.begin(), layout_.targets.end());
    used_.insert(used_.end(), layout_.weights.begin(), layout_.weights.end());
    piece_rows_ = block_rows(kPieceRows, static_cast<Index>(used_.size()));
    check_memory();
    piece_ = Matrix(static_cast<Index>(used_.size()), piece_rows_);
    reader_->use_threads(run.thread_count());
    if (layout_.weights.empty()) return;
    state_.weights = column(layout_.weights[0]).name;
    if (column(layout_.weights[0]).text)
      throw Error(ErrorKind::data, fmt::format("the weights in column '{}' are text", state_.weights), data.name(),
                  "weights must be finite and not negative");
  }

  EncoderStatistics::State run() {
    RawBlock block;
    while (reader_->next(block, rows_together(piece_rows_, static_cast<Index>(used_.size()), run_))) {
      run_.check_cancelled();
      take(block);
      const double fraction = reader_->fraction();
      const auto done = static_cast<double>(state_.rows + filled_);
      run_.report("reading", done, fraction > 0 ? done / fraction : 0);
    }
    flush();
    for (std::size_t v = 0; v < state_.inputs.size(); ++v)
      if (state_.inputs[v].stats.text()) state_.inputs[v].dictionary = reader_->dictionary(layout_.inputs[v]);
    for (std::size_t v = 0; v < state_.inputs.size(); ++v) check_dates(state_.inputs[v], data_, layout_.inputs[v]);
    if (!state_.targets.empty() && state_.targets.front().text())
      state_.target_dictionary = reader_->dictionary(layout_.targets.front());
    return std::move(state_);
  }

 private:
  const Column& column(Index c) const { return reader_->columns()[static_cast<std::size_t>(c)]; }

  Index sample_rows() const {
    const auto columns = static_cast<Index>(state_.inputs.size());
    const Index cells =
        run_.max_memory > 0 ? std::min(kSampleCells, static_cast<Index>(run_.max_memory / 4 / 8)) : kSampleCells;
    return std::clamp(cells / columns, kFewestSampled, kSampleRows);
  }
  void check_memory() const;
  void take(const RawBlock& block);
  Index first_bad(std::size_t used, Index rows) const;
  [[noreturn]] void explain(std::size_t used, Index row, Index row_in_block) const;
  void flush();

  const Data& data_;
  const Run& run_;
  std::unique_ptr<RowReader> reader_;
  Layout layout_;
  EncoderStatistics::State state_;  // of the rows before piece_
  std::vector<double>* target_cells_;
  std::vector<Index> used_;  // inputs, targets, weights: one row of piece_ each
  Index piece_rows_ = 0;
  Matrix piece_;      // used columns × piece_rows_
  Index filled_ = 0;  // rows in piece_
};

// Of a wide table alone: the pieces of others are small.
void StatisticsPass::check_memory() const {
  if (piece_rows_ == kPieceRows) return;
  const auto columns = static_cast<double>(reader_->columns().size());
  MemoryPlan(run_)
      .hold("rows as they are read", 2 * columns * static_cast<double>(piece_rows_))
      .hold("what is known of the columns",
            columns * static_cast<double>(sizeof(Column) + sizeof(state_.inputs[0])) / 8)
      .hold("their encoder and its text in the model", columns * kBytesEncoded / 8)
      .hold("the smallest sample of them",
            uses_ranks(state_.options.scale) ? columns * static_cast<double>(kFewestSampled) : 0)
      .check(fmt::format("the {:.0f} columns of the table", columns), data_.name(),
             "leave columns out with ‹drop›, or raise ‹max_memory›");
}

// Of several bad cells one of the first rows is named, while the reader can still say where they are.
void StatisticsPass::take(const RawBlock& block) {
  constexpr Index kNamedTogether = 128;
  std::vector<Index> bad(used_.size());
  for (Index first = 0; first < block.rows();) {
    const Index rows = std::min(block.rows() - first, piece_rows_ - filled_);
    const auto columns = static_cast<Index>(used_.size());
    parallel_for(columns, useful_threads(columns * rows, run_.thread_count()), [&](Index u) {
      const auto used = static_cast<std::size_t>(u);
      std::copy_n(block.columns.row(used_[used]) + first, rows, piece_.row(u) + filled_);
      bad[used] = first_bad(used, rows);
    });
    const auto named = std::min_element(bad.begin(), bad.end(),
                                        [](Index a, Index b) { return a / kNamedTogether < b / kNamedTogether; });
    if (*named < rows) explain(static_cast<std::size_t>(named - bad.begin()), *named, first + *named);
    filled_ += rows;
    first += rows;
    if (filled_ == piece_rows_) flush();
  }
}

/// Of the next rows of the piece, the first whose cell of a used column cannot be taken; the largest number if all can.
Index StatisticsPass::first_bad(std::size_t used, Index rows) const {
  const double* const values = piece_.row(static_cast<Index>(used)) + filled_;
  const bool is_input = used < layout_.inputs.size();
  const bool may_be_missing = is_input && state_.options.missing != MissingCells::error;
  const bool is_weights = used >= layout_.inputs.size() + layout_.targets.size();
  const double* const bad = std::find_if(values, values + rows, [&](double value) {
    return is_weights ? !is_weight(value) : !std::isfinite(value) && !(may_be_missing && std::isnan(value));
  });
  return bad == values + rows ? std::numeric_limits<Index>::max() : bad - values;
}

/// Throws for the cell that first_bad() found, so many rows behind those that are in the piece.
void StatisticsPass::explain(std::size_t used, Index row, Index row_in_block) const {
  const double bad = piece_(static_cast<Index>(used), filled_ + row);
  const std::string& name = column(used_[used]).name;
  const std::string place = reader_->place(row_in_block, used_[used]);
  if (used >= layout_.inputs.size() + layout_.targets.size()) throw_bad_weight(name, bad, place);
  if (!std::isnan(bad)) throw_not_finite(name, place);
  if (used < layout_.inputs.size()) throw_missing_input(name, place, Stage::fit);
  throw_missing_target(name, place);
}

void StatisticsPass::flush() {
  const auto inputs = static_cast<Index>(state_.inputs.size());
  const auto targets = static_cast<Index>(state_.targets.size());
  const Index first_row = state_.first_row + state_.rows;
  std::vector<SampleHit> hits;
  if (uses_ranks(state_.options.scale)) hits = plan_sample(first_row, filled_, sample_rows());
  for (const SampleHit& hit : hits) {
    if (hit.slot >= static_cast<Index>(state_.sampled.size())) state_.sampled.resize(hit.slot + 1, -1);
    state_.sampled[static_cast<std::size_t>(hit.slot)] = first_row + hit.row;
  }
  parallel_for(inputs + targets, useful_threads((inputs + targets) * filled_, run_.thread_count()), [&](Index u) {
    if (u < inputs)
      state_.inputs[static_cast<std::size_t>(u)].stats.add(piece_.row(u), filled_, hits);
    else
      state_.targets[static_cast<std::size_t>(u - inputs)].add(piece_.row(u), filled_);
  });
  if (!layout_.weights.empty()) {
    const double* weights = piece_.row(inputs + targets);
    state_.any_weight =
        state_.any_weight || std::any_of(weights, weights + filled_, [](double weight) { return weight > 0; });
  }
  if (target_cells_ != nullptr && targets == 1)
    target_cells_->insert(target_cells_->end(), piece_.row(inputs), piece_.row(inputs) + filled_);
  state_.rows += filled_;
  filled_ = 0;
}

}  // namespace

EncoderStatistics::State gather_statistics(const Data& data, bool with_target, const EncodeOptions& options,
                                           Index first_row, const Run& run, std::vector<double>* target_cells) {
  check_options(options);
  return StatisticsPass(data, with_target, options, first_row, run, target_cells).run();
}

}  // namespace weft::detail
