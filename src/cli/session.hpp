// What every command shares: run options, a progress line on standard error, Ctrl-C, and text tables.
#pragma once

#include <weft/run.hpp>
#include <weft/write.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace weft::cli {

/// --quiet and --verbose, which every command has.
enum class Verbosity { quiet, normal, verbose };
Verbosity verbosity();
void set_verbosity(Verbosity level);

/// One of several processes of a job, of which another one speaks: standard output is discarded, and progress and notes
/// are not shown.
void be_silent();
bool silent();
/// One of several processes of this machine, the GPUs of which they take in turn.
void share_devices(int local_rank);

/// Lives as long as a command's job. Ctrl-C asks the job to stop; a second one ends the program.
class Session {
 public:
  explicit Session(const RunOptions& options, bool quiet = false);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Run& run() const { return run_; }
  /// Ends the progress line so that what follows starts on a line of its own.
  void finish_progress();
  /// What run().warn() was told, each line once; they were printed on standard error.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// What a search has found so far, as the progress line shows it; empty before it has begun.
  std::string search_state() const;

 private:
  void warn(const std::string& text);

  struct Line;
  std::unique_ptr<Line> line_;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
  Run run_;
};

/// The body of main(): runs the program and turns what it throws into one line on standard error and an exit code.
/// Output that did not reach its file is such an error too. `remedy` says what to do where memory runs out; `fail`,
/// where it is given, gets the line and the code in place of standard error.
using FailedRun = std::function<void(const std::string& line, int exit_code)>;
int run_program(const std::string& name, const char* remedy, const std::function<int()>& run,
                const FailedRun& fail = {});

/// Rows of text, right-aligned except the first column, under a header.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) { add(std::move(header)); }
  void add(std::vector<std::string> row);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Prints on standard output, control characters of names and texts replaced.
template <class... Values>
void print_out(fmt::format_string<Values...> format, Values&&... values) {
  fmt::print("{}", printable(fmt::format(format, std::forward<Values>(values)...)));
}

/// Six significant digits; all of a whole number, which is a count mostly.
std::string shown(double value);
std::string shown(const std::optional<double>& value);  ///< "–" for none

/// A text of the library with its options as they are typed: ‹max_time› is --max-time.
std::string in_command_line_words(const std::string& text);
/// The words of a command line without passwords, for models to remember.
std::string command_text(const std::vector<std::string>& words);
/// Prints such a text and ends the line.
void print_line(const std::string& text);

}  // namespace weft::cli
