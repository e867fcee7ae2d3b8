#include "scikit_learn.hpp"

#include <weft/error.hpp>
#include <weft/write.hpp>

#include "json.hpp"
#include "rows.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
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

/// Runs a program without input and output, and ends it when the run is cancelled. Whether it succeeded.
bool run_program(std::vector<std::string> words, const Run& run) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {0, 1, 2})
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0);
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return false;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (run.cancel != nullptr && *run.cancel) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      run.check_cancelled();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Encoded rows in the format of LIBSVM; classes as 1 and -1.
void write_rows(const Encoder& encoder, const Data& data, const std::string& path, const Run& run) {
  const Rows rows = load_rows(encoder, data, run);
  std::ofstream file(path);
  for (Index i = 0; i < rows.count(); ++i) {
    std::string text = fmt::format("{:.17g}", rows.y(0, i));
    for (Index j = 0; j < rows.x.rows(); ++j)
      if (rows.x(j, i) != 0) text += fmt::format(" {}:{:.9g}", j + 1, rows.x(j, i));
    file << text << '\n';
  }
  if (!file.flush()) throw Error(ErrorKind::file, "it cannot be written", path, "check the disk");
}

/// A Python that has scikit-learn; empty: none has.
const std::string& python() {
  static const std::string found = [] {
    for (const char* program : {"python3", "/usr/bin/python3"})
      if (run_program({program, "-c", "import sklearn"}, {})) return std::string(program);
    return std::string();
  }();
  return found;
}

constexpr const char* kProgram = R"(
import json, sys, time
import numpy
from scipy.stats import loguniform
from sklearn.datasets import load_svmlight_file
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor
from sklearn.model_selection import RandomizedSearchCV
from sklearn.svm import SVC, SVR

train, test, order, out, name, classes, configurations, inputs, seed = sys.argv[1:]
x, y = load_svmlight_file(train, n_features=int(inputs))
x_test, y_test = load_svmlight_file(test, n_features=int(inputs))
x, x_test = x.toarray(), x_test.toarray()
classes, seed = classes == "classes", int(seed) - 1
with open(order) as file:
    rows = json.load(file) or numpy.random.RandomState(seed).permutation(len(y))  # neighbours may be alike
x, y = x[rows], y[rows]
if name == "adaboost":
    model = AdaBoostClassifier(random_state=seed) if classes else AdaBoostRegressor(random_state=seed)
    ranges = {"n_estimators": [10, 25, 50, 100, 150, 200, 250, 500]}
    count = min(int(configurations), 8)
else:
    model = SVC() if classes else SVR()
    ranges = {"C": loguniform(0.001, 1000), "gamma": loguniform(0.001, 1000)}
    count = int(configurations)
search = RandomizedSearchCV(model, ranges, n_iter=count, cv=5, random_state=seed).fit(x, y)
start = time.perf_counter()
predicted = search.predict(x_test)
seconds = time.perf_counter() - start
def loss(values, targets):
    return float((values != targets).mean() if classes else ((values - targets) ** 2).mean())
with open(out, "w") as file:
    json.dump({"train": loss(search.predict(x), y), "test": loss(predicted, y_test),
               "score": search.score(x_test, y_test),
               "fit_seconds": search.refit_time_, "predict_seconds": seconds}, file)
)";

}  // namespace

bool has_scikit_learn() {
  return !python().empty();
}

ContenderResult run_contender(const std::string& name, const DataSplit& data, const EncodeOptions& encode,
                              Index configurations, const std::vector<Index>& order, std::uint64_t seed,
                              const Run& run) {
  const TemporaryFolder folder;
  const Encoder encoder = Encoder::fit(data.train, encode, run);
  const bool classes = encoder.target().task == Task::binary;
  write_rows(encoder, data.train, folder.file("train"), run);
  write_rows(encoder, data.test, folder.file("test"), run);
  write_file(folder.file("order"), Json(order).dump());
  if (!run_program({python(), "-c", kProgram, folder.file("train"), folder.file("test"), folder.file("order"),
                    folder.file("out"), name, classes ? "classes" : "numbers", std::to_string(configurations),
                    std::to_string(encoder.inputs().columns()), std::to_string(seed)},
                   run))
    throw Error(ErrorKind::data, fmt::format("{} of scikit-learn failed", name), data.train.name(),
                "check that python3 can import sklearn and scipy");
  std::ifstream file(folder.file("out"));
  const Json found = Json::parse(file);
  return {found.at("train"), found.at("test"), found.at("score"), found.at("fit_seconds"), found.at("predict_seconds")};
}

}  // namespace weft::papers
