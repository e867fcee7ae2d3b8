// Threads for what takes long, so that short requests need not wait for it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::detail {

class Workers {
 public:
  Workers(int threads, std::size_t most_waiting);
  /// Ends when all work is done.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False, and nothing happens, where too much is waiting. The work must not throw.
  bool submit(std::function<void()> work);

 private:
  void work();

  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace weft::detail
