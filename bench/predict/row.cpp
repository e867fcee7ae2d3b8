// One row at a time: RowPredictor against the floor that its numbers set, reading the centres once from cache (a
// multiplication and an addition for each) and one activation or exponential per feature; and against a table of one
// row, which is what a caller had before. Answers are compared before times.
// Usage: bench_row [rounds]
#include "floor/floor.hpp"
#include "tiny.hpp"

#include <weft/weft.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using weft::Index;
using weft::Matrix;

constexpr Index kInputs = 20;
const Index kRows = bench::unless_tiny<Index>(2000, 20);

struct Case {
  const char* name;
  Index training_rows;
  weft::FamilyOptions family;
  weft::FitOptions fit;
};

weft::FamilyOptions features(const char* family) {
  weft::FamilyOptions options;
  options.family = family;
  options.features = bench::unless_tiny<Index>(1000, 50);
  return options;
}

Matrix normal_rows(Index rows, std::uint64_t seed) {
  Matrix x(rows, kInputs);
  std::uint64_t state = seed;
  for (Index i = 0; i < rows * kInputs; ++i) {  // sums of uniform numbers: what they are changes no time
    double sum = -2;
    for (int k = 0; k < 4; ++k)
      sum += static_cast<double>((state = state * 6364136223846793005 + 1442695040888963407) >> 33) / 2147483648.0;
    x.data()[i] = sum * 1.7;
  }
  return x;
}

bool compare(const Case& one, int rounds) {
  const Matrix x = normal_rows(one.training_rows, 1);
  Matrix y(x.rows(), 1);
  for (Index i = 0; i < x.rows(); ++i) y(i, 0) = std::sin(x(i, 0)) + x(i, 1) * x(i, 2);
  const weft::Model model = weft::fit({.train = weft::array(x, y), .family = one.family, .fit = one.fit});
  const weft::RowPredictor predictor(model);
  const Matrix rows = normal_rows(kRows, 2);
  const Matrix all = model.predict(weft::array(rows));
  weft::RowPrediction row;
  double difference = 0;
  double best = 1e9, table = 1e9;
  for (int round = 0; round < rounds; ++round) {
    best = std::min(best, bench::seconds(1, [&] {
                      for (Index i = 0; i < kRows; ++i) {
                        predictor.predict(std::span(rows.row(i), static_cast<std::size_t>(kInputs)), row);
                        difference = std::max(difference, std::abs(row.values[0] - all(i, 0)));
                      }
                    }));
    table = std::min(table, bench::seconds(1, [&] {
                       for (Index i = 0; i < kRows / 10; ++i)
                         model.predict(weft::array(weft::View<const double>(rows.row(i), 1, kInputs)), {.threads = 1});
                     }));
  }
  std::printf("| %s | %td | %.1e | %.1f | %.0f |\n", one.name, model.features(), difference,
              1e6 * best / static_cast<double>(kRows), 1e7 * table / static_cast<double>(kRows));
  std::fflush(stdout);
  return difference < 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const Index rows = bench::unless_tiny<Index>(4000, 200);
  weft::FitOptions ridge, local;
  ridge.lambda = 1e-3;
  local.method =
      weft::LocalOptions{.relevance = 0, .leaf = bench::unless_tiny<Index>(2000, 50), .trees = 1, .overlap = 0};
  local.lambda = 1e-3;
  std::printf("%td inputs, %s, processor time, best of %d\n\n", kInputs, weft::vector_instructions(), rounds);
  std::puts("| model | features | largest difference | one row, µs | a table of one row, µs |\n|---|---|---|---|---|");
  bool agree = true;
  for (const char* family : {"rw-sign", "rks-cos", "rw-relu/sparse:3", "rw-stumps"})
    agree = compare({family, rows, features(family), ridge}, rounds) && agree;
  agree = compare({"local, leaves of 2000", 2 * rows, {}, local}, rounds) && agree;
  if (!agree) std::puts("\nANSWERS DIFFER");
  return agree ? 0 : 1;
}
