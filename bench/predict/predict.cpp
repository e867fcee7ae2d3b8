// Prediction, T = 1000: weft's predictor on encoded rows, and the whole of Model::for_each_prediction from the caller's
// array (encoding included), against the floor on encoded rows: one GEMM, one vector pass, one dgemv over the whole Φ.
// The predictions are compared before the times.
// Usage: bench_predict [folder with adult.train.csv.gz] [rounds]
#include "compute/cpu/blas_library.hpp"
#include "floor/floor.hpp"
#include "model/predictor.hpp"
#include "tiny.hpp"

#include <weft/load.hpp>

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

/// A model with drawn centres and drawn coefficients: what they are does not change what predicting costs.
weft::Model draw_model(const weft::Encoder& encoder, const std::string& family) {
  weft::FamilyOptions options;
  options.family = family;
  options.features = kFeatures;
  if (family == "rw-sign")
    options.theta = 0.5;
  else
    options.gamma = 1;
  weft::ModelParts parts{.encoder = encoder, .map = weft::FeatureMap::draw(options, encoder.inputs())};
  parts.coefficients = Matrix(kFeatures, 1);
  parts.intercepts = {0.5};
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal;
  std::generate(parts.coefficients.data(), parts.coefficients.data() + kFeatures, [&] { return normal(engine); });
  return weft::Model(std::move(parts));
}

struct Floor {
  Floor(const weft::ModelParts& parts_, weft::View<const double> x)
      : parts(parts_), phi(parts_.map, x), scores(std::size_t(x.cols)) {}

  void run(int threads) {
    phi.run(threads);
    std::fill(scores.begin(), scores.end(), parts.intercepts[0]);
    const Matrix& z = phi.features();
    weft::detail::blas().dgemv(weft::detail::kRowMajor, weft::detail::kTranspose, int(z.rows()), int(z.cols()), 1,
                               z.data(), int(z.cols()), parts.coefficients.data(), 1, 1, scores.data(), 1);
  }

  const weft::ModelParts& parts;
  bench::SignFloor phi;
  std::vector<double> scores;
};

/// The scores of all encoded rows, in the blocks that Model::for_each_prediction makes.
void predict(const weft::detail::Predictor& predictor, weft::View<const double> x, std::vector<double>& scores,
             const weft::Run& run) {
  weft::PredictionBlock block;
  for (Index first = 0; first < x.cols; first += weft::detail::Predictor::kBlockRows) {
    const Index rows = std::min(weft::detail::Predictor::kBlockRows, x.cols - first);
    predictor.predict(x.col_range(first, rows), block, run);
    std::copy_n(block.scores.data(), rows, scores.data() + first);
  }
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= largest)) largest = std::abs(a[i] - b[i]);  // a NaN stays
  return largest;
}

/// False where the answers differ.
bool compare(const char* name, const weft::Data& data, const std::string& family, int rounds) {
  const weft::Encoder encoder = weft::Encoder::fit(data, {});
  const weft::Model model = draw_model(encoder, family);
  const Matrix x = weft::load_inputs(encoder, data);
  const weft::detail::Predictor predictor(model.parts());
  Floor floor(model.parts(), x);
  std::vector<double> scores(std::size_t(x.cols()));
  floor.phi.reset();
  floor.run(1);
  predict(predictor, x, scores, {.threads = 1});
  // Sums of 1000 products with coefficients of size 1.
  const double difference = largest_difference(floor.scores, scores);

  for (const int threads : {1, 2}) {
    const weft::Run run{.threads = threads};
    double best[3] = {1e9, 1e9, 1e9};
    for (int round = 0; round < rounds; ++round) {
      floor.phi.reset();
      best[0] = std::min(best[0], bench::seconds(threads, [&] { floor.run(threads); }));
      bench::let_blas_threads_sleep();
      best[1] = std::min(best[1], bench::seconds(threads, [&] { predict(predictor, x, scores, run); }));
      best[2] = std::min(best[2], bench::seconds(threads, [&] {
                           model.for_each_prediction(
                               data, {}, [](const weft::PredictionBlock&) {}, run);
                         }));
    }
    std::printf("| %s, %s, %td x %td | %d | %.1e | %.0f | %.0f (%.2f) | %.0f (%.2f) |\n", name, family.c_str(),
                x.cols(), x.rows(), threads, difference, 1e3 * best[0], 1e3 * best[1], best[1] / best[0], 1e3 * best[2],
                best[2] / best[0]);
    std::fflush(stdout);
  }
  return difference < 1e-10;
}

}  // namespace

int main(int argc, char** argv) {
  if (bench::floor_passes() == nullptr) {
    std::puts("this processor has no AVX2: no floor to compare with");
    return 0;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  Matrix x(bench::unless_tiny<Index>(100000, 5000), 20), y(x.rows(), 1);
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::generate(x.data(), x.data() + x.rows() * x.cols(), [&] { return normal(engine); });
  for (Index i = 0; i < x.rows(); ++i) y(i, 0) = x(i, 0) + normal(engine);
  std::printf("T = %td, %s, best of %d\n\n", kFeatures, weft::vector_instructions(), rounds);
  std::puts(
      "| data, family, rows x inputs | threads | largest difference | floor, ms | encoded rows, ms (ratio) |"
      " from the table, ms (ratio) |");
  std::puts("|---|---|---|---|---|---|");
  bool agree = true;
  for (const char* family : {"rw-sign", "rw-stumps"}) {
    agree = compare("normal", weft::array(x, y), family, rounds) && agree;
    if (argc > 1) {
      const weft::Data adult = weft::read(std::string(argv[1]) + "/adult.train.csv.gz", {.target = "target"});
      agree = compare("adult", adult, family, rounds) && agree;
    }
  }
  if (!agree) std::puts("\nANSWERS DIFFER");
  return agree ? 0 : 1;
}
