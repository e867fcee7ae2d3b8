// Several tables as one.
#include <weft/files.hpp>

#include "core/at.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

/// Texts of one column, numbered over all tables.
struct MergedTexts {
  std::vector<std::string> texts;
  std::unordered_map<std::string, double> codes;
  std::vector<double> translated;  // codes of the table being read

  void learn(const std::vector<std::string>& dictionary) {
    for (std::size_t k = translated.size(); k < dictionary.size(); ++k) {
      const auto [found, added] = codes.try_emplace(dictionary[k], static_cast<double>(texts.size()));
      if (added) texts.push_back(dictionary[k]);
      translated.push_back(found->second);
    }
  }
};

class Concatenation final : public RowReader {
 public:
  Concatenation(std::shared_ptr<const std::vector<Data>> tables, std::vector<Column> columns)
      : tables_(std::move(tables)), columns_(std::move(columns)), texts_(columns_.size()) {
    for (const Column& column : columns_)
      if (column.text) as_text_.push_back(column.name);
  }

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index column) const override { return texts_[at(column)].texts; }

  bool next(RawBlock& block, Index max_rows) override {
    RawBlock inner;
    while (!reader_ || !reader_->next(inner, max_rows)) {
      if (opened_ == tables_->size()) return false;
      open((*tables_)[opened_++]);
    }
    cells_.reshape(static_cast<Index>(columns_.size()), inner.rows());
    for (Index c = 0; c < cells_.rows(); ++c) copy(inner, c);
    block = {cells_, delivered_};
    delivered_ += inner.rows();
    return true;
  }

  std::string place(Index row_in_block, Index column) const override {
    return reader_->place(row_in_block, positions_[at(column)]);
  }
  void read_as_text(const std::vector<std::string>& columns) override {
    as_text_.insert(as_text_.end(), columns.begin(), columns.end());
    for (Column& column : columns_)
      column.text = column.text || std::find(columns.begin(), columns.end(), column.name) != columns.end();
  }
  void need_only(const std::vector<std::string>& columns) override { needed_ = columns; }
  void keep_written(const std::vector<std::string>& columns) override { written_ = columns; }
  void use_threads(int threads) override { threads_ = threads; }
  const std::vector<std::string>* written(const std::string& column) const override {
    return reader_ ? reader_->written(column) : nullptr;
  }
  double fraction() const override {
    const auto before = static_cast<double>(opened_) - (reader_ ? 1 : 0);
    return (before + (reader_ ? std::max(0.0, reader_->fraction()) : 0)) / static_cast<double>(tables_->size());
  }

 private:
  void open(const Data& table) {
    reader_ = table.open();
    reader_->read_as_text(as_text_);
    if (!needed_.empty()) reader_->need_only(needed_);
    if (!written_.empty()) reader_->keep_written(written_);
    reader_->use_threads(threads_);
    positions_.clear();
    for (MergedTexts& texts : texts_) texts.translated.clear();
    const std::vector<Column>& found = reader_->columns();
    for (const Column& column : columns_) {
      const auto same =
          std::find_if(found.begin(), found.end(), [&](const Column& c) { return c.name == column.name; });
      if (same == found.end())
        throw Error(ErrorKind::data, fmt::format("there is no column '{}', which the first file has", column.name),
                    table.name(), "give files with the same columns");
      if (same->text != column.text)
        throw Error(ErrorKind::data,
                    fmt::format("column '{}' holds {}, and {} in the first file", column.name,
                                same->text ? "texts" : "numbers", column.text ? "texts" : "numbers"),
                    table.name(), fmt::format("make it one of both, or add ‹categorical› {}", column.name));
      positions_.push_back(same - found.begin());
    }
  }

  void copy(const RawBlock& inner, Index c) {
    const double* const from = inner.columns.row(positions_[at(c)]);
    double* const to = cells_.row(c);
    if (!columns_[at(c)].text) {
      std::copy_n(from, inner.rows(), to);
      return;
    }
    MergedTexts& texts = texts_[at(c)];
    texts.learn(reader_->dictionary(positions_[at(c)]));
    for (Index i = 0; i < inner.rows(); ++i)
      to[i] = from[i] >= 0 ? texts.translated[static_cast<std::size_t>(from[i])] : from[i];
  }

  std::shared_ptr<const std::vector<Data>> tables_;
  std::vector<Column> columns_;
  std::vector<MergedTexts> texts_;  // by column
  std::vector<std::string> as_text_, needed_, written_;
  int threads_ = 1;
  std::unique_ptr<RowReader> reader_;
  std::vector<Index> positions_;  // of the columns in the table being read
  std::size_t opened_ = 0;
  Matrix cells_;
  Index delivered_ = 0;
};

}  // namespace

Data concatenate(std::vector<Data> tables, const Data& like, std::string name) {
  const auto shared = std::make_shared<const std::vector<Data>>(std::move(tables));
  return {std::move(name), like.options(), [shared, columns = like.open()->columns()]() -> std::unique_ptr<RowReader> {
            return std::make_unique<Concatenation>(shared, columns);
          }};
}

Data concatenate(std::vector<Data> tables) {
  const Data first = tables.at(0);
  if (tables.size() == 1) return first;
  return concatenate(std::move(tables), first, first.name());
}

}  // namespace weft
