// Blocks of kernels of distances on the GPU beside the CPU's, and on every device against loops over pairs and
// differences.
#include "compute/device_matrix.hpp"
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "devices.hpp"

namespace weft::detail {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Matrix random_rows(Index inputs, Index rows, std::uint64_t seed) {
  const Random random(seed, RandomStream::noise);
  Matrix x(inputs, rows);
  for (Index j = 0; j < inputs; ++j)
    for (Index i = 0; i < rows; ++i)
      x(j, i) = 0.3 + random.normal(static_cast<std::uint64_t>(j), static_cast<std::uint32_t>(i));
  return x;
}

/// Some of b's rows are among a's, or `gap` away from one of them.
Matrix rows_like(const Matrix& a, Index rows, double gap) {
  Matrix b = random_rows(a.rows(), rows, 2);
  for (Index j = 0; j < a.rows(); ++j)
    for (Index i = 0; i < rows; i += 3) b(j, i) = a(j, i % a.cols()) + (i % 2 == 0 ? 0 : gap);
  return b;
}

std::vector<Kernel> kernels(Index inputs) {
  const double scale = std::sqrt(static_cast<double>(inputs));
  std::vector<Kernel> all = {Kernel::rbf(scale)};
  for (const double exponent : {0.7, 1.0, 1.4}) {
    all.push_back(Kernel::laplace(static_cast<double>(inputs), exponent));
    all.push_back(Kernel::laplace_l2(scale, exponent));
  }
  return all;
}

std::string label(const Kernel& kernel, Precision precision) {
  return kernel.name() + " " + std::to_string(kernel.exponent()) +
         (precision == Precision::float32 ? " float32" : " float64");
}

Matrix values(const Device& device, const Kernel& kernel, const Matrix& a, const Matrix& b,
              Precision precision = Precision::float64) {
  Matrix out(a.cols(), b.cols());
  device.kernel_values(kernel, a, kernel.prepare(a, precision), b, out, false, {});
  return out;
}

Matrix gradients(const Device& device, const Kernel& kernel, const Matrix& a, const Matrix& coefficients,
                 const Matrix& b, Precision precision = Precision::float64) {
  Matrix out(coefficients.cols() * a.rows(), b.cols());
  device.kernel_gradients(kernel, a, kernel.prepare(a, precision), coefficients, b, out, {});
  return out;
}

/// The largest difference, relative to the largest number.
double difference(const Matrix& got, const Matrix& expected) {
  double largest = 0, apart = 0;
  for (Index i = 0; i < got.rows(); ++i)
    for (Index j = 0; j < got.cols(); ++j) {
      if (!std::isfinite(got(i, j))) return kNaN;
      largest = std::max(largest, std::abs(expected(i, j)));
      apart = std::max(apart, std::abs(got(i, j) - expected(i, j)));
    }
  return apart == 0 ? 0 : apart / largest;
}

double distance(const Kernel& kernel, const Matrix& a, Index t, const Matrix& b, Index i) {
  double sum = 0;
  for (Index j = 0; j < a.rows(); ++j) {
    const double gap = std::abs(b(j, i) - a(j, t));
    sum += kernel.kind() == Kernel::Kind::laplace ? gap : gap * gap;
  }
  return kernel.kind() == Kernel::Kind::laplace ? sum : std::sqrt(sum);
}

struct Sizes {
  Index inputs, left, right;
};

class KernelsOnGpu : public ::testing::TestWithParam<Sizes> {
 protected:
  void SetUp() override {
    gpu_ = weft::testing::tested_gpu();
    if (gpu_ == nullptr) GTEST_SKIP() << "no GPU: " << gpus().problem;
  }
  const Device& gpu() const { return *gpu_; }

 private:
  const Device* gpu_ = nullptr;
};

TEST_P(KernelsOnGpu, HaveTheValuesOfTheCpu) {
  const auto [inputs, left, right] = GetParam();
  const Matrix a = random_rows(inputs, left, 1), b = rows_like(a, right, 1e-9);
  for (const Kernel& kernel : kernels(inputs)) {
    ASSERT_TRUE(gpu().computes(kernel.kind()));
    const Matrix expected = values(cpu(), kernel, a, b);
    for (const Precision precision : {Precision::float64, Precision::float32})
      EXPECT_LT(difference(values(gpu(), kernel, a, b, precision), expected),
                precision == Precision::float64 ? 1e-13 : 1e-5)
          << label(kernel, precision);
  }
}

TEST_P(KernelsOnGpu, HaveTheLowerTrianglesOfTheCpu) {
  const auto [inputs, left, right] = GetParam();
  const Matrix a = random_rows(inputs, right, 1);
  for (const Kernel& kernel : kernels(inputs))
    for (const Precision precision : {Precision::float64, Precision::float32}) {
      Matrix expected(right, right), got(right, right);
      const auto prepared = kernel.prepare(a, precision);
      cpu().kernel_values(kernel, a, prepared, a, expected, true, {});
      std::fill_n(got.data(), right * right, kNaN);
      gpu().kernel_values(kernel, a, prepared, a, got, true, {});
      for (Index i = 0; i < right; ++i)
        for (Index j = i + 1; j < right; ++j) got(i, j) = expected(i, j) = 0;
      EXPECT_LT(difference(got, expected), precision == Precision::float64 ? 1e-13 : 1e-5) << label(kernel, precision);
    }
}

// With rows of zeros, equal rows and opposite ones.
TEST_P(KernelsOnGpu, HaveTheAngularKernelOfTheCpu) {
  const auto [inputs, left, right] = GetParam();
  const Kernel kernel = Kernel::angular(Inputs::plain(inputs));
  const Matrix a = random_rows(inputs, left, 1);
  Matrix b = rows_like(a, right, 0);
  for (Index j = 0; j < inputs; ++j) {
    if (right > 1) b(j, 1) = 0;
    if (right > 2) b(j, 2) = -3 * a(j, 0);
  }
  ASSERT_TRUE(gpu().computes(kernel.kind()));
  const auto cosines = [&](const Device& device) {  // arcsin is steep at ±1
    Matrix k = values(device, kernel, a, b);
    for (double& x : std::span(k.data(), static_cast<std::size_t>(left * right)))
      x = std::sin(std::numbers::pi / 2 * x);
    return k;
  };
  EXPECT_LT(difference(cosines(gpu()), cosines(cpu())), 1e-13);
  EXPECT_EQ(values(gpu(), kernel, a, a)(left - 1, left - 1), 1);
}

TEST_P(KernelsOnGpu, HaveTheGradientsOfTheCpu) {
  const auto [inputs, left, right] = GetParam();
  const Matrix a = random_rows(inputs, left, 1), b = rows_like(a, right, 0);
  for (const Index outputs : {1, 3, 6}) {
    const Matrix coefficients = random_rows(left, outputs, 3);
    for (const Kernel& kernel : kernels(inputs)) {
      const Matrix expected = gradients(cpu(), kernel, a, coefficients, b);
      for (const Precision precision : {Precision::float64, Precision::float32})
        EXPECT_LT(difference(gradients(gpu(), kernel, a, coefficients, b, precision), expected),
                  precision == Precision::float64 ? 1e-12 : 1e-4)
            << label(kernel, precision) << ", outputs " << outputs;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, KernelsOnGpu,
                         ::testing::Values(Sizes{1, 1, 1}, Sizes{3, 1, 70}, Sizes{3, 700, 5}, Sizes{17, 67, 150},
                                           Sizes{40, 33, 65}, Sizes{130, 66, 33}, Sizes{130, 1, 270}),
                         [](const auto& sizes) {
                           return std::to_string(sizes.param.inputs) + "x" + std::to_string(sizes.param.left) + "x" +
                                  std::to_string(sizes.param.right);
                         });

using weft::testing::device_name, weft::testing::every_device;
class KernelsOfDevices : public weft::testing::DeviceTest {};

TEST_P(KernelsOfDevices, HaveTheGradientsOfTheirValues) {
  for (const Index inputs : {3, 45}) {
    constexpr Index kLeft = 31, kRight = 9, kOutputs = 3;
    constexpr double kStep = 1e-5;
    const Matrix a = random_rows(inputs, kLeft, 1), b = random_rows(inputs, kRight, 2);
    const Matrix coefficients = random_rows(kLeft, kOutputs, 3);
    for (const Kernel& kernel : kernels(inputs)) {
      const Matrix got = gradients(device(), kernel, a, coefficients, b);
      for (Index j = 0; j < inputs; ++j) {
        Matrix up = b, down = b;
        for (Index i = 0; i < kRight; ++i) {
          up(j, i) += kStep;
          down(j, i) -= kStep;
        }
        const Matrix above = values(device(), kernel, a, up), below = values(device(), kernel, a, down);
        for (Index o = 0; o < kOutputs; ++o)
          for (Index i = 0; i < kRight; ++i) {
            double slope = 0;
            for (Index t = 0; t < kLeft; ++t) slope += coefficients(t, o) * (above(t, i) - below(t, i)) / (2 * kStep);
            EXPECT_NEAR(got(o * inputs + j, i), slope, 1e-6) << label(kernel, Precision::float64) << ", " << inputs;
          }
      }
    }
  }
}

// Nearer than rounding of their norms, where a difference of products would have no digits left.
TEST_P(KernelsOfDevices, KeepTheDigitsOfNearRows) {
  for (const Index inputs : {4, 130})
    for (const double gap : {1e-6, 1e-9}) {
      const Matrix a = random_rows(inputs, 12, 1);
      Matrix b = a;
      for (Index j = 0; j < inputs; ++j) b(j, 1) += gap * static_cast<double>(j % 4 + 1);
      Matrix coefficients(12, 1);
      coefficients(1, 0) = 1;
      for (const double q : {0.7, 1.0, 1.4})
        for (const Kernel& kernel : {Kernel::laplace(2, q), Kernel::laplace_l2(2, q)}) {
          const Matrix k = values(device(), kernel, a, b), got = gradients(device(), kernel, a, coefficients, b);
          const double d = distance(kernel, a, 1, b, 1), u = std::pow(d / 2, q);
          EXPECT_NEAR(1 - k(1, 1), -std::expm1(-u), 1e-6 * u + 1e-15) << label(kernel, Precision::float64);
          for (Index j = 0; j < inputs; ++j) {
            const double direction = kernel.kind() == Kernel::Kind::laplace ? 1 : (b(j, 1) - a(j, 1)) / d;
            const double slope = -q * u / d * std::exp(-u) * direction;
            EXPECT_NEAR(got(j, 1), slope, 1e-6 * std::abs(slope)) << label(kernel, Precision::float64) << ", " << gap;
          }
        }
    }
}

TEST_P(KernelsOfDevices, HaveNoSlopeWhereRowsAreEqual) {
  for (const Index inputs : {4, 130}) {
    const Matrix a = random_rows(inputs, 30, 1);
    Matrix coefficients(30, 1);
    coefficients(7, 0) = 1;
    for (const Kernel& kernel : kernels(inputs))
      for (const Precision precision : {Precision::float64, Precision::float32}) {
        const Matrix got = gradients(device(), kernel, a, coefficients, a, precision);
        for (Index j = 0; j < inputs; ++j) EXPECT_NEAR(got(j, 7), 0, 1e-14) << label(kernel, precision);
      }
  }
}

TEST_P(KernelsOfDevices, AreEmptyOrZeroWithoutRows) {
  for (const Index inputs : {3, 60}) {
    const Matrix none(inputs, 0), some = random_rows(inputs, 4, 1);
    for (const Kernel& kernel : kernels(inputs)) {
      EXPECT_EQ(values(device(), kernel, none, some).rows(), 0);
      EXPECT_EQ(values(device(), kernel, some, none).cols(), 0);
      EXPECT_EQ(gradients(device(), kernel, some, Matrix(4, 2), none).cols(), 0);
      const Matrix zero = gradients(device(), kernel, none, Matrix(0, 2), some);
      for (Index r = 0; r < 2 * inputs; ++r)
        for (Index i = 0; i < 4; ++i) ASSERT_EQ(zero(r, i), 0);
    }
  }
}

TEST_P(KernelsOfDevices, ReadAndWritePartsOfMatricesOfEitherMemory) {
  for (const Index inputs : {5, 60}) {
    const Matrix a = random_rows(inputs, 90, 1), b = random_rows(inputs, 80, 2), alpha = random_rows(90, 5, 3);
    const auto part = [](auto& x, Index first, Index count) { return x.view().col_range(first, count); };
    Matrix some_a(inputs, 70), some_b(inputs, 66), some_alpha(70, 2);
    for (Index j = 0; j < inputs; ++j) {
      for (Index t = 0; t < 70; ++t) some_a(j, t) = a(j, t + 7);
      for (Index i = 0; i < 66; ++i) some_b(j, i) = b(j, i + 3);
    }
    for (Index t = 0; t < 70; ++t)
      for (Index o = 0; o < 2; ++o) some_alpha(t, o) = alpha(t, o + 1);
    const DeviceMatrix<double> own_a(device(), a), own_b(device(), b), own_alpha(device(), alpha);
    for (const Kernel& kernel : kernels(inputs)) {
      const auto prepared = kernel.prepare(some_a);
      const Matrix expected = values(device(), kernel, some_a, some_b);
      const Matrix slopes = gradients(device(), kernel, some_a, some_alpha, some_b);
      Matrix out(75, 100), out_slopes(2 * inputs, 100);
      DeviceMatrix<double> own_out(device(), out), own_slopes(device(), out_slopes);
      device().kernel_values(kernel, part(a, 7, 70), prepared, part(b, 3, 66), part(out, 9, 66).row_range(2, 70), false,
                             {});
      device().kernel_values(kernel, part(own_a, 7, 70), prepared, part(own_b, 3, 66),
                             part(own_out, 9, 66).row_range(2, 70), false, {});
      device().kernel_gradients(kernel, part(a, 7, 70), prepared, part(alpha, 1, 2), part(b, 3, 66),
                                part(out_slopes, 9, 66), {});
      device().kernel_gradients(kernel, part(own_a, 7, 70), prepared, part(own_alpha, 1, 2), part(own_b, 3, 66),
                                part(own_slopes, 9, 66), {});
      const Matrix copied = own_out.on_host(), copied_slopes = own_slopes.on_host();
      for (Index i = 0; i < 100; ++i) {
        const bool inside = i >= 9 && i < 75;
        for (Index t = 0; t < 75; ++t) {
          ASSERT_EQ(copied(t, i), out(t, i));
          ASSERT_EQ(out(t, i), inside && t >= 2 && t < 72 ? expected(t - 2, i - 9) : 0);
        }
        for (Index r = 0; r < 2 * inputs; ++r) {
          ASSERT_EQ(copied_slopes(r, i), out_slopes(r, i));
          ASSERT_EQ(out_slopes(r, i), inside ? slopes(r, i - 9) : 0);
        }
      }
    }
  }
}

// Products of a triangle are asked for by blocks of rows.
TEST_P(KernelsOfDevices, FillLargeLowerTriangles) {
  constexpr Index kRows = 1100;
  const Matrix a = random_rows(41, kRows, 1);
  for (const Kernel& kernel : {Kernel::laplace_l2(6, 1.4), Kernel::angular(Inputs::plain(41))})
    for (const Precision precision : {Precision::float64, Precision::float32}) {
      const auto prepared = kernel.prepare(a, precision);
      Matrix all(kRows, kRows), lower(kRows, kRows);
      device().kernel_values(kernel, a, prepared, a, all, false, {});
      device().kernel_values(kernel, a, prepared, a, lower, true, {});
      for (Index i = 0; i < kRows; ++i)
        for (Index j = 0; j <= i; ++j) ASSERT_NEAR(lower(i, j), all(i, j), 1e-6) << label(kernel, precision);
    }
}

// Prepared before: beside calls of the CPU's BLAS the emulated device's, which is the same library, has other threads.
TEST_P(KernelsOfDevices, AreTheSameForManyThreads) {
  const Matrix a = random_rows(50, 70, 1), b = random_rows(50, 66, 2), alpha = random_rows(70, 2, 3);
  const Kernel kernel = Kernel::laplace_l2(5, 1.4);
  const auto prepared = kernel.prepare(a);
  const auto compute = [&] {
    Matrix k(70, 66), slopes(100, 66);
    device().kernel_values(kernel, a, prepared, b, k, false, {.threads = 1});
    device().kernel_gradients(kernel, a, prepared, alpha, b, slopes, {.threads = 1});
    return std::pair(k, slopes);
  };
  const auto [k, slopes] = compute();
  std::vector<double> differences(4, kNaN);
  std::vector<std::thread> threads;
  for (double& apart : differences)
    threads.emplace_back([&, &expected = k, &expected_slopes = slopes] {
      const auto [got, got_slopes] = compute();
      apart = difference(got, expected) + difference(got_slopes, expected_slopes);
    });
  for (std::thread& thread : threads) thread.join();
  for (const double apart : differences) EXPECT_EQ(apart, 0);
}

INSTANTIATE_TEST_SUITE_P(Devices, KernelsOfDevices, every_device(), device_name);

}  // namespace
}  // namespace weft::detail
