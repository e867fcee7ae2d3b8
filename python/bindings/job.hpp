// A long call of the library: without the interpreter's lock, and stopped by Ctrl-C.
#pragma once

#include <weft/run.hpp>

#include <pybind11/pybind11.h>

#include <utility>

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

/// job(run), with the lock released.
template <class Job>
auto run_job(const RunOptions& options, Job&& job) {
  Run run = Run::from(options);
  const Interruptible interrupt;
  run.cancel = interrupt.flag();
  const pybind11::gil_scoped_release unlocked;
  return std::forward<Job>(job)(run);
}

}  // namespace weft::python
