// Kernels on encoded rows. A kernel section k(z_t, ·) is a feature whose centre is a row of data: a kernel machine is a
// feature map of sections and their coefficients, with G = k(z_s, z_t) and θ² = sup k(x, x).
#pragma once

#include <weft/family.hpp>
#include <weft/inputs.hpp>
#include <weft/run.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

class FeatureMap;
struct Constants;

/// Precomputed for one side of many blocks: for rbf the rows about their mean, which leaves distances unchanged and
/// reduces cancellation, and their squares. Empty for other kernels.
struct PreparedRows {
  std::vector<double> centre;   ///< inputs
  Matrix rows;                  ///< inputs × m
  std::vector<double> squares;  ///< m

  Matrix about_centre(View<const double> a) const;  ///< a (inputs × any) with the centre subtracted from every row
  static std::vector<double> column_squares(View<const double> a);
};

class Kernel {
 public:
  enum class Kind { rbf, laplace, angular, implicit };

  static Kernel rbf(double bandwidth);      ///< exp(−‖a − b‖²/2σ²)
  static Kernel laplace(double bandwidth);  ///< exp(−‖a − b‖₁/σ)
  /// (2/π) arcsin cos∠(a, b): the limit of sign features without a weight kernel.
  static Kernel angular(const Inputs& inputs);
  /// K_X, the limit of the families of this map for infinitely many features. Its centres are ignored.
  static Kernel implicit(const FeatureMap& limit);

  /// "rbf", "laplace", "angular" or "implicit:FAMILY"; throws Error(option) for anything else.
  static Kind parse_kind(const std::string& text);
  static std::string implicit_family(const std::string& text);  ///< FAMILY
  /// rbf and laplace need a bandwidth, implicit takes the rest of the family's options.
  static Kernel make(const std::string& text, std::optional<double> bandwidth, FamilyOptions family,
                     const Inputs& inputs, const ActivationPtr& custom = nullptr);

  Kind kind() const { return kind_; }
  std::string name() const;  ///< as make reads it
  double bandwidth() const { return bandwidth_; }
  bool has_bandwidth() const { return kind_ == Kind::rbf || kind_ == Kind::laplace; }
  const FeatureMap* limit() const { return limit_.get(); }  ///< of angular and implicit

  using Prepared = PreparedRows;
  Prepared prepare(View<const double> a) const;

  /// out(t, i) = k(a_t, b_i): a is inputs × m, b inputs × m', out m × m'.
  void values(View<const double> a, View<const double> b, View<double> out, const Run& run = {}) const;
  void values(View<const double> a, const Prepared& prepared, View<const double> b, View<double> out,
              const Run& run = {}) const;
  std::vector<double> diagonal(View<const double> x, const Run& run = {}) const;  ///< k(x_i, x_i)
  /// k(a_s, a_t), symmetric to the last bit.
  Matrix gram(View<const double> a, const Run& run = {}) const;

 private:
  Kernel(Kind kind, double bandwidth, std::shared_ptr<const FeatureMap> limit)
      : kind_(kind), bandwidth_(bandwidth), limit_(std::move(limit)) {}

  Kind kind_;
  double bandwidth_;
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
