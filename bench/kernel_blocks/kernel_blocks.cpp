// Blocks of kernel values between 2000 and 2000 rows in double and float: laplace beside the floors of its sums of
// absolute differences, without and with exponentials, and the other kernels; then gradients. Values are compared
// before times.
// Usage: bench_kernel_blocks [rounds]
#include "abs_floor.hpp"
#include "core/random.hpp"
#include "floor/floor.hpp"
#include "tiny.hpp"

#include <weft/feature_map.hpp>
#include <weft/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using weft::Index;
using weft::Kernel;
using weft::Matrix;
using weft::Precision;

const Index kRows = bench::unless_tiny<Index>(2000, 70);
const weft::Run kOneThread{.threads = 1};

Matrix make_rows(Index inputs, std::uint64_t seed) {
  const weft::detail::Random random(seed, weft::detail::RandomStream::generator);
  Matrix x(inputs, kRows);
  for (Index j = 0; j < inputs; ++j)
    for (Index i = 0; i < kRows; ++i)
      x(j, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
  return x;
}

template <class Body>
double best_of(int rounds, Body&& body) {
  double best = 1e300;
  for (int k = 0; k < rounds; ++k) best = std::min(best, bench::seconds(1, body));
  return best;
}

template <class Real>
struct Panels {
  Panels(const Matrix& x, Index width) : count((x.cols() + width - 1) / width) {
    values.resize(static_cast<std::size_t>(count * width * x.rows()));
    for (Index p = 0; p < count; ++p)
      for (Index k = 0; k < x.rows(); ++k)
        for (Index i = p * width; i < std::min(x.cols(), (p + 1) * width); ++i)
          values[static_cast<std::size_t>((p * x.rows() + k) * width + i - p * width)] = static_cast<Real>(x(k, i));
  }
  Index count;
  weft::AlignedVector<Real> values;
};

struct FloorTimes {
  double sums;  ///< milliseconds
  double with_exponentials;
};

/// The floor's times; its values have to be those of the kernel.
template <class Real>
FloorTimes floor_times(const AbsFloor<Real>& floor, const Matrix& a, const Matrix& b, const Matrix& values,
                       double bandwidth, int rounds) {
  constexpr Index kWidth = kFloorColumns<Real>;
  const Panels<Real> left(a, kFloorRows), right(b, kWidth);
  weft::AlignedVector<Real> sums(static_cast<std::size_t>(left.count * kFloorRows * right.count * kWidth));
  weft::AlignedVector<double> found(sums.size());
  const double of_sums = best_of(rounds, [&] {
    floor.sums(a.rows(), left.count, left.values.data(), right.count, right.values.data(), sums.data());
  });
  const double of_exponentials = best_of(rounds, [&] {
    floor.exponentials(static_cast<Index>(sums.size()), static_cast<Real>(1 / bandwidth), sums.data(), found.data());
  });
  double worst = 0;
  for (Index t = 0; t < kRows; ++t)
    for (Index i = 0; i < kRows; ++i) {
      const Index panel = i / kWidth * left.count + t / kFloorRows;
      const auto place = static_cast<std::size_t>((panel * kFloorRows + t % kFloorRows) * kWidth + i % kWidth);
      worst = std::max(worst, std::abs(found[place] - values(t, i)));
    }
  if (!(worst < (sizeof(Real) == sizeof(double) ? 1e-13 : 1e-5))) {
    fmt::print("the floor and the kernel differ by {:.1e}\n", worst);
    std::exit(1);
  }
  return {1e3 * of_sums, 1e3 * (of_sums + of_exponentials)};
}

Kernel kernel_of(const std::string& name, Index inputs, double exponent) {
  const double typical = name == "laplace" ? static_cast<double>(inputs) : std::sqrt(2.0 * static_cast<double>(inputs));
  return Kernel::make(name, typical, {}, weft::Inputs::plain(inputs), nullptr,
                      name == "rbf" ? std::nullopt : std::optional(exponent));
}

void compare(const AbsFloors& floors, Index inputs, int rounds) {
  const Matrix a = make_rows(inputs, 1), b = make_rows(inputs, 2);
  Matrix values(kRows, kRows);
  const auto timed = [&](const Kernel& kernel, Precision precision) {
    const auto prepared = kernel.prepare(a, precision);
    return 1e3 * best_of(rounds, [&] { kernel.values(a, prepared, b, values, kOneThread); });
  };
  const Kernel laplace = kernel_of("laplace", inputs, 1);
  const double in_double = timed(laplace, Precision::float64);
  const FloorTimes floor = floor_times(floors.in_double, a, b, values, laplace.bandwidth(), rounds);
  const double in_float = timed(laplace, Precision::float32);
  const FloorTimes float_floor = floor_times(floors.in_float, a, b, values, laplace.bandwidth(), rounds);
  const auto row = [](const FloorTimes& least, double time) {
    fmt::print(" {:.2f} | {:.2f} | {:.2f} ({:.2f}, {:.2f}) |", least.sums, least.with_exponentials, time,
               time / least.sums, time / least.with_exponentials);
  };
  fmt::print("| {} |", inputs);
  row(floor, in_double);
  row(float_floor, in_float);
  for (const auto& [name, exponent] : std::vector<std::pair<std::string, double>>{
           {"laplace", 0.7}, {"laplace-l2", 1}, {"laplace-l2", 0.7}, {"rbf", 1}}) {
    const Kernel kernel = kernel_of(name, inputs, exponent);
    const double wide = timed(kernel, Precision::float64);
    fmt::print(" {:.2f}, {:.2f} |", wide, timed(kernel, Precision::float32));
  }
  fmt::print("\n");
}

void gradients(Index inputs, Index outputs, int rounds) {
  const Matrix a = make_rows(inputs, 1), b = make_rows(inputs, 2);
  Matrix coefficients(kRows, outputs), out(outputs * inputs, kRows);
  for (Index t = 0; t < kRows; ++t)
    for (Index o = 0; o < outputs; ++o) coefficients(t, o) = std::sin(static_cast<double>(t + o));
  fmt::print("| {} | {} |", inputs, outputs);
  for (const char* name : {"laplace", "laplace-l2", "rbf"})
    for (const Precision precision : {Precision::float64, Precision::float32}) {
      const Kernel kernel = kernel_of(name, inputs, 1);
      const auto prepared = kernel.prepare(a, precision);
      fmt::print(" {:.2f} |",
                 1e3 * best_of(rounds, [&] { kernel.gradients(a, prepared, coefficients, b, out, kOneThread); }));
    }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : bench::unless_tiny(5, 1);
  if (bench::floor_passes() == nullptr) {
    fmt::print("skipped: the floor needs AVX2\n");
    return 0;
  }
  const std::string vectors = weft::compute_info().vectors;
  fmt::print("{} x {} rows, one thread, {}, best of {}, milliseconds\n\n", kRows, kRows, vectors, rounds);
  fmt::print(
      "| inputs | sums | and exp | laplace (ratios) | float: sums | and exp | laplace (ratios) | laplace, 0.7: double, "
      "float | laplace-l2 | laplace-l2, 0.7 | rbf |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  const AbsFloors floors = vectors == "avx512" ? abs_floor_avx512() : abs_floor_avx2();
  for (const Index inputs : {8, 16, 32, 100, 400}) compare(floors, inputs, rounds);
  fmt::print(
      "\ngradients\n\n| inputs | outputs | laplace | float | laplace-l2 | float | rbf | float |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const Index inputs : {8, 100})
    for (const Index outputs : {1, 4}) gradients(inputs, outputs, rounds);
  return 0;
}
