// Encoded rows for whoever has a GPU compute with them.
#pragma once

#include <weft/encoder.hpp>

#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "data/row_tiles.hpp"

namespace weft::detail {

/// Blocks of rows_together() rows. Where `run` may use a GPU, another thread reads the next block while the caller has
/// work done with the last one; without a GPU the threads of the caller's work are needed for reading.
class ReadAhead {
 public:
  /// `prepare` is done to every block by the thread that has read it.
  ReadAhead(
      std::unique_ptr<Encoder::BlockReader> reader, Index block_rows, Index columns, const Run& run,
      std::function<void(Block&)> prepare = [](Block&) {})
      : reader_(std::move(reader)),
        rows_(rows_together(block_rows, columns, run)),
        ahead_(!run.device.empty() && run.device != "cpu"),
        prepare_(std::move(prepare)) {}

  /// False at the end. Gives away the memory of `block`.
  bool next(Block& block) {
    if (!ahead_) return read(block);
    if (!next_.valid()) start();
    const bool more = next_.get();
    std::swap(block, spare_);
    fraction_ = reader_->fraction();
    if (more) start();
    return more;
  }
  /// Of the table that has been read, up to the last block.
  double fraction() const { return ahead_ ? fraction_ : reader_->fraction(); }

 private:
  bool read(Block& block) {
    if (!reader_->next(block, rows_)) return false;
    prepare_(block);
    return true;
  }
  void start() {
    next_ = std::async(std::launch::async, [this] { return read(spare_); });
  }

  std::unique_ptr<Encoder::BlockReader> reader_;
  Index rows_;
  bool ahead_;
  std::function<void(Block&)> prepare_;
  double fraction_ = 0;
  Block spare_;
  std::future<bool> next_;  // waits for the thread when it is destroyed: the last member
};

}  // namespace weft::detail
