#include "reproduce/libsvm.hpp"

#include <weft/error.hpp>

#include "core/stopwatch.hpp"
#include "core/temporary_folder.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace weft {

using namespace detail;

namespace {

/// Runs a program with nothing to read and nothing to say; returns its seconds. Ends it when the run is cancelled.
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

/// Encoded rows as LIBSVM reads them; classes as 1 and -1. The targets come back.
std::vector<double> write_rows(const Encoder& encoder, const Data& data, const std::string& path, const Run& run) {
  const bool classes = encoder.target().task == Task::binary;
  std::ofstream file(path);
  std::vector<double> targets;
  const auto stream = encoder.open(data, true, run);
  Block block;
  while (stream->next(block, 4096)) {
    run.check_cancelled();
    std::string text;
    for (Index i = 0; i < block.rows(); ++i) {
      targets.push_back(classes ? 2 * block.y(0, i) - 1 : block.y(0, i));
      text += fmt::format("{:.17g}", targets.back());
      for (Index j = 0; j < block.x.rows(); ++j)
        if (block.x(j, i) != 0) text += fmt::format(" {}:{:.9g}", j + 1, block.x(j, i));
      text += '\n';
    }
    file << text;
  }
  if (!file.flush()) throw Error(ErrorKind::file, "it cannot be written", path, "check the disk");
  return targets;
}

double loss_of(const std::vector<double>& targets, const std::string& path, bool classes) {
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
  result.test_loss = loss_of(test, folder.file("out"), classes);
  run_program({"svm-predict", folder.file("train"), folder.file("model"), folder.file("out")}, run);
  result.train_loss = loss_of(train, folder.file("out"), classes);
  return result;
}

}  // namespace weft
