#include "features/quasi_random.hpp"

#include <weft/error.hpp>

#include "core/random.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <boost/random/sobol.hpp>

namespace weft {

namespace {

std::vector<Index> first_primes(std::size_t count) {
  std::vector<Index> primes;
  for (Index candidate = 2; primes.size() < count; ++candidate)
    if (std::none_of(primes.begin(), primes.end(), [&](Index p) { return candidate % p == 0; }))
      primes.push_back(candidate);
  return primes;
}

// The digits of `index` in this base, mirrored at the point.
double radical_inverse(Index index, Index base) {
  const double step = 1 / static_cast<double>(base);
  double factor = step;
  double value = 0;
  for (; index > 0; index /= base, factor *= step) value += factor * static_cast<double>(index % base);
  return value;
}

// Quantiles need (0, 1), the ends excluded.
double inside(double u) {
  return std::clamp(u, 0x1p-53, 1 - 0x1p-53);
}

}  // namespace

Matrix halton_points(Index count, const std::vector<double>& shifts) {
  const auto dimensions = static_cast<Index>(shifts.size());
  const std::vector<Index> bases = first_primes(shifts.size());
  Matrix points(count, dimensions);
  for (Index t = 0; t < count; ++t)
    for (Index j = 0; j < dimensions; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const double shifted = radical_inverse(t + 1, bases[k]) + shifts[k];
      points(t, j) = inside(shifted - std::floor(shifted));
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

Matrix quasi_random_points(const std::string& sequence, Index count, Index dimensions, std::uint64_t seed) {
  const Random random(seed, Stream::quasi_shift);
  if (sequence == "halton") {
    std::vector<double> shifts;
    for (Index j = 0; j < dimensions; ++j) shifts.push_back(random.uniform(static_cast<std::uint64_t>(j)));
    return halton_points(count, shifts);
  }
  constexpr Index kMost = boost::random::default_sobol_table::max_dimension;
  if (dimensions > kMost)
    throw Error(ErrorKind::option,
                fmt::format("Sobol's sequence has {} coordinates, {} are asked for", kMost, dimensions), "--sampling",
                "use halton or orthogonal for that many inputs");
  std::vector<std::uint64_t> shifts;
  for (Index j = 0; j < dimensions; ++j) shifts.push_back(random.bits(static_cast<std::uint64_t>(j)));
  return sobol_points(count, shifts);
}

}  // namespace weft
