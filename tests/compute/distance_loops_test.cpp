// Distances and kernels of every instruction set against the scalar one.
#include "compute/cpu/vector_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace weft::detail {
namespace {

std::vector<std::pair<const char*, const InstructionSet*>> usable_sets() {
  std::vector<std::pair<const char*, const InstructionSet*>> sets = {{"scalar", &kernels_scalar()}};
#if defined(WEFT_HAVE_LIBMVEC)
  sets.emplace_back("sse2", &kernels_sse2());
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.emplace_back("avx2", &kernels_avx2());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    sets.emplace_back("avx512", &kernels_avx512());
#endif
  return sets;
}

const DistanceKernels<double>& kernels(const InstructionSet& set, double) {
  return set.distances_double;
}
const DistanceKernels<float>& kernels(const InstructionSet& set, float) {
  return set.distances_float;
}

/// Numbers in [−2, 2), some of them equal.
template <class Real>
std::vector<Real> numbers(std::size_t count, int seed) {
  std::vector<Real> values;
  for (std::size_t k = 0; k < count; ++k)
    values.push_back(static_cast<Real>((static_cast<int>(k) * 37 + seed * 11) % 64 - 32) / 16);
  return values;
}

template <class Real>
class DistanceLoops : public ::testing::Test {};
using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(DistanceLoops, Precisions);

TYPED_TEST(DistanceLoops, SumDifferencesAndSignsInTheSameOrder) {
  using Real = TypeParam;
  constexpr std::ptrdiff_t kInputs = 7, kPanels = 3, kOutputs = 5, kWidth = kPanelColumns<Real>;
  constexpr std::ptrdiff_t kRows = kPanels * kPanelRows;
  const auto a = numbers<Real>(kRows * kInputs, 1), b = numbers<Real>(kInputs * kWidth, 2);
  const auto weights = numbers<Real>(kOutputs * kRows * kWidth, 3);
  for (const auto& [name, set] : usable_sets()) {
    const auto& loops = kernels(*set, Real{});
    std::vector<Real> sums(kPanelRows * kWidth, Real{1}), signs(kOutputs * kInputs * kWidth);
    loops.l1(kInputs, a.data(), b.data(), true, sums.data(), kWidth);
    loops.signs(kPanels, kInputs, a.data(), b.data(), {weights.data(), kOutputs, kRows * kWidth, kWidth}, signs.data());
    for (std::ptrdiff_t i = 0; i < kWidth; ++i) {
      for (std::ptrdiff_t r = 0; r < kPanelRows; ++r) {
        Real sum = 1;
        for (std::ptrdiff_t k = 0; k < kInputs; ++k) sum += std::abs(b[k * kWidth + i] - a[k * kPanelRows + r]);
        ASSERT_EQ(sums[r * kWidth + i], sum) << name;
      }
      for (std::ptrdiff_t o = 0; o < kOutputs; ++o)
        for (std::ptrdiff_t j = 0; j < kInputs; ++j) {
          Real sum = 0;
          for (std::ptrdiff_t t = 0; t < kRows; ++t) {
            const Real gap = b[j * kWidth + i] - a[(t / kPanelRows * kInputs + j) * kPanelRows + t % kPanelRows];
            sum += weights[(o * kRows + t) * kWidth + i] * static_cast<Real>((gap > 0) - (gap < 0));
          }
          ASSERT_EQ(signs[(o * kInputs + j) * kWidth + i], sum) << name;
        }
    }
  }
}

// Several vectors at a time, one, and a part of one.
TYPED_TEST(DistanceLoops, OfOneRowSumDifferencesInTheSameOrder) {
  using Real = TypeParam;
  constexpr std::ptrdiff_t kInputs = 7, kMost = 300;
  const auto columns = numbers<Real>(kInputs * kMost, 1), x = numbers<Real>(kInputs, 2);
  std::vector<const Real*> pointers;
  for (std::ptrdiff_t k = 0; k < kInputs; ++k) pointers.push_back(columns.data() + k * kMost);
  for (const auto& [name, set] : usable_sets())
    for (const std::ptrdiff_t count : {1, 7, 8, 63, 64, 127, 128, 143, 300}) {
      std::vector<Real> sums(kMost, Real{-1});
      kernels(*set, Real{}).l1_row(count, kInputs, x.data(), pointers.data(), sums.data());
      for (std::ptrdiff_t i = 0; i < kMost; ++i) {
        Real sum = 0;
        for (std::ptrdiff_t k = 0; k < kInputs; ++k) sum += std::abs(columns[k * kMost + i] - x[k]);
        ASSERT_EQ(sums[i], i < count ? sum : Real{-1}) << name << ", " << count << ", " << i;
      }
    }
}

TYPED_TEST(DistanceLoops, FollowTheFormulasOfKernels) {
  using Real = TypeParam;
  constexpr double kTolerance = sizeof(Real) == sizeof(double) ? 1e-14 : 2e-6;
  constexpr std::ptrdiff_t kCount = 83;
  std::vector<Real> x;
  for (std::ptrdiff_t i = 0; i < kCount; ++i) x.push_back(static_cast<Real>(i * i) / 64);
  for (const auto& [name, set] : usable_sets())
    for (const double power : {0.35, 0.5, 0.7, 1.0, 1.4}) {
      const Decay decay{0.7, power};
      std::vector<double> values(kCount);
      std::vector<Real> slopes = x;
      kernels(*set, Real{}).values(kCount, decay, x.data(), values.data());
      kernels(*set, Real{}).slopes(kCount, decay, slopes.data());
      for (std::size_t i = 0; i < kCount; ++i) {
        const auto distance = static_cast<double>(x[i]);
        const double u = std::pow(0.7 * distance, power), k = std::exp(-u);
        ASSERT_NEAR(values[i], k, kTolerance) << name << " " << power;
        const double slope = distance > 0 ? -power * u / distance * k : 0;
        ASSERT_NEAR(static_cast<double>(slopes[i]), slope, kTolerance * (1 + std::abs(slope))) << name << " " << power;
      }
    }
}

TYPED_TEST(DistanceLoops, FindNearPairs) {
  using Real = TypeParam;
  const std::vector<Real> squares(21, Real{3});
  for (const auto& [name, set] : usable_sets())
    for (const std::size_t place : {std::size_t{0}, std::size_t{20}, std::size_t{21}}) {
      std::vector<Real> x(21, Real{1});
      if (place < 21) x[place] = static_cast<Real>(2.4999);
      const bool near = kernels(*set, Real{}).squares(21, Real{2}, squares.data(), static_cast<Real>(1e-3), x.data());
      EXPECT_EQ(near, place < 21) << name;
      for (std::size_t i = 0; i < 21; ++i) EXPECT_NEAR(static_cast<double>(x[i]), i == place ? 2e-4 : 3, 1e-6) << name;
    }
}

TEST(ElementLoops, HaveTheSameBitsInVectors) {
  for (const auto& [name, set] : usable_sets())
    for (const int doublings : {-3, -1, 0, 1, 2})
      for (const std::ptrdiff_t count : {0, 1, 7, 37}) {
        std::vector<double> x;
        for (int i = 0; i < 40; ++i) x.push_back(std::exp(-0.37 * i));
        std::vector<float> rounded(x.size(), -1);
        std::vector<double> powers = x;
        set->powers(count, doublings, powers.data());
        set->round(count, x.data(), rounded.data());
        for (std::size_t i = 0; i < x.size(); ++i) {
          const bool inside = static_cast<std::ptrdiff_t>(i) < count;
          double expected = x[i];
          for (int k = 0; inside && k < doublings; ++k) expected *= expected;
          for (int k = 0; inside && k > doublings; --k) expected = std::sqrt(expected);
          ASSERT_EQ(powers[i], expected) << name << " " << doublings;
          ASSERT_EQ(rounded[i], inside ? static_cast<float>(x[i]) : -1.0F) << name;
        }
      }
}

}  // namespace
}  // namespace weft::detail
