// The CPU as a device: OpenBLAS on one thread inside loops over tiles, and elementwise kernels (vector_kernels.hpp).
#pragma once

#include "compute/device.hpp"

#include <limits>

namespace weft::detail {

class CpuDevice final : public Device {
 public:
  bool has_own_memory() const override { return false; }
  void* allocate(std::size_t bytes) const override;
  void release(void* memory) const noexcept override;
  void copy(View<const double> from, View<double> to) const override;
  void copy(View<const float> from, View<float> to) const override;
  void clear(View<double> matrix) const override;
  void send(View<double> to, const MakeRows& make) const override { make(0, to); }
  void finish() const override {}
  double free_memory() const override { return std::numeric_limits<double>::infinity(); }
  bool computes(const FeaturePart&) const override { return true; }
  bool computes(Kernel::Kind) const override { return true; }

  void smoothings(Parts parts, View<const double> x, View<double> phi, const Run& run) const override;
  void smoothings(Parts parts, View<const double> x, View<float> phi, const Run& run) const override;
  void project(Parts parts, View<const double> x, View<double> projections, const Run& run) const override;
  void smooth_projected(Parts parts, View<const double> x, View<const double> projections, double sigma,
                        View<double> phi, const Run& run) const override;
  void activate_projected(Parts parts, View<const double> x, View<const double> projections, const Activation& h,
                          View<double> phi, const Run& run) const override;
  void feature_gradients(Parts parts, View<const double> x, View<const double> coefficients, View<double> out,
                         const Run& run) const override;
  void transpose_features(View<const double> phi, const double* amplitudes, double factor,
                          View<double> out) const override;

  void kernel_values(const Kernel& kernel, View<const double> a, const PreparedRows& prepared, View<const double> b,
                     View<double> out, bool lower, const Run& run) const override;
  void kernel_gradients(const Kernel& kernel, View<const double> a, const PreparedRows& prepared,
                        View<const double> coefficients, View<const double> b, View<double> out,
                        const Run& run) const override;

  void multiply(double alpha, Operand a, Operand b, double beta, View<double> c) const override;
  void multiply_vector(double alpha, Operand a, Strided<const double> x, double beta, Strided<double> y) const override;
  void add_symmetric_product(double alpha, View<const double> lower, View<const double> x, View<double> out,
                             int threads) const override;
  void multiply_lower_transposed(View<const double> lower, View<double> x) const override;
  void scores(View<const double> coefficients, const double* intercepts, View<const double> phi, View<double> scores,
              int threads) const override;
  void add_sums(View<const double> rooted, View<const double> phi, View<const double> right, View<double> gram,
                View<double> moments, int threads) const override;
  void add_sums(View<const float> rooted, View<const float> phi, View<const float> right, View<double> gram,
                View<double> moments, int threads) const override;
  void scale_columns(View<const double> a, const double* factors, View<double> out, int threads) const override;
  void scale_columns(View<const float> a, const float* factors, View<float> out, int threads) const override;
  double dot(Index n, const double* x, const double* y) const override;
  double norm(Index n, const double* x) const override;
  void add_scaled(Index n, double alpha, const double* x, double* y) const override;

  void copy_lower(View<const double> from, View<double> to) const override;
  void copy_lower(View<const double> from, View<float> to) const override;
  void add_to_diagonal(View<double> a, const double* values) const override;
  void add_to_diagonal(View<float> a, const double* values) const override;
  std::vector<double> absolute_sums(View<const double> lower) const override;
  void penalised_normal(View<const double> gram, const double* sums, double weight, double lambda,
                        View<const double> penalty, double jitter, View<double> out) const override;
  void scaled_normal(View<const double> gram, View<const double> penalty, double lambda, const double* scale,
                     double jitter, View<double> out, int threads) const override;

  bool factor(View<double> a, int threads) const override;
  bool factor(View<float> a, int threads) const override;
  void solve_lower(View<const double> lower, bool transposed, View<double> rhs, int threads) const override;
  void solve_lower(View<const float> lower, bool transposed, View<float> rhs, int threads) const override;
  std::vector<double> inverse_diagonal(View<const double> lower, int threads) const override;
  double reciprocal_condition(View<const double> lower, double one_norm) const override;
  bool eigen(View<double> a, std::vector<double>& values) const override;
  void divide_both_sides(View<const double> lower, View<double> a) const override;
  void tridiagonalise(Tridiagonal& a) const override;
  void rotate(Tridiagonal& a, bool transposed, View<double> vectors) const override;
  bool solve_tridiagonal(const Tridiagonal& a, double shift, View<double> vectors, double& rcond) const override;
};

}  // namespace weft::detail
