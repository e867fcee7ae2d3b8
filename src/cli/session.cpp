#include "cli/session.hpp"

#include <weft/database.hpp>
#include <weft/devices.hpp>
#include <weft/error.hpp>
#include <weft/write.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace weft::cli {

namespace {

std::atomic<bool> cancel_requested{false};
Verbosity level_of_detail = Verbosity::normal;
bool is_silent = false;
int place_on_machine = -1;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

void on_interrupt(int) {
  // A second Ctrl-C does not wait for the job to notice.
  if (!cancel_requested.exchange(true)) return;
  remove_temporary_files();
  std::_Exit(130);
}

// Outside of jobs: ends as the signal does by default.
void on_end(int signal) {
  remove_temporary_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// One that is ignored (nohup) stays so.
void handle_ending_signals(void (*handler)(int)) {
  for (const int signal : kEndingSignals) {
    struct sigaction now = {};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) std::signal(signal, handler);
  }
}

// On standard error. fmt::print throws where the disk is full, and a log that has no space must not end a long job.
template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  std::fputs(fmt::format(format, std::forward<Values>(values)...).c_str(), stderr);
}

using Clock = std::chrono::steady_clock;

// Width on the screen: bytes that do not continue a UTF-8 sequence.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string rate_text(double per_second) {
  return per_second >= 1 ? fmt::format("{:.0f}/s", per_second) : fmt::format("{:.1f}/min", 60 * per_second);
}

std::string duration_text(double seconds) {
  if (seconds < 300) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// Where one of these is closed, the next file to be opened would take its number, and what is printed would end up in
/// it. Standard output becomes a file that cannot be written: what is lost is reported.
void open_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY));
}

}  // namespace

struct Session::Line {
  /// The stage, or the search, that the line shows.
  struct Job {
    std::string stage;
    Clock::time_point start;
    double done = 0;  // at its start: a job resumed from a log does not start at 0
    std::string text;
  };

  bool terminal = isatty(STDERR_FILENO) != 0;
  bool visible = true;
  bool open = false;
  double limit = 0;  // of the whole job, in seconds; 0: none
  Clock::time_point start = Clock::now();
  Clock::time_point last_shown = terminal ? Clock::time_point{} : start;
  Job search, stage;

  static double seconds_since(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
  }

  /// How much is done, how fast, and the time left, which only the limit tells where the total is unknown.
  void describe(Job& job, const Progress& progress) const {
    if (progress.stage != job.stage) job = {progress.stage, Clock::now(), progress.done, {}};
    const double elapsed = seconds_since(job.start);
    job.text = progress.search ? fmt::format("{} {:.0f}", job.stage, progress.done)
                               : fmt::format("{:<12} {:>12.0f}", job.stage, progress.done);
    if (progress.total > 0)
      job.text += fmt::format(" of {:.0f} ({:.0f} %)", progress.total, 100 * progress.done / progress.total);
    if (const double rate = (progress.done - job.done) / elapsed; elapsed > 0 && rate > 0) {
      job.text += "  " + rate_text(rate);
      if (progress.total > progress.done)
        job.text += fmt::format("  {} left", duration_text((progress.total - progress.done) / rate));
    }
    if (progress.search && progress.total == 0 && limit > 0)
      job.text += fmt::format("  at most {} left", duration_text(std::max(0.0, limit - seconds_since(start))));
    if (!progress.found.empty()) job.text += "  best: " + progress.found;
  }

  void show(const Progress& progress) {
    const bool changed = progress.stage != (progress.search ? search : stage).stage;
    describe(progress.search ? search : stage, progress);
    const bool last = progress.total > 0 && progress.done >= progress.total;
    // On a terminal ten times a second; in a log a line every ten seconds, and none for shorter jobs.
    const bool due = seconds_since(last_shown) >= (terminal ? 0.1 : 10.0);
    if (visible && (due || (terminal && (last || changed)))) print();
    if (progress.search && last) search = {};
  }

  void print() {
    last_shown = Clock::now();
    std::string text = search.text.empty() ? stage.text : search.text;
    if (!search.text.empty() && !stage.text.empty()) text += "  | " + stage.text;
    text = printable(text, true);  // what was found may name columns
    if (terminal) text = text.substr(0, columns() - 1);
    say("{}{}{}", terminal ? "\r\x1b[K" : "", text, terminal ? "" : "\n");
    std::fflush(stderr);
    open = terminal;
  }

  /// A longer line would leave its beginning behind.
  static std::size_t columns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 200;
  }
};

Session::Session(const RunOptions& options, bool quiet) : line_(std::make_unique<Line>()), run_(Run::from(options)) {
  if (place_on_machine >= 0) run_.device = shared_device(run_.device, place_on_machine);
  check_device(run_);
  cancel_requested = false;
  handle_ending_signals(on_interrupt);
  run_.cancel = &cancel_requested;
  run_.on_warning = [this](const std::string& text) { warn(text); };
  line_->visible = !quiet && !silent() && verbosity() != Verbosity::quiet;
  line_->limit = run_.max_seconds;
  run_.on_progress = [this](const Progress& progress) { line_->show(progress); };
}

Session::~Session() {
  finish_progress();
  handle_ending_signals(on_end);
}

void Session::finish_progress() {
  if (line_->open) say("\r\x1b[K");
  line_->open = false;
}

int run_program(const std::string& name, const char* remedy, const std::function<int()>& run, const FailedRun& fail) {
  open_standard_streams();
  handle_ending_signals(on_end);
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond its limit (ulimit -f) is an error of the write, with a message
  const auto failed = [&](const std::string& message, int code) {
    const std::string line = fmt::format("{}: {}\n", name, message);
    if (fail)
      fail(line, code);
    else
      say("{}", line);
    return code;
  };
  try {
    const int code = run();
    flush_standard_output();
    return code;
  } catch (const Error& error) {
    return failed(printable(without_passwords(in_command_line_words(error.marked())), true),
                  error.kind() == ErrorKind::cancelled ? 130 : 1);
  } catch (const std::bad_alloc&) {
    return failed(fmt::format("out of memory; {}", remedy), 1);
  } catch (const std::exception& error) {
    const bool refused = std::ferror(stdout) != 0;  // fmt throws where its output is not taken
    return failed(fmt::format("{}: {}{}", refused ? "standard output" : "internal error",
                              printable(without_passwords(error.what()), true),
                              refused ? "; check that its disk has free space" : ""),
                  refused ? 1 : 2);
  }
}

void share_devices(int local_rank) {
  place_on_machine = local_rank;
}

void be_silent() {
  is_silent = true;
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) {
    ::dup2(nowhere, STDOUT_FILENO);
    ::close(nowhere);
  }
}

bool silent() {
  return is_silent;
}

void Session::warn(const std::string& text) {
  const std::lock_guard lock(mutex_);
  const std::string shown = printable(in_command_line_words(text), true);
  if (std::find(warnings_.begin(), warnings_.end(), shown) != warnings_.end()) return;
  warnings_.push_back(shown);
  finish_progress();
  if (!silent()) say("weft: note: {}\n", shown);
}

std::string Session::search_state() const {
  return line_->search.text;
}

Verbosity verbosity() {
  return level_of_detail;
}

void set_verbosity(Verbosity level) {
  if (level_of_detail != Verbosity::normal && level_of_detail != level)
    throw Error(ErrorKind::option, "both --quiet and --verbose are given", "--verbose", "give only one of them");
  level_of_detail = level;
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = printable(cell, true);
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_)
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (widths.size() <= j) widths.push_back(0);
      widths[j] = std::max(widths[j], width(row[j]));
    }
  std::string result;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::string line;
    for (std::size_t j = 0; j < rows_[i].size(); ++j) {
      const std::string padding(widths[j] - width(rows_[i][j]), ' ');
      line += j == 0 ? rows_[i][j] + padding : "  " + padding + rows_[i][j];
    }
    result += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    if (i == 0) {
      std::size_t total = 2 * (widths.size() - 1);
      for (const std::size_t w : widths) total += w;
      for (std::size_t k = 0; k < total; ++k) result += "─";
      result += '\n';
    }
  }
  return result;
}

std::string shown(double value) {
  constexpr double kMostDigits = 1e15;
  const bool whole = value == std::round(value) && std::abs(value) < kMostDigits;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

std::string shown(const std::optional<double>& value) {
  return value ? shown(*value) : "–";
}

std::string in_command_line_words(const std::string& text) {
  return with_options_named(text, [](const std::string& field) { return "--" + option_name(field.c_str()); });
}

std::string command_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + without_passwords(word);
  return text;
}

void print_line(const std::string& text) {
  print_out("{}\n", in_command_line_words(text));
}

}  // namespace weft::cli
