// Leverage scores of 2000 candidates on the rows of adult against one least-squares accumulation of that size: features
// and sums of 2000 features on the same rows. The scores are compared with those of an explicit inverse first.
// Usage: bench_leverage FOLDER [ROUNDS]   (FOLDER has adult.train.csv.gz)
#include "core/stopwatch.hpp"
#include "data/rows/training_rows.hpp"
#include "linalg/cholesky.hpp"
#include "methods/fold_rows.hpp"
#include "sampling/candidates.hpp"
#include "sampling/choose.hpp"
#include "tiny.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace weft {

using namespace detail;
namespace {

const Index kCandidates = bench::unless_tiny<Index>(2000, 100);

PartSums accumulate(const Problem& problem) {
  return accumulate_parts(problem, 1, [](Index) { return Index{0}; });
}

/// diag of G(G+λI)⁻¹ from the sums of the fit and a factor of the matrix.
std::vector<double> inverted(const Accumulator& sums, double lambda) {
  Matrix lower = sums.gram();
  const double factor = 1 / (static_cast<double>(kCandidates) * sums.weight());
  for (Index s = 0; s < kCandidates; ++s) {
    for (Index t = 0; t < kCandidates; ++t) lower(s, t) *= factor;
    lower(s, s) += lambda;
  }
  cholesky_factor(lower, 1);
  std::vector<double> scores = inverse_diagonal(lower, 1);
  for (double& score : scores) score = 1 - lambda * score;
  return scores;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t t = 0; t < a.size(); ++t) {
    const double difference = std::abs(a[t] - b[t]);
    if (difference > largest || std::isnan(difference)) largest = difference;  // a NaN stays
  }
  return largest;
}

FamilyOptions leverage_family() {
  FamilyOptions family;
  family.family = "rff-rbf";
  family.sigma = 0.03;
  family.sampling = Sampling::leverage;
  family.features = kCandidates / 10;
  return family;
}

int run(const std::string& folder, int rounds) {
  const Data data = read(folder + "/adult.train.csv.gz", {.target = "target"});
  EncodeOptions encode;
  encode.scale = Scaling::standard;
  const Encoder encoder = Encoder::fit(data, encode);
  const auto rows = training_rows(encoder, data, ClassWeighting::none, INFINITY, {});
  const FamilyOptions family = leverage_family();
  const FeatureMap candidates = draw_candidates(family, encoder.inputs(), kLeverageMatrices, {}, nullptr);
  const FitOptions options;
  const double lambda = 1 / static_cast<double>(rows->rows());
  bool agree = true;
  std::printf("%td candidates, %td rows, %td inputs, best of %d\n\n", candidates.features(), rows->rows(),
              encoder.inputs().columns(), rounds);
  std::puts("| threads | largest difference | accumulation, ms | scores, ms (ratio) | of these the factor, ms |");
  std::puts("|---|---|---|---|---|");
  for (const int threads : {1, 2}) {
    const Run run{.threads = threads};
    const Problem problem{candidates, *rows, encoder.target().task, options, family, run};
    double best[3] = {1e9, 1e9, 1e9};
    double difference = 0;
    for (int round = 0; round < rounds; ++round) {
      const Stopwatch sums_clock;
      const PartSums sums = accumulate(problem);
      best[0] = std::min(best[0], sums_clock.seconds());
      const Stopwatch scores_clock;
      const Matrix gram = candidate_gram(candidates, *rows, family, run);
      const Stopwatch factor_clock;
      const std::vector<double> scores = leverage_scores(gram, lambda, threads);
      best[1] = std::min(best[1], scores_clock.seconds());
      best[2] = std::min(best[2], factor_clock.seconds());
      if (round == 0) difference = largest_difference(scores, inverted(sums.parts.front(), lambda));
    }
    std::printf("| %d | %.1e | %.0f | %.0f (%.2f) | %.0f |\n", threads, difference, 1e3 * best[0], 1e3 * best[1],
                best[1] / best[0], 1e3 * best[2]);
    std::fflush(stdout);
    agree = agree && difference < 1e-8;
  }
  if (agree) return 0;
  std::puts("\nSCORES DIFFER");
  return 1;
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  if (argc < 2) {
    std::puts("usage: bench_leverage FOLDER [ROUNDS]");
    return 2;
  }
  return weft::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 3);
}
