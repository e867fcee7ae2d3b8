// Matrices that threads use again for one strip of rows after another.
#pragma once

#include <weft/matrix.hpp>

#include <mutex>
#include <vector>

namespace weft::detail {

/// One buffer per active thread.
class Buffers {
 public:
  Matrix take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return {};
    Matrix buffer = std::move(free_.back());
    free_.pop_back();
    return buffer;
  }
  void give_back(Matrix buffer) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(buffer));
  }

 private:
  std::mutex mutex_;
  std::vector<Matrix> free_;
};

}  // namespace weft::detail
