// A search of 50 configurations × 5 folds: by shared sums (weft tune) against a plain fit per fold and configuration.
//
//   bench_search DATA TARGET [CONFIGURATIONS]
//
// Both evaluate the same configurations on the same folds. The plain fits encode their own training rows, as weft train
// does, so scores differ in the last digits; tests/train/search compares them exactly, on rows encoded once.
#include <weft/tune.hpp>

#include "core/stopwatch.hpp"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace weft {

using namespace detail;
namespace {

struct Plain {
  double seconds = 0;
  double largest_difference = 0;
  double best = 1;
};

/// A fold may lack a category that another has.
EncodeOptions encoding() {
  EncodeOptions encode;
  encode.unseen = weft::UnseenCategories::ignore;
  return encode;
}

/// With the λ of each trial, or, as weft train does where none is given, with one that every fit chooses by itself.
Plain refit_all(const Data& data, const TuneResult& found, Index folds, std::uint64_t seed, bool choose) {
  const Encoder encoder = Encoder::fit(data, encoding());
  const std::vector<Index> fold_of = assign_folds(encoder.rows_seen(), row_classes(encoder, data), folds, seed);
  const auto rows_where = [&](Index fold, bool inside) {
    return select_rows(data, [&fold_of, fold, inside](Index row) {
      return (fold_of[static_cast<std::size_t>(row)] == fold) == inside;
    });
  };
  Plain plain;
  const Stopwatch clock;
  for (const Trial& trial : found.trials) {
    double mean = 0;
    for (Index f = 0; f < folds; ++f) {
      FitOptions options;
      if (!choose) options.lambda = trial.lambda;
      const Model model = fit({rows_where(f, false), trial.family, options, encoding()});
      const double error = *evaluate(model, rows_where(f, true)).error;
      mean += error / static_cast<double>(folds);
    }
    plain.largest_difference = std::max(plain.largest_difference, std::abs(mean - trial.score));
    plain.best = std::min(plain.best, mean);
  }
  plain.seconds = clock.seconds();
  return plain;
}

int run(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_search DATA TARGET [CONFIGURATIONS]\n");
    return 1;
  }
  const Data data = read(argv[1], {.target = argv[2]});
  FamilyOptions family;
  family.family = "rks-cos";  // what scikit-learn's RBFSampler draws
  family.features = 500;
  TuneOptions options;
  if (argc > 3) options.configurations = std::atoi(argv[3]);
  const TuneResult path = tune({data, family, {}, encoding(), options});
  options.lambdas = 1;
  const TuneResult drawn = tune({data, family, {}, encoding(), options});
  fmt::print("weft tune, one lambda each:  {:6.1f} s, best error {:.4f}\n", drawn.seconds, drawn.winner().score);
  fmt::print("weft tune, 17 lambdas each:  {:6.1f} s, best error {:.4f}\n", path.seconds, path.winner().score);
  std::fflush(stdout);
  const Plain plain = refit_all(data, drawn, options.folds, family.seed, false);
  fmt::print(
      "a plain fit per fold, lambda given:  {:6.1f} s, scores differ by at most {:.4f}: {:.1f} times the first\n",
      plain.seconds, plain.largest_difference, plain.seconds / drawn.seconds);
  const Plain chosen = refit_all(data, path, options.folds, family.seed, true);
  fmt::print(
      "a plain fit per fold, lambda chosen: {:6.1f} s, scores differ by at most {:.4f}: {:.1f} times the second\n",
      chosen.seconds, chosen.largest_difference, chosen.seconds / path.seconds);
  return 0;
}

}  // namespace
}  // namespace weft

int main(int argc, char** argv) {
  return weft::run(argc, argv);
}
