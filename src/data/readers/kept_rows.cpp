#include "data/readers/kept_rows.hpp"

#include "core/nameless_file.hpp"
#include "data/readers/packed_block.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace weft::detail {

namespace {

constexpr Index kRowsAtOnce = 4096;

/// What `known` lacks of a dictionary that grew.
void append_new(const std::vector<std::string>& dictionary, std::vector<std::string>& known) {
  known.insert(known.end(), dictionary.begin() + static_cast<Index>(known.size()), dictionary.end());
}

/// The rows that were parsed so far and the reader that parses the others, for readers on several threads.
class ParsedRows {
 public:
  ParsedRows(std::unique_ptr<RowReader> source, std::size_t in_memory)
      : columns_(source->columns()), in_memory_(in_memory), source_(std::move(source)) {}

  const std::vector<Column>& columns() const { return columns_; }

  enum class Outcome { block, end, cannot_keep };

  /// The block of that number, columns × rows; parsed now where it is the next one. Also brings the caller's
  /// dictionaries up to date, because the reader's grow under the lock only.
  Outcome read(std::size_t number, Matrix& cells, std::vector<std::vector<std::string>>& dictionaries) {
    const Kept* kept = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (number == blocks_.size()) {
        if (source_ == nullptr) return failed_ ? Outcome::cannot_keep : Outcome::end;
        if (const Outcome outcome = parse(); outcome != Outcome::block) return outcome;
      }
      for (std::size_t c = 0; c < columns_.size(); ++c) append_new(dictionaries_[c], dictionaries[c]);
      kept = &blocks_[number];
    }
    cells.reshape(static_cast<Index>(columns_.size()), kept->rows);
    if (kept->in_file)
      unpack_block(file_.read(kept->offset, kept->size), cells);
    else
      unpack_block(kept->bytes, cells);
    return Outcome::block;
  }

  /// How much of the file the first `rows` rows are.
  double fraction(Index rows) {
    const std::lock_guard lock(mutex_);
    return source_ != nullptr ? source_->fraction() : static_cast<double>(rows) / std::max(1.0, double(rows_));
  }

 private:
  struct Kept {
    Index rows;
    bool in_file;
    std::string bytes;
    std::uint64_t offset;
    std::size_t size;
  };

  Outcome parse() {
    RawBlock block;
    bool more = false;
    try {
      more = source_->next(block, kRowsAtOnce);
    } catch (...) {
      give_up();  // a reader that threw must not go on behind the row that was wrong
      throw;
    }
    dictionaries_.resize(columns_.size());
    if (!more) {
      source_ = nullptr;
      return Outcome::end;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].text) append_new(source_->dictionary(static_cast<Index>(c)), dictionaries_[c]);
    if (!keep(pack_block(block.columns), block.rows())) {
      give_up();
      return Outcome::cannot_keep;
    }
    return Outcome::block;
  }

  bool keep(std::string bytes, Index rows) {
    const std::size_t size = bytes.size();
    const bool in_file = held_ + size > in_memory_;
    const std::uint64_t offset = file_.size();
    if (in_file && !file_.append(bytes)) return false;
    held_ += in_file ? 0 : size;
    // An emptied string would keep its memory.
    blocks_.push_back({rows, in_file, in_file ? std::string() : std::move(bytes), offset, size});
    rows_ += rows;
    return true;
  }

  void give_up() {
    source_ = nullptr;
    failed_ = true;
  }

  const std::vector<Column> columns_;
  const std::size_t in_memory_;
  std::mutex mutex_;
  std::unique_ptr<RowReader> source_;  // null at the end of the table
  bool failed_ = false;                // there are rows behind the kept ones
  std::vector<std::vector<std::string>> dictionaries_;
  std::deque<Kept> blocks_;  // stay where they are when others follow
  NamelessFile file_;
  std::size_t held_ = 0;
  Index rows_ = 0;
};

bool same_types(const std::vector<Column>& a, const std::vector<Column>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Column& one, const Column& other) { return one.text == other.text; });
}

/// What all readers of a file share.
class KeptTable {
 public:
  KeptTable(Data::Opener open, std::vector<Column> columns, int passes, std::size_t in_memory)
      : open_(std::move(open)), columns_(std::move(columns)), in_memory_(in_memory), passes_(passes) {}

  const std::vector<Column>& columns() const { return columns_; }

  /// A reader that parses, and delivers the columns that are text in `columns` as text.
  std::unique_ptr<RowReader> open_parser(const std::vector<Column>& columns) const {
    auto parser = open_();
    std::vector<std::string> texts;
    for (const Column& column : columns)
      if (column.text) texts.push_back(column.name);
    parser->read_as_text(texts);
    return parser;
  }

  /// The rows to read for somebody who starts a pass over such columns. Null: the pass must be parsed by its reader.
  std::shared_ptr<ParsedRows> start(const std::vector<Column>& columns) {
    const std::lock_guard lock(mutex_);
    if (passes_++ == 0 || cannot_keep_) return nullptr;
    if (rows_ == nullptr) rows_ = std::make_shared<ParsedRows>(open_parser(columns), in_memory_);
    return same_types(rows_->columns(), columns) ? rows_ : nullptr;
  }

  void give_up() {
    const std::lock_guard lock(mutex_);
    cannot_keep_ = true;
    rows_ = nullptr;
  }

 private:
  const Data::Opener open_;
  const std::vector<Column> columns_;
  const std::size_t in_memory_;
  std::mutex mutex_;
  int passes_;
  bool cannot_keep_ = false;
  std::shared_ptr<ParsedRows> rows_;
};

class KeptReader final : public RowReader {
 public:
  explicit KeptReader(std::shared_ptr<KeptTable> table)
      : table_(std::move(table)), columns_(table_->columns()), dictionaries_(columns_.size()) {}

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index column) const override {
    return parser_ != nullptr ? parser_->dictionary(column) : dictionaries_[static_cast<std::size_t>(column)];
  }
  bool next(RawBlock& block, Index max_rows) override {
    if (!std::exchange(started_, true)) {
      if (written_.empty()) rows_ = table_->start(columns_);  // kept rows are numbers alone
      if (rows_ == nullptr) parser_ = table_->open_parser(columns_);
      if (parser_ != nullptr) {
        parser_->keep_written(written_);
        parser_->use_threads(threads_);
        if (needed_) parser_->need_only(*needed_);
      }
    }
    if (rows_ != nullptr && !fill()) return false;
    if (rows_ == nullptr) return parser_->next(block, max_rows);
    const Index count = std::min(max_rows, cells_.cols() - taken_);
    block = {cells_.view().col_range(taken_, count), delivered_};
    taken_ += count;
    delivered_ += count;
    last_rows_ = count;
    return true;
  }
  /// Kept rows do not know their lines: the file is read once more, up to the row.
  std::string place(Index row, Index column) const override {
    if (parser_ != nullptr) return parser_->place(row, column);
    const auto parser = table_->open_parser(columns_);
    Index left = delivered_ - last_rows_ + row;
    RawBlock block;
    while (parser->next(block, kRowsAtOnce)) {
      if (left < block.rows()) return parser->place(left, column);
      left -= block.rows();
    }
    return {};
  }
  void read_as_text(const std::vector<std::string>& columns) override {
    std::unordered_set<std::string_view> texts;
    for (const Column& column : columns_)
      if (column.text) texts.insert(column.name);
    const auto known = [&](const std::string& name) { return texts.contains(name); };
    if (std::all_of(columns.begin(), columns.end(), known)) return;
    const auto parser = table_->open_parser(columns_);
    parser->read_as_text(columns);  // it may not be able to
    columns_ = parser->columns();
  }
  void need_only(const std::vector<std::string>& columns) override { needed_ = columns; }
  void keep_written(const std::vector<std::string>& columns) override { written_ = columns; }
  void use_threads(int threads) override { threads_ = threads; }
  const std::vector<std::string>* written(const std::string& column) const override {
    return parser_ != nullptr ? parser_->written(column) : nullptr;
  }
  bool absent_is_zero(const std::string& column) const override {
    if (asked_ == nullptr) asked_ = table_->open_parser(columns_);
    return asked_->absent_is_zero(column);
  }
  double fraction() const override {
    if (rows_ != nullptr) return rows_->fraction(delivered_);
    return parser_ != nullptr ? parser_->fraction() : 0;
  }

 private:
  /// Makes cells_ hold rows that were not delivered; false at the end. Goes over to parsing where rows cannot be kept.
  bool fill() {
    if (taken_ < cells_.cols()) return true;
    taken_ = 0;
    cells_.reshape(cells_.rows(), 0);
    const ParsedRows::Outcome outcome = rows_->read(number_, cells_, dictionaries_);
    if (outcome == ParsedRows::Outcome::cannot_keep) {
      table_->give_up();
      rows_ = nullptr;
      parser_ = table_->open_parser(columns_);
      parser_->skip(delivered_);
      return true;
    }
    if (outcome == ParsedRows::Outcome::block) ++number_;
    return outcome == ParsedRows::Outcome::block;
  }

  std::shared_ptr<KeptTable> table_;
  std::vector<Column> columns_;
  bool started_ = false;
  mutable std::unique_ptr<RowReader> asked_;  // that answers what the rows need not be read for
  std::unique_ptr<RowReader> parser_;         // these two: null before the first row, and one of them after it
  std::shared_ptr<ParsedRows> rows_;
  std::size_t number_ = 0;  // of the next kept block
  std::vector<std::vector<std::string>> dictionaries_;
  Matrix cells_;
  std::optional<std::vector<std::string>> needed_;
  std::vector<std::string> written_;
  int threads_ = 1;
  Index taken_ = 0;  // rows of cells_ that were delivered
  Index delivered_ = 0;
  Index last_rows_ = 0;  // of the block delivered last
};

}  // namespace

Data::Opener keep_rows(Data::Opener open, std::vector<Column> columns, int passes, std::size_t in_memory) {
  auto table = std::make_shared<KeptTable>(std::move(open), std::move(columns), passes, in_memory);
  return [table]() -> std::unique_ptr<RowReader> { return std::make_unique<KeptReader>(table); };
}

}  // namespace weft::detail
