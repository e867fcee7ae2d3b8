// Runs the weft command as a user does: a process of its own, in a folder that goes away.
#pragma once

#include "paths.hpp"
#include "temporary_folder.hpp"

#include <weft/matrix.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::testing {

using namespace detail;

using Words = std::vector<std::string>;

struct Outcome {
  int exit_code = -1;  ///< -1: ended by a signal
  std::string out;
  std::string err;
  /// Largest resident memory in bytes. Linux counts what the test itself held at the fork, so it is a few MB at least.
  double peak_memory = 0;
  /// All it read from files, pipes and the like; -1 where the kernel does not count.
  double bytes_read = -1;
};

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A running command. Its output goes to files without a name, so that it never waits for a reader.
class Child {
 public:
  Child(const std::filesystem::path& folder, Words arguments, const std::string& input = "/dev/null")
      : out_(std::tmpfile()), err_(std::tmpfile()) {
    arguments.insert(arguments.begin(), weft_command());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const std::string directory = folder.string();
    pid_ = ::fork();
    if (pid_ != 0) return;
    const bool ready = ::chdir(directory.c_str()) == 0 && ::dup2(::open(input.c_str(), O_RDONLY), 0) == 0 &&
                       ::dup2(::fileno(out_), 1) == 1 && ::dup2(::fileno(err_), 2) == 2;
    if (ready) ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ~Child() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    std::fclose(out_);
    std::fclose(err_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) const { ::kill(pid_, signal); }
  /// What it has printed while it runs.
  std::string out_so_far() const {
    char buffer[4096];
    const ssize_t count = ::pread(::fileno(out_), buffer, sizeof buffer, 0);
    return {buffer, static_cast<std::size_t>(std::max<ssize_t>(0, count))};
  }
  bool running() const {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid == 0;
  }

  Outcome wait() {
    int status = 0;
    rusage usage{};
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
    double bytes_read = -1;
    std::ifstream counters("/proc/" + std::to_string(pid_) + "/io");
    for (std::string name; counters >> name && name != "rchar:";) counters.ignore(1 << 10, '\n');
    counters >> bytes_read;
    if (::wait4(pid_, &status, 0, &usage) != pid_) throw std::runtime_error("the command got lost");
    pid_ = 0;
    return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = text_of(out_),
            .err = text_of(err_),
            .peak_memory = static_cast<double>(usage.ru_maxrss) * 1024,
            .bytes_read = counters ? bytes_read : -1};
  }

 private:
  static std::string text_of(std::FILE* file) {
    std::rewind(file);
    std::string text;
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
    return text;
  }

  std::FILE* out_;
  std::FILE* err_;
  pid_t pid_ = 0;
};

/// Numbers of a CSV text with a header line.
inline std::vector<std::vector<double>> csv_numbers(const std::string& text) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) {
      char* end = nullptr;
      rows.back().push_back(std::strtod(cell.c_str(), &end));
      if (end == cell.c_str() || *end != '\0') throw std::runtime_error("'" + cell + "' is not a number");
    }
  }
  return rows;
}

/// Without the lines that a job of more than ten seconds writes: "reading      2048 of 10000 (20 %)".
inline std::string without_progress(const std::string& text) {
  std::string rest;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t stage = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz -");
    const bool counts =
        stage != std::string::npos && stage > 1 && line[stage - 1] == ' ' && line[stage] >= '0' && line[stage] <= '9';
    if (!counts) rest += line + "\n";
  }
  return rest;
}

/// Rows of a NumPy file of float64, two dimensions, version 1.
inline std::vector<std::vector<double>> npy_numbers(const std::string& bytes) {
  if (bytes.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0) throw std::runtime_error("not a .npy file");
  const auto size = static_cast<std::size_t>(static_cast<unsigned char>(bytes[8])) +
                    256 * static_cast<std::size_t>(static_cast<unsigned char>(bytes[9]));
  const std::string header = bytes.substr(10, size);
  if (header.find("'<f8'") == std::string::npos || header.find("'fortran_order': False") == std::string::npos)
    throw std::runtime_error("not row-major float64: " + header);
  std::size_t rows = 0;
  std::size_t cols = 0;
  const std::string shape = header.substr(header.find("'shape':"));
  if (std::sscanf(shape.c_str(), "'shape': (%zu, %zu)", &rows, &cols) != 2)
    throw std::runtime_error("no shape in " + header);
  if ((10 + size) % 64 != 0 || bytes.size() != 10 + size + 8 * rows * cols)
    throw std::runtime_error("the size does not fit " + header);
  std::vector<std::vector<double>> table(rows, std::vector<double>(cols));
  for (std::size_t i = 0; i < rows; ++i)
    std::memcpy(table[i].data(), bytes.data() + 10 + size + 8 * i * cols, 8 * cols);
  return table;
}

inline std::vector<std::vector<double>> rows_of(const Matrix& matrix) {
  std::vector<std::vector<double>> rows;
  for (Index i = 0; i < matrix.rows(); ++i) rows.emplace_back(matrix.row(i), matrix.row(i) + matrix.cols());
  return rows;
}

class WeftTest : public ::testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::string path(const std::string& name) const { return folder_.file(name); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::string text(const std::string& name) const { return file_text(path(name)); }
  Words listing() const {
    Words names;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  Outcome weft(Words arguments, const std::string& input = "/dev/null") const {
    return Child(folder(), std::move(arguments), input).wait();
  }

  /// The exit code of a script of the shell that runs in the folder; `weft` is the command.
  int shell(const std::string& script) const {
    const std::string start = "cd '" + folder().string() + "'; weft() { '" + weft_command() + "' \"$@\"; }; ";
    const int status = std::system((start + script).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// Runs a command that must work and say nothing on standard error; gives its standard output.
  std::string weft_out(Words arguments, const std::string& input = "/dev/null") const {
    const Outcome outcome = weft(std::move(arguments), input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(without_progress(outcome.err), "");
    return outcome.out;
  }

  /// A mistake: exit code 1, one line on standard error that holds every word and a remedy after "; ", nothing on
  /// standard output, and the folder as it was.
  void expect_refused(const Words& arguments, const Words& words, const std::string& input = "/dev/null") const {
    const Words before = listing();
    const Outcome outcome = weft(arguments, input);
    std::string command = "weft";
    for (const std::string& argument : arguments) command += " " + argument;
    SCOPED_TRACE(command + "\n" + outcome.err);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
    EXPECT_TRUE(outcome.err.ends_with('\n'));
    EXPECT_TRUE(outcome.err.starts_with(std::filesystem::path(weft_command()).filename().string() + ": "));
    EXPECT_NE(outcome.err.find("; "), std::string::npos) << "no remedy";
    for (const std::string& word : words) EXPECT_NE(outcome.err.find(word), std::string::npos) << "no '" << word << "'";
    EXPECT_EQ(listing(), before);
  }

 private:
  const TemporaryFolder folder_;
};

}  // namespace weft::testing
