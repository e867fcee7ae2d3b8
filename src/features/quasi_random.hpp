// Low-discrepancy sequences in the unit cube, randomised by one shift per coordinate: a single point is then uniform,
// so that averages over a shifted sequence are unbiased. Halton's digits are scrambled besides.
#pragma once

#include <weft/family.hpp>
#include <weft/matrix.hpp>

#include "core/random.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace weft::detail {

/// count × dimensions numbers in (0, 1), each the first `count` points of the sequence (halton or sobol) under the
/// shift of the seed. Throws where Sobol's table has not that many dimensions.
Matrix quasi_random_points(Sampling sequence, Index count, Index dimensions, std::uint64_t seed);

/// Points 1, 2, … of Halton's sequence in prime bases, one coordinate per shift; shifts are added modulo 1. `scramble`
/// permutes the digits of every base: without it, coordinates whose bases are near the number of points rise together.
Matrix halton_points(Index count, const std::vector<double>& shifts, const Random* scramble = nullptr);
/// Points 1, 2, … of Sobol's sequence (Joe and Kuo's direction numbers, Gray code order); shifts are digital.
Matrix sobol_points(Index count, const std::vector<std::uint64_t>& shifts);

}  // namespace weft::detail
