// Structured Gaussian centres: rows of S·H·G·H·D·H·D' with H the N × N Hadamard matrix of ±1, N the number of inputs
// padded to a power of two, D and D' random signs, G standard normal and S lengths. Given the signs, a row of H·G·(H·D·
// H·D') is a normal vector, turned and stretched: its direction is uniform and independent of ‖G‖, so with S drawing
// a new length from the χ law of N dimensions every row is exactly N(0, σ²I) by itself. (Fastfood, Le, Sarlós and
// Smola 2013, with a second pair of H and D in place of the permutation.)
#pragma once

#include <weft/matrix.hpp>

#include <cstdint>

namespace weft::detail {

/// N: the smallest power of two that is at least `inputs`.
Index hadamard_size(Index inputs);

/// The diagonals of enough blocks for `count` rows, 4·blocks × N: D', D, G and S of each.
Matrix draw_hadamard(Index count, Index inputs, double sigma, std::uint64_t seed);

/// The first `count` rows of the stack as a matrix, count × inputs.
Matrix hadamard_weights(View<const double> diagonals, Index count, Index inputs);

}  // namespace weft::detail
