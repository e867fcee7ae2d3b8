// Speed of weft's smoothing kernels over each vector library, on a block that fits the second-level cache, and the
// error of the functions behind them against libm in long double. Contenders take turns; the best round counts.
#include "contender.hpp"
#include "tiny.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::ptrdiff_t kFeatures = 128;
constexpr std::ptrdiff_t kRows = 256;
const int kRounds = bench::unless_tiny(400, 2);

template <class Real>
const ContenderKernels<Real>& kernels(const Contender& contender) {
  if constexpr (sizeof(Real) == sizeof(double))
    return contender.in_double;
  else
    return contender.in_float;
}

std::vector<const Contender*> usable() {
  __builtin_cpu_init();
  std::vector<const Contender*> all = {&scalar_none()};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    all.push_back(&libmvec_avx2());
#ifdef HAVE_SLEEF
    all.push_back(&sleef_avx2());
#endif
#ifdef HAVE_XSIMD
    all.push_back(&xsimd_avx2());
#endif
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw")) {
    all.push_back(&libmvec_avx512());
#ifdef HAVE_SLEEF
    all.push_back(&sleef_avx512());
#endif
#ifdef HAVE_XSIMD
    all.push_back(&xsimd_avx512());
#endif
  }
  return all;
}

// --- errors
// ------------------------------------------------------------------------------------------------------------

/// Zero, both signs of every magnitude from the subnormals up, and an even grid between low and high.
template <class Real>
std::vector<Real> grid(double low, double high) {
  std::vector<Real> points = {0, -Real(0)};
  for (double e = std::log10(double(std::numeric_limits<Real>::denorm_min())); e < std::log10(high - low); e += 1e-3)
    for (const double sign : {-1.0, 1.0})
      if (const double x = sign * std::pow(10, e); x >= low && x <= high) points.push_back(static_cast<Real>(x));
  const int kPoints = bench::unless_tiny(1000003, 1003);
  for (int i = 0; i < kPoints; ++i) points.push_back(static_cast<Real>(low + (high - low) * i / (kPoints - 1)));
  return points;
}

struct Errors {
  double normal = 0;     ///< largest error in units of the last place, where the truth is a normal number
  double subnormal = 0;  ///< the same where it is subnormal or underflows to 0
};

template <class Real>
Errors errors(typename ContenderKernels<Real>::Function f, long double (*truth)(long double),
              const std::vector<Real>& points) {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> got(points.size());
  f(static_cast<std::ptrdiff_t>(points.size()), points.data(), got.data());
  Errors largest;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const long double exact = truth(points[i]);
    const bool normal = std::abs(exact) >= Limits::min();
    const int exponent = normal ? std::ilogb(exact) : Limits::min_exponent - 1;
    const long double ulp = std::ldexp(1.0L, exponent - (Limits::digits - 1));
    const double error = static_cast<double>(std::abs(static_cast<long double>(got[i]) - exact) / ulp);
    double& worst = normal ? largest.normal : largest.subnormal;
    if (error > worst || std::isnan(error)) worst = error;  // a NaN stays
  }
  return largest;
}

template <class Real>
void print_errors(const std::vector<const Contender*>& contenders) {
  const bool single = sizeof(Real) == sizeof(float);
  const auto erf_grid = grid<Real>(-7, 7);
  const auto erfc_grid = grid<Real>(-7, single ? 10.5 : 28);
  const auto exp_grid = grid<Real>(single ? -106 : -750, single ? 88 : 709);
  const auto cos_grid = grid<Real>(-1000, 1000);
  for (const Contender* c : contenders) {
    const ContenderKernels<Real>& k = kernels<Real>(*c);
    std::printf("| %s %s | %s |", c->library, c->instructions, single ? "float" : "double");
    for (const Errors& e : {errors<Real>(k.erf, erfl, erf_grid), errors<Real>(k.erfc, erfcl, erfc_grid),
                            errors<Real>(k.exp, expl, exp_grid), errors<Real>(k.cos, cosl, cos_grid)})
      std::printf(" %.3g (%.2g) |", e.normal, e.subnormal);
    std::puts("");
  }
}

// --- speed
// -------------------------------------------------------------------------------------------------------------

template <class Real>
struct Block {
  std::vector<Real> mu = std::vector<Real>(kFeatures * kRows);
  std::vector<Real> out = mu, p = std::vector<Real>(kRows), q = p;

  Block() {
    std::mt19937_64 engine(1);
    std::normal_distribution<double> normal;
    for (Real& v : mu) v = static_cast<Real>(3 * normal(engine));
    for (std::size_t i = 0; i < p.size(); ++i) {  // spreads around 3: t = μ/ν is about standard normal
      const double nu = 3 * std::exp(0.1 * normal(engine));
      p[i] = static_cast<Real>(std::sqrt(0.5) / nu);
      q[i] = static_cast<Real>(0.3989422804014327 * nu);
    }
  }

  double gelem_per_second(typename ContenderKernels<Real>::Smooth smooth) {
    const auto start = std::chrono::steady_clock::now();
    for (std::ptrdiff_t t = 0; t < kFeatures; ++t)
      smooth(kRows, mu.data() + t * kRows, Real(0.25), p.data(), q.data(), out.data() + t * kRows);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return 1e-9 * double(kFeatures * kRows) / taken.count();
  }
};

template <class Real>
void print_speeds(const std::vector<const Contender*>& contenders) {
  Block<Real> block;
  std::vector<std::vector<double>> best(contenders.size(), std::vector<double>(3));
  std::vector<Real> expected[3];
  std::vector<double> difference(contenders.size());
  for (int round = 0; round < kRounds; ++round)
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      const ContenderKernels<Real>& k = kernels<Real>(*contenders[c]);
      const typename ContenderKernels<Real>::Smooth smooths[] = {k.sign, k.relu, k.cosine};
      for (std::size_t s = 0; s < 3; ++s) {
        best[c][s] = std::max(best[c][s], block.gelem_per_second(smooths[s]));
        if (round > 0) continue;
        if (c == 0) expected[s] = block.out;
        for (std::size_t i = 0; i < block.out.size(); ++i)
          difference[c] = std::max(difference[c], std::abs(double(block.out[i]) - double(expected[s][i])));
      }
    }
  for (std::size_t c = 0; c < contenders.size(); ++c)
    std::printf("| %s %s | %s | %.3f | %.3f | %.3f | %.1e |\n", contenders[c]->library, contenders[c]->instructions,
                sizeof(Real) == sizeof(float) ? "float" : "double", best[c][0], best[c][1], best[c][2], difference[c]);
}

}  // namespace

int main() {
  const std::vector<const Contender*> contenders = usable();
  std::puts("Largest error in ulp where the truth is normal (where it is subnormal or underflows):\n");
  std::puts("| contender | precision | erf | erfc | exp | cos |\n|---|---|---|---|---|---|");
  print_errors<double>(contenders);
  print_errors<float>(contenders);
  std::printf("\nSmoothing kernels on %td x %td in cache, one thread, Gelem/s, best of %d:\n\n", kFeatures, kRows,
              kRounds);
  std::puts(
      "| contender | precision | sign | relu | cos | max abs difference from scalar |\n|---|---|---|---|---|---|");
  print_speeds<double>(contenders);
  print_speeds<float>(contenders);
}
