// Structured (Hadamard) against plain Gaussian draws of rff-rbf: seconds of one block of features, for n inputs and
// T = max(n, 1024) features. Both are compared with the kernel they approximate before the times; "at equal error" has
// as many more structured features as their larger variance requires (errors go by 1/√T, times by T).
// Usage: bench_structured [ROUNDS]
#include <weft/feature_map.hpp>
#include <weft/kernel.hpp>

#include "core/random.hpp"
#include "core/stopwatch.hpp"
#include "tiny.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace weft {

using namespace detail;
namespace {

const Index kRows = bench::unless_tiny<Index>(2048, 256);
constexpr Index kCompared = 200;  // rows whose kernel matrix is compared

/// Normal inputs of length about 1, so that kernel values spread over (0, 1) at every n.
Matrix inputs_of(Index n) {
  const Random random(5, RandomStream::noise);
  Matrix x(n, kRows);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < kRows; ++i)
      x(j, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j)) /
                std::sqrt(static_cast<double>(n));
  return x;
}

FeatureMap draw(Sampling sampling, Index n, Index features, std::uint64_t seed) {
  FamilyOptions options;
  options.family = "rff-rbf";
  options.sampling = sampling;
  options.features = features;
  options.seed = seed;
  return FeatureMap::draw(options, Inputs::plain(n));
}

/// Root mean square of φᵀφ'/T − k over pairs of rows, ten draws.
double kernel_error(Sampling sampling, Index n, Index features, const Matrix& x) {
  const View<const double> rows = x.view().col_range(0, kCompared);
  Matrix truth(kCompared, kCompared);
  Kernel::rbf(1).values(rows, rows, truth);
  double squares = 0;
  double pairs = 0;
  Matrix phi(features, kCompared);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    draw(sampling, n, features, seed).values(rows, phi);
    for (Index i = 0; i < kCompared; ++i)
      for (Index j = 0; j < i; ++j) {
        double sum = 0;
        for (Index t = 0; t < features; ++t) sum += phi(t, i) * phi(t, j);
        squares += std::pow(sum / static_cast<double>(features) - truth(i, j), 2);
        pairs += 1;
      }
  }
  return std::sqrt(squares / pairs);
}

double fastest(const FeatureMap& map, const Matrix& x, int rounds) {
  Matrix phi(map.features(), x.cols());
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const Stopwatch clock;
    map.values(x, phi, {.threads = 1});
    best = std::min(best, clock.seconds());
  }
  return best;
}

int run(int rounds) {
  std::printf("%td rows, one thread, best of %d\n\n", kRows, rounds);
  std::puts(
      "| inputs | features | error, plain | error, structured | plain, ms | structured, ms | plain / structured | at "
      "equal error |");
  std::puts("|---|---|---|---|---|---|---|---|");
  bool agree = true;
  for (const Index n : {128, 256, 512, 1024, 2048}) {
    if (n > bench::unless_tiny<Index>(2048, 128)) break;
    const Index features = std::max<Index>(n, 1024);
    const Matrix x = inputs_of(n);
    const double plain_error = kernel_error(Sampling::plain, n, features, x);
    const double error = kernel_error(Sampling::structured, n, features, x);
    const double variance = std::pow(error / plain_error, 2);
    agree = agree && variance < 1.5;
    const double plain = fastest(draw(Sampling::plain, n, features, 1), x, rounds);
    const double structured = fastest(draw(Sampling::structured, n, features, 1), x, rounds);
    std::printf("| %td | %td | %.4f | %.4f | %.1f | %.1f | %.2f | %.2f |\n", n, features, plain_error, error,
                1e3 * plain, 1e3 * structured, plain / structured, plain / structured / variance);
    std::fflush(stdout);
  }
  if (!agree) std::puts("\nSTRUCTURED DRAWS DO NOT APPROXIMATE THE KERNEL");
  return agree ? 0 : 1;
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  return weft::run(argc > 1 ? std::atoi(argv[1]) : 5);
}
