// A long call of the library: without the interpreter's lock, and stopped by Ctrl-C.
#pragma once

#include <weft/devices.hpp>

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weft::python {

/// While one lives in the main thread, SIGINT also cancels the job, and Python raises its KeyboardInterrupt when the
/// job has stopped. Where Python's own handler is not the one installed, signals wait for the end as usual.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  const std::atomic<bool>* flag() const;

 private:
  bool installed_ = false;
};

/// What a job has to say about its rows: each line once, as Python's UserWarning when the job is done.
class JobWarnings {
 public:
  void add(const std::string& text);
  void issue() const;  ///< with the lock; throws where the user's filters make warnings errors

 private:
  std::mutex mutex_;
  std::vector<std::string> texts_;
};

/// job(run), with the lock released.
template <class Job>
auto run_job(const RunOptions& options, Job&& job) {
  Run run = Run::from(options);
  check_device(run);
  const Interruptible interrupt;
  run.cancel = interrupt.flag();
  const auto warnings = std::make_shared<JobWarnings>();  // results may keep the run
  run.on_warning = [warnings](const std::string& text) { warnings->add(text); };
  const auto unlocked = [&] {
    const pybind11::gil_scoped_release released;
    return std::forward<Job>(job)(run);
  };
  if constexpr (std::is_void_v<decltype(unlocked())>) {
    unlocked();
    warnings->issue();
  } else {
    auto result = unlocked();
    warnings->issue();
    return result;
  }
}

}  // namespace weft::python
