// Some of the rows of a table, numbered from 0.
#pragma once

#include "data/rows/forwarding_reader.hpp"

namespace weft::detail {

class SelectedRows : public ForwardingReader {
 public:
  using ForwardingReader::ForwardingReader;

  std::string place(Index row_in_block, Index column) const final {
    return inner().place(origin_[static_cast<std::size_t>(row_in_block)], column);
  }
  bool next(RawBlock& block, Index max_rows) final;

 protected:
  virtual bool keeps(const RawBlock& block, Index row_in_block) const = 0;
  virtual void finish() const {}  ///< called at the end of the table
  Index delivered() const { return delivered_; }
  Index left_out() const { return left_out_; }

 private:
  std::vector<Index> origin_;  // row within the reader's block of each row delivered last
  Matrix cells_;
  Index delivered_ = 0;
  Index left_out_ = 0;
};

}  // namespace weft::detail
