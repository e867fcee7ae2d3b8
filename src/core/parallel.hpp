// Fork-join over independent pieces of work. The pieces are fixed by the problem, never by the number of threads, and
// every BLAS call inside runs on one thread: that is why results are bit-identical whatever --threads says.
#pragma once

#include <weft/matrix.hpp>

#include <atomic>
#include <exception>
#include <mutex>

#include <omp.h>

#if defined(__SANITIZE_THREAD__)
// libgomp is not instrumented: tell ThreadSanitizer about the fork and the join.
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#define WEFT_TSAN_ACQUIRE(p) __tsan_acquire(p)
#define WEFT_TSAN_RELEASE(p) __tsan_release(p)
#else
#define WEFT_TSAN_ACQUIRE(p) (void)(p)
#define WEFT_TSAN_RELEASE(p) (void)(p)
#endif

namespace weft::detail {

/// While one of these lives, BLAS and LAPACK calls run on the calling thread alone. The first one saves the
/// process-wide setting and the last one restores it, so that fits in several threads at once share it.
class SerialBlas {
 public:
  /// Called once the BLAS is loaded (compute/cpu/blas_library.cpp): `change(true)` makes it serial, `change(false)`
  /// restores what the process had.
  static void on_change(void (*change)(bool serial));

  SerialBlas();
  ~SerialBlas();
  SerialBlas(const SerialBlas&) = delete;
  SerialBlas& operator=(const SerialBlas&) = delete;
};

/// Calls body(i) for i = 0 … count-1 on up to `threads` threads; after an exception no new call is started, and the
/// first one is rethrown here.
template <class Body>
void parallel_for(Index count, int threads, Body&& body) {
  SerialBlas serial_blas;
  if (threads <= 1 || count <= 1 || omp_in_parallel()) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  std::exception_ptr failure;
  std::mutex failure_mutex;
  std::atomic<bool> failed = false;
  char fork = 0;
  char join = 0;
  WEFT_TSAN_RELEASE(&fork);
#pragma omp parallel num_threads(threads)
  {
    WEFT_TSAN_ACQUIRE(&fork);
#pragma omp for schedule(dynamic, 1) nowait
    for (Index i = 0; i < count; ++i) {
      if (failed.load(std::memory_order_relaxed)) continue;
      try {
        body(i);
      } catch (...) {
        failed.store(true, std::memory_order_relaxed);
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
      }
    }
    WEFT_TSAN_RELEASE(&join);
  }
  WEFT_TSAN_ACQUIRE(&join);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace weft::detail
