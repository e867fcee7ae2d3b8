// What an interrupted job left: checkpoints of fits, and the fits that go on from them; logs of searches.
#include <weft/fit.hpp>

#include "fuzz/fuzz_target.hpp"
#include "fuzz/inputs.hpp"
#include "methods/checkpoint.hpp"
#include "model/sample_models.hpp"
#include "temporary_folder.hpp"
#include "train/search/trial_log.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace weft::fuzz {

using namespace detail;
using namespace testing;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Fits write their checkpoints, so they need a file with a name.
const std::string& state_file() {
  static const TemporaryFolder folder;
  static const std::string path = folder.file("state");
  return path;
}

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void checkpoint(std::string_view input) {
  const Checkpoint state = Checkpoint::load(memory_file().with(input), "sfgd", "digest");
  require(state.step >= 0, "a negative step");
  std::size_t numbers = 0;
  for (const auto& array : state.arrays) numbers += array.size();
  require(numbers * sizeof(double) <= input.size(), "more numbers than the file has");
}

std::vector<std::string> checkpoint_seeds() {
  const Checkpoint state{"sfgd", "digest", 17, {{1, -0.0, 1e-310}, {}, {kInfinite}}};
  state.save(state_file());
  return {file_bytes(state_file())};
}

FitRequest small_fit(const std::string& method, bool resume) {
  const std::string target = method == "logistic" ? "yes" : "y";
  const Index features = method == "logistic" ? 40 : 300;  // descents may stop after 256 of them
  FitRequest request{.train = sample_data(40, target), .family = sample_family("rw-sign", features)};
  request.run.threads = 1;
  request.fit.lambda = 0.05;
  request.fit.method = method_options(method);
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.checkpoint; }) {
          own.checkpoint = state_file();
          own.resume = resume;
          if constexpr (!requires { own.batch; }) own.iterations = 3;
        }
      },
      request.fit.method);
  return request;
}

constexpr const char* kResumable[] = {"sfgd", "optimal-step", "logistic"};

// The method is that whose name the file has.
void resumed_fit(std::string_view input) {
  const auto named = std::find_if(std::begin(kResumable), std::end(kResumable),
                                  [&](const char* method) { return input.find(method) != std::string_view::npos; });
  if (named == std::end(kResumable)) return;
  std::ofstream(state_file(), std::ios::binary) << input;
  const Model model = fit(small_fit(*named, true));
  const Matrix& coefficients = model.parts().coefficients;
  require(std::all_of(coefficients.data(), coefficients.data() + coefficients.rows() * coefficients.cols(),
                      [](double a) { return std::isfinite(a); }),
          "coefficients that are not finite");
}

std::vector<std::string> resumed_seeds() {
  std::vector<std::string> seeds;
  for (const char* method : kResumable) {
    FitRequest stopped = small_fit(method, false);
    if (method != std::string("logistic")) stopped.run.max_seconds = 1e-9;
    std::filesystem::remove(state_file());
    static_cast<void>(fit(stopped));
    seeds.push_back(file_bytes(state_file()));
    require(!seeds.back().empty(), "a fit without a checkpoint");
  }
  return seeds;
}

const SearchIdentity kIdentity = {{"data", "0123456789abcdef"}, {"family", "rw-sign"}};

void search_log(std::string_view input) {
  TrialLog log(memory_file().with(input), kIdentity);
  Trial trial;
  for (trial.number = 0; trial.number < 3; ++trial.number) {
    trial.family.family = "rw-sign";
    trial.family.gamma = trial.number == 2 ? std::optional(1.5) : std::nullopt;
    static_cast<void>(log.find(trial));
  }
  log.append(trial);
  const TrialLog again(memory_file().with(memory_file().bytes()), kIdentity);
}

std::vector<std::string> log_seeds() {
  TrialLog log(memory_file().with(""), kIdentity);
  Trial trial;
  trial.family.family = "rw-sign";
  trial.fold_scores = {0.5, kInfinite};
  log.append(trial);
  trial.number = 2;
  trial.family.gamma = 1.5;
  trial.lambda = 1e-3;
  trial.failure = "it \xff failed";
  log.append(trial);
  return {memory_file().bytes()};
}

}  // namespace

void add_checkpoints(std::vector<Target>& targets) {
  targets.push_back({"checkpoint", 1000, 5000, checkpoint, checkpoint_seeds, repair_checkpoint});
  targets.push_back({"resumed-fit", 12000, 300, resumed_fit, resumed_seeds, repair_checkpoint});
  targets.push_back({"search-log", 3000, 2000, search_log, log_seeds});
}

}  // namespace weft::fuzz
