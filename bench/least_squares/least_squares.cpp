// Least squares with a given lambda, T = 1000, on the rows of adult: weft's sums (features and products block by block)
// and its whole fit (penalty, sums, solution) against the floor, which is one GEMM, one vector pass and one dsyrk over
// the whole Φ. The sums are compared before the times.
// Usage: bench_least_squares [folder with adult.train.csv.gz, or "synthetic"] [rounds]
#include "methods/least_squares/least_squares.hpp"
#include "compute/cpu/blas_library.hpp"
#include "data/rows/training_rows.hpp"
#include "floor/floor.hpp"
#include "methods/fold_rows.hpp"
#include "tiny.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

using weft::Index;
using weft::Matrix;

const Index kFeatures = bench::unless_tiny<Index>(1000, 50);

/// Normal inputs in the shape of the encoded adult rows, for where there is no data folder.
struct Synthetic {
  Matrix x{bench::unless_tiny<Index>(32561, 500), 108};
  Matrix y{x.rows(), 1};
  Synthetic() {
    std::mt19937_64 engine(1);
    std::normal_distribution<double> normal;
    std::generate(x.data(), x.data() + x.rows() * x.cols(), [&] { return normal(engine); });
    for (Index i = 0; i < x.rows(); ++i) y(i, 0) = x(i, 0) + x(i, 1) * x(i, 2) + normal(engine);
  }
};

struct Floor {
  explicit Floor(const weft::FeatureMap& map, weft::View<const double> x)
      : phi(map, x), gram(map.features(), map.features()) {}

  void run(int threads) {
    phi.run(threads);
    const Matrix& z = phi.features();
    weft::detail::blas().dsyrk(weft::detail::kRowMajor, weft::detail::kLower, weft::detail::kNoTranspose, int(z.rows()),
                               int(z.cols()), 1, z.data(), int(z.cols()), 0, gram.data(), int(gram.cols()));
  }

  bench::SignFloor phi;
  Matrix gram;
};

/// The largest difference of ΦᵀΦ and Φᵀy, in units of the columns' lengths.
double largest_difference(const weft::detail::PartSums& found, const Floor& floor, weft::View<const double> y) {
  const weft::detail::Accumulator& sums = found.parts.front();
  const Matrix& phi = floor.phi.features();
  std::vector<double> shifted(y.data, y.data + y.cols);
  for (double& value : shifted) value -= found.shift.front();
  std::vector<double> cross(std::size_t(phi.rows()));
  weft::detail::blas().dgemv(weft::detail::kRowMajor, weft::detail::kNoTranspose, int(phi.rows()), int(phi.cols()), 1,
                             phi.data(), int(phi.cols()), shifted.data(), 1, 0, cross.data(), 1);
  double largest = 0;
  const auto note = [&](double difference, double unit) {
    if (!(difference / unit <= largest)) largest = difference / unit;  // a NaN stays
  };
  for (Index s = 0; s < phi.rows(); ++s) {
    const double length = std::sqrt(floor.gram(s, s));
    for (Index t = 0; t <= s; ++t)
      note(std::abs(sums.gram_lower()(s, t) - floor.gram(s, t)), length * std::sqrt(floor.gram(t, t)));
    note(std::abs(sums.cross()(s, 0) - cross[std::size_t(s)]), length * std::sqrt(sums.yy()[0]));
  }
  return largest;
}

/// False where the answers differ.
bool compare(const weft::Data& data, const weft::FamilyOptions& family, int rounds) {
  const weft::FitOptions options{.lambda = 1e-6};
  const weft::Encoder encoder = weft::Encoder::fit(data, {});
  const weft::FeatureMap map = weft::FeatureMap::draw(family, encoder.inputs());
  const auto rows = weft::detail::training_rows(encoder, data, weft::ClassWeighting::none, INFINITY, {});
  const weft::detail::TrainingBlock& all = *rows->in_memory();
  const auto accumulate = [&](const weft::detail::Problem& problem) {
    return weft::detail::accumulate_parts(problem, 1, [](Index) { return Index(0); });
  };
  const auto problem_on = [&](const weft::Run& run) {
    return weft::detail::Problem{map, *rows, encoder.target().task, options, family, run};
  };

  Floor floor(map, all.x);
  const weft::Run one{.threads = 1};
  floor.phi.reset();
  floor.run(1);
  const double difference = largest_difference(accumulate(problem_on(one)), floor, all.y);

  for (const int threads : {1, 2}) {
    const weft::Run run{.threads = threads};
    const weft::detail::Problem problem = problem_on(run);
    double best[3] = {1e9, 1e9, 1e9};
    for (int round = 0; round < rounds; ++round) {
      floor.phi.reset();
      best[0] = std::min(best[0], bench::seconds(threads, [&] { floor.run(threads); }));
      bench::let_blas_threads_sleep();
      best[1] = std::min(best[1], bench::seconds(threads, [&] { accumulate(problem); }));
      best[2] = std::min(best[2], bench::seconds(threads, [&] { weft::detail::fit_least_squares(problem); }));
    }
    std::printf("| %s, %td x %td | %d | %.1e | %.0f | %.0f (%.2f) | %.0f (%.2f) |\n", (*family.family).c_str(),
                all.x.cols, all.x.rows, threads, difference, 1e3 * best[0], 1e3 * best[1], best[1] / best[0],
                1e3 * best[2], best[2] / best[0]);
    std::fflush(stdout);
  }
  return difference < 1e-12;
}

}  // namespace

int main(int argc, char** argv) {
  if (bench::floor_passes() == nullptr) {
    std::puts("this processor has no AVX2: no floor to compare with");
    return 0;
  }
  const std::string folder = argc > 1 ? argv[1] : "synthetic";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  const Synthetic synthetic;
  const weft::Data data = folder == "synthetic" ? weft::array(synthetic.x, synthetic.y)
                                                : weft::read(folder + "/adult.train.csv.gz", {.target = "target"});
  std::printf("T = %td, %s, best of %d\n\n", kFeatures, weft::vector_instructions(), rounds);
  std::puts(
      "| family, rows x inputs | threads | largest difference | floor, ms | sums, ms (ratio) | fit, ms (ratio) |");
  std::puts("|---|---|---|---|---|---|");
  weft::FamilyOptions sign, stumps;
  sign.family = "rw-sign";
  sign.theta = 0.5;
  stumps.family = "rw-stumps";
  stumps.gamma = 1;
  sign.features = stumps.features = kFeatures;
  const bool agree = compare(data, sign, rounds) && compare(data, stumps, rounds);
  if (!agree) std::puts("\nANSWERS DIFFER");
  return agree ? 0 : 1;
}
