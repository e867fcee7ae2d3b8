// Independent pieces of work on several threads.
#pragma once

#include <weft/matrix.hpp>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::papers {

/// Calls body(i) for i = 0 … count-1 on up to `threads` threads; after an exception nothing new is begun, and the first
/// one is rethrown here.
template <class Body>
void for_each_of(Index count, int threads, Body&& body) {
  std::atomic<Index> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    for (Index i = next++; i < count && !failed; i = next++) {
      try {
        body(i);
      } catch (...) {
        failed = true;
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (Index k = 1; k < std::min<Index>(threads, count); ++k) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace weft::papers
