#include "job.hpp"

#include "errors.hpp"

#include <algorithm>
#include <csignal>

namespace py = pybind11;

namespace weft::python {

namespace {

std::atomic<bool> interrupted{false};
struct sigaction before = {};

void on_interrupt(int signal) {
  interrupted = true;
  before.sa_handler(signal);  // Python's, which notes the signal for later
}

bool python_handles_interrupts() {
  const py::module_ threading = py::module_::import("threading");
  if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) return false;
  const py::module_ signal = py::module_::import("signal");
  return signal.attr("getsignal")(SIGINT).is(signal.attr("default_int_handler"));
}

}  // namespace

Interruptible::Interruptible() {
  if (!python_handles_interrupts()) return;
  interrupted = false;
  sigaction(SIGINT, nullptr, &before);
  const bool plain = (before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler != SIG_DFL &&
                     before.sa_handler != SIG_IGN && before.sa_handler != on_interrupt;
  if (!plain) return;
  struct sigaction ours = before;
  ours.sa_handler = on_interrupt;
  installed_ = sigaction(SIGINT, &ours, nullptr) == 0;
}

Interruptible::~Interruptible() {
  if (installed_) sigaction(SIGINT, &before, nullptr);
}

void JobWarnings::add(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (std::find(texts_.begin(), texts_.end(), text) == texts_.end()) texts_.push_back(text);
}

void JobWarnings::issue() const {
  for (const std::string& text : texts_)
    if (PyErr_WarnEx(PyExc_UserWarning, in_python_words(text).c_str(), 3) != 0) throw py::error_already_set();
}

const std::atomic<bool>* Interruptible::flag() const {
  return installed_ ? &interrupted : nullptr;
}

}  // namespace weft::python
