// Encoded rows for whoever has a GPU compute with them.
#pragma once

#include <weft/encoder.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <semaphore>
#include <thread>
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

  ~ReadAhead() {
    if (!thread_.joinable()) return;
    if (reading_) done_.acquire();
    stop_ = true;
    asked_.release();
    thread_.join();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// False at the end. Gives away the memory of `block`.
  bool next(Block& block) {
    if (!ahead_) return read(block);
    if (!thread_.joinable()) {
      thread_ = std::thread([this] { serve(); });
      ask();
    }
    if (!std::exchange(reading_, false)) return false;
    done_.acquire();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    std::swap(block, spare_);
    fraction_ = reader_->fraction();
    const bool more = more_;
    if (more) ask();
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
  void ask() {
    reading_ = true;
    asked_.release();
  }
  /// One thread for all blocks: the threads that it shares its work among then stay as well.
  void serve() {
    for (asked_.acquire(); !stop_; asked_.acquire()) {
      try {
        more_ = read(spare_);
      } catch (...) {
        failure_ = std::current_exception();
      }
      done_.release();
    }
  }

  std::unique_ptr<Encoder::BlockReader> reader_;
  Index rows_;
  bool ahead_;
  std::function<void(Block&)> prepare_;
  double fraction_ = 0;
  bool reading_ = false;  // a block was asked for and not taken
  std::thread thread_;
  std::binary_semaphore asked_{0}, done_{0};
  // Of the thread between both, else of the caller.
  Block spare_;
  bool more_ = false, stop_ = false;
  std::exception_ptr failure_;
};

}  // namespace weft::detail
