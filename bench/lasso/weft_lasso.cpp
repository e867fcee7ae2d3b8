// weft's side of the lasso on the stump features of adult: writes Φ, y and its solutions for the contender to certify,
// and prints a line per lambda: lambda, seconds with the Gram given, seconds of the Gram, non-zeros.
// Usage: bench_weft_lasso DATA_FOLDER OUTPUT_FOLDER TOLERANCE
#include "data/rows/training_rows.hpp"
#include "floor/floor.hpp"
#include "linalg/accumulator.hpp"
#include "linalg/lasso.hpp"
#include "tiny.hpp"

#include <weft/write.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace {

using weft::Index;
using weft::Matrix;

const Index kFeatures = bench::unless_tiny<Index>(1000, 40);
constexpr double kShares[] = {1e-2, 1e-3, 1e-4};  // of the lambda at which everything vanishes

/// Φ (T × rows) as fit_lasso has it: in units of the largest amplitude.
Matrix scaled_features(const weft::FeatureMap& map, weft::View<const double> x) {
  Matrix phi(map.features(), x.cols);
  map.smoothings(x, phi.view());
  const std::vector<double> logs = map.log_amplitudes();
  const double largest = *std::max_element(logs.begin(), logs.end());
  for (Index t = 0; t < phi.rows(); ++t) {
    const double amplitude = std::exp(logs[std::size_t(t)] - largest);
    for (Index i = 0; i < phi.cols(); ++i) phi(t, i) *= amplitude;
  }
  return phi;
}

weft::detail::CentredSums sums_of(const Matrix& phi, weft::View<const double> y) {
  weft::detail::Accumulator sums(phi.rows(), 1);
  for (Index first = 0; first < phi.cols(); first += weft::detail::kBlockRows) {
    const Index count = std::min(weft::detail::kBlockRows, phi.cols() - first);
    sums.add(phi.view().col_range(first, count), y.col_range(first, count), nullptr, 1);
  }
  return sums.centred();
}

void write(const std::string& path, weft::View<const double> table) {
  weft::TableWriter writer(path, std::vector<std::string>(std::size_t(table.cols)));
  writer.append(table);
  writer.commit();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: bench_weft_lasso DATA_FOLDER OUTPUT_FOLDER TOLERANCE\n", stderr);
    return 2;
  }
  const std::string output = argv[2];
  const weft::detail::LassoSolverOptions options{.tolerance = std::stod(argv[3])};
  const weft::Data data = weft::read(std::string(argv[1]) + "/adult.train.csv.gz", {.target = "target"});
  const weft::Encoder encoder = weft::Encoder::fit(data, {});
  weft::FamilyOptions family;
  family.family = "rw-stumps";
  family.gamma = 1;
  family.features = kFeatures;
  const auto rows = weft::detail::training_rows(encoder, data, weft::ClassWeighting::none, INFINITY, {});
  const weft::View<const double> y = rows->in_memory()->y;
  const Matrix phi = scaled_features(weft::FeatureMap::draw(family, encoder.inputs()), rows->in_memory()->x);
  write(output + "/phi.npy", phi);
  write(output + "/y.npy", y);

  weft::detail::CentredSums sums;
  const double gram_seconds = bench::seconds(1, [&] { sums = sums_of(phi, y); });
  const weft::detail::LassoProblem problem{
      sums.gram, {sums.cross.data(), std::size_t(kFeatures)}, sums.yy[0], static_cast<double>(phi.cols()), 2};
  for (std::size_t k = 0; k < std::size(kShares); ++k) {
    const double lambda = kShares[k] * weft::detail::lasso_lambda_max(problem);
    weft::detail::LassoResult result;
    const double seconds = bench::seconds(1, [&] { result = weft::detail::lasso(problem, lambda, {}, options, {}); });
    write(output + "/weft" + std::to_string(k) + ".npy",
          weft::View<const double>(result.coefficients.data(), 1, kFeatures));
    std::printf("%.17g %.4f %.4f %td\n", lambda, seconds, gram_seconds, result.nonzeros);
    std::fflush(stdout);
  }
}
