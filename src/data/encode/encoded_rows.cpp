// Encoder::open: raw blocks in, encoded blocks out, with the state that training froze.
#include <weft/encoder.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/encode/block_shape.hpp"
#include "data/encode/cell_error.hpp"
#include "data/encode/column_decoder.hpp"
#include "data/encode/column_role.hpp"
#include "data/encode/level_folds.hpp"
#include "data/encode/strange_cells.hpp"
#include "data/encode/variable_inputs.hpp"
#include "data/readers/find_column.hpp"
#include "data/row_tiles.hpp"

namespace weft {

using namespace detail;

namespace {

constexpr Index kMostRows = Index{1} << 16;  // of a block

// A column of the table that is read, and what becomes of it.
struct Source {
  Role role;
  ColumnDecoder decoder;
  std::string name;
  const Variable* variable;         // of an input
  Index first_row;                  // in Block::x or Block::y
  Index level_row = -1;             // in Block::levels, of a variable with many categories
  mutable StrangeCells cells = {};  // of an input; tiles count in parallel
};

void tally(Index& total, Index more) {
  if (more > 0) std::atomic_ref(total).fetch_add(more, std::memory_order_relaxed);
}

class EncodedRows final : public Encoder::BlockReader {
 public:
  /// `training`: the number of the first row among those that the encoder was fitted on, if it is one of them.
  EncodedRows(std::shared_ptr<const Encoder::State> state, const Data& data, bool with_target, const Run& run,
              std::optional<Index> training)
      : state_(std::move(state)),
        reader_(data.open()),
        missing_(state_->options.missing),
        ignore_unseen_(state_->options.unseen == UnseenCategories::ignore),
        name_(data.name()),
        run_(run) {
    shape_.inputs = state_->inputs.columns();
    shape_.bias = state_->inputs.bias;
    reader_->read_as_text(categorical_columns());
    add_inputs(data.name());
    if (with_target) add_target_and_weights(data);
    if (training && shape_.many > 0) level_folds_.emplace(data, *training, run);
    std::vector<std::string> needed;
    for (const Source& source : sources_) needed.push_back(source.name);
    reader_->need_only(needed);  // names and remarks may have more values than a category
    reader_->use_threads(run.thread_count());
  }

  bool next(Block& block, Index rows) override;
  double fraction() const override { return reader_->fraction(); }

 private:
  const Column& column(Index c) const { return reader_->columns()[static_cast<std::size_t>(c)]; }
  std::vector<std::string> categorical_columns() const;
  [[noreturn]] void throw_no_column(const std::string& name, const std::string& place) const;
  void add_inputs(const std::string& place);
  void add_target_and_weights(const Data& data);
  void add_source(Role role, Index column, const Categories* categories, const Variable* variable, Index first_row);

  void encode(View<const double> columns, Block& block, Index first);
  const Source* encode_tile(View<const double> columns, Block& block, Index first) const;
  bool usable(Role role, double value) const;
  void write(const Source& source, double* values, Index first, Index rows, Block& block) const;
  void write_input(const Source& source, double* values, Index first, Index rows, Block& block) const;
  void find_examples(View<const double> columns);
  void report_strange_cells() const;
  [[noreturn]] void explain(const Source& source, Index first) const;

  std::shared_ptr<const Encoder::State> state_;
  std::optional<LevelFolds> level_folds_;  // of training rows, where they have variables with many categories
  std::unique_ptr<RowReader> reader_;
  MissingCells missing_;
  bool ignore_unseen_;
  std::string name_;
  Run run_;
  std::vector<Source> sources_;
  BlockShape shape_;
  RawBlock raw_;
  Index taken_ = 0;      // rows of raw_ that were encoded
  Index delivered_ = 0;  // rows of the blocks before
  bool reported_ = false;
};

std::vector<std::string> EncodedRows::categorical_columns() const {
  std::vector<std::string> names;
  for (const Variable& variable : state_->variables)
    if (variable.categorical) names.push_back(variable.name);
  return names;
}

void EncodedRows::throw_no_column(const std::string& name, const std::string& place) const {
  const std::vector<Column>& columns = reader_->columns();
  constexpr std::size_t kListed = 20;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < std::min(columns.size(), kListed); ++c) names.push_back(columns[c].name);
  throw Error(ErrorKind::data, fmt::format("there is no column '{}', which training had", name), place,
              fmt::format("the columns are {}{}", fmt::join(names, ", "), columns.size() > kListed ? ", …" : ""));
}

void EncodedRows::add_source(Role role, Index position, const Categories* categories, const Variable* variable,
                             Index first_row) {
  const Column& c = column(position);
  sources_.push_back(
      {role, ColumnDecoder(position, c.text, categories, text_numbers(role)), c.name, variable, first_row});
}

void EncodedRows::add_inputs(const std::string& place) {
  Index first_row = 0;
  const ColumnNames names(reader_->columns());
  for (const Variable& variable : state_->variables) {
    const Role role = role_of(variable);
    const Categories* categories = variable.categorical ? &variable.categories : nullptr;
    if (variable.unused()) {
      sources_.push_back({role, ColumnDecoder::zeros(nullptr), variable.name, &variable, first_row});
    } else if (const auto position = names.find(variable.name)) {
      add_source(role, *position, categories, &variable, first_row);
    } else {
      if (!reader_->absent_is_zero(variable.name)) throw_no_column(variable.name, place);
      if (categories != nullptr && categories->find(0.0) == Categories::kUnseen && !ignore_unseen_)
        throw_unseen_category(variable.name, "0", place);
      sources_.push_back({role, ColumnDecoder::zeros(categories), variable.name, &variable, first_row});
    }
    if (variable.many) sources_.back().level_row = shape_.many++;
    first_row += variable.columns();
  }
}

void EncodedRows::add_target_and_weights(const Data& data) {
  const TargetEncoder& target = state_->target;
  std::vector<Index> positions = columns_named(reader_->columns(), data.options().target, "target", data.name());
  if (positions.empty()) {
    const ColumnNames names(reader_->columns());
    for (const std::string& name : target.info.names) {
      const auto position = names.find(name);
      if (!position) throw_no_column(name, data.name());
      positions.push_back(*position);
    }
  }
  if (positions.size() != target.info.names.size())
    throw Error(
        ErrorKind::option,
        fmt::format("{} target columns are given, but training had {}", positions.size(), target.info.names.size()),
        "‹target›", "give as many as in training");
  if (target.labels_are_text()) {
    std::vector<std::string> names;
    for (const Index position : positions) names.push_back(column(position).name);
    reader_->read_as_text(names);
  }
  for (const Index position : positions)
    add_source(Role::target, position, target.classification() ? &target.classes : nullptr, nullptr, shape_.targets++);
  for (const Index position : columns_named(reader_->columns(), data.options().weights, "weights", data.name())) {
    add_source(Role::weight, position, nullptr, nullptr, 0);
    shape_.weighted = true;
  }
}

// Readers cut their rows as they like, and selections leave gaps: blocks are filled across theirs.
bool EncodedRows::next(Block& block, Index rows) {
  rows = std::min(rows, kMostRows);
  Index filled = 0;
  while (filled < rows) {
    if (taken_ == raw_.rows()) {
      taken_ = 0;
      raw_ = {};
      if (!reader_->next(raw_, rows)) {
        raw_ = {};
        if (!std::exchange(reported_, true)) report_strange_cells();
        break;
      }
      for (Source& source : sources_) source.decoder.learn(*reader_);
    }
    const Index count = std::min(rows - filled, raw_.rows() - taken_);
    if (filled == 0) shape_.allot(block, shape_.first_rows(rows, count));
    if (filled + count > block.x.cols())
      shape_.widen(block, filled, std::min(rows, std::max(filled + count, 2 * filled)));
    encode(raw_.columns.col_range(taken_, count), block, filled);
    taken_ += count;
    filled += count;
  }
  if (filled == 0) return false;
  if (filled < block.x.cols()) shape_.cut(block, filled);
  block.first_row = delivered_;
  delivered_ += filled;
  return true;
}

// Rows of raw_ from taken_ on, into those of the block from `first` on.
void EncodedRows::encode(View<const double> columns, Block& block, Index first) {
  std::vector<const Source*> unusable(static_cast<std::size_t>(tile_count(columns.cols, kRowTile)));
  for_each_row_tile(state_->inputs.columns(), columns.cols, run_.thread_count(), [&](Index k, Tile rows) {
    unusable[static_cast<std::size_t>(k)] =
        encode_tile(columns.col_range(rows.first, rows.count), block, first + rows.first);
  });
  // Reported after the fork, from the first tile on: the message does not depend on which thread came first.
  for (std::size_t k = 0; k < unusable.size(); ++k)
    if (unusable[k] != nullptr) explain(*unusable[k], taken_ + static_cast<Index>(k) * kRowTile);
  find_examples(columns);
}

// The first unseen category of every variable, for the message.
void EncodedRows::find_examples(View<const double> columns) {
  for (const Source& source : sources_) {
    if (source.cells.unseen == 0 || !source.cells.example.empty()) continue;
    std::vector<double> values(static_cast<std::size_t>(columns.cols));
    source.decoder.decode(columns, values.data());
    const auto found = std::find_if(values.begin(), values.end(), [](double value) { return std::isinf(value); });
    const Index column = source.decoder.column();
    source.cells.example = column < 0 ? "0" : source.decoder.text_of(columns(column, found - values.begin()), *reader_);
  }
}

void EncodedRows::report_strange_cells() const {
  std::vector<std::pair<std::string, StrangeCells>> columns;
  for (const Source& source : sources_) columns.emplace_back(source.name, source.cells);
  for (const std::string& line : strange_cell_lines(columns)) run_.warn(name_ + ": " + line);
}

// The first source with a cell that cannot be used, or null.
const Source* EncodedRows::encode_tile(View<const double> columns, Block& block, Index first) const {
  const Index rows = columns.cols;
  double values[kRowTile];
  for (const Source& source : sources_) {
    source.decoder.decode(columns, values);
    // Counting instead of stopping at the first: a loop without exit is a vector loop.
    Index usable_rows = 0;
    for (Index i = 0; i < rows; ++i) usable_rows += usable(source.role, values[i]) ? 1 : 0;
    if (usable_rows != rows) return &source;
    write(source, values, first, rows, block);
  }
  return nullptr;
}

bool EncodedRows::usable(Role role, double value) const {
  if (role == Role::weight) return is_weight(value);
  if (role == Role::target) return std::isfinite(value);
  return usable_input(role, value, state_->options);
}

void EncodedRows::write_input(const Source& source, double* values, Index first, Index rows, Block& block) const {
  Index folds[kRowTile];
  const bool folded = source.level_row >= 0 && level_folds_;
  for (Index i = 0; folded && i < rows; ++i) folds[i] = (*level_folds_)(delivered_ + first + i);
  const StrangeCounts counts = write_variable(*source.variable, missing_, values, folded ? folds : nullptr, rows,
                                              block.x, source.first_row, first);
  tally(source.cells.missing, counts.missing);
  tally(source.cells.unseen, counts.unseen);
  if (source.level_row < 0) return;
  double* const levels = block.levels.row(source.level_row) + first;
  for (Index i = 0; i < rows; ++i) levels[i] = std::isfinite(values[i]) ? values[i] : -1;
}

void EncodedRows::write(const Source& source, double* values, Index first, Index rows, Block& block) const {
  switch (source.role) {
    case Role::number:
    case Role::boolean:
    case Role::date:
    case Role::category:
      return write_input(source, values, first, rows, block);
    case Role::target:
      std::copy_n(values, rows, block.y.row(source.first_row) + first);
      return;
    case Role::weight:
      std::copy_n(values, rows, block.weights.data() + first);
      return;
  }
}

// Throws for the first cell of the source that cannot be used, from row `first` of raw_ on.
void EncodedRows::explain(const Source& source, Index first) const {
  std::vector<double> values(static_cast<std::size_t>(raw_.rows() - first));
  source.decoder.decode(raw_.columns.col_range(first, raw_.rows() - first), values.data());
  const auto bad =
      std::find_if(values.begin(), values.end(), [&](double value) { return !usable(source.role, value); });
  const Index row = first + (bad - values.begin());
  const Index position = source.decoder.column();
  const std::string place = reader_->place(row, position);

  if (source.role == Role::weight) throw_bad_weight(source.name, *bad, place);
  if (std::isnan(*bad)) {
    if (source.role == Role::target) throw_missing_target(source.name, place);
    throw_missing_input(source.name, place, Stage::encode);
  }
  const double cell = raw_.columns(position, row);
  if (!std::isfinite(cell)) throw_not_finite(source.name, place);
  const std::string text = source.decoder.text_of(cell, *reader_);
  if (has_words(source.role)) throw_unseen_category(source.name, text, place);
  if (source.role == Role::date) throw_not_a_date(source.name, text, place);
  if (source.role == Role::target && state_->target.classification()) throw_unseen_class(source.name, text, place);
  throw_not_a_number(source.name, text, place);
}

}  // namespace

std::unique_ptr<Encoder::BlockReader> Encoder::open(const Data& data, bool with_target, const Run& run) const {
  return std::make_unique<EncodedRows>(state_, data, with_target, run, std::nullopt);
}

std::unique_ptr<Encoder::BlockReader> Encoder::open_training(const Data& data, bool with_target, const Run& run,
                                                             Index first_row) const {
  return std::make_unique<EncodedRows>(state_, data, with_target, run, first_row);
}

}  // namespace weft
