#include "features/quasi_random.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <boost/random/sobol.hpp>

namespace weft::detail {

namespace {

std::vector<Index> first_primes(std::size_t count) {
  std::vector<Index> primes;
  for (Index candidate = 2; primes.size() < count; ++candidate)
    if (std::none_of(primes.begin(), primes.end(), [&](Index p) { return candidate % p == 0; }))
      primes.push_back(candidate);
  return primes;
}

// The digits of `index` in base digits.size(), mirrored at the point, each as `digits` has it.
double radical_inverse(Index index, const std::vector<Index>& digits) {
  const auto base = static_cast<Index>(digits.size());
  const double step = 1 / static_cast<double>(base);
  double factor = step;
  double value = 0;
  for (; index > 0; index /= base, factor *= step)
    value += factor * static_cast<double>(digits[static_cast<std::size_t>(index % base)]);
  return value;
}

// 0 stays, so that the digits beyond an index's last remain 0. The other digits are shuffled by the draws of `random`.
std::vector<Index> digits_of(Index base, const Random* random, std::uint32_t coordinate) {
  std::vector<Index> digits(static_cast<std::size_t>(base));
  std::iota(digits.begin(), digits.end(), Index{0});
  for (Index k = base - 1; random != nullptr && k > 1; --k) {
    const Index other = 1 + random->below(k, static_cast<std::uint64_t>(k), coordinate + 1);
    std::swap(digits[static_cast<std::size_t>(k)], digits[static_cast<std::size_t>(other)]);
  }
  return digits;
}

// Quantiles need (0, 1), the ends excluded.
double inside(double u) {
  return std::clamp(u, 0x1p-53, 1 - 0x1p-53);
}

}  // namespace

Matrix halton_points(Index count, const std::vector<double>& shifts, const Random* scramble) {
  const auto dimensions = static_cast<Index>(shifts.size());
  const std::vector<Index> bases = first_primes(shifts.size());
  Matrix points(count, dimensions);
  for (Index j = 0; j < dimensions; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const std::vector<Index> digits = digits_of(bases[k], scramble, static_cast<std::uint32_t>(j));
    for (Index t = 0; t < count; ++t) {
      const double shifted = radical_inverse(t + 1, digits) + shifts[k];
      points(t, j) = inside(shifted - std::floor(shifted));
    }
  }
  return points;
}

Matrix sobol_points(Index count, const std::vector<std::uint64_t>& shifts) {
  const auto dimensions = static_cast<Index>(shifts.size());
  Matrix points(count, dimensions);
  boost::random::sobol engine(shifts.size());
  for (Index t = 0; t < count; ++t)
    for (Index j = 0; j < dimensions; ++j)
      points(t, j) = inside(static_cast<double>((engine() ^ shifts[static_cast<std::size_t>(j)]) >> 11) * 0x1p-53);
  return points;
}

Matrix quasi_random_points(Sampling sequence, Index count, Index dimensions, std::uint64_t seed) {
  const Random random(seed, RandomStream::quasi_shift);
  if (sequence == Sampling::halton) {
    std::vector<double> shifts;
    for (Index j = 0; j < dimensions; ++j) shifts.push_back(random.uniform(static_cast<std::uint64_t>(j)));
    return halton_points(count, shifts, &random);
  }
  constexpr Index kMost = boost::random::default_sobol_table::max_dimension;
  if (dimensions > kMost)
    throw Error(ErrorKind::option,
                fmt::format("the Sobol sequence has at most {} dimensions, but {} are needed", kMost, dimensions),
                "‹sampling›", "use halton or orthogonal for that many inputs");
  std::vector<std::uint64_t> shifts;
  for (Index j = 0; j < dimensions; ++j) shifts.push_back(random.bits(static_cast<std::uint64_t>(j)));
  return sobol_points(count, shifts);
}

}  // namespace weft::detail
