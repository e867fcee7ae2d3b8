#include "libsvm.hpp"

#include <weft/error.hpp>

#include "rows.hpp"
#include "stopwatch.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::papers {

namespace {

/// A folder of its own that goes away with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "weft-papers-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw Error(ErrorKind::file, fmt::format("the folder cannot be created: {}", std::strerror(errno)), path_,
                  "check $TMPDIR");
  }
  ~TemporaryFolder() {
    std::error_code left_behind;  // a destructor cannot report it
    std::filesystem::remove_all(path_, left_behind);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + '/' + name; }

 private:
  std::string path_;
};

/// Runs a program without input and output; returns its seconds. Ends it when the run is cancelled.
double run_program(std::vector<std::string> words, const Run& run) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {0, 1, 2})
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0);
  const Stopwatch watch;
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0)
    throw Error(ErrorKind::file, fmt::format("it cannot be run: {}", std::strerror(failure)), words[0],
                "install LIBSVM's programs");
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (run.cancel != nullptr && *run.cancel) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      run.check_cancelled();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(ErrorKind::data, fmt::format("{} failed", words[0]), words.back(), "run it by hand to see why");
  return watch.seconds();
}

/// Encoded rows as LIBSVM reads them; classes as 1 and -1. Returns the targets.
std::vector<double> write_rows(const Encoder& encoder, const Data& data, const std::string& path, const Run& run) {
  const Rows rows = load_rows(encoder, data, run);
  std::ofstream file(path);
  for (Index i = 0; i < rows.count(); ++i) {
    std::string text = fmt::format("{:.17g}", rows.y(0, i));
    for (Index j = 0; j < rows.x.rows(); ++j)
      if (rows.x(j, i) != 0) text += fmt::format(" {}:{:.9g}", j + 1, rows.x(j, i));
    file << text << '\n';
  }
  if (!file.flush()) throw Error(ErrorKind::file, "it cannot be written", path, "check the disk");
  return {rows.y.row(0), rows.y.row(0) + rows.count()};
}

double libsvm_loss(const std::vector<double>& targets, const std::string& path, bool classes) {
  std::ifstream file(path);
  double sum = 0;
  for (const double target : targets) {
    double prediction = 0;
    if (!(file >> prediction)) throw Error(ErrorKind::data, "predictions are missing", path, "");
    sum += classes ? (prediction != target) : (prediction - target) * (prediction - target);
  }
  return sum / static_cast<double>(targets.size());
}

bool on_path(const char* program) {
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return false;
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace

bool has_libsvm() {
  return on_path("svm-train") && on_path("svm-predict");
}

SvmResult run_libsvm(const DataSplit& data, const EncodeOptions& encode, const Run& run) {
  const TemporaryFolder folder;
  const Encoder encoder = Encoder::fit(data.train, encode, run);
  const bool classes = encoder.target().task == Task::binary;
  const std::vector<double> train = write_rows(encoder, data.train, folder.file("train"), run);
  const std::vector<double> test = write_rows(encoder, data.test, folder.file("test"), run);
  SvmResult result;
  result.fit_seconds = run_program(
      {"svm-train", "-q", "-m", "500", "-s", classes ? "0" : "3", folder.file("train"), folder.file("model")}, run);
  result.predict_seconds =
      run_program({"svm-predict", folder.file("test"), folder.file("model"), folder.file("out")}, run);
  result.test_loss = libsvm_loss(test, folder.file("out"), classes);
  run_program({"svm-predict", folder.file("train"), folder.file("model"), folder.file("out")}, run);
  result.train_loss = libsvm_loss(train, folder.file("out"), classes);
  return result;
}

}  // namespace weft::papers
