// Gram matrix of 20000 × 1000 numbers in blocks of 2048 rows: weft's accumulator against one call of dsyrk.
// First what computes: vector instructions, BLAS, its kernels.
// Usage: bench_gram [rows] [features] [threads…]
#include "compute/cpu/blas_library.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "linalg/accumulator.hpp"

#include <weft/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

namespace {

using weft::BasicMatrix;
using weft::Index;
using weft::Matrix;
using weft::detail::Accumulator;

constexpr Index kBlock = 2048;

template <class Job>
double best_seconds(Job&& job) {
  double best = 1e300;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    job();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

template <class Scalar>
Accumulator accumulate(const BasicMatrix<Scalar>& phi, const Matrix& y, int threads) {
  Accumulator sums(phi.rows(), y.rows());
  for (Index first = 0; first < phi.cols(); first += kBlock) {
    const Index count = std::min(kBlock, phi.cols() - first);
    sums.add(phi.view().col_range(first, count), y.view().col_range(first, count), nullptr, threads);
  }
  return sums;
}

double largest_difference(weft::View<const double> a, weft::View<const double> b) {
  double largest = 0;
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j <= i; ++j)
      largest = std::max(largest, std::abs(a(i, j) - b(i, j)) / std::sqrt(b(i, i) * b(j, j)));
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  const Index rows = argc > 1 ? std::stol(argv[1]) : 20000;
  const Index features = argc > 2 ? std::stol(argv[2]) : 1000;
  Matrix phi(features, rows);
  Matrix y(1, rows);
  const weft::detail::Random random(1, weft::detail::RandomStream::generator);
  for (Index t = 0; t < features; ++t)
    for (Index i = 0; i < rows; ++i)
      phi(t, i) = random.uniform(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(t)) - 0.5;
  for (Index i = 0; i < rows; ++i) y(0, i) = phi(0, i) + phi(features - 1, i);
  BasicMatrix<float> single(features, rows);
  std::copy(phi.data(), phi.data() + features * rows, single.data());

  const weft::ComputeInfo info = weft::compute_info();
  fmt::print("processor {}, weft {}, {}, kernels {}\n", info.processor, info.vectors, info.blas, info.blas_kernels);
  Matrix gram(features, features);
  const auto dsyrk = [&] {
    weft::detail::blas().dsyrk(weft::detail::kRowMajor, weft::detail::kLower, weft::detail::kNoTranspose,
                               static_cast<int>(features), static_cast<int>(rows), 1.0, phi.data(),
                               static_cast<int>(rows), 0.0, gram.data(), static_cast<int>(features));
  };
  dsyrk();
  fmt::print("largest relative difference from dsyrk: float64 {:.1e}, float32 {:.1e}\n",
             largest_difference(accumulate(phi, y, 1).gram_lower(), gram.view()),
             largest_difference(accumulate(single, y, 1).gram_lower(), gram.view()));

  const double work =
      1e-9 * static_cast<double>(rows) * static_cast<double>(features) * static_cast<double>(features + 1);
  std::vector<int> thread_counts;
  for (int k = 3; k < argc; ++k) thread_counts.push_back(std::stoi(argv[k]));
  if (thread_counts.empty()) thread_counts = {1, 2};
  for (const int threads : thread_counts) {
    weft::detail::blas().set_num_threads(threads);
    fmt::print("{} thread{}: dsyrk {:.1f}, accumulator float64 {:.1f}, float32 {:.1f} GFLOP/s\n", threads,
               threads > 1 ? "s" : "", work / best_seconds(dsyrk),
               work / best_seconds([&] { accumulate(phi, y, threads); }),
               work / best_seconds([&] { accumulate(single, y, threads); }));
  }
}
