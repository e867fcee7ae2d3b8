#include "call.hpp"

#include <weft/devices.hpp>

namespace weft::c {

weft_status status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::file:
      return WEFT_FILE_ERROR;
    case ErrorKind::data:
      return WEFT_DATA_ERROR;
    case ErrorKind::option:
      return WEFT_OPTION_ERROR;
    case ErrorKind::memory:
      return WEFT_MEMORY_ERROR;
    case ErrorKind::model:
      return WEFT_MODEL_ERROR;
    case ErrorKind::cancelled:
      return WEFT_CANCELLED;
  }
  return WEFT_INTERNAL_ERROR;
}

void keep_error(weft_error** error) noexcept {
  if (error == nullptr) return;
  try {
    try {
      throw;
    } catch (const Error& caught) {
      *error = new weft_error{status_of(caught.kind()), caught.what()};
    } catch (const std::bad_alloc&) {
      *error = new weft_error{WEFT_MEMORY_ERROR, "out of memory"};
    } catch (const std::exception& caught) {
      *error = new weft_error{WEFT_INTERNAL_ERROR, caught.what()};
    }
  } catch (...) {
    *error = nullptr;
  }
}

void require(const void* pointer, const char* what) {
  if (pointer == nullptr) throw Error(ErrorKind::option, std::string(what) + " is NULL", "", "pass it");
}

Job::Job(const weft_callbacks* callbacks) {
  if (callbacks != nullptr) callbacks_ = *callbacks;
}

Run Job::run(const RunOptions& options) {
  Run run = Run::from(options);
  check_device(run);
  run.cancel = &cancel_;
  if (callbacks_.progress != nullptr)
    run.on_progress = [this](const Progress& progress) {
      if (std::this_thread::get_id() != caller_) return;
      if (callbacks_.progress(callbacks_.user, progress.stage.c_str(), progress.done, progress.total) != 0)
        cancel_ = true;
    };
  if (callbacks_.warning != nullptr)
    run.on_warning = [this](const std::string& text) {
      const std::lock_guard lock(mutex_);
      warnings_.push_back(text);
    };
  return run;
}

void Job::tell_warnings() {
  for (const std::string& text : warnings_) callbacks_.warning(callbacks_.user, text.c_str());
  warnings_.clear();
}

}  // namespace weft::c

weft_status weft_error_status(const weft_error* error) {
  return error == nullptr ? WEFT_OK : error->status;
}

const char* weft_error_message(const weft_error* error) {
  return error == nullptr ? "" : error->message.c_str();
}

void weft_error_free(weft_error* error) {
  delete error;
}
