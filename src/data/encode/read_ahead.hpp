// Encoded rows for whoever has a GPU compute with them.
#pragma once

#include <weft/encoder.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <semaphore>
#include <thread>
#include <utility>

#include "data/row_tiles.hpp"

namespace weft::detail {

/// Whether a thread of its own reads rows, while the caller has a GPU compute with those before; without a GPU the
/// threads of the caller's work are needed for reading.
inline bool reads_ahead(const Run& run) {
  return !run.device.empty() && run.device != "cpu";
}
/// Of the threads of a run whose rows are read ahead, those that send them to the GPU. All others read: teams that
/// share processors wait for each other.
inline int sending_threads(const Run& run) {
  return std::max(1, run.thread_count() / 4);
}
inline Run reading_run(Run run) {
  if (reads_ahead(run)) run.threads = std::max(1, run.thread_count() - sending_threads(run));
  return run;
}

/// Blocks of rows_together() rows, read ahead or not; `reader` has the threads of reading_run().
class ReadAhead {
 public:
  /// `prepare` is done to every block by the thread that has read it.
  ReadAhead(
      std::unique_ptr<Encoder::BlockReader> reader, Index block_rows, Index columns, const Run& run,
      std::function<void(Block&)> prepare = [](Block&) {})
      : reader_(std::move(reader)),
        rows_(rows_together(block_rows, columns, run)),
        ahead_(reads_ahead(run)),
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
