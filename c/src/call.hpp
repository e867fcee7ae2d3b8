// What every function of the interface does: exceptions become values.
#pragma once

#include "../weft.h"

#include <weft/error.hpp>
#include <weft/run.hpp>

#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <vector>

struct weft_error {
  weft_status status;
  std::string message;
};

namespace weft::c {

weft_status status_of(ErrorKind kind);
/// Keeps the exception that is being handled; where even that fails, there is no message.
void keep_error(weft_error** error) noexcept;

/// body(), or `failed` where it throws.
template <class Result, class Body>
Result call(weft_error** error, Result failed, Body&& body) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    return body();
  } catch (...) {
    keep_error(error);
    return failed;
  }
}

/// Throws where a pointer that must be given is NULL.
void require(const void* pointer, const char* what);

/// A job that tells its caller how it is going. Other threads of the library may report too: their progress is left
/// out, their warnings wait for the end.
class Job {
 public:
  explicit Job(const weft_callbacks* callbacks);
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  Run run(const RunOptions& options);
  void tell_warnings();

 private:
  weft_callbacks callbacks_ = {};
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<bool> cancel_ = false;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
};

}  // namespace weft::c
