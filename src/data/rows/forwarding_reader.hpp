// A reader that changes some of what another one delivers.
#pragma once

#include <weft/data.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weft::detail {

class ForwardingReader : public RowReader {
 public:
  explicit ForwardingReader(std::unique_ptr<RowReader> reader) : reader_(std::move(reader)) {}

  const std::vector<Column>& columns() const override { return reader_->columns(); }
  const std::vector<std::string>& dictionary(Index column) const override { return reader_->dictionary(column); }
  std::string place(Index row_in_block, Index column) const override { return reader_->place(row_in_block, column); }
  void read_as_text(const std::vector<std::string>& columns) override { reader_->read_as_text(columns); }
  bool absent_is_zero(const std::string& column) const override { return reader_->absent_is_zero(column); }
  void use_threads(int threads) override { reader_->use_threads(threads); }
  double fraction() const override { return reader_->fraction(); }

 protected:
  RowReader& inner() { return *reader_; }
  const RowReader& inner() const { return *reader_; }

 private:
  std::unique_ptr<RowReader> reader_;
};

}  // namespace weft::detail
