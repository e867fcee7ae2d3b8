// Jobs that write files, run on a disk that fails (faults.c) or killed at any moment, and what must hold afterwards.
#pragma once

#include "cli/run_weft.hpp"

#include <weft/content_id.hpp>
#include <weft/model.hpp>

#include <chrono>
#include <functional>
#include <random>
#include <thread>

namespace weft::testing {

/// What a whole file says of itself: the same for equal results, whatever took how long. Throws for half a file.
using Contents = std::function<std::string(const std::string& path)>;

struct Job {
  std::string name;
  Words arguments;       ///< of weft
  std::string output;    ///< the file that it writes
  Contents contents;     ///< of that file
  std::string log = {};  ///< a file that it appends to, and goes on from when it is run again
  Words resume = {};     ///< further arguments with which it goes on, where that file is there
  bool slow = false;     ///< faults at every operation take too long for the suite: scripts/crash has them
};

/// Of one who wants more than the suite has time for: scripts/crash.
inline int times(int usual) {
  const char* count = std::getenv("WEFT_CRASHES");
  return count == nullptr ? usual : std::atoi(count);
}
inline bool at_length() {
  return std::getenv("WEFT_CRASHES") != nullptr;
}
inline std::uint64_t crash_seed() {
  const char* seed = std::getenv("WEFT_CRASH_SEED");
  return seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10);
}

class CrashTest : public WeftTest {
 protected:
  using Clock = std::chrono::steady_clock;

  static std::string model_contents(const std::string& path) { return content_id(Model::load(path)); }
  static std::string whole_text(const std::string& path) { return file_text(path); }

#ifdef WEFT_FAULTS
  /// Runs the command with a fault of faults.c; whether its operation was reached.
  bool with_fault(const std::string& kind, int number, const std::function<void()>& run) const {
    const std::string mark = path("mark");
    ::setenv("LD_PRELOAD", WEFT_FAULTS, 1);
    ::setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 0);
    ::setenv("WEFT_FAULT", (kind + ":" + std::to_string(number)).c_str(), 1);
    ::setenv("WEFT_FAULT_MARK", mark.c_str(), 1);
    run();
    ::unsetenv("LD_PRELOAD");
    return std::filesystem::remove(mark);
  }
#endif

  /// What the job writes when nothing happens, and the seconds it takes.
  struct Undisturbed {
    std::string contents;
    double seconds;
  };
  Undisturbed run_undisturbed(const Job& job) const {
    const auto start = Clock::now();
    const Outcome outcome = weft(job.arguments);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (outcome.exit_code != 0) throw std::runtime_error(job.name + ": " + outcome.err);
    const Undisturbed result{job.contents(path(job.output)), seconds};
    std::filesystem::remove(path(job.output));
    if (!job.log.empty()) std::filesystem::remove(path(job.log));
    return result;
  }

  /// Neither half a file nor anything else than what there was and what there should be.
  void expect_old_or_new(const Job& job, const std::string& old, const std::string& whole) const {
    const std::string now = std::filesystem::exists(path(job.output)) ? text(job.output) : "";
    if (now == old) return;
    EXPECT_EQ(job.contents(path(job.output)), whole);
  }

  void expect_no_temporaries() const {
    for (const std::string& name : listing()) EXPECT_EQ(name.find(".tmp-weft-"), std::string::npos) << name;
  }

  /// Runs it again, from its log where it left one, and expects what it would have written at once.
  void expect_goes_on(const Job& job, const std::string& whole) const {
    Words arguments = job.arguments;
    if (!job.log.empty() && std::filesystem::exists(path(job.log)))
      arguments.insert(arguments.end(), job.resume.begin(), job.resume.end());
    const Outcome again = weft(arguments);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(job.contents(path(job.output)), whole);
    expect_no_temporaries();
  }
};

}  // namespace weft::testing
