// SKS of the rows of an exact fit, S = diag(√w): held by the processor, or computed where a GPU factorises it.
#pragma once

#include "linalg/ridge.hpp"
#include "methods/problem.hpp"

#include <memory>
#include <vector>

namespace weft::detail {

class ScaledKernel {
 public:
  virtual ~ScaledKernel() = default;

  virtual Index rows() const = 0;
  virtual double trace() const = 0;
  /// Both triangles, where the processor holds them and finds eigenvectors; none: a GPU factorises them for every μ.
  virtual Matrix* held() = 0;
  /// (SKS + μI)⁻¹ rhs.
  virtual RidgeSolution solve(double mu, View<const double> rhs) const = 0;
  /// The same for some of the rows alone.
  virtual RidgeSolution solve(const std::vector<Index>& rows, double mu, View<const double> rhs) const = 0;
  /// (SKS)(rows, columns) · x.
  virtual Matrix product(const std::vector<Index>& rows, const std::vector<Index>& columns,
                         View<const double> x) const = 0;
};

class HeldKernel final : public ScaledKernel {
 public:
  HeldKernel(Matrix kernel, Worker worker) : kernel_(std::move(kernel)), worker_(worker) {}

  Index rows() const override { return kernel_.rows(); }
  double trace() const override;
  Matrix* held() override { return worker_.device->has_own_memory() ? nullptr : &kernel_; }
  RidgeSolution solve(double mu, View<const double> rhs) const override;
  RidgeSolution solve(const std::vector<Index>& rows, double mu, View<const double> rhs) const override;
  Matrix product(const std::vector<Index>& rows, const std::vector<Index>& columns,
                 View<const double> x) const override;

 private:
  Matrix kernel_;
  Worker worker_;
};

/// Of the map's sections at all rows; `roots`: the diagonal of S. The problem must outlive it.
std::unique_ptr<ScaledKernel> scaled_kernel(const Problem& problem, const std::vector<double>& roots);

}  // namespace weft::detail
