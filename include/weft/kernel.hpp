// Kernels on encoded rows. A kernel section k(z_t, ·) is a feature whose centre is a row of data: a kernel machine is a
// feature map of sections and their coefficients, with G = k(z_s, z_t) and θ² = sup k(x, x).
#pragma once

#include <weft/family.hpp>
#include <weft/inputs.hpp>
#include <weft/precision.hpp>
#include <weft/run.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

class FeatureMap;
struct Constants;
namespace detail {
class DeviceCopies;
}

/// Precomputed for one side of many blocks, and the precision of their values: for rbf and laplace-l2 the mean of the
/// rows, about which distances are the same and cancel less; in single precision, for laplace too, the mean and the
/// rows about it. What other kernels and precisions need is empty.
struct PreparedRows {
  Precision precision = Precision::float64;
  std::vector<double> centre;                         ///< inputs
  BasicMatrix<float> single_rows;                     ///< inputs × m
  std::shared_ptr<detail::DeviceCopies> copies = {};  ///< where devices keep the rows
};

class Kernel {
 public:
  enum class Kind { rbf, laplace, laplace_l2, angular, implicit };

  static Kernel rbf(double bandwidth);                              ///< exp(−‖a − b‖²/2σ²)
  static Kernel laplace(double bandwidth, double exponent = 1);     ///< exp(−(‖a − b‖₁/σ)^q)
  static Kernel laplace_l2(double bandwidth, double exponent = 1);  ///< exp(−(‖a − b‖₂/σ)^q)
  /// (2/π) arcsin cos∠(a, b): the limit of sign features without a weight kernel.
  static Kernel angular(const Inputs& inputs);
  /// K_X, the limit of the families of this map for infinitely many features. Its centres are ignored.
  static Kernel implicit(const FeatureMap& limit);

  /// "rbf", "laplace", "laplace-l2", "angular" or "implicit:FAMILY"; throws Error(option) for anything else.
  static Kind parse_kind(const std::string& text);
  static bool has_bandwidth(Kind kind) { return kind < Kind::angular; }
  static bool has_exponent(Kind kind) { return kind == Kind::laplace || kind == Kind::laplace_l2; }
  static std::string implicit_family(const std::string& text);  ///< FAMILY
  /// rbf and the Laplace kernels need a bandwidth, the latter may have an exponent; implicit takes the rest of the
  /// family's options.
  static Kernel make(const std::string& text, std::optional<double> bandwidth, FamilyOptions family,
                     const Inputs& inputs, const ActivationPtr& custom = nullptr,
                     std::optional<double> exponent = std::nullopt);

  Kind kind() const { return kind_; }
  std::string name() const;  ///< as make reads it
  double bandwidth() const { return bandwidth_; }
  double exponent() const { return exponent_; }  ///< q; 1 for kernels without one
  bool has_bandwidth() const { return has_bandwidth(kind_); }
  bool has_exponent() const { return has_exponent(kind_); }
  const FeatureMap* limit() const { return limit_.get(); }  ///< of angular and implicit

  using Prepared = PreparedRows;
  /// In single precision `values` computes distances and exponentials in float; angular and implicit kernels do not
  /// know it.
  Prepared prepare(View<const double> a, Precision precision = Precision::float64) const;

  /// out(t, i) = k(a_t, b_i): a is inputs × m, b inputs × m', out m × m'.
  void values(View<const double> a, View<const double> b, View<double> out, const Run& run = {}) const;
  void values(View<const double> a, const Prepared& prepared, View<const double> b, View<double> out,
              const Run& run = {}) const;
  /// Gradients of f_o = Σ_t coefficients(t, o) k(a_t, ·) at the rows of b: out(o·inputs + j, i) = ∂f_o/∂x_j at b_i.
  /// Terms of centres that equal the row are 0: Laplace kernels have a kink there. Throws Error(option) for angular
  /// and implicit kernels.
  void gradients(View<const double> a, const Prepared& prepared, View<const double> coefficients, View<const double> b,
                 View<double> out, const Run& run = {}) const;
  std::vector<double> diagonal(View<const double> x, const Run& run = {}) const;  ///< k(x_i, x_i)
  /// k(a_s, a_t), symmetric to the last bit.
  Matrix gram(View<const double> a, const Run& run = {}, Precision precision = Precision::float64) const;

 private:
  Kernel(Kind kind, double bandwidth, double exponent, std::shared_ptr<const FeatureMap> limit)
      : kind_(kind), bandwidth_(bandwidth), exponent_(exponent), limit_(std::move(limit)) {}

  Kind kind_;
  double bandwidth_;
  double exponent_;
  std::shared_ptr<const FeatureMap> limit_;
};

/// T features k(z_t, ·).
struct KernelSections {
  Kernel kernel;
  Matrix landmarks;  ///< inputs × T: the z_t
  Kernel::Prepared prepared = kernel.prepare(landmarks);

  Index count() const { return landmarks.cols(); }
  void values(View<const double> x, View<double> out, const Run& run) const {
    kernel.values(landmarks, prepared, x, out, run);
  }
  KernelSections subset(const std::vector<Index>& positions) const;
  /// θ² = sup k(x, x), as in FeatureMap::constants; κ and τ belong to weight functions and are absent.
  Constants constants(std::optional<double> max_norm) const;
  Constants constants(View<const double> x, const Run& run) const;
};

}  // namespace weft
