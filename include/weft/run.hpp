// How a job runs: threads, limits, progress and a way to stop it. Every long call takes one.
#pragma once

#include <weft/fields.hpp>
#include <weft/matrix.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>

namespace WEFT_PUBLIC weft {

/// The state of a long job, for a progress line.
struct Progress {
  std::string stage;  ///< "reading", "features", …
  double done = 0;    ///< in rows, steps or whatever the stage counts
  double total = 0;   ///< 0 when it cannot be known
  /// Of a whole search, whose stages report as well: it stays visible beside them.
  bool search = false;
  std::string found = {};  ///< the best result so far, of a search
};

struct RunOptions {
  int threads = 0;
  double max_time = 0;
  std::string max_memory = "";
  std::string device = "cpu";

  static auto fields() {
    using O = RunOptions;
    return std::tuple{
        Field{"threads", &O::threads, Allowed::at_least(0), "threads to use; 0: OMP_NUM_THREADS, or every core"},
        Field{"max_time", &O::max_time, Allowed::at_least(0),
              "time limit in seconds, after which a fit returns the best result so far; 0: none"},
        Field{"max_memory", &O::max_memory, Allowed::anything(),
              "memory limit such as 500M or 4G; a job that needs more is rejected before it starts"},
        Field{"device", &O::device, Allowed::anything(),
              "where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there "
              "is "
              "one and the work is large enough"},
    };
  }
};

struct Run {
  using Clock = std::chrono::steady_clock;

  int threads = 0;          ///< 0: OMP_NUM_THREADS, or every core
  double max_seconds = 0;   ///< 0: no limit
  double max_memory = 0;    ///< bytes; 0: no limit
  std::string device = {};  ///< as RunOptions or shared_device() has it; empty: cpu
  std::function<void(const Progress&)> on_progress = {};
  const std::atomic<bool>* cancel = nullptr;  ///< set from any thread to stop the job within a block
  Clock::time_point started = Clock::now();   ///< max_seconds counts from here; fit() sets it
  /// Called with one line about rows that were not as in training, or left out: at the end of every pass over them,
  /// from any thread.
  std::function<void(const std::string&)> on_warning = {};

  /// Checked and parsed; throws weft::Error naming the option.
  static Run from(const RunOptions& options);

  int thread_count() const;
  void report(const std::string& stage, double done, double total) const {
    if (on_progress) on_progress({stage, done, total});
  }
  void warn(const std::string& text) const {
    if (on_warning) on_warning(text);
  }
  void report_search(const std::string& stage, double done, double total, const std::string& found) const {
    if (on_progress) on_progress({stage, done, total, true, found});
  }
  /// Throws weft::Error(cancelled) once `cancel` is set.
  void check_cancelled() const;
  double seconds_left() const;  ///< infinite without a limit
  bool out_of_time() const { return seconds_left() <= 0; }
};

}  // namespace weft
