// The first prediction of a large model: Model::load and one row, each time in a process of its own that has done
// nothing before, with the file in the page cache. Beside it the least there is to do, in memory that the process then
// owns and in a mapping of the file. The answers of the loaded models are compared first, bit for bit.
// Usage: bench_load [megabytes [rounds]]
#include "tiny.hpp"

#include <weft/weft.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using weft::Index;
using weft::Matrix;

constexpr Index kInputs = 50;

/// Milliseconds since the process started to measure: elapsed, and of its processor time.
struct Time {
  double elapsed, processor;
};

Time now() {
  timespec wall{}, own{};
  ::clock_gettime(CLOCK_MONOTONIC, &wall);
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
  const auto milliseconds = [](const timespec& t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
  };
  return {milliseconds(wall), milliseconds(own)};
}

Matrix numbers(Index rows, Index cols, std::uint64_t seed) {
  Matrix x(rows, cols);
  std::uint64_t state = seed;
  for (Index i = 0; i < rows * cols; ++i)
    x.data()[i] = static_cast<double>((state = state * 6364136223846793005 + 1442695040888963407) >> 33) / 1e9 - 1;
  return x;
}

Matrix row() {
  return numbers(1, kInputs, 5);
}

/// A model of a few rows, whose encoder and target the large ones take.
weft::ModelParts small_parts() {
  const Matrix x = numbers(100, kInputs, 1), y = numbers(100, 1, 2);
  weft::FamilyOptions family;
  family.family = "rw-relu";
  family.features = 10;
  return weft::fit({.train = weft::array(x, y),
                    .family = family,
                    .fit = weft::FitOptions{.method = weft::LeastSquaresOptions{}}})
      .parts();
}

/// Random features: most of the file is their centres.
weft::Model features(Index bytes) {
  weft::ModelParts parts = small_parts();
  weft::FamilyOptions family;
  family.family = "rw-relu";
  family.features = bytes / 8 / kInputs;
  parts.map = weft::FeatureMap::draw(family, parts.encoder.inputs());
  parts.coefficients = numbers(parts.map.features(), 1, 3);
  return weft::Model(std::move(parts));
}

/// Fewer of them, with the factor that standard deviations need: features × features.
weft::Model features_with_deviations(Index bytes) {
  const auto count = static_cast<Index>(std::sqrt(static_cast<double>(bytes) / 8));
  weft::ModelParts parts = features(8 * kInputs * count).parts();
  parts.variance_factor = numbers(parts.map.features(), parts.map.features(), 6);
  parts.noise = {1.0};
  return weft::Model(std::move(parts));
}

/// Sections of one kernel: landmarks.
weft::Model sections(Index bytes, const weft::Kernel& kernel) {
  weft::ModelParts parts = small_parts();
  const weft::Inputs inputs = parts.encoder.inputs();
  parts.map =
      weft::FeatureMap::from_sections({kernel, numbers(inputs.columns(), bytes / 8 / inputs.columns(), 4)}, inputs);
  parts.coefficients = numbers(parts.map.features(), 1, 3);
  return weft::Model(std::move(parts));
}

/// Two trees of leaves with 1000 landmarks of a table that they share, as the default of `weft train` writes them: its
/// numbers are stored as floats.
weft::Model members(Index bytes) {
  weft::ModelParts parts = small_parts();
  const weft::Inputs inputs = parts.encoder.inputs();
  const Index leaf_rows = bench::unless_tiny<Index>(1000, 50),
              leaves = std::max<Index>(2, bytes / 4 / inputs.columns() / leaf_rows);
  Matrix table = numbers(inputs.columns(), leaves * leaf_rows, 4);
  for (Index i = 0; i < table.rows() * table.cols(); ++i) table.data()[i] = static_cast<float>(table.data()[i]);
  for (Index m = 0; m < 2; ++m) {
    weft::Member member{.name = "tree", .weight = 0.5};
    for (Index k = 0; k < leaves; ++k) {  // a chain of splits, each with one leaf below it, and the last with two
      if (k + 1 < leaves)
        member.splits.push_back({m, -1 + 2.0 * static_cast<double>(k) / static_cast<double>(leaves), -1 - k,
                                 k + 2 < leaves ? k + 1 : -1 - (k + 1)});
      Matrix landmarks(table.rows(), leaf_rows);
      for (Index j = 0; j < table.rows(); ++j) std::copy_n(table.row(j) + k * leaf_rows, leaf_rows, landmarks.row(j));
      member.leaves.push_back(
          {weft::FeatureMap::from_sections({weft::Kernel::laplace(3), std::move(landmarks)}, inputs),
           numbers(leaf_rows, 1, 3),
           {0.0}});
    }
    parts.members.push_back(std::move(member));
  }
  parts.map = weft::FeatureMap::from_parts({}, inputs);
  parts.coefficients = {};
  return weft::Model(std::move(parts));
}

/// In the child: prints the prediction, elapsed and processor milliseconds.
int load_and_predict(const char* path) {
  const Matrix x = row();
  const Time start = now();
  const weft::Model model = weft::Model::load(path);
  const Time loaded = now();
  const double prediction = model.predict(weft::array(x))(0, 0);
  const Time end = now();
  std::printf("%a %g %g %g %g\n", prediction, loaded.elapsed - start.elapsed, loaded.processor - start.processor,
              end.elapsed - start.elapsed, end.processor - start.processor);
  return 0;
}

std::uint64_t sum_of(const char* bytes, std::size_t size) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k + 8 <= size; k += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + k, 8);
    sum += word;
  }
  return sum;
}

/// Calls body(first, bytes) for pieces of what threads share.
template <class Body>
void share(std::size_t size, unsigned threads, const Body& body) {
  constexpr std::size_t kPiece = std::size_t{1} << 18, kShare = std::size_t{1} << 22;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t start = next.fetch_add(kShare); start < size; start = next.fetch_add(kShare))
      for (std::size_t first = start; first < std::min(start + kShare, size); first += kPiece)
        body(first, std::min(kPiece, size - first));
  };
  std::vector<std::thread> others(threads - 1);
  for (std::thread& other : others) other = std::thread(work);
  work();
  for (std::thread& other : others) other.join();
}

/// In the child: every byte of the file is read once, in memory of its own or in the mapping, and added up; then once
/// more, where it is.
int read_bytes(const char* path, bool mapped, unsigned threads) {
  const Time start = now();
  const int file = ::open(path, O_RDONLY);
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
  void* const memory = mapped ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0)
                              : ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!mapped) ::madvise(memory, size, MADV_HUGEPAGE);
  char* const all = static_cast<char*>(memory);
  std::atomic<std::uint64_t> sum = 0;
  share(size, threads, [&](std::size_t first, std::size_t bytes) {
    if (!mapped && ::pread(file, all + first, bytes, static_cast<off_t>(first)) < 0) std::abort();
    sum += sum_of(all + first, bytes);
  });
  const Time read = now();
  share(size, threads, [&](std::size_t first, std::size_t bytes) { sum += sum_of(all + first, bytes); });
  const Time end = now();
  std::printf("%a %g %g %g %g\n", static_cast<double>(sum), read.elapsed - start.elapsed,
              read.processor - start.processor, end.elapsed - read.elapsed, end.processor - read.processor);
  return 0;
}

struct Measured {
  double answer, load, load_processor, all, all_processor;
};

/// The least of `rounds` processes, each value of its own.
Measured measure(const std::string& self, const std::string& mode, const std::string& path, int rounds) {
  Measured best{0, 1e9, 1e9, 1e9, 1e9};
  for (int k = 0; k < rounds; ++k) {
    FILE* const child = ::popen((self + " --" + mode + " " + path).c_str(), "r");
    Measured one{};
    if (std::fscanf(child, "%la %lf %lf %lf %lf", &one.answer, &one.load, &one.load_processor, &one.all,
                    &one.all_processor) != 5)
      std::abort();
    ::pclose(child);
    best = {one.answer, std::min(best.load, one.load), std::min(best.load_processor, one.load_processor),
            std::min(best.all, one.all), std::min(best.all_processor, one.all_processor)};
  }
  return best;
}

bool compare(const std::string& self, const char* name, const weft::Model& model, const std::string& path, int rounds) {
  model.save(path);
  const double expected = model.predict(weft::array(row()))(0, 0);
  const Measured weft = measure(self, "load", path, rounds);
  const Measured copy = measure(self, "copy", path, rounds), shared = measure(self, "copy-all", path, rounds),
                 mapping = measure(self, "map", path, rounds);
  std::printf("| %s | %.0f | %.1f / %.1f | %.1f / %.1f | %.1f, %.1f | %.1f, %.1f | %.1f |\n", name,
              static_cast<double>(std::filesystem::file_size(path)) / 1e6, weft.load, weft.load_processor, weft.all,
              weft.all_processor, copy.load, shared.load, copy.all, shared.all, mapping.load);
  std::fflush(stdout);
  return std::memcmp(&expected, &weft.answer, sizeof expected) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[1] : "";
  if (mode == "--load") return load_and_predict(argv[2]);
  if (mode == "--copy" || mode == "--map") return read_bytes(argv[2], mode == "--map", 1);
  if (mode == "--copy-all") return read_bytes(argv[2], false, std::max(1U, std::thread::hardware_concurrency()));
  const Index bytes = static_cast<Index>(1e6 * (argc > 1 ? std::atof(argv[1]) : bench::unless_tiny(100.0, 0.1)));
  const int rounds = argc > 2 ? std::atoi(argv[2]) : bench::unless_tiny(10, 1);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("bench_load-" + std::to_string(::getpid()))).string();
  std::printf(
      "milliseconds, elapsed / processor: the least of %d; the rest elapsed, by one core and by all\n| model | MB | "
      "load "
      "| load and first prediction | copied | passed over | mapped |\n|---|---|---|---|---|---|---|\n",
      rounds);
  bool same = compare(argv[0], "rw-relu, many features", features(bytes), path, rounds);
  same = compare(argv[0], "rw-relu with --std", features_with_deviations(bytes), path, rounds) && same;
  same = compare(argv[0], "laplace, global", sections(bytes, weft::Kernel::laplace(3)), path, rounds) && same;
  same = compare(argv[0], "rbf, global", sections(bytes, weft::Kernel::rbf(3)), path, rounds) && same;
  same = compare(argv[0], "laplace, two trees", members(bytes), path, rounds) && same;
  std::filesystem::remove(path);
  if (!same) std::puts("a loaded model predicts other bits");
  return same ? 0 : 1;
}
