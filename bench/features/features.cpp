// Φ for T = 1000 features on 20000 rows: weft block by block (as training does) and into one array, against the floor,
// which is one GEMM into the whole array and one vector pass over it. Sparse and axis projections have no GEMM: their
// floor is the pass alone, over projections computed before timing. Results are compared before times.
#include "compute/cpu/blas_library.hpp"
#include "floor/floor.hpp"
#include "tiny.hpp"

#include <weft/feature_map.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <type_traits>

namespace {

using weft::BasicMatrix;
using weft::Index;
using weft::Matrix;

const Index kRows = bench::unless_tiny<Index>(20000, 2500);
const Index kFeatures = bench::unless_tiny<Index>(1000, 50);
constexpr Index kBlockRows = 2048;

struct Case {
  const char* family;
  Index inputs;
};
constexpr Case kCases[] = {{"rw-sign", 100},   {"rw-relu", 100}, {"rks-cos", 100}, {"rw-relu/sparse:3", 100},
                           {"rw-stumps", 100}, {"rw-sign", 2},   {"rw-sign", 4},   {"rw-sign", 8},
                           {"rw-sign", 16},    {"rw-sign", 32}};

void gemm(Index m, Index n, Index k, double alpha, const double* a, const double* b, double* c) {
  weft::detail::blas().dgemm(weft::detail::kRowMajor, weft::detail::kNoTranspose, weft::detail::kNoTranspose, int(m),
                             int(n), int(k), alpha, a, int(k), b, int(n), 0, c, int(n));
}
void gemm(Index m, Index n, Index k, float alpha, const float* a, const float* b, float* c) {
  weft::detail::blas().sgemm(weft::detail::kRowMajor, weft::detail::kNoTranspose, weft::detail::kNoTranspose, int(m),
                             int(n), int(k), alpha, a, int(k), b, int(n), 0, c, int(n));
}

template <class Real>
BasicMatrix<Real> to_real(const Matrix& from) {
  BasicMatrix<Real> to(from.rows(), from.cols());
  std::transform(from.data(), from.data() + from.rows() * from.cols(), to.data(),
                 [](double v) { return static_cast<Real>(v); });
  return to;
}

/// The floor of one family: centres, spread terms and, without a GEMM, the projections are prepared off the clock.
template <class Real>
class Floor {
 public:
  Floor(const weft::FeatureMap& map, const Matrix& x)
      : part_(map.parts()[0]),
        tilt_(weft::detail::tilt_of(part_.family.kernel, part_.sigma, part_.gamma)),
        x_(to_real<Real>(x)),
        weights_(to_real<Real>(part_.centres.weights)),
        z_(kFeatures, kRows) {
    const FloorPasses<Real>& all = passes_in(*bench::floor_passes());
    const std::string name = part_.family.activation->name();
    pass_ = name == "sign" ? all.sign : name == "relu" ? all.relu : all.cosine;
    if (!dense()) project();
    spread(x);
  }

  void run(int threads) {
    if (dense()) {
      weft::detail::blas().set_num_threads(threads);
      gemm(kFeatures, kRows, x_.rows(), static_cast<Real>(tilt_.c), weights_.data(), x_.data(), z_.data());
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (Index t = 0; t < kFeatures; ++t) {
      const Index g = p_.rows() == 1 ? 0 : group(t);
      const Real phase =
          part_.centres.phases.empty() ? Real(0) : static_cast<Real>(part_.centres.phases[std::size_t(t)]);
      pass_(kRows, p_.row(g), q_.row(g), phase, z_.row(t));
    }
  }
  /// Puts the projections back where the pass found them.
  void reset() {
    if (!dense()) std::copy(mu_.data(), mu_.data() + kFeatures * kRows, z_.data());
  }
  const BasicMatrix<Real>& features() const {
    return z_;
  }

 private:
  static const FloorPasses<double>& passes_in(const FloorPassSet& set) requires std::is_same_v<Real, double> {
    return set.in_double;
  }
  static const FloorPasses<float>& passes_in(const FloorPassSet& set) requires std::is_same_v<Real, float> {
    return set.in_float;
  }
  bool dense() const {
    return part_.family.projection.kind == weft::Projection::Kind::dense;
  }
  bool axis() const {
    return part_.family.projection.kind == weft::Projection::Kind::axis;
  }
  Index group(Index t) const {
    return part_.centres.group_of[std::size_t(t)];
  }

  void project() {
    mu_.reshape(kFeatures, kRows);
    for (Index t = 0; t < kFeatures; ++t) {
      const std::vector<Index>& columns = part_.centres.groups[std::size_t(group(t))].columns;
      for (Index i = 0; i < kRows; ++i) {
        double sum = axis() ? double(x_(columns[0], i)) - tilt_.c * double(weights_(t, 0)) : 0;
        for (std::size_t k = 0; !axis() && k < columns.size(); ++k)
          sum += tilt_.c * double(weights_(t, Index(k))) * double(x_(columns[k], i));
        mu_(t, i) = static_cast<Real>(sum);
      }
    }
  }

  void spread(const Matrix& x) {
    const Index groups = axis() ? 1 : Index(part_.centres.groups.size());
    p_.reshape(groups, kRows);
    q_.reshape(groups, kRows);
    for (Index g = 0; g < groups; ++g)
      for (Index i = 0; i < kRows; ++i) {
        double square = axis() ? 1 : 0;
        for (Index j : part_.centres.groups[std::size_t(g)].columns) square += axis() ? 0 : x(j, i) * x(j, i);
        const weft::SpreadTerms terms = part_.family.activation->terms(tilt_.s * std::sqrt(square));
        p_(g, i) = static_cast<Real>(terms.p);
        q_(g, i) = static_cast<Real>(terms.q);
      }
  }

  const weft::FeaturePart& part_;
  weft::detail::Tilt tilt_;
  BasicMatrix<Real> x_, weights_, z_, mu_, p_, q_;
  decltype(FloorPasses<Real>::sign) pass_ = nullptr;
};

template <class Real>
double largest_difference(const BasicMatrix<Real>& a, const BasicMatrix<Real>& b) {
  double largest = 0;
  for (Index i = 0; i < kFeatures * kRows; ++i) {
    const double difference = std::abs(double(a.data()[i]) - double(b.data()[i]));
    if (difference > largest || std::isnan(difference)) largest = difference;  // a NaN stays
  }
  return largest;
}

weft::FeatureMap draw_map(const Case& task) {
  weft::FamilyOptions options;
  options.family = task.family;
  options.features = kFeatures;
  if (!weft::parse_family(options.family)[0].family.kernel.none()) options.gamma = 1;
  return weft::FeatureMap::draw(options, weft::Inputs::plain(task.inputs));
}

Matrix normal_rows(Index inputs) {
  Matrix x(inputs, kRows);
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::generate(x.data(), x.data() + x.rows() * x.cols(), [&] { return normal(engine); });
  return x;
}

/// False where the answers differ.
template <class Real>
bool compare(const Case& task, const char* precision, int rounds) {
  const weft::FeatureMap map = draw_map(task);
  const Matrix x = normal_rows(task.inputs);

  Floor<Real> floor(map, x);
  BasicMatrix<Real> whole(kFeatures, kRows), block(kFeatures, kBlockRows);
  const auto in_blocks = [&](int threads) {
    for (Index first = 0; first < kRows; first += kBlockRows) {
      const Index rows = std::min(kBlockRows, kRows - first);
      map.smoothings(x.view().col_range(first, rows), block.view().col_range(0, rows), {.threads = threads});
    }
  };

  floor.reset();
  floor.run(1);
  map.smoothings(x, whole.view(), {.threads = 1});
  const double difference = largest_difference(floor.features(), whole);
  // Cancelling sums of n products reach the argument of h with n·ε·|w||x| of noise.
  const bool agree = difference < (std::is_same_v<Real, double> ? 1e-12 : 1e-3);

  for (const int threads : {1, 2}) {
    double best[3] = {1e9, 1e9, 1e9};
    for (int round = 0; round < rounds; ++round) {
      floor.reset();
      best[0] = std::min(best[0], bench::seconds(threads, [&] { floor.run(threads); }));
      if (threads > 1) bench::let_blas_threads_sleep();
      best[1] = std::min(best[1], bench::seconds(threads, [&] { in_blocks(threads); }));
      best[2] =
          std::min(best[2], bench::seconds(threads, [&] { map.smoothings(x, whole.view(), {.threads = threads}); }));
    }
    std::printf("| %s, n = %td | %s | %d | %.1e | %.1f | %.1f (%.2f) | %.1f (%.2f) |\n", task.family, task.inputs,
                precision, threads, difference, 1e3 * best[0], 1e3 * best[1], best[1] / best[0], 1e3 * best[2],
                best[2] / best[0]);
    std::fflush(stdout);
  }
  return agree;
}

}  // namespace

/// bench_features [rounds] [family]
int main(int argc, char** argv) {
  if (bench::floor_passes() == nullptr) {
    std::puts("this processor has no AVX2: no floor to compare with");
    return 0;
  }
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  std::printf("T = %td, %td rows, %s, best of %d\n\n", kFeatures, kRows, weft::vector_instructions(), rounds);
  std::puts(
      "| family | precision | threads | max abs difference | floor, ms | weft in blocks, ms (ratio) |"
      " weft whole, ms (ratio) |");
  std::puts("|---|---|---|---|---|---|---|");
  bool agree = true;
  for (const Case& task : kCases) {
    if (argc > 2 && std::string(argv[2]) != task.family) continue;
    agree = compare<double>(task, "double", rounds) && agree;
    agree = compare<float>(task, "float", rounds) && agree;
  }
  if (!agree) std::puts("\nANSWERS DIFFER");
  return agree ? 0 : 1;
}
